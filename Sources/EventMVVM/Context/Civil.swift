#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// MARK: - Days

/// A day of the week; the raw value is its number in ISO 8601.
public enum Weekday: Int, Sendable, Hashable, CaseIterable, Codable {
  /// The first day of the week in ISO 8601.
  case monday = 1
  /// The second day.
  case tuesday
  /// The third day.
  case wednesday
  /// The fourth day.
  case thursday
  /// The fifth day.
  case friday
  /// The sixth day.
  case saturday
  /// The last day of the week in ISO 8601.
  case sunday
}

/// A calendar day in the proleptic Gregorian calendar, without zone.
///
/// The years run from 1 to 9999, so that every day has a text of ten characters.
public struct CivilDay: Sendable, Hashable {
  /// Year, month and day from the highest bit down, so that days compare as their numbers do.
  private let packed: Int32

  /// The first day there is, 0001-01-01.
  public static let first = CivilDay(uncheckedYear: 1, month: 1, day: 1)

  /// The last day there is, 9999-12-31.
  public static let last = CivilDay(uncheckedYear: 9999, month: 12, day: 31)

  private init(uncheckedYear year: Int, month: Int, day: Int) {
    packed = Int32(truncatingIfNeeded: year << 9 | month << 5 | day)
  }

  /// Makes a day; nil unless the year is 1…9999 and the year has that month and day.
  public init?(year: Int, month: Int, day: Int) {
    guard
      (1...9999).contains(year), (1...12).contains(month),
      (1...daysInMonth(month, ofYear: year)).contains(day)
    else { return nil }
    self.init(uncheckedYear: year, month: month, day: day)
  }

  /// Makes the day that many days after 1970-01-01, clamped to 0001-01-01…9999-12-31.
  public init(daysSinceEpoch days: Int) {
    let date = civilFromDays(min(max(days, Self.dayRange.lowerBound), Self.dayRange.upperBound))
    self.init(uncheckedYear: date.year, month: date.month, day: date.day)
  }

  /// The days since the epoch of 0001-01-01 and 9999-12-31.
  fileprivate static var dayRange: ClosedRange<Int> { -719_162...2_932_896 }

  /// The year, 1…9999.
  public var year: Int { Int(packed >> 9) }

  /// The month, 1…12.
  public var month: Int { Int(packed >> 5 & 0xF) }

  /// The day of the month, 1…31.
  public var day: Int { Int(packed & 0x1F) }

  /// The number of days since 1970-01-01, negative before it.
  public var daysSinceEpoch: Int { daysFromCivil(year: year, month: month, day: day) }

  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday, three days after a Monday.
    let index = Int64(daysSinceEpoch + 3).quotientAndRemainder(flooringBy: 7).remainder
    return Weekday(rawValue: Int(index) + 1) ?? .monday
  }

  /// The day that many days later, or earlier for a negative number; nil outside the years 1…9999.
  public func adding(days: Int) -> CivilDay? {
    let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
    guard !overflow, Self.dayRange.contains(sum) else { return nil }
    return CivilDay(daysSinceEpoch: sum)
  }
}

extension CivilDay: Comparable {
  /// Whether the left day comes before the right one.
  public static func < (left: CivilDay, right: CivilDay) -> Bool {
    left.packed < right.packed
  }
}

extension CivilDay {
  /// The day as ISO 8601, such as `2026-12-01`.
  public var text: String {
    String(asciiCapacity: 10) { $0.write(self) }
  }

  /// Reads a day written `YYYY-MM-DD`; nil if the text is anything else or there is no such day.
  @inlinable
  public init?(_ text: some StringProtocol) {
    self.init(written: String(text))
  }

  @usableFromInline
  init?(written text: String) {
    guard let day = ASCIIReader.read(text, { $0.readDay() }) else { return nil }
    self = day
  }
}

// MARK: - Minutes

/// A minute of a calendar day, without zone.
public struct CivilMinute: Sendable, Hashable {
  /// The day.
  public let day: CivilDay
  private let minuteOfDay: Int16

  /// Makes a minute; nil unless the hour is 0…23 and the minute 0…59.
  public init?(day: CivilDay, hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    self.init(day: day, minuteOfDay: hour * 60 + minute)
  }

  /// Makes the first minute of a day, 00:00.
  public init(startOf day: CivilDay) {
    self.init(day: day, minuteOfDay: 0)
  }

  fileprivate init(day: CivilDay, minuteOfDay: Int) {
    self.day = day
    self.minuteOfDay = Int16(truncatingIfNeeded: minuteOfDay)
  }

  /// The hour, 0…23.
  public var hour: Int { Int(minuteOfDay) / 60 }

  /// The minute of the hour, 0…59.
  public var minute: Int { Int(minuteOfDay) % 60 }

