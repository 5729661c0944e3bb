import EventCommands
import EventPatterns
public import JSONText

/// What a field of a record can be: it can be told from others, texts byte for byte, and has a form in JSON.
///
/// Texts, numbers, flags, instants, civil times, identities and amounts of money are; so are optionals and lists of
/// such values. An enumeration of texts or numbers, or any other value that encodes itself, needs a line. Of
/// the latter, `==` says which are the same, and it is merged as a whole.
///
/// ```swift
/// enum Status: String, FieldValue { case received, running, done }
/// ```
public protocol FieldValue: Codable, Sendable, Equatable {
  /// Reads what ``writeField(to:)`` has written.
  ///
  /// - Throws: What is wrong, and what would be right.
  init(field json: JSON) throws
  /// Writes one JSON value.
  ///
  /// - Throws: Why there is no JSON for it.
  func writeField(to json: inout JSONWriter) throws
  /// Whether this and the other would be stored as the same bytes.
  func isIdenticalField(to other: Self) -> Bool
  /// Whether there is nothing to store: then an object has no member for it.
  var isAbsent: Bool { get }

  // What tables call, with the address of the value; see FieldTable. They are requirements so that each type has
  // code of its own where it conforms.

  static var _isOptional: Bool { get }
  static func _isAbsent(_ value: UnsafeRawPointer) -> Bool
  static func _areIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool
  static func _write(
    _ value: UnsafeRawPointer,
    named name: JSONName,
    to json: inout JSONWriter
  ) throws
  static func _read(_ json: JSON, into value: UnsafeMutableRawPointer) throws
}

extension FieldValue {
  /// There is something to store.
  @inlinable public var isAbsent: Bool { false }

  /// Whether both are equal.
  @inlinable
  public func isIdenticalField(to other: Self) -> Bool { self == other }

  /// Reads what it encodes.
  public init(field json: JSON) throws {
    self = try BodyDecoder().read(Self.self, from: json)
  }

  /// Writes what it encodes.
  public func writeField(to json: inout JSONWriter) throws {
    json.value(try JSON(parsing: try BodyEncoder().value(self)))
  }

  /// Whether it can be absent.
  @inlinable public static var _isOptional: Bool { false }

  /// Whether a value is absent where it lies.
  @inlinable
  public static func _isAbsent(_ value: UnsafeRawPointer) -> Bool {
    value.assumingMemoryBound(to: Self.self).pointee.isAbsent
  }

  /// Compares two values where they lie.
  @inlinable
  public static func _areIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    first.assumingMemoryBound(to: Self.self).pointee
      .isIdenticalField(to: second.assumingMemoryBound(to: Self.self).pointee)
  }

  /// Writes a value as a member, unless it is absent.
  @inlinable
  public static func _write(
    _ value: UnsafeRawPointer,
    named name: JSONName,
    to json: inout JSONWriter
  ) throws {
    let value = value.assumingMemoryBound(to: Self.self)
    guard !value.pointee.isAbsent else { return }
    json.key(name)
    try value.pointee.writeField(to: &json)
  }

  /// Puts a value that is read in the place of another.
  @inlinable
  public static func _read(_ json: JSON, into value: UnsafeMutableRawPointer) throws {
    value.assumingMemoryBound(to: Self.self).pointee = try Self(field: json)
  }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  /// Reads the raw value.
  public init(field json: JSON) throws {
    guard let value = Self(rawValue: try RawValue(field: json)) else {
      throw ValueError("\(json) is no value of it")
    }
    self = value
  }

  /// Writes the raw value.
  public func writeField(to json: inout JSONWriter) throws { try rawValue.writeField(to: &json) }

  /// Whether both have identical raw values.
  public func isIdenticalField(to other: Self) -> Bool {
    rawValue.isIdenticalField(to: other.rawValue)
  }
}
