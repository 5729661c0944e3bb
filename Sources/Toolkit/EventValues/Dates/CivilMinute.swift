/// A minute of a calendar day, without zone.
///
/// ```swift
/// static func due(at now: CivilMinute) -> Query<Sample> {
///   Query().where(.less(\.due, than: .minute(now))).where(.less(\.status, than: .finished))
/// }
/// ```
public struct CivilMinute: Sendable, Hashable {
  /// The day.
  public let day: CivilDay
  private let minuteOfDay: Int16

  /// Creates a minute; nil unless the hour is 0…23 and the minute 0…59.
  public init?(day: CivilDay, hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.init(day: day, minuteOfDay: hour * 60 + minute)
  }

  /// Creates the first minute of a day, 00:00.
  public init(startOf day: CivilDay) {
    self.init(day: day, minuteOfDay: 0)
  }

  init(day: CivilDay, minuteOfDay: Int) {
    self.day = day
    self.minuteOfDay = Int16(truncatingIfNeeded: minuteOfDay)
  }

  /// The hour, 0…23.
  public var hour: Int { Int(minuteOfDay) / 60 }

  /// The minute of the hour, 0…59.
  public var minute: Int { Int(minuteOfDay) % 60 }

  /// The seconds since 1970-01-01T00:00 if this were UTC.
  var secondsSinceEpoch: Int64 {
    Int64(day.daysSinceEpoch) * 86_400 + Int64(minuteOfDay) * 60
  }
}

extension CivilMinute: Comparable {
  /// Whether the left minute comes before the right one.
  public static func < (left: CivilMinute, right: CivilMinute) -> Bool {
    left.day != right.day ? left.day < right.day : left.minuteOfDay < right.minuteOfDay
  }
}

extension CivilMinute {
  /// The minute as ISO 8601, such as `2026-12-01T09:30`.
  public var text: String {
    String(asciiCapacity: 16) { writer in
      writer.write(day)
      writer.write("T")
      writer.write(hour, digits: 2)
      writer.write(":")
      writer.write(minute, digits: 2)
    }
  }

  /// Reads a minute written `YYYY-MM-DDTHH:MM`; nil if the text is anything else.
  @inlinable
  public init?(_ text: some StringProtocol) {
    self.init(written: String(text))
  }

  @usableFromInline
  init?(written text: String) {
    let minute = ASCIIReader.read(text) { reader -> CivilMinute? in
      guard
        let day = reader.readDay(), reader.skip("T"),
        let hour = reader.readNumber(digits: 2), reader.skip(":"),
        let minute = reader.readNumber(digits: 2)
      else { return nil }
      return CivilMinute(day: day, hour: hour, minute: minute)
    }
    guard let minute else { return nil }
    self = minute
  }
}
