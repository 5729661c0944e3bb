public import EventMVVM
public import EventValues
public import JSONText

/// A type of the fields of records: comparable, texts byte for byte, with a form in JSON and one in
/// the store.
///
/// Texts, numbers, flags, instants, civil times, identities and amounts of money conform; so do
/// optionals and lists of such values. An enumeration of texts or numbers, or any other type that
/// is `Codable`, needs a line. Of the latter, `==` decides which values are the same; each is
/// stored as the JSON that it encodes, and is merged as a whole.
///
/// ```swift
/// enum Status: String, FieldValue { case received, running, done }
/// ```
public protocol FieldValue: Codable, Sendable, Equatable {
  /// Reads what ``writeField(to:)`` has written.
  ///
  /// - Throws: What is wrong, and what is valid.
  init(field json: JSON) throws
  /// Writes one JSON value.
  ///
  /// - Throws: Why there is no JSON for it.
  func writeField(to json: inout JSONWriter) throws
  /// Whether both values would be stored as the same bytes.
  func isIdenticalField(to other: Self) -> Bool
  /// Whether there is no value to store: then an object has no member for it.
  var isAbsent: Bool { get }

  /// The values by the names that they had in earlier versions of the program; none unless declared.
  ///
  /// For an enumeration of texts: what is stored under such a name gets the name of today.
  ///
  /// ```swift
  /// static let formerNames: [String: Status] = ["reserved": .promised]
  /// ```
  static var formerNames: [String: Self] { get }

  /// The type of a column of such values, by which records are sorted.
  static var storedType: StoredType { get }
  /// Reads what ``stored`` returns; null only for a type whose values can be absent.
  ///
  /// - Throws: What is wrong, and what is valid.
  init(stored: StoredValue) throws
  /// The stored form of the value; null if it is absent.
  ///
  /// - Throws: Why it can't be stored.
  var stored: StoredValue { get throws }

  // Called by tables, with the address of the value; see FieldTable. They are requirements so that
  // each type has code of its own where it conforms.

  static var _size: Int { get }
  static var _isOptional: Bool { get }
  static var _ranks: [RankedName] { get }
  static var _formerNames: [(name: String, value: String)] { get }
  static func _isAbsent(_ value: UnsafeRawPointer) -> Bool
  static func _areIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool
  static func _copy(_ value: UnsafeRawPointer, to other: UnsafeMutableRawPointer)
  static func _write(
    _ value: UnsafeRawPointer,
    named name: JSONName,
    to json: inout JSONWriter
  ) throws
  static func _read(_ json: JSON, into value: UnsafeMutableRawPointer) throws
  static func _stored(_ value: UnsafeRawPointer) throws -> StoredValue
  static func _load(
    _ stored: consuming StoredValue,
    into value: UnsafeMutableRawPointer
  ) throws

  // The same for optionals and lists of it: generic code is not specialised for each of these
  // types, and takes several times as long.

  static func _isOptionalAbsent(_ value: UnsafeRawPointer) -> Bool
  static func _areOptionalsIdentical(
    _ first: UnsafeRawPointer,
    _ second: UnsafeRawPointer
  ) -> Bool
  static func _writeOptional(
    _ value: UnsafeRawPointer,
    named name: JSONName,
    to json: inout JSONWriter
  ) throws
  static func _storedOptional(_ value: UnsafeRawPointer) throws -> StoredValue
  static func _loadOptional(
    _ stored: consuming StoredValue,
    into value: UnsafeMutableRawPointer
  ) throws
  static func _areListsIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool
  static func _storedList(_ value: UnsafeRawPointer) throws -> StoredValue
  static func _loadList(_ stored: consuming StoredValue, into value: UnsafeMutableRawPointer) throws

  // Called where a value is given from outside, such as by an option; see FieldOption.

  static var _givenShape: ValueShape { get }
  static var _parts: [FieldPart] { get }
  static var _arity: ValueArity { get }
  static func _checkGiven(_ json: JSON) throws(ValueError)
  static func _given(_ json: JSON, _ turn: borrowing Turn) throws -> Self
  static func _put(
    _ json: JSON,
    _ turn: borrowing Turn,
    into value: UnsafeMutableRawPointer
  ) throws
}

extension FieldValue {
  /// False: there is a value to store.
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

  /// The text of its JSON.
  @inlinable public static var storedType: StoredType { .text }

  /// Reads the text of its JSON.
  public init(stored: StoredValue) throws { try self.init(storedJSON: stored) }

