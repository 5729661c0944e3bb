public import EventMVVM
public import EventValues
public import JSONText

/// A value of a field that a command can set: as an option, a word or a JSON value.
///
/// Texts, numbers, flags, civil times, lengths of time, amounts of money, and optionals and lists of these conform.
/// A `Choice` needs a line:
///
/// ```swift
/// enum Stage: String, Choice, FieldOption { case sent, lost, there }
/// ```
public protocol FieldOption: FieldValue {
  /// The type that a command reads: the value, or one that is converted to it when the command is
  /// carried out, such as `tomorrow`.
  associatedtype Given: CommandValue = Self
  /// Creates a value from what was read.
  ///
  /// - Parameters:
  ///   - given: The value that was read.
  ///   - turn: The turn of the command, with its time and its zone.
  /// - Throws: Why there is no such value.
  init(given: Given, in turn: borrowing Turn) throws
}

extension FieldOption where Given == Self {
  /// Creates the value unchanged.
  @inlinable
  public init(given: Self, in turn: borrowing Turn) { self = given }
}

extension FieldOption {
  /// The shape of the type that is read.
  public static var _givenShape: ValueShape { Given.shape }

  /// Checks whether it can be read.
  public static func _checkGiven(_ json: JSON) throws(ValueError) { _ = try read(json) }

  /// Creates a value from it.
  public static func _given(_ json: JSON, _ turn: borrowing Turn) throws -> Self {
    try Self(given: read(json), in: turn)
  }

  private static func read(_ json: JSON) throws(ValueError) -> Given {
    // A word is a text here, also where JSON would have a number.
    if case .string(let text) = json { return try Given(word: text) }
    return try Given(json: json)
  }
}

extension String: FieldOption {}
extension Int: FieldOption {}
extension Double: FieldOption {}
extension Amount: FieldOption {}
extension TimeSpan: FieldOption {}

extension Bool: FieldOption {
  /// Creates the value from `true` or `false`.
  public init(given: GivenFlag, in turn: borrowing Turn) { self = given == .true }
}

extension CivilTime: FieldOption {
  /// Resolves dates such as `tomorrow` and `+3d` against the turn's clock, in its zone.
  public init(given: When, in turn: borrowing Turn) throws {
    self = try given.date(at: turn.time, in: turn.zone)
  }
}

extension Optional: FieldOption where Wrapped: FieldOption {
  /// Creates an optional from the value.
  public init(given: Wrapped.Given, in turn: borrowing Turn) throws {
    self = try Wrapped(given: given, in: turn)
  }
}

extension Array: FieldOption where Element: FieldOption {
  /// Creates a list of one value.
  public init(given: Element.Given, in turn: borrowing Turn) throws {
    self = [try Element(given: given, in: turn)]
  }
}

/// A flag as a word.
public enum GivenFlag: String, Choice {
  /// The word `true`.
  case `true`
  /// The word `false`.
  case `false`

  /// Reads it from JSON.
  public init(json: JSON) throws(ValueError) {
    guard case .bool(let flag) = json else {
      throw ValueError("expected a boolean, found \(json.kind)")
    }
    self = flag ? .true : .false
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("true|false", choices: ["true", "false"], schema: ["type": "boolean"])
  }
}
