public import JSONText

extension String: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape { ValueShape("TEXT") }

  /// Reads the value from a word.
  public init(word: String) throws(ValueError) {
    self = word
  }
}

extension Int: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape { ValueShape("N", schema: ["type": "integer"]) }

  /// Reads the value from a word.
  public init(word: String) throws(ValueError) {
    guard let number = Int(word) else {
      throw ValueError("'\(word.quotable)' is not a whole number")
    }
    self = number
  }

  /// Reads the value from JSON.
  public init(json: JSON) throws(ValueError) {
    guard case .integer(let number) = json, let number = Int(exactly: number) else {
      throw ValueError("expected an integer, found \(json.kind)")
    }
    self = number
  }
}

extension Double: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape { ValueShape("N", schema: ["type": "number"]) }

  /// Reads the value from a word, as a number is written in JSON (RFC 8259 §6).
  public init(word: String) throws(ValueError) {
    guard let json = try? JSON(parsing: word) else {
      throw ValueError("'\(word.quotable)' is not a number")
    }
    try self.init(json: json)
  }

  /// Reads the value from JSON.
  public init(json: JSON) throws(ValueError) {
    switch json {
    case .integer(let number): self = Double(number)
    case .real(let number): self = number
    default: throw ValueError("'\(json.description.quotable)' is not a number")
    }
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

  /// Appends the value of a word.
  public mutating func take(word: String) throws(ValueError) {
    append(try Element(word: word))
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
public protocol CommandChoice: CommandValue, CaseIterable, RawRepresentable<String> {}

extension CommandChoice {
  /// The shape of its values.
  public static var shape: ValueShape {
    let words = allCases.map(\.rawValue)
    return ValueShape(
      words.joined(separator: "|"),
      choices: words,
      schema: ["type": "string", "enum": .array(words.map { .string($0) })]
    )
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