  /// The seconds since 1970-01-01T00:00 if this were UTC.
  fileprivate var secondsSinceEpoch: Int64 {
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

// MARK: - Zones

/// The offset of local time from UTC, as a rule.
///
/// No conversion traps: instants outside the years 1…9999 count as the nearest instant inside.
public struct ZoneRule: Sendable {
  /// What the zone is called, for people: `UTC`, `+02:00`, `Europe/Berlin`.
  public let name: String
  private let rule: @Sendable (Instant) -> Int

  /// Makes a zone from a rule that gives the seconds local time is ahead of UTC at an instant.
  ///
  /// The rule is only asked about instants of the years 1…9999, give or take two days. Its answers
  /// are clamped to less than a day either way.
  public init(name: String, offsetSeconds rule: @escaping @Sendable (Instant) -> Int) {
    self.name = name
    self.rule = rule
  }

  /// Coordinated Universal Time, the offset 0.
  public static let utc = ZoneRule(name: "UTC") { _ in 0 }

  /// Makes a zone that is always the same number of seconds ahead of UTC.
  ///
  /// The offset is clamped to less than a day either way. The name is `+02:00`, or `+02:00:30` if
  /// the seconds call for it.
  public static func fixed(seconds: Int) -> ZoneRule {
    let offset = clampedOffset(seconds)
    return ZoneRule(name: offsetText(offset)) { _ in offset }
  }

  /// The zone of this process: that of the variable `TZ` if it is set, else that of the system.
  ///
  /// The first use reads it with `tzset`; later changes of the variable have no effect.
  public static let current: ZoneRule = {
    tzset()
    return ZoneRule(name: systemZoneName(), offsetSeconds: systemOffset)
  }()

  /// The seconds local time is ahead of UTC at an instant, negative west of Greenwich.
  public func offsetSeconds(at instant: Instant) -> Int {
    offsetSeconds(atSecond: Self.seconds(of: instant))
  }

  /// The local minute at an instant; its seconds are dropped.
  public func civil(at instant: Instant) -> CivilMinute {
    let seconds = Self.seconds(of: instant)
    let local = Self.clamped(seconds + Int64(offsetSeconds(atSecond: seconds)))
    let (days, second) = local.quotientAndRemainder(flooringBy: 86_400)
    return CivilMinute(day: CivilDay(daysSinceEpoch: Int(days)), minuteOfDay: Int(second / 60))
  }

  /// The local day at an instant.
  public func day(at instant: Instant) -> CivilDay {
    civil(at: instant).day
  }

  /// The instant at which a local minute begins.
  ///
  /// A minute that a change of the clocks leaves out moves forward by what was left out: 02:30
  /// becomes 03:30 when 02:00 is followed by 03:00. Of a minute that comes twice the first is
  /// taken. (The rule of Java's `ZonedDateTime.ofLocal` and Temporal's "compatible".) Two changes
  /// within two days of each other are not told apart; no zone has them.
  public func instant(of minute: CivilMinute) -> Instant {
    let local = minute.secondsSinceEpoch
    let before = Int64(offsetSeconds(atSecond: local - 86_400))
    let after = Int64(offsetSeconds(atSecond: local + 86_400))
    let isLater =
      before != after
      && Int64(offsetSeconds(atSecond: local - before)) != before
      && Int64(offsetSeconds(atSecond: local - after)) == after
    return Instant(milliseconds: (local - (isLater ? after : before)) * 1000)
  }
}

extension ZoneRule {
  /// The seconds of the first and the last minute there is, as UTC.
  private static var secondRange: ClosedRange<Int64> {
    Int64(CivilDay.dayRange.lowerBound) * 86_400...Int64(CivilDay.dayRange.upperBound) * 86_400
      + 86_399
  }

  private static func clamped(_ seconds: Int64) -> Int64 {
    min(max(seconds, secondRange.lowerBound), secondRange.upperBound)
  }

  /// Rounds down to the second, then clamps.
  private static func seconds(of instant: Instant) -> Int64 {
    clamped(instant.milliseconds.quotientAndRemainder(flooringBy: 1000).quotient)
  }

  private static func clampedOffset(_ seconds: Int) -> Int {
    min(max(seconds, -86_399), 86_399)
  }

  private func offsetSeconds(atSecond second: Int64) -> Int {
    Self.clampedOffset(rule(Instant(milliseconds: second * 1000)))
  }

  private static func offsetText(_ offset: Int) -> String {
    String(asciiCapacity: 9) { writer in
      writer.write(offset < 0 ? "-" : "+")
      writer.write(abs(offset) / 3600, digits: 2)
      writer.write(":")
      writer.write(abs(offset) / 60 % 60, digits: 2)
      guard offset % 60 != 0 else { return }
      writer.write(":")
      writer.write(abs(offset) % 60, digits: 2)
    }
  }
}

/// What the C library says about the process's zone.
@Sendable private func systemOffset(at instant: Instant) -> Int {
  var second = time_t(instant.milliseconds / 1000)
  var parts = tm()
  guard localtime_r(&second, &parts) != nil else { return 0 }
  return Int(parts.tm_gmtoff)
}

/// The value of `TZ`, else what the system's link to the zone database points at.
private func systemZoneName() -> String {
  if let value = getenv("TZ") {
    let name = String(cString: value)
    return name.isEmpty ? "UTC" : String(name.drop { $0 == ":" })
  }
  var path = [CChar](repeating: 0, count: 1024)
  let length = max(readlink("/etc/localtime", &path, path.count), 0)
  let target = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let parts = target.split(separator: "/")
  guard let root = parts.lastIndex(of: "zoneinfo"), root + 1 < parts.count else { return "local" }
  return String(target[parts[root + 1].startIndex...])
}

// MARK: - The Gregorian calendar

/// The days from 1970-01-01 to a date of the proleptic Gregorian calendar.
///
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`. Years start in
/// March there, so that the leap day is their last; an era is 400 years, which have 146 097 days.
internal func daysFromCivil(year: Int, month: Int, day: Int) -> Int {
  let shifted = month > 2 ? year : year - 1
  let era = (shifted >= 0 ? shifted : shifted - 399) / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/// The date that many days after 1970-01-01; the inverse of `daysFromCivil`.
///
/// Howard Hinnant, the same source, `civil_from_days`. Good for every day an `Instant` can be in.
internal func civilFromDays(_ days: Int) -> (year: Int, month: Int, day: Int) {
  let shifted = days + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}

/// The number of days in a month 1…12 of a year.
internal func daysInMonth(_ month: Int, ofYear year: Int) -> Int {
  switch month {
  case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

extension Int64 {
  /// Divides rounding down, so that the remainder is never negative; the divisor is positive.
  func quotientAndRemainder(
    flooringBy divisor: Int64
  ) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

// MARK: - Fixed forms of text

/// Writes texts of digits and ASCII punctuation into the memory of a string.
internal struct ASCIIWriter {
  // The memory is lent by `String` for the length of a closure, and each byte is checked to lie
  // inside it.
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  fileprivate private(set) var count = 0

  fileprivate init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  @inline(__always)
  mutating func write(byte: UInt8) {
    precondition(count < bytes.count, "a text is longer than its room")
    bytes[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func write(_ character: Unicode.Scalar) {
    write(byte: UInt8(truncatingIfNeeded: character.value))
  }

  /// Writes a number that is not negative, with leading zeros up to the number of digits.
  mutating func write(_ number: Int, digits: Int) {
    // Most are months, days, hours, minutes.
    if digits == 2, number < 100 {
      write(byte: 0x30 + UInt8(truncatingIfNeeded: number / 10))
      return write(byte: 0x30 + UInt8(truncatingIfNeeded: number % 10))
    }
    var unit = 1
    var left = digits
    while left > 1 || number / unit > 9 {
      unit *= 10
      left -= 1
    }
    while unit > 0 {
      write(byte: 0x30 + UInt8(truncatingIfNeeded: number / unit % 10))
      unit /= 10
    }
  }

  fileprivate mutating func write(_ day: CivilDay) {
    write(day.year, digits: 4)
    write("-")
    write(day.month, digits: 2)
    write("-")
    write(day.day, digits: 2)
  }
}

extension String {
  /// Makes a string of at most that many ASCII characters.
  @inline(__always)
  init(asciiCapacity: Int, _ body: (inout ASCIIWriter) -> Void) {
    self.init(unsafeUninitializedCapacity: asciiCapacity) { bytes in
      var writer = ASCIIWriter(bytes)
      body(&writer)
      return writer.count
    }
  }
}

/// Reads texts of digits and ASCII punctuation from the front.
internal struct ASCIIReader {
  // The bytes are lent by a string for the length of a closure; a substring keeps its bounds with
  // every byte, and takes ten times the work.
  private let bytes: UnsafeBufferPointer<UInt8>
  private var next = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Reads a text as a whole.
  ///
  /// - Returns: What the body reads; nil also if something is left.
  static func read<Value>(_ text: String, _ body: (inout ASCIIReader) -> Value?) -> Value? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = ASCIIReader(bytes)
      guard let value = body(&reader), reader.isAtEnd else { return nil }
      return value
    }
  }

  internal var isAtEnd: Bool { next == bytes.count }

  private var byte: UInt8? { next < bytes.count ? bytes[next] : nil }

  mutating func readByte() -> UInt8? {
    guard let byte else { return nil }
    next += 1
    return byte
  }

  /// Reads that character if it comes next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte, UInt32(byte) == character.value else { return false }
    next += 1
    return true
  }

  mutating func readDigit() -> Int? {
    guard let byte, (0x30...0x39).contains(byte) else { return nil }
    next += 1
    return Int(byte) - 0x30
  }

  mutating func readNumber(digits: Int) -> Int? {
    readNumber(digits: digits...digits)
  }

  /// Reads as many digits as there are up to the upper bound; nil if there are fewer than the
  /// lower.
  mutating func readNumber(digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < digits.upperBound, let digit = readDigit() {
      value = value * 10 + digit
      count += 1
    }
    return count >= digits.lowerBound ? value : nil
  }

  fileprivate mutating func readDay() -> CivilDay? {
    guard
      let year = readNumber(digits: 4), skip("-"),
      let month = readNumber(digits: 2), skip("-"),
      let day = readNumber(digits: 2)
    else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }
}
