import EventMVVM
public import EventValues
public import JSONText

/// A field: its name, its offset in the record, its type, and its traits.
@usableFromInline
package struct Field: Sendable {
  package let name: StaticString
  package let offset: Int
  package let type: any FieldValue.Type
  package let traits: FieldTraits
  /// Its summary, in a few words; may be empty.
  package let summary: StaticString
  /// The name of the option for one of the names in a set; empty where it is the field's name.
  package let one: StaticString
  /// What it refers to, and what happens to its record when that is removed; nil if it refers to none.
  let reference: FieldReference?

  func has(name other: String) -> Bool {
    var other = other
    return other.withUTF8 { isNamed($0) }
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

  /// Whether two names would be the same to a database, as those that differ in case alone are.
  func hasName(of other: Field) -> Bool {
    "\(name)".lowercased().isIdentical(to: "\(other.name)".lowercased())
  }

  /// Writes its value in a record as a member: omits it, or writes null, where it is absent.
  func write(_ record: UnsafeRawPointer, writesNull: Bool, to json: inout JSONWriter) throws {
    let value = record + offset
    if !writesNull, type._isAbsent(value) { return }
    do {
      try type._write(value, named: JSONName(stringLiteral: name), to: &json)
    } catch {
      throw FieldProblem(name, error)
    }
  }

  /// Writes its value as views show it: of a reference what is known of the record, too.
  func writeShown(_ record: UnsafeRawPointer, to json: inout JSONWriter) throws {
    guard let referent = referent(of: record) else {
      return try write(record, writesNull: true, to: &json)
    }
    json.key(JSONName(stringLiteral: name))
    referent.write(to: &json)
  }

  /// Returns its value in a record as views show it; null where it is absent.
  func shown(_ record: UnsafeRawPointer) throws -> JSON {
    try referent(of: record)?.json ?? json(record)
  }

  /// What it refers to in a record; nil if to nothing.
  func referent(of record: UnsafeRawPointer) -> Referent? {
    reference?.type.referent(at: record + offset)
  }

  /// Returns its value in a record; null where it is absent.
  package func json(_ record: UnsafeRawPointer) throws -> JSON {
    var json = JSONWriter()
    try json.object { try write(record, writesNull: true, to: &$0) }
    return try JSON(parsing: json.bytes)["\(name)"] ?? .null
  }

  /// Whether it has the same value in two records, as far as merging goes.
  func isSame(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    let (first, second) = (first + offset, second + offset)
    return type._areIdentical(first, second)
      || traits.contains(.stamp) && !type._isAbsent(first) && !type._isAbsent(second)
  }

  private func isNamed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(bytes) }
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

/// The fields of a record for generic loops: no code here is instantiated for each type of record.
///
/// Addresses of records are those that `withFields` and `withMutableFields` lend. They are used
/// here and in ``FieldValue``, and where one field of a known type is read or set. Each is the
/// address of a whole record for the duration of the call, and ``Fields/field(_:_:_:)`` took the
/// offsets from the record's own layout with the types at them.
public struct FieldTable: Sendable {
  /// The name of one record.
  let kind: String
  /// The name of several records.
  package let several: String
  package private(set) var fields: [Field] = []
  /// The indices of the fields by which records are listed together.
  private(set) var orders: [[Int]] = []
  /// The index of the field that marks the deleted; nil if there is none.
  private(set) var deletion: Int?
  /// Whether a field refers to other records.
  private(set) var hasReferences = false
  /// The values that views show in addition to the fields.
  private(set) var shown: [ShownValue] = []

  @usableFromInline init(kind: String, several: String) {
    self.kind = kind
    self.several = several
  }

  /// The address of the fields of a record without any.
  @usableFromInline static var nothing: UnsafeRawPointer {
    guard let address = UnsafeRawPointer(bitPattern: 16) else { preconditionFailure() }
    return address
  }

  // MARK: Declaring: consuming, so that no table is copied for each field

  @usableFromInline
  consuming func adding(
    _ name: StaticString,
    _ offset: Int?,
    _ type: any FieldValue.Type,
    _ traits: FieldTraits,
    _ summary: StaticString = "",
    _ one: StaticString = "",
    reference: (any ReferenceValue.Type)? = nil,
    _ removal: ReferenceRemoval = .restrict
  ) -> FieldTable {
    guard let offset else {
      preconditionFailure("the field '\(name)' of '\(kind)' is no stored property")
    }
    fields.append(
      Field(
        name: name,
        offset: offset,
        type: type,
        // The members of a view belong to the record itself.
        traits: Self.isOfView(name) ? traits.union(.hidden) : traits,
        summary: summary,
        one: one,
        reference: reference.map { FieldReference(type: $0, removal: removal) }
      )
    )
    if traits.contains(.marksDeletion) {
      precondition(
        type == Bool.self && deletion == nil,
        "'\(name)' can't mark the deleted of '\(kind)': it is no Bool, or another field does"
      )
      deletion = fields.count - 1
    }
    if let reference {
      precondition(
        removal != .clear || reference._isOptional,
        "the field '\(name)' of '\(kind)' can't be cleared: it is no optional"
      )
      hasReferences = true
    }
    return self
  }

  @usableFromInline
  consuming func adding(order offset: Int?, _ condition: ConditionNode) -> FieldTable {
    let offsets = condition.equalities + [offset].compactMap(\.self)
    let places = offsets.compactMap { index(at: $0) }
    guard offset != nil, places.count == offsets.count else {
      preconditionFailure("'\(kind)' is listed by what is no field, or not yet")
    }
    orders.append(places)
    return self
  }

  @usableFromInline
  consuming func adding(
    _ name: StaticString,
    isTimed: Bool = false,
    _ write: @escaping @Sendable (UnsafeRawPointer, CivilMinute?, inout JSONWriter) throws -> Void
  ) -> FieldTable {
    guard index(of: "\(name)") == nil, !Self.isOfView(name) else {
      preconditionFailure("'\(kind)' shows '\(name)' twice")
    }
    shown.append(ShownValue(name: name, place: fields.count, isTimed: isTimed, write: write))
    return self
  }

  /// Whether a view has a member with this name for every record.
  private static func isOfView(_ name: StaticString) -> Bool {
    // The length suffices to exclude most names.
    switch name.utf8CodeUnitCount {
    case 2: "\(name)" == "id"
    case 8: "\(name)" == "revision"
    default: false
    }
  }

  /// Returns the index of a field; nil if there is none with that name.
  package func index(of name: String) -> Int? { fields.firstIndex { $0.has(name: name) } }

  /// Returns the index of the field at an offset.
  package func index(at offset: Int) -> Int? { fields.firstIndex { $0.offset == offset } }

  /// Returns the indices of the fields with a trait.
  func all(_ trait: FieldTraits) -> FieldSet {
    var result = FieldSet()
    for (index, field) in fields.enumerated() where field.traits.isSuperset(of: trait) {
      result.insert(index)
    }
    return result
  }

  /// Whether a shown value depends on the time.
  var isTimed: Bool { shown.contains(where: \.isTimed) }
  /// The index of the record's identity; nil if it has none.
  package var identity: Int? { fields.firstIndex { $0.traits.isSuperset(of: .identity) } }

  /// The field that marks the deleted; nil if there is none.
  package var deletionField: Field? { deletion.map { fields[$0] } }

  /// All fields.
  var all: FieldSet { FieldSet(count: fields.count) }

  /// Returns the change of the field with a name, for code that depends on no domain.
  func change(of name: String, from before: JSON, to after: JSON) -> FieldChange {
    let field = index(of: name).map { fields[$0] }
    return FieldChange(
      name,
      from: before,
      to: after,
      isTime: field?.isTime ?? false,
      isPlace: field?.isPlace ?? false
    )
  }

  /// Returns an optional field that has a value in a new record, and so could never be stored as
  /// absent; nil if there is none.
  func optionalWithValue(_ new: UnsafeRawPointer) -> StaticString? {
    fields.first { $0.type._isOptional && !$0.type._isAbsent(new + $0.offset) }?.name
  }

  // MARK: Comparing

  /// Whether two records have the same fields, texts byte for byte.
  @usableFromInline
  func areIdentical(_ first: UnsafeRawPointer?, _ second: UnsafeRawPointer?) -> Bool {
    // A record without fields may have no address.
    guard let first, let second else { return true }
    for field in fields
    where !field.type._areIdentical(first + field.offset, second + field.offset) {
      return false
    }
    return true
  }

  /// Returns the fields in which two records differ.
  ///
  /// - Parameters:
  ///   - first: A record.
  ///   - second: Another record.
  ///   - comparesStampTimes: Whether two present stamps differ where their times do.
  /// - Returns: The fields.
  func differences(
    _ first: UnsafeRawPointer,
    _ second: UnsafeRawPointer,
    comparesStampTimes: Bool = true
  ) -> FieldSet {
    var result = FieldSet()
    var index = 0
    for field in fields {
      let isSame =
        comparesStampTimes
        ? field.type._areIdentical(first + field.offset, second + field.offset)
        : field.isSame(first, second)
      if !isSame { result.insert(index) }
      index += 1
    }
    return result
  }

  // MARK: Merging

  /// Merges an edit of an earlier state of a record into its current state.
  ///
  /// A field that the edit left unchanged stays; so does one that has the edit's value already. A
  /// field that was not changed since gets the edit's value, and a set gets what the edit added,
  /// without what it removed.
  ///
  /// - Parameters:
  ///   - wanted: The edited record.
  ///   - base: The earlier state.
  ///   - now: The current record; on return with the fields of the edit, except for the
  ///     conflicts.
  ///   - comparesStampTimes: Whether another time in a stamp is a change, as in an undo.
  /// - Returns: The fields that both have changed, to different values.
  func merge(
    _ wanted: UnsafeRawPointer,
    since base: UnsafeRawPointer,
    into now: UnsafeMutableRawPointer,
    comparesStampTimes: Bool
  ) -> FieldSet {
    var conflicts = FieldSet()
    for (index, field) in fields.enumerated() {
      let (offset, type) = (field.offset, field.type)
      func isWanted(_ other: UnsafeRawPointer) -> Bool {
        comparesStampTimes
          ? type._areIdentical(wanted + offset, other + offset) : field.isSame(wanted, other)
      }
      guard !isWanted(base), !isWanted(now) else { continue }
      if field.isSame(now, base) {
        type._copy(wanted + offset, to: now + offset)
      } else if field.traits.contains(.set) {
        func names(_ record: UnsafeRawPointer) -> [String] {
          (record + offset).assumingMemoryBound(to: [String].self).pointee
        }
        (now + offset).assumingMemoryBound(to: [String].self).pointee
          .merge(names(wanted), since: names(base))
      } else {
        conflicts.insert(index)
      }
    }
    return conflicts
  }

  /// Copies some fields of another record.
  func copy(_ set: FieldSet, from other: UnsafeRawPointer, to record: UnsafeMutableRawPointer) {
    for index in set {
      let field = fields[index]
      field.type._copy(other + field.offset, to: record + field.offset)
    }
  }

  // MARK: JSON

  /// Writes the fields of a record as the members of an object, without absent ones, and with what is known
  /// of the records that it refers to.
  func writeWhole(_ record: UnsafeRawPointer, to json: inout JSONWriter) throws {
    try json.object { json in
      for field in fields {
        if field.referent(of: record) == nil {
          try field.write(record, writesNull: false, to: &json)
        } else {
          try field.writeShown(record, to: &json)
        }
      }
    }
  }

  /// Writes fields of a record as the members of an object.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - set: The fields; by default all.
  ///   - writesNull: Whether absent values are written as null, and not omitted.
  ///   - json: The writer.
  /// - Throws: Why a value can't be written.
  func write(
    _ record: UnsafeRawPointer,
    _ set: FieldSet? = nil,
    writesNull: Bool = false,
    to json: inout JSONWriter
  ) throws {
    let set = set ?? all
    try json.object { json in
      for (index, field) in fields.enumerated() where set.contains(index) {
        try field.write(record, writesNull: writesNull, to: &json)
      }
    }
  }

  /// Writes the visible fields of a record as the members of an object: null for absent values.
  ///
  /// - Throws: Why a value can't be written.
  @usableFromInline
  func writeShown(
    _ record: UnsafeRawPointer,
    at time: CivilMinute?,
    to json: inout JSONWriter
  ) throws {
    var next = 0
    for index in 0...fields.count {
      while next < shown.count, shown[next].place == index {
        try shown[next].write(record, at: time, to: &json)
        next += 1
      }
      guard index < fields.count, !fields[index].traits.contains(.hidden) else { continue }
      try fields[index].writeShown(record, to: &json)
    }
  }

  /// Reads the members of an object into a record; members that are no fields are ignored.
  ///
  /// - Returns: The fields that were present.
  /// - Throws: An error that names the unreadable field, and why.
  @discardableResult
  func read(_ json: JSON, into record: UnsafeMutableRawPointer) throws -> FieldSet {
    guard case .object(let members) = json else {
      throw FieldProblem("expected an object, found \(json.kind)")
    }
    // Nearly always they are in the order of the fields.
    var next = 0
    var found = FieldSet()
    for member in members {
      guard let index = index(of: member.name, from: next) else { continue }
      let field = fields[index]
      do {
        try field.type._read(member.value, into: record + field.offset)
      } catch {
        throw FieldProblem(field.name, error)
      }
      found.insert(index)
      next = index + 1
    }
    return found
  }

  private func index(of name: String, from start: Int) -> Int? {
    if start < fields.count, fields[start].has(name: name) { return start }
    return index(of: name)
  }

  // MARK: Rows

  /// Returns the value of a field in its stored form.
  ///
  /// - Throws: Why it can't be stored.
  func stored(_ index: Int, of record: UnsafeRawPointer) throws -> StoredValue {
    let field = fields[index]
    do {
      return try field.type._stored(record + field.offset)
    } catch let error as StoredNUL {
      throw error
    } catch {
      throw FieldProblem(field.name, error)
    }
  }

  /// Reads a row into a new record, and throws an error for a damaged one.
  ///
  /// - Throws: An error if the record is damaged.
  @usableFromInline
  func loadRecord(_ row: any RecordRow, into record: UnsafeMutableRawPointer?) throws {
    // A record without fields may have no address.
    guard let record else { return }
    // Not by element, which would copy the whole field for each record.
    for index in fields.indices {
      do {
        try fields[index].type._load(row.value(index), into: record + fields[index].offset)
      } catch {
        let problem = FieldProblem(fields[index].name, error)
        throw RecordError.damaged(row.number, kind: kind, problem.description)
      }
    }
  }

  /// Reads the readable fields of a row into a new record.
  ///
  /// - Returns: The fields that can't be read, and the problem of the first.
  func loadReadable(
    _ row: any RecordRow,
    into record: UnsafeMutableRawPointer
  ) -> (fields: FieldSet, problem: FieldProblem?) {
    var unreadable = FieldSet()
    var problem: FieldProblem?
    for (index, field) in fields.enumerated() {
      do {
        try field.type._load(try row.value(index), into: record + field.offset)
      } catch {
        unreadable.insert(index)
        problem = problem ?? FieldProblem(field.name, error)
      }
    }
    return (unreadable, problem)
  }
}

/// Why a field can't be read or written.
struct FieldProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(_ name: StaticString, _ error: any Error) {
    let why = (error as? ValueError)?.message ?? "\(error)"
    self.init("'\(name)': \(why)")
  }
}

extension [String] {
  /// Merges an edit of an earlier state of the set: adds what the edit added, removes what it
  /// removed.
  package mutating func merge(_ wanted: [String], since base: [String]) {
    let known = TextSet(base)
    let kept = TextSet(wanted)
    let removed = TextSet(base.filter { !kept.contains($0) })
    removeAll { removed.contains($0) }
    var own = TextSet(self)
    for name in wanted where !known.contains(name) && own.insert(name) { append(name) }
  }
}
