import EventMVVM
import EventValues
package import JSONText

/// A field: its name, its offset in the record, its type, and its traits.
@usableFromInline
package struct Field: Sendable {
  package let name: StaticString
  /// The first name that it had.
  package internal(set) var firstName: StaticString
  /// How often its values were converted.
  package internal(set) var conversions: Int
  package let offset: Int
  package let type: any FieldValue.Type
  package let traits: FieldTraits
  /// Its summary, in a few words; may be empty.
  package let summary: StaticString
  /// The name of the option for one of the names in a set; empty where it is the field's name.
  package let one: StaticString
  /// What it refers to, and what happens to its record when that is removed; nil if it refers to none.
  let reference: FieldReference?

  /// The name under which it is stored, and is in the log and in recordings: its first one, with the number of
  /// conversions if there were any, so that what was converted and what was not have different names.
  var storedName: JSONName {
    conversions == 0 ? JSONName(stringLiteral: firstName) : JSONName(storedText)
  }

  /// ``storedName`` as a text.
  var storedText: String { conversions == 0 ? "\(firstName)" : "\(firstName)~\(conversions)" }

  /// Whether it has this name in the store.
  func has(storedName other: String) -> Bool {
    guard conversions == 0 else { return other.isIdentical(to: storedText) }
    var other = other
    return other.withUTF8 { firstName.is($0) }
  }

  /// Whether it has this name today.
  func has(name other: String) -> Bool {
    var other = other
    return other.withUTF8 { name.is($0) }
  }

  /// Whether its values are times: instants, or days and minutes without a zone.
  package var isTime: Bool {
    type == Instant.self || type == Instant?.self || type == CivilTime.self
      || type == CivilTime?.self
  }

  /// Whether its values are places in the manual order.
  var isPlace: Bool { type == ManualPlace.self || type == ManualPlace?.self }

  /// Whether two fields share memory: one is a part of the other.
  func overlaps(_ other: Field) -> Bool {
    let (size, otherSize) = (type._size, other.type._size)
    return offset < other.offset + otherSize && other.offset < offset + size
  }

  /// Writes its value in a record as a member: omits it, or writes null, where it is absent.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - isStored: Whether the member has the name in the store, not that of today.
  ///   - writesNull: Whether an absent value is written as null.
  ///   - json: The writer.
  /// - Throws: Why the value can't be written.
  func write(
    _ record: UnsafeRawPointer,
    isStored: Bool,
    writesNull: Bool,
    to json: inout JSONWriter
  ) throws {
    let value = record + offset
    if !writesNull, type._isAbsent(value) { return }
    do {
      try type._write(value, named: isStored ? storedName : jsonName, to: &json)
    } catch {
      throw FieldProblem(name, error)
    }
  }

  /// Writes its value as views show it: of a reference what is known of the record, too.
  func writeShown(
    _ record: UnsafeRawPointer,
    isStored: Bool = false,
    to json: inout JSONWriter
  ) throws {
    guard let referent = referent(of: record) else {
      return try write(record, isStored: isStored, writesNull: true, to: &json)
    }
    json.key(isStored ? storedName : jsonName)
    referent.write(to: &json)
  }

  private var jsonName: JSONName { JSONName(stringLiteral: name) }

  /// Returns its value in a record as views show it; null where it is absent.
  func shown(_ record: UnsafeRawPointer) throws -> JSON {
    try referent(of: record)?.json ?? json(record)
  }

  /// Returns a value of the log, with the name of today where it had another one.
  func today(_ value: JSON) -> JSON {
    guard case .string(let text) = value,
      let known = type._formerNames.first(where: { $0.name == text })
    else { return value }
    return .string(known.value)
  }

  /// What it refers to in a record; nil if to nothing.
  func referent(of record: UnsafeRawPointer) -> Referent? {
    reference?.type.referent(at: record + offset)
  }

  /// Returns its value in a record; null where it is absent.
  package func json(_ record: UnsafeRawPointer) throws -> JSON {
    var json = JSONWriter()
    try json.object { try write(record, isStored: false, writesNull: true, to: &$0) }
    return try JSON(parsing: json.bytes)["\(name)"] ?? .null
  }

  /// Whether it has the same value in two records, as far as merging goes.
  func isSame(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    let (first, second) = (first + offset, second + offset)
    return type._areIdentical(first, second)
      || traits.contains(.stamp) && !type._isAbsent(first) && !type._isAbsent(second)
  }
}

extension StaticString {
  /// Whether both are the same bytes.
  func isIdentical(to other: StaticString) -> Bool {
    other.withUTF8Buffer { `is`($0) }
  }

  /// Whether it is these bytes.
  fileprivate func `is`(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8CodeUnitCount == bytes.count && withUTF8Buffer { $0.elementsEqual(bytes) }
  }
}

/// What a field means.
struct FieldRole: Sendable {
  let name: StaticString
  /// The type of the values of the role.
  let valueType: ObjectIdentifier
  let field: Int
  /// The type of its values, where these say whether a record is done.
  let completion: (any CompletionValue.Type)?
}

/// A name that a field had in an earlier version.
struct FormerName {
  let name: String
  let field: Int
  /// Converts the values that were stored under it; nil if they are as today.
  var conversion: FieldConversion?

  init(_ name: String, _ field: Int, _ conversion: FieldConversion? = nil) {
    (self.name, self.field, self.conversion) = (name, field, conversion)
  }
}

/// What a field refers to.
struct FieldReference: Sendable {
  let type: any ReferenceValue.Type
  let removal: ReferenceRemoval
}

/// A value that views show in addition to the fields.
struct ShownValue: Sendable {
  let name: StaticString
  /// The number of fields before it.
  let place: Int
  /// Whether it depends on the time.
  let isTimed: Bool
  /// Writes it for the record at an address.
  let write: @Sendable (UnsafeRawPointer, CivilMinute?, inout JSONWriter) throws -> Void

  /// Writes it as a member.
  func write(
    _ record: UnsafeRawPointer,
    at time: CivilMinute?,
    to json: inout JSONWriter
  ) throws {
    json.key(JSONName(stringLiteral: name))
    do {
      try write(record, time, &json)
    } catch {
      throw FieldProblem(name, error)
    }
  }
}