  /// Reads the text of its JSON.
  init(storedJSON stored: StoredValue) throws {
    let text = try String(stored: stored)
    guard let json = try? JSON(parsing: text) else { throw ValueError("'\(text)' is no JSON") }
    try self.init(field: json)
  }

  /// The text of its JSON.
  public var stored: StoredValue {
    get throws {
      var json = JSONWriter()
      try writeField(to: &json)
      return .text(try String(decoding: json.bytes, as: UTF8.self).storable)
    }
  }

  /// The size of a value in bytes.
  @inlinable public static var _size: Int { MemoryLayout<Self>.size }

  /// Whether it can be absent.
  @inlinable public static var _isOptional: Bool { false }

  /// No names: none was changed.
  public static var formerNames: [String: Self] { [:] }
  /// No names.
  public static var _formerNames: [(name: String, value: String)] { [] }
  /// No ranks: values are compared as they are stored.
  public static var _ranks: [RankedName] { [] }

  /// Whether the value at an address is absent.
  @inlinable
  public static func _isAbsent(_ value: UnsafeRawPointer) -> Bool {
    value.assumingMemoryBound(to: Self.self).pointee.isAbsent
  }

  /// Compares the values at two addresses.
  @inlinable
  public static func _areIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    first.assumingMemoryBound(to: Self.self).pointee
      .isIdenticalField(to: second.assumingMemoryBound(to: Self.self).pointee)
  }

  /// Assigns a value at an address.
  @inlinable
  public static func _copy(_ value: UnsafeRawPointer, to other: UnsafeMutableRawPointer) {
    other.assumingMemoryBound(to: Self.self).pointee =
      value.assumingMemoryBound(to: Self.self).pointee
  }

  /// Writes a value as a member; null if it is absent.
  @inlinable
  public static func _write(
    _ value: UnsafeRawPointer,
    named name: JSONName,
    to json: inout JSONWriter
  ) throws {
    let value = value.assumingMemoryBound(to: Self.self)
    json.key(name)
    if value.pointee.isAbsent { json.null() } else { try value.pointee.writeField(to: &json) }
  }

  /// Assigns a value that is read from JSON.
  @inlinable
  public static func _read(_ json: JSON, into value: UnsafeMutableRawPointer) throws {
    value.assumingMemoryBound(to: Self.self).pointee = try Self(field: json)
  }

  /// Returns the stored form of a value.
  @inlinable
  public static func _stored(_ value: UnsafeRawPointer) throws -> StoredValue {
    try value.assumingMemoryBound(to: Self.self).pointee.stored
  }

  /// Assigns a stored value; one that was never stored leaves the value unchanged.
  @inlinable
  public static func _load(
    _ stored: consuming StoredValue,
    into value: UnsafeMutableRawPointer
  ) throws {
    if case .null = stored, !_isOptional { return }
    value.assumingMemoryBound(to: Self.self).pointee = try Self(stored: stored)
  }
}

extension FieldValue {
  /// Whether the optional at an address is nil.
  @inlinable
  public static func _isOptionalAbsent(_ value: UnsafeRawPointer) -> Bool {
    value.assumingMemoryBound(to: Self?.self).pointee == nil
  }

  /// Compares the optionals at two addresses.
  @inlinable
  public static func _areOptionalsIdentical(
    _ first: UnsafeRawPointer,
    _ second: UnsafeRawPointer
  ) -> Bool {
    let other = second.assumingMemoryBound(to: Self?.self).pointee
    guard let value = first.assumingMemoryBound(to: Self?.self).pointee else { return other == nil }
    guard let other else { return false }
    return value.isIdenticalField(to: other)
  }

  /// Writes an optional as a member.
  @inlinable
  public static func _writeOptional(
    _ value: UnsafeRawPointer,
    named name: JSONName,
    to json: inout JSONWriter
  ) throws {
    json.key(name)
    guard let value = value.assumingMemoryBound(to: Self?.self).pointee else { return json.null() }
    try value.writeField(to: &json)
  }

  /// Returns the stored form of an optional.
  @inlinable
  public static func _storedOptional(_ value: UnsafeRawPointer) throws -> StoredValue {
    try value.assumingMemoryBound(to: Self?.self).pointee?.stored ?? .null
  }

  /// Assigns a stored value, or nil, to an optional.
  @inlinable
  public static func _loadOptional(
    _ stored: consuming StoredValue,
    into value: UnsafeMutableRawPointer
  ) throws {
    let value = value.assumingMemoryBound(to: Self?.self)
    if case .null = stored { value.pointee = nil } else { value.pointee = try Self(stored: stored) }
  }

