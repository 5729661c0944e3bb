public import EventCommands
public import EventMVVM
public import JSONText

/// A value of a field that a command can give: as an option, a word or a JSON value.
///
/// Texts, numbers, flags, civil times and amounts of money are, and optionals and lists of these. A
/// `CommandChoice` needs a line:
///
/// ```swift
/// enum Stage: String, CommandChoice, FieldOption { case sent, lost, there }
/// ```
public protocol FieldOption: FieldValue {
  /// What a command reads: the value, or what becomes one when the command is carried out, as
  /// `tomorrow` does.
  associatedtype Given: CommandValue = Self
  /// Makes a value of what was read.
  ///
  /// - Parameters:
  ///   - given: What was read.
  ///   - turn: The turn of the command, with its time and its zone.
  /// - Throws: Why there is no such value.
  init(given: Given, in turn: borrowing Turn) throws
}

extension FieldOption where Given == Self {
  /// The value itself.
  @inlinable
  public init(given: Self, in turn: borrowing Turn) { self = given }
}

extension FieldOption {
  /// That of what is read.
  public static var _givenShape: ValueShape { Given.shape }

  /// Reads it, to see whether it can be.
  public static func _checkGiven(_ json: JSON) throws(ValueError) { _ = try read(json) }

  /// Makes a value of it.
  public static func _given(_ json: JSON, _ turn: borrowing Turn) throws -> Self {
    try Self(given: read(json), in: turn)
  }

  private static func read(_ json: JSON) throws(ValueError) -> Given {
    // What was a word is a text here, also where JSON would have a number.
    if case .string(let text) = json { return try Given(word: text) }
    return try Given(json: json)
  }
}

extension String: FieldOption {}
extension Int: FieldOption {}
extension Double: FieldOption {}
extension Amount: FieldOption {}

extension Bool: FieldOption {
  /// Takes `true` or `false`.
  public init(given: GivenFlag, in turn: borrowing Turn) { self = given == .true }
}

extension CivilTime: FieldOption {
  /// Resolves `tomorrow`, `+3d` and their like against the turn's clock, in its zone.
  public init(given: When, in turn: borrowing Turn) throws {
    self = try given.date(at: turn.time, in: turn.zone)
  }
}

extension Optional: FieldOption where Wrapped: FieldOption {
  /// Takes the value.
  public init(given: Wrapped.Given, in turn: borrowing Turn) throws {
    self = try Wrapped(given: given, in: turn)
  }
}

extension Array: FieldOption where Element: FieldOption {
  /// Takes one.
  public init(given: Element.Given, in turn: borrowing Turn) throws {
    self = [try Element(given: given, in: turn)]
  }
}

/// A flag as a word gives it.
public enum GivenFlag: String, CommandChoice {
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

/// Stands for the values of a field among the properties of a command.
struct FieldProperty<Value: FieldValue>: CommandProperty {
  static var arity: ValueArity { Value._arity }
  static var shape: ValueShape { Value._givenShape }

  mutating func take(word: String) throws(ValueError) {}
  mutating func take(json: JSON) throws(ValueError) {}
}
