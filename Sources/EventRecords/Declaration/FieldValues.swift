public import EventCommands
public import EventMVVM
public import JSONText

// What fields are made of. Each form is the one that the type encodes by itself.

extension String: FieldValue {
  /// Reads a text.
  public init(field json: JSON) throws {
    guard case .string(let text) = json else { throw ValueError.expected("a string", json) }
    self = text
  }

  /// Writes the text.
  public func writeField(to json: inout JSONWriter) { json.value(self) }

  /// Whether both are the same bytes: one spelling of a character is not another one.
  public func isIdenticalField(to other: String) -> Bool { isIdentical(to: other) }
}

extension Bool: FieldValue {
  /// Reads true or false.
  public init(field json: JSON) throws {
    guard case .bool(let flag) = json else { throw ValueError.expected("a boolean", json) }
    self = flag
  }

  /// Writes true or false.
  public func writeField(to json: inout JSONWriter) { json.value(self) }
}

extension Int: FieldValue {
  /// Reads an integer.
  public init(field json: JSON) throws {
    guard case .integer(let number) = json else { throw ValueError.expected("an integer", json) }
    self = Int(number)
  }

  /// Writes an integer.
  public func writeField(to json: inout JSONWriter) { json.value(self) }
}

extension Double: FieldValue {
  /// Reads a number.
  public init(field json: JSON) throws {
    switch json {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: throw ValueError.expected("a number", json)
    }
  }

  /// Writes a number.
  ///
  /// - Throws: That it is infinite, or none: JSON has neither (RFC 8259 §6).
  public func writeField(to json: inout JSONWriter) throws {
    guard isFinite else { throw ValueError("\(self) can't be stored") }
    json.value(self)
  }

  /// Whether both are the same number.
  public func isIdenticalField(to other: Double) -> Bool { bitPattern == other.bitPattern }
}

extension Amount: FieldValue {}
extension Instant: FieldValue {}
extension CivilTime: FieldValue {}
extension UniqueID: FieldValue {}

extension Optional: FieldValue where Wrapped: FieldValue {
  /// It can be absent.
  public static var _isOptional: Bool { true }

  /// Whether it is nil.
  public var isAbsent: Bool { self == nil }

  /// Reads null as nil.
  public init(field json: JSON) throws { self = json == .null ? nil : try Wrapped(field: json) }

  /// Writes the value, or null.
  public func writeField(to json: inout JSONWriter) throws {
    if let self { try self.writeField(to: &json) } else { json.null() }
  }

  /// Whether both are nil, or identical.
  public func isIdenticalField(to other: Self) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let first?, let second?): first.isIdenticalField(to: second)
    default: false
    }
  }
}

extension Array: FieldValue where Element: FieldValue {
  /// Reads a list.
  public init(field json: JSON) throws {
    guard case .array(let items) = json else { throw ValueError.expected("an array", json) }
    self = try items.map { try Element(field: $0) }
  }

  /// Writes a list.
  public func writeField(to json: inout JSONWriter) throws {
    try json.array { json in
      for element in self { try element.writeField(to: &json) }
    }
  }

  /// Whether both have identical values in the same order.
  public func isIdenticalField(to other: Self) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isIdenticalField(to: $1) }
  }
}

extension ValueError {
  fileprivate static func expected(_ what: String, _ json: JSON) -> ValueError {
    ValueError("expected \(what), found \(json.kind)")
  }
}