  /// Compares the lists at two addresses.
  @inlinable
  public static func _areListsIdentical(
    _ first: UnsafeRawPointer,
    _ second: UnsafeRawPointer
  ) -> Bool {
    let values = first.assumingMemoryBound(to: [Self].self).pointee
    let others = second.assumingMemoryBound(to: [Self].self).pointee
    guard values.count == others.count else { return false }
    for index in values.indices where !values[index].isIdenticalField(to: others[index]) {
      return false
    }
    return true
  }

  /// Returns the stored form of a list: the text of its JSON.
  @inlinable
  public static func _storedList(_ value: UnsafeRawPointer) throws -> StoredValue {
    try value.assumingMemoryBound(to: [Self].self).pointee.stored
  }

  /// Assigns a stored list; one that was never stored leaves the list unchanged.
  @inlinable
  public static func _loadList(
    _ stored: consuming StoredValue,
    into value: UnsafeMutableRawPointer
  ) throws {
    if case .null = stored { return }
    value.assumingMemoryBound(to: [Self].self).pointee = try [Self](stored: stored)
  }
}

extension FieldValue {
  /// Texts.
  public static var _givenShape: ValueShape { String.shape }
  /// None: it is given as a whole.
  @inlinable public static var _parts: [FieldPart] { [] }
  /// One value.
  public static var _arity: ValueArity { .one }
  /// Throws: no command sets such values.
  public static func _checkGiven(_ json: JSON) throws(ValueError) {
    throw ValueError("no command can give it")
  }

  /// Throws: no command sets such values.
  public static func _given(_ json: JSON, _ turn: borrowing Turn) throws -> Self {
    throw ValueError("no command can give it")
  }

  /// Assigns the value of a command.
  public static func _put(
    _ json: JSON,
    _ turn: borrowing Turn,
    into value: UnsafeMutableRawPointer
  ) throws {
    value.assumingMemoryBound(to: Self.self).pointee = try _given(json, turn)
  }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  /// Reads the raw value.
  public init(field json: JSON) throws {
    let raw = try RawValue(field: json)
    guard let value = Self(raw) else { throw ValueError("\(json) is no value of it") }
    self = value
  }

  /// Writes the raw value.
  @inlinable
  public func writeField(to json: inout JSONWriter) throws { try rawValue.writeField(to: &json) }

  /// Whether both have identical raw values.
  @inlinable
  public func isIdenticalField(to other: Self) -> Bool {
    rawValue.isIdenticalField(to: other.rawValue)
  }

  /// The type of the raw value.
  public static var storedType: StoredType { RawValue.storedType }

  /// Reads the raw value.
  public init(stored: StoredValue) throws {
    self = try Self.former(stored)
  }

  /// Reads a raw value, or a name of before.
  @usableFromInline
  static func former(_ stored: StoredValue) throws -> Self {
    let raw = try RawValue(stored: stored)
    guard let value = Self(raw) else { throw ValueError("'\(raw)' is no value of it") }
    return value
  }

  /// Creates the value that has a raw value today, or had it as its name in an earlier version.
  private init?(_ raw: RawValue) {
    if let value = Self(rawValue: raw) {
      self = value
    } else if let name = raw as? String, let value = Self.formerNames[name] {
      self = value
    } else {
      return nil
    }
  }

  /// The raw value.
  public var stored: StoredValue { get throws { try rawValue.stored } }
}

extension FieldValue where Self: RawRepresentable, RawValue == String {
  /// The names of before with those of today, sorted.
  public static var _formerNames: [(name: String, value: String)] {
    let names = formerNames
    if names.isEmpty { return [] }
    for name in names.keys {
      precondition(Self(rawValue: name) == nil, "'\(name)' is a name of today, and of before")
    }
    return names.map { ($0.key, $0.value.rawValue) }.sorted { $0.name < $1.name }
  }
}

extension String {
  /// The text, if it can be stored.
  ///
  /// - Throws: An error if it has a U+0000, at which databases end a text. JSON writes it as six
  ///   characters, which another text could also contain.
  var storable: String {
    get throws {
      guard !hasByte(0) else { throw StoredNUL() }
      if hasByte(UInt8(ascii: "\\")), contains(#"\u0000"#), (try? JSON(parsing: self)) == nil {
        throw StoredNUL()
      }
      return self
    }
  }
}

/// The error of a text with the character U+0000.
struct StoredNUL: Error {}
