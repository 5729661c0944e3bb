public import EventMVVM
import JSONText

/// Writes what events carry as JSON, for recordings: equal values as equal bytes.
///
/// Foundation's encoder builds a tree first and does not define an order; this one appends to its
/// bytes. Nil properties are left out. Integers that not every reader of JSON can represent are
/// written as strings.
///
/// ```swift
/// #expect(try JSON(parsing: BodyEncoder().value(Task(energy: .high)))["energy"] == "high")
/// ```
public final class BodyEncoder {
  private let text = BodyText()
  private let identities: Identities

  /// Creates an encoder.
  ///
  /// - Parameter identities: The objects by number, for all events of a recording.
  public init(_ identities: Identities = Identities()) {
    self.identities = identities
  }

  /// Returns the bytes of a value.
  ///
  /// - Throws: An error of the value's own encoding.
  public func value(_ value: some Encodable) throws -> [UInt8] {
    text.begin()
    try value.encode(to: ValueEncoder(text: text, depth: 0, identities: identities))
    return text.end()
  }

  /// Returns the body of an event; nil if it has none.
  ///
  /// - Throws: An error of the event's own encoding.
  public func body(of event: some Event) throws -> [UInt8]? {
    text.begin()
    let encoder = ValueEncoder(text: text, depth: 0, identities: identities)
    guard try event._record(to: encoder) else { return nil }
    return text.end()
  }
}

extension CodingUserInfoKey {
  /// The key of the ``Identities`` of an encoder or a decoder.
  package static let identities = CodingUserInfoKey(rawValue: "identities")
}

/// JSON text in progress: open containers are closed when a value of an outer one is written.
final class BodyText {
  /// An open container.
  private struct Level {
    let close: UInt8
    var isEmpty = true
  }

  private var bytes: [UInt8] = []
  private var levels: [Level] = []
  private var writer = JSONWriter()

  var depth: Int { levels.count }

  func begin() {
    bytes.removeAll(keepingCapacity: true)
    levels.removeAll(keepingCapacity: true)
  }

  func end() -> [UInt8] {
    close(to: 0)
    return bytes
  }

  /// Closes the containers beyond a depth.
  func close(to depth: Int) {
    while levels.count > depth { bytes.append(levels.removeLast().close) }
  }

  func open(_ first: Character, at depth: Int) -> Int {
    close(to: depth)
    let isArray = first == "["
    bytes.append(isArray ? UInt8(ascii: "[") : UInt8(ascii: "{"))
    levels.append(Level(close: isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")))
    return levels.count
  }

  /// Begins the next element or member of the open container at a depth.
  func next(at depth: Int) {
    close(to: depth)
    guard depth > 0 else { return }
    if !levels[depth - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[depth - 1].isEmpty = false
  }

  func key(_ name: String, at depth: Int) {
    next(at: depth)
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  func string(_ value: String) {
    if Self.isPlain(value) {
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: value.utf8)
      bytes.append(UInt8(ascii: "\""))
    } else {
      writer.removeAll(keepingCapacity: true)
      writer.value(value)
      bytes.append(contentsOf: writer.bytes)
    }
  }

  /// Whether a text needs no escape: most are short and plain.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
  }

  func integer(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  func literal(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  func embed(_ json: [UInt8]) { bytes.append(contentsOf: json) }

  func real(_ value: Double) {
    writer.removeAll(keepingCapacity: true)
    writer.value(value)
    bytes.append(contentsOf: writer.bytes)
  }
}

/// Writes one value and its parts.
struct ValueEncoder: Encoder {
  let text: BodyText
  /// The number of containers around the value.
  let depth: Int
  let identities: Identities

  // Errors don't need the path, as there are none.
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] {
    CodingUserInfoKey.identities.map { [$0: identities] } ?? [:]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(MemberEncoder(value: self, depth: text.open("{", at: depth)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ElementEncoder(value: self, depth: text.open("[", at: depth))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Writes a value in place of this one.
  func write<T: Encodable>(_ value: T, at depth: Int) throws {
    try value.encode(to: ValueEncoder(text: text, depth: depth, identities: identities))
    text.close(to: depth)
  }
}

extension ValueEncoder: JSONEmbedding {
  func embed(_ json: [UInt8]) { text.embed(json) }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { text.literal("null") }
  func encode(_ value: Bool) { value ? text.literal("true") : text.literal("false") }
  func encode(_ value: String) { text.string(value) }
  func encode(_ value: Double) { text.real(value) }
  func encode(_ value: Float) { text.real(Double(value)) }
  func encode(_ value: Int) { text.integer(Int64(value)) }
  func encode(_ value: Int8) { text.integer(Int64(value)) }
  func encode(_ value: Int16) { text.integer(Int64(value)) }
  func encode(_ value: Int32) { text.integer(Int64(value)) }
  func encode(_ value: Int64) { text.integer(value) }
  func encode(_ value: UInt) { text.string(String(value)) }
  func encode(_ value: UInt8) { text.integer(Int64(value)) }
  func encode(_ value: UInt16) { text.integer(Int64(value)) }
  func encode(_ value: UInt32) { text.integer(Int64(value)) }
  func encode(_ value: UInt64) { text.string(String(value)) }
  func encode<T: Encodable>(_ value: T) throws { try write(value, at: depth) }
}

/// Writes the members of an object.
private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let value: ValueEncoder
  let depth: Int

  var codingPath: [any CodingKey] { [] }

  private func begin(_ key: Key) -> ValueEncoder {
    value.text.key(key.stringValue, at: depth)
    return value
  }

  mutating func encodeNil(forKey key: Key) { begin(key).encodeNil() }
  mutating func encode(_ value: Bool, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: String, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: Double, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: Float, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: Int, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: Int8, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: Int16, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: Int32, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: Int64, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: UInt, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: UInt8, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: UInt16, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: UInt32, forKey key: Key) { begin(key).encode(value) }
  mutating func encode(_ value: UInt64, forKey key: Key) { begin(key).encode(value) }
  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try begin(key).write(value, at: depth)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let value = begin(key)
    let nested = value.text.open("{", at: depth)
    return KeyedEncodingContainer(MemberEncoder<Nested>(value: value, depth: nested))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let value = begin(key)
    return ElementEncoder(value: value, depth: value.text.open("[", at: depth))
  }

  mutating func superEncoder() -> any Encoder {
    value.text.key("super", at: depth)
    return ValueEncoder(text: value.text, depth: depth, identities: value.identities)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    ValueEncoder(text: begin(key).text, depth: depth, identities: value.identities)
  }
}

/// Writes the elements of an array.
private struct ElementEncoder: UnkeyedEncodingContainer {
  let value: ValueEncoder
  let depth: Int
  var count = 0

  init(value: ValueEncoder, depth: Int) {
    self.value = value
    self.depth = depth
  }

  var codingPath: [any CodingKey] { [] }

  private mutating func begin() -> ValueEncoder {
    count += 1
    value.text.next(at: depth)
    return value
  }

  mutating func encodeNil() { begin().encodeNil() }
  mutating func encode<T: Encodable>(_ value: T) throws { try begin().write(value, at: depth) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    let value = begin()
    let nested = value.text.open("{", at: depth)
    return KeyedEncodingContainer(MemberEncoder<Nested>(value: value, depth: nested))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let value = begin()
    return ElementEncoder(value: value, depth: value.text.open("[", at: depth))
  }

  mutating func superEncoder() -> any Encoder {
    ValueEncoder(text: begin().text, depth: depth, identities: value.identities)
  }
}
