public import EventCommands
import EventMVVM
public import JSONText

/// A field: its name, where in its record it lies, what it is made of, and what a store does for
/// it.
@usableFromInline
struct Field: Sendable {
  let name: StaticString
  let offset: Int
  let type: any FieldValue.Type
  let traits: FieldTraits
  /// What it is, in a few words; empty where that is not said.
  let summary: StaticString
  /// What one of the names in a set is called as an option; empty where it is called as all are.
  let one: StaticString

  func has(name other: String) -> Bool {
    var other = other
    return other.withUTF8 { isNamed($0) }
  }

  /// Whether its values are times: instants, or days and minutes without a zone.
  var isTime: Bool {
    type == Instant.self || type == Instant?.self || type == CivilTime.self
      || type == CivilTime?.self
  }

  /// Whether two fields share memory: one is a part of the other.
  func overlaps(_ other: Field) -> Bool {
    let (size, otherSize) = (type._size, other.type._size)
    return offset < other.offset + otherSize && other.offset < offset + size
  }

  /// Whether two names would be one to a database, as those that differ in case alone are.
  func hasName(of other: Field) -> Bool {
    "\(name)".lowercased().isIdentical(to: "\(other.name)".lowercased())
  }

  /// Writes its value in a record as a member: nothing, or null, where the record does not have it.
  func write(_ record: UnsafeRawPointer, writesNull: Bool, to json: inout JSONWriter) throws {
    let value = record + offset
    if !writesNull, type._isAbsent(value) { return }
    do {
      try type._write(value, named: JSONName(stringLiteral: name), to: &json)
    } catch {
      throw FieldProblem(name, error)
    }
  }

  /// Whether two records have the same in it, as far as merging goes.
  func isSame(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    let (first, second) = (first + offset, second + offset)
    return type._areIdentical(first, second)
      || traits.contains(.stamp) && !type._isAbsent(first) && !type._isAbsent(second)
  }

  private func isNamed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(bytes) }
  }
}

/// A value that views show in addition to the fields.
struct ShownValue: Sendable {
  let name: StaticString
  /// How many fields stand before it.
  let place: Int
  /// Writes it, of the record at an address.
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

/// The fields of a record, as loops want them: no code here is made anew for each type of record.
///
/// Addresses of records are those that `withFields` and `withMutableFields` lend. They are handled
/// here and in ``FieldValue``, and where one field of a known type is read or set. Each is that of
/// a whole record for as long as the call takes, and ``Fields/field(_:_:_:)`` took the offsets from
/// the record's own layout with the types that lie there.
public struct FieldTable: Sendable {
  /// What one record is called.
  let kind: String
  /// What several records are called.
  let several: String
  private(set) var fields: [Field] = []
  /// The places of the fields by which records are listed together.
  private(set) var orders: [[Int]] = []
  /// The values that views show in addition to the fields.
  private(set) var shown: [ShownValue] = []

  @usableFromInline init(kind: String, several: String) {
    self.kind = kind
    self.several = several
  }

  /// Where the fields of a record lie that has none.
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
    _ one: StaticString = ""
  ) -> FieldTable {
    guard let offset else {
      preconditionFailure("the field '\(name)' of '\(kind)' is no stored property")
    }
    fields.append(
      Field(
        name: name,
        offset: offset,
        type: type,
        // Those of a view are the record's own.
        traits: Self.isOfView(name) ? traits.union(.hidden) : traits,
        summary: summary,
        one: one
      )
    )
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
    _ write: @escaping @Sendable (UnsafeRawPointer, CivilMinute?, inout JSONWriter) throws -> Void
  ) -> FieldTable {
    guard index(of: "\(name)") == nil, !Self.isOfView(name) else {
      preconditionFailure("'\(kind)' shows '\(name)' twice")
    }
    shown.append(ShownValue(name: name, place: fields.count, write: write))
    return self
  }

  /// Whether a view has a member of this name for every record.
  private static func isOfView(_ name: StaticString) -> Bool {
    // Most names are told by their length.
    switch name.utf8CodeUnitCount {
    case 2: "\(name)" == "id"
    case 8: "\(name)" == "revision"
    default: false
    }
  }

  /// The place of a field; nil if there is none of that name.
  func index(of name: String) -> Int? { fields.firstIndex { $0.has(name: name) } }

  /// The place of the field that lies at an offset.
  func index(at offset: Int) -> Int? { fields.firstIndex { $0.offset == offset } }

  /// The places of the fields that have a trait.
  func all(_ trait: FieldTraits) -> FieldSet {
    var result = FieldSet()
    for (index, field) in fields.enumerated() where field.traits.isSuperset(of: trait) {
      result.insert(index)
    }
    return result
  }

