public import JSONText

/// Reads what ``BodyEncoder`` has written.
///
/// ```swift
/// let text = try BodyEncoder().value(request)
/// let told = try BodyDecoder().read(RequestRecords<Reading>.self, from: JSON(parsing: text))
/// ```
public struct BodyDecoder: Sendable {
  private let identities: Identities

  /// Creates a decoder.
  ///
  /// - Parameter identities: The objects by number, for all events of a recording.
  public init(_ identities: Identities = Identities(keeps: true)) {
    self.identities = identities
  }

  /// Reads a value.
  ///
  /// - Throws: A ``BodyError`` with the problem and its position.
  public func read<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T {
    do {
      return try T(from: ValueDecoder(json: json, path: Path(), identities: identities))
    } catch let error as DecodingError {
      throw BodyError(error)
    }
  }
}

/// Why a body can't be read.
public struct BodyError: Error, Equatable, CustomStringConvertible {
  /// The problem and its position.
  public let description: String

  init(_ description: String) {
    self.description = description
  }

  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init("\(Self.place(context.codingPath + [key])) is missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      self.init("\(Self.place(context.codingPath)): \(context.debugDescription)")
    @unknown default: self.init("\(error)")
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "the body" : "'" + path.map(\.stringValue).joined(separator: ".") + "'"
  }
}

/// The path of names to a value.
struct Path: Sendable {
  var keys: [any CodingKey] = []

  func adding(_ key: any CodingKey) -> Path { Path(keys: keys + [key]) }
}

/// The number of an element, as a name.
struct ElementKey: CodingKey {
  let intValue: Int?
  var stringValue: String { intValue.map(String.init) ?? "" }

  init(_ index: Int) { intValue = index }
  init?(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }
}

/// Reads one value and its parts.
struct ValueDecoder: Decoder {
  let json: JSON
  let path: Path
  let identities: Identities

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] {
    CodingUserInfoKey.identities.map { [$0: identities] } ?? [:]
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = json else { throw mismatch("an object") }
    return KeyedDecodingContainer(MemberDecoder(value: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw mismatch("an array") }
    return ElementDecoder(value: self, elements: elements)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func mismatch(_ wanted: String) -> DecodingError {
    .typeMismatch(
      JSON.self,
      .init(codingPath: path.keys, debugDescription: "expected \(wanted), found \(json.kind)")
    )
  }

  func inside(_ json: JSON, _ key: any CodingKey) -> ValueDecoder {
    ValueDecoder(json: json, path: path.adding(key), identities: identities)
  }
}

extension ValueDecoder: JSONSource {}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null = json { true } else { false }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let value) = json else { throw mismatch("a boolean") }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let value) = json else { throw mismatch("a string") }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch json {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: throw mismatch("a number")
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try largeInteger() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try largeInteger() }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

  private func integer<I: FixedWidthInteger>() throws -> I {
    guard let value = json.wholeNumber, let integer = I(exactly: value) else {
      throw mismatch("an integer")
    }
    return integer
  }

  private func largeInteger<I: FixedWidthInteger>() throws -> I {
    guard case .string(let text) = json, let integer = I(text) else {
      throw mismatch("an integer in a string")
    }
    return integer
  }
}

/// Reads the members of an object.
private struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let value: ValueDecoder
  let members: [JSON.Member]

  var codingPath: [any CodingKey] { value.codingPath }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  private func find(_ key: Key) -> JSON? {
    members.first { $0.name.utf8.elementsEqual(key.stringValue.utf8) }?.value
  }

  private func member(_ key: Key) throws -> ValueDecoder {
    guard let json = find(key) else {
      throw DecodingError.keyNotFound(
        key,
        .init(codingPath: codingPath, debugDescription: "missing")
      )
    }
    return value.inside(json, key)
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try member(key).decode(type)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try member(key).decode(type)
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try T(from: try member(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { value }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
}

/// Reads the elements of an array.
private struct ElementDecoder: UnkeyedDecodingContainer {
  let value: ValueDecoder
  let elements: [JSON]
  var currentIndex = 0

  init(value: ValueDecoder, elements: [JSON]) {
    self.value = value
    self.elements = elements
  }

  var codingPath: [any CodingKey] { value.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  private mutating func next() throws -> ValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSON.self,
        .init(codingPath: codingPath, debugDescription: "an element is missing")
      )
    }
    defer { currentIndex += 1 }
    return value.inside(elements[currentIndex], ElementKey(currentIndex))
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, case .null = elements[currentIndex] else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: try next()) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }
}
