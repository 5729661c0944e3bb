/// A JSON value (RFC 8259 §3).
///
/// Objects keep the order of their members. Integers and reals are kept apart: a number written
/// without fraction and exponent is an integer, every other number is a real.
///
/// ```swift
/// let empty = try JSON(parsing: BodyEncoder().value(process.ask(RequestTasks())))["tasks"]
/// #expect(
///   empty == [
///     [
///       "id": 2, "title": "", "energy": "low", "due": nil, "overdue": false, "tags": [],
///       "length": 0, "revision": 4,
///     ]
///   ]
/// )
/// ```
public enum JSON: Sendable {
  /// The literal `null`.
  case null

  /// The literals `true` and `false`.
  case bool(Bool)

  /// A number written without fraction and exponent.
  case integer(Int64)

  /// A number written with a fraction, an exponent or both.
  case real(Double)

  /// A string, with its escapes resolved.
  case string(String)

  /// An array, in the order of its text.
  case array([JSON])

  /// An object, in the order of its text.
  ///
  /// Parsing never yields two members with the same name; values built by hand are not checked.
  case object([Member])
}

extension JSON {
  /// One name and value pair of an object (RFC 8259 §4).
  public struct Member: Sendable {
    /// The name, with its escapes resolved.
    public var name: String

    /// The value that goes with the name.
    public var value: JSON

    /// Pairs a name with a value.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// The value of the first member with this name.
  ///
  /// It is nil when there is no such member and when the value is not an object. Names are compared
  /// code unit by code unit (RFC 8259 §8.3). The search takes time in proportion to the members.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    // By index: iterating over the members would retain each name and value.
    for index in members.indices where members[index].name.isIdentical(to: name) {
      return members[index].value
    }
    return nil
  }

  /// The value as a whole number; nil if it is none, or a real that may have lost digits.
  ///
  /// JSON has one kind of number (RFC 8259 §6), and encoders of some languages write `1.0` for 1. A
  /// real is exact below 2⁵³ either way.
  public var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .real(let number) where number.magnitude < 9_007_199_254_740_992: Int64(exactly: number)
    default: nil
    }
  }

  /// What the value is, for a message that says what was found: the text of a number, else its kind.
  public var found: String {
    switch self {
    case .integer, .real: description
    default: kind
    }
  }

  /// The kind of the value, with its article, for use in messages.
  ///
  /// One of "null", "a boolean", "an integer", "a number", "a string", "an array", "an object".
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .real: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