  /// The place of the record's identity; nil if it has none.
  var identity: Int? { fields.firstIndex { $0.traits.isSuperset(of: .identity) } }

  /// All fields.
  var all: FieldSet { FieldSet(count: fields.count) }

  /// The change of the field of a name, for code that knows no domain.
  func change(of name: String, from before: JSON, to after: JSON) -> FieldChange {
    let isTime = index(of: name).map { fields[$0].isTime } ?? false
    return FieldChange(name, from: before, to: after, isTime: isTime)
  }

  /// A field that a new record has, and that could never be stored as absent; nil if there is none.
  func optionalWithValue(_ new: UnsafeRawPointer) -> StaticString? {
    fields.first { $0.type._isOptional && !$0.type._isAbsent(new + $0.offset) }?.name
  }

  // MARK: Comparing

  /// Whether two records have the same fields, texts byte for byte.
  @usableFromInline
  func areIdentical(_ first: UnsafeRawPointer?, _ second: UnsafeRawPointer?) -> Bool {
    // A record without fields may lie nowhere.
    guard let first, let second else { return true }
    for field in fields
    where !field.type._areIdentical(first + field.offset, second + field.offset) {
      return false
    }
    return true
  }

  /// The fields in which two records differ.
  ///
  /// - Parameters:
  ///   - first: The one.
  ///   - second: The other.
  ///   - comparesStampTimes: Whether two stamps that are there differ where their times do.
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

  /// Merges an edit of an earlier state of a record into the record as it is now.
  ///
  /// A field that the edit left alone stays as it is now; so does one that has its value already.
  /// One that was not changed since gets its value, and a set what it added, without what it
  /// removed.
  ///
  /// - Parameters:
  ///   - wanted: The edited record.
  ///   - base: The earlier state.
  ///   - now: The record as it is now; on return with the fields of the edit, but for the
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

  /// Gives a record some fields of another one.
  func copy(_ set: FieldSet, from other: UnsafeRawPointer, to record: UnsafeMutableRawPointer) {
    for index in set {
      let field = fields[index]
      field.type._copy(other + field.offset, to: record + field.offset)
    }
  }

  // MARK: JSON

  /// Writes fields of a record as the members of an object.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - set: Which fields; by default all.
  ///   - writesNull: Whether what the record does not have is null, and not left out.
  ///   - json: The text.
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

  /// Writes what views get to see of a record as the members of an object: null where there is
  /// nothing.
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
      try fields[index].write(record, writesNull: true, to: &json)
    }
  }

  /// Reads the members of an object into a record; others than its fields are passed over.
  ///
  /// - Returns: The fields that were there.
  /// - Throws: Which field can't be read, and why.
  @discardableResult
  func read(_ json: JSON, into record: UnsafeMutableRawPointer) throws -> FieldSet {
    guard case .object(let members) = json else {
      throw FieldProblem("expected an object, found \(json.kind)")
    }
    // Nearly always they stand in the order of the fields.
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

  /// The value of a field, as it is stored.
  ///
  /// - Throws: Why it can't be.
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

  /// Reads the fields of a row into a new record.
  ///
  /// - Throws: Which field can't be read, and why.
  func load(_ row: any RecordRow, into record: UnsafeMutableRawPointer) throws {
    // A field as a whole would be copied for each record.
    for index in fields.indices {
      do {
        try fields[index].type._load(row.value(index), into: record + fields[index].offset)
      } catch {
        throw FieldProblem(fields[index].name, error)
      }
    }
  }

  /// Reads a row into a new record, and says of one that can't be read that it is damaged.
  ///
  /// - Throws: That the record is damaged.
  @usableFromInline
  func loadRecord(_ row: any RecordRow, into record: UnsafeMutableRawPointer?) throws {
    // A record without fields may lie nowhere.
    guard let record else { return }
    do {
      try load(row, into: record)
    } catch let problem as FieldProblem {
      throw RecordError.damaged(row.number, kind: kind, problem.description)
    }
  }

  /// Reads what can be read of a row into a new record.
  ///
  /// - Returns: The fields that can't be read, and what is wrong with the first.
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
  mutating func merge(_ wanted: [String], since base: [String]) {
    func has(_ names: [String], _ name: String) -> Bool {
      names.contains { $0.isIdentical(to: name) }
    }
    let removed = base.filter { !has(wanted, $0) }
    removeAll { has(removed, $0) }
    for name in wanted where !has(base, name) && !has(self, name) { append(name) }
  }
}
