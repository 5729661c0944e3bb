import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
public import JSONText

/// A moment in the past of a store, as people write it: `last monday`, `mon 9am`, or a revision.
///
/// A weekday lies behind, and a day is meant up to its end. Digits alone are a revision.
public enum AsOf: CommandValue, Hashable, Codable {
  /// After the change with this revision.
  case revision(Int)
  /// At a time, or at the end of a day.
  case when(When)

  /// Reads a word.
  public init(word: String) throws(ValueError) {
    guard word.isNumber else {
      self = .when(try When(word: word))
      return
    }
    guard let revision = Int(word) else {
      throw ValueError("'\(word.quotable)' is no number of a change")
    }
    self = .revision(revision)
  }

  /// Reads a text, or a whole number.
  public init(json: JSON) throws(ValueError) {
    guard let number = json.wholeNumber else {
      guard case .string(let word) = json else {
        throw ValueError("expected a string or a number, found \(json.kind)")
      }
      self = try Self(word: word)
      return
    }
    guard number >= 0 else { throw ValueError("must be at least 0") }
    self = .revision(Int(number))
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    var shape = When.shape
    shape.placeholder = "WHEN"
    shape.explanation = [
      "A day, which is meant up to its end, a time, or the number of a change, as JSON has it of what",
      "was changed. What is due or overdue goes by today nevertheless.",
    ]
    shape.schema = [
      "anyOf": [["type": "string"], ["type": "integer", "minimum": 0]],
      "description": "a day, up to its end, a time, or the number of a change",
    ]
    return shape
  }

  /// Returns the moment.
  ///
  /// - Throws: Why there is no such time.
  public func moment(_ turn: borrowing Turn) throws(Failure) -> PastMoment {
    switch self {
    case .revision(let revision): return .revision(revision)
    case .when(let when):
      let time = try when.date(of: "asOf", at: turn.time, in: turn.zone, .behind)
      let minute =
        if case .minute(let minute) = time { minute } else { CivilMinute(startOf: time.day) }
      guard turn.zone.instant(of: minute) <= turn.time else {
        throw Failure(
          .usage,
          "\(time.said(at: turn.clock.now, isWhole: true)) is still to come.",
          field: "asOf"
        )
      }
      guard case .day(let day) = time, let next = day.adding(days: 1) else {
        return .time(turn.zone.instant(of: minute))
      }
      let end = turn.zone.instant(of: CivilMinute(startOf: next))
      return .time(Instant(milliseconds: end.milliseconds - 1))
    }
  }

  /// Writes for a person which moment it is.
  func show(on page: inout Page) {
    guard page.width != nil else { return }
    switch self {
    case .revision(let revision): page.write("As it was after change \(revision):", .secondary)
    case .when(let when):
      guard let clock = page.clock,
        let time = when.resolved(at: clock.zone.instant(of: clock.now), in: clock.zone, .behind)
      else { return }
      page.write("As it was on \(time.said(at: clock.now, isWhole: true)):", .secondary)
    }
    page.endLine()
  }
}

/// A request that can ask for records as they were.
protocol PastAsking: Sendable {
  /// When they were so; nil for now.
  var asOf: AsOf? { get set }
}

extension PastAsking {
  /// The property with the moment.
  static var past: PropertyAccess<Self, AsOf?> {
    PropertyAccess("asOf", \.asOf) { request, body throws(ValueError) in try body(&request.asOf) }
  }
}

extension CommandSpec where Root: PastAsking {
  /// Lists the moment of the past that is asked for.
  consuming func past() -> Self {
    listing(Root.past, .option, "As it was then", flag: "--as-of")
  }
}
