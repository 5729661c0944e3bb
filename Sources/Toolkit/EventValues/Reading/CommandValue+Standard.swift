public import EventMVVM
public import JSONText

extension String: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape { ValueShape("TEXT") }

  /// Reads the value from a word.
  public init(word: String) throws(ValueError) {
    self = word
  }
}

extension CommandValue where Self: FixedWidthInteger {
  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("N", schema: isSigned ? ["type": "integer"] : ["type": "integer", "minimum": 0])
  }

  /// Reads the value from a word.
  public init(word: String) throws(ValueError) {
    guard let number = Self(word) else {
      throw ValueError("'\(word.quotable)' is not a whole number\(Self.range)")
    }
    self = number
  }

  /// Reads the value from JSON.
  public init(json: JSON) throws(ValueError) {
    guard let value = json.wholeNumber, let number = Self(exactly: value) else {
      throw ValueError("expected an integer\(Self.range), found \(json.found)")
    }
    self = number
  }

  /// The least and the greatest, where a person may miss them.
  private static var range: String {
    if isSigned, bitWidth == Int.bitWidth { return "" }
    return bitWidth == Int.bitWidth ? " from 0" : " from \(min) to \(max)"
  }
}

extension Int: CommandValue {}
extension Int8: CommandValue {}
extension Int16: CommandValue {}
extension Int32: CommandValue {}
extension Int64: CommandValue {}
extension UInt: CommandValue {}
extension UInt8: CommandValue {}
extension UInt16: CommandValue {}
extension UInt32: CommandValue {}
extension UInt64: CommandValue {}

extension CommandValue where Self: BinaryFloatingPoint {
  /// The shape of its values.
  public static var shape: ValueShape { ValueShape("N", schema: ["type": "number"]) }

  /// Reads the value from a word, as a number is written in JSON (RFC 8259 §6).
  public init(word: String) throws(ValueError) {
    // Digits alone are an integer, which can be too large to be one.
    guard let json = (try? JSON(parsing: word)) ?? (try? JSON(parsing: word + ".0")) else {
      throw ValueError("'\(word.quotable)' is not a number")
    }
    try self.init(json: json)
  }

  /// Reads the value from JSON; one that is out of range is none.
  public init(json: JSON) throws(ValueError) {
    let number: Self? =
      switch json {
      case .integer(let number): Self(number)
      case .real(let number): Self(number)
      default: nil
      }
    guard let number, number.isFinite else {
      throw ValueError("'\(json.description.quotable)' is not a number")
    }
    self = number
  }
}

extension Double: CommandValue {}
extension Float: CommandValue {}

extension UniqueID: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("UUID", schema: ["type": "string", "format": "uuid"])
  }

  /// Reads the value from a word: all 32 digits, with or without hyphens.
  public init(word: String) throws(ValueError) {
    guard let text = try? Self.beginning(word), let id = UniqueID(text) else {
      throw ValueError("'\(word.quotable)' is not a UUID")
    }
    self = id
  }
}

extension Instant: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("TIME", schema: ["type": "string", "format": "date-time"])
  }

  /// Reads the value from a word: a time with its zone, by ISO 8601.
  public init(word: String) throws(ValueError) {
    guard let instant = Instant(iso8601: word) else {
      throw ValueError(
        "'\(word.quotable)' is not a time with its zone, such as 2026-12-01T09:30:00Z"
      )
    }
    self = instant
  }
}

extension CivilDay: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("DAY", schema: ["type": "string", "format": "date"])
  }

  /// Reads the value from a word: `2026-12-01`.
  public init(word: String) throws(ValueError) {
    guard let day = CivilDay(word) else {
      throw ValueError("'\(word.quotable)' is not a day, such as 2026-12-01")
    }
    self = day
  }
}

extension Bool: CommandProperty {
  /// How many values it takes.
  public static var arity: ValueArity { .flag }
  /// The shape of its values.
  public static var shape: ValueShape { ValueShape("", schema: ["type": "boolean"]) }

  /// Sets the flag.
  public mutating func take(word: String) throws(ValueError) {
    self = true
  }

  /// Sets the flag to a JSON boolean.
  public mutating func take(json: JSON) throws(ValueError) {
    guard case .bool(let flag) = json else {
      throw ValueError("expected a boolean, found \(json.kind)")
    }
    self = flag
  }
}

extension Optional: CommandProperty where Wrapped: CommandValue {
  /// How many values it takes.
  public static var arity: ValueArity { .optional }

  /// The shape of its values.
  public static var shape: ValueShape {
    var shape = Wrapped.shape
    shape.schema = nullable(shape.schema)
    return shape
  }

  /// Sets the property to the value of a word.
  public mutating func take(word: String) throws(ValueError) {
    self = .some(try Wrapped(word: word))
  }

  /// Sets the property to a JSON value; null means nil.
  public mutating func take(json: JSON) throws(ValueError) {
    self = json == .null ? nil : .some(try Wrapped(json: json))
  }
}

extension Array: CommandProperty where Element: CommandValue {
  /// How many values it takes.
  public static var arity: ValueArity { .many }

  /// The shape of its values.
  public static var shape: ValueShape {
    var shape = Element.shape
    shape.schema = ["type": "array", "items": shape.schema]
    return shape
  }

  /// Appends the values of a word.
  public mutating func take(word: String) throws(ValueError) {
    for word in Element.words(in: word) { append(try Element(word: word)) }
  }

  /// Replaces the array by a JSON array; null empties it.
  public mutating func take(json: JSON) throws(ValueError) {
    guard json != .null else { return self = [] }
    guard case .array(let items) = json else {
      throw ValueError("expected an array, found \(json.kind)")
    }
    self = []
    for (index, item) in items.enumerated() {
      do {
        append(try Element(json: item))
      } catch {
        throw ValueError(error.message, path: "/\(index)\(error.path)")
      }
    }
  }
}

extension Change: CommandProperty where Value: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    var shape = Value.shape
    shape.schema = nullable(shape.schema)
    return shape
  }

  /// Sets the change to the value of a word; the empty word clears.
  public mutating func take(word: String) throws(ValueError) {
    self = word.isEmpty ? .clear : .set(try Value(word: word))
  }

  /// Sets the change to a JSON value; null and the empty string clear.
  public mutating func take(json: JSON) throws(ValueError) {
    self = json == .null || json == .string("") ? .clear : .set(try Value(json: json))
  }
}

/// A value that is one of a few words.
///
/// ```swift
/// enum Status: String, Choice, RankedValue, FieldOption, Codable {
///   case received, started, finished
/// }
/// ```
public protocol Choice: CommandValue, CaseIterable, RawRepresentable<String> {}

extension Choice {
  /// The shape of its values.
  public static var shape: ValueShape {
    let words = allCases.map(\.rawValue)
    return ValueShape(oneOf: words)
  }

  /// Reads the value from a word.
  public init(word: String) throws(ValueError) {
    guard word.mayBeName, let value = Self(rawValue: word) else {
      let words = Self.allCases.map(\.rawValue)
      throw ValueError("'\(word.quotable)' is not one of \(words.joined(separator: ", "))")
    }
    self = value
  }
}

private func nullable(_ schema: JSON) -> JSON {
  ["anyOf": [schema, ["type": "null"]]]
}

/// The former name of ``Choice``.
@available(*, deprecated, renamed: "Choice")
public typealias CommandChoice = Choice
