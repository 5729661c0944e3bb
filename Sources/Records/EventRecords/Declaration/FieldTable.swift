import EventMVVM
public import EventValues
public import JSONText

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
  /// The names of one record in earlier versions, oldest first.
  private let formerKinds: [String]
  package private(set) var fields: [Field] = []
  /// The indices of the fields by which records are listed together.
  private(set) var orders: [[Int]] = []
  /// The index of the field that marks the deleted; nil if there is none.
  private(set) var deletion: Int?
  /// Whether a field refers to other records.
  package private(set) var hasReferences = false
  /// The rules that no two records have the same values.
  private(set) var rules: [UniqueRule] = []
  /// The values that views show in addition to the fields.
  private(set) var shown: [ShownValue] = []
  /// What fields mean.
  private(set) var roles: [FieldRole] = []
  /// The names that fields had in the store and the log, or in recordings.
  private var formerNames: [FormerName] = []
  /// The names of fields that earlier versions had, and this one has not.
  private var removedNames: [StaticString] = []

  @usableFromInline init(kind: String, several: String, formerly formerKinds: [String] = []) {
    self.kind = kind
    self.several = several
    self.formerKinds = formerKinds
  }

  /// The name under which records are stored: the first that one had.
  var storedKind: String { formerKinds.first ?? kind }

  /// The names of one record, of today and of earlier versions.
  package var kinds: [String] { formerKinds + (formerKinds.containsText(kind) ? [] : [kind]) }

  /// Whether one record has this name, today or in an earlier version.
  func isKind(_ name: String) -> Bool {
    name.isIdentical(to: kind) || formerKinds.containsText(name)
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
        firstName: name,
        conversions: 0,
        offset: offset,
        type: type,
        // The members of a view belong to the record itself.
        traits: Self.isOfView(name) ? traits.union(.hidden) : traits,
        summary: summary,
        one: one,
        reference: reference.map { FieldReference(type: $0, removal: removal) }
      )
    )
    if traits.contains(.unique) {
      rules.append(
        UniqueRule(
          fields: [fields.count - 1],
          isIdentity: traits.isSuperset(of: .identity),
          condition: nil,
          sentence: nil
        )
      )
    }
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
  consuming func renaming(_ names: [StaticString]) -> FieldTable {
    guard let first = names.first, let index = fields.indices.last else {
      preconditionFailure("what was renamed follows no field of '\(kind)'")
    }
    let field = fields[index]
    precondition(
      field.conversions == 0 && !formerNames.contains { $0.field == index },
      "'\(field.name)' of '\(kind)': all names of before follow the field at once, before its conversions"
    )
    fields[index].firstName = first
    formerNames += names.map { FormerName("\($0)", index) }
    return self
  }

  @usableFromInline
  consuming func converting(_ offset: Int?, _ conversion: FieldConversion) -> FieldTable {
    guard let index = offset.flatMap({ index(at: $0) }) else {
      preconditionFailure("what was converted is no field of '\(kind)', or not yet")
    }
    let field = fields[index]
    precondition(
      !field.traits.contains(.set) && !field.traits.contains(.identity) && field.reference == nil,
      "'\(field.name)' of '\(kind)' can't be converted: it is a set, a reference or the identity"
    )
    if field.conversions == 0 {
      // All names of before the first conversion mean a value of then.
      for place in formerNames.indices where formerNames[place].field == index {
        formerNames[place].conversion = conversion
      }
      formerNames.append(FormerName("\(field.name)", index, conversion))
      formerNames.append(FormerName("\(field.firstName)", index, conversion))
    } else {
      formerNames.append(FormerName("\(field.firstName)~\(field.conversions)", index, conversion))
    }
    fields[index].conversions += 1
    return self
  }

  @usableFromInline
  consuming func removing(_ names: [StaticString]) -> FieldTable {
    removedNames += names
    return self
  }

  @usableFromInline
  consuming func adding(
    unique offsets: [Int?],
    _ condition: ConditionNode?,
    _ sentence: (@Sendable (UnsafeRawPointer) -> String)?
  ) -> FieldTable {
    let places = offsets.compactMap { $0.flatMap(index(at:)) }
    precondition(
      places.count == offsets.count && !places.contains { fields[$0].traits.contains(.set) },
      "what is unique in '\(kind)' is no field, or not yet, or a set"
    )
    rules.append(UniqueRule(fields: places, condition: condition, sentence: sentence))
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

  @usableFromInline
  consuming func adding(
    _ role: Role<some Any>,
    _ offset: Int?,
    _ type: any FieldValue.Type,
    completion: (any CompletionValue.Type)? = nil
  ) -> FieldTable {
    let name = role.name
    guard let index = offset.flatMap({ index(at: $0) }) else {
      preconditionFailure("the role '\(name)' of '\(kind)' is given to no field, or not yet")
    }
    precondition(
      fields[index].type == type
        && (completion != nil || !type._isOptional || role.valueType != ObjectIdentifier(type)),
      "the role '\(name)' of '\(kind)' is given to a part of '\(fields[index].name)', or to an optional as a whole"
    )
    precondition(
      completion?._completes ?? true,
      "the values of '\(fields[index].name)' of '\(kind)' do not say which of them is done"
    )
    roles.append(
      FieldRole(name: name, valueType: role.valueType, field: index, completion: completion)
    )
    return self
  }

  /// Returns the field that has a role; nil if none has.
  func role(_ name: StaticString) -> FieldRole? {
    for role in roles where role.name.isIdentical(to: name) { return role }
    return nil
  }

  /// A sentence for each role that two fields have.
  package var repeatedRoles: [String] {
    var sentences: [String] = []
    for (index, role) in roles.enumerated() {
      guard let other = roles[..<index].first(where: { $0.name.isIdentical(to: role.name) }) else {
        continue
      }
      let (first, second) = (fields[other.field].name, fields[role.field].name)
      sentences.append(
        "'\(kind)' gives the role '\(role.name)' to both '\(first)' and '\(second)': a role has one field"
      )
    }
    return sentences
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

  /// Returns the index of the field that has a name, or had it in an earlier version.
  package func index(of name: String) -> Int? {
    fields.firstIndex { $0.has(name: name) } ?? fields.firstIndex { $0.has(storedName: name) }
      ?? formerNames.first { $0.name.isIdentical(to: name) }?.field
  }

  /// The names of a field in the versions after the first, as far as they differ from that.
  func laterNames(of index: Int) -> [String] {
    let field = fields[index]
    var names: [String] = []
    for name in formerNames.filter({ $0.field == index }).map(\.name) + ["\(field.name)"]
    where name.lowercased() != "\(field.firstName)".lowercased() && !name.contains("~") {
      if !names.containsText(name) { names.append(name) }
    }
    return names
  }

  /// The conversions of a field from what it was before, the last one first, with its names in the store then.
  func conversions(of index: Int) -> [(name: String, conversion: FieldConversion)] {
    let field = fields[index]
    return (0..<field.conversions).reversed()
      .compactMap { number in
        let name = number == 0 ? "\(field.firstName)" : "\(field.firstName)~\(number)"
        return formerNames.first { $0.field == index && $0.name.isIdentical(to: name) }?.conversion
          .map { (name, $0) }
      }
  }

  /// Whether the log can have names of before, or values.
  var hasFormerNames: Bool { !formerNames.isEmpty }

  /// Whether a field of that name in the store is declared as removed, converted or not.
  func isRemoved(_ name: String) -> Bool {
    let first = name.prefix { $0 != "~" }
    return removedNames.contains { "\($0)" == first }
  }

  /// Returns a member of the log as this version would write it: unchanged if it is of no field, nil if its
  /// value can't be converted.
  func today(_ member: JSON.Member) -> JSON.Member? {
    guard let (index, conversion) = read(member.name, from: 0) else { return member }
    guard let value = try? conversion?.converted(member.value) ?? member.value else { return nil }
    return JSON.Member(fields[index].storedText, fields[index].today(value))
  }

  /// A name that two fields have, today or in the store, or that one has and another one had.
  var repeatedName: String? {
    let names =
      fields.enumerated().flatMap { [("\($1.name)", $0), ($1.storedText, $0)] }
      + formerNames.map { ($0.name, $0.field) } + removedNames.map { ("\($0)", -1) }
    var owners: [String: Int] = [:]
    return names.first { name, field in
      owners.updateValue(field, forKey: name.lowercased()).map { $0 != field } ?? false
    }?
    .0
  }

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
      field.map { "\($0.name)" } ?? name,
      from: field?.today(before) ?? before,
      to: field?.today(after) ?? after,
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

  /// Writes the fields of a record as the members of an object, by the names under which they are stored,
  /// without absent ones, and with what is known of the records that it refers to.
  func writeWhole(_ record: UnsafeRawPointer, to json: inout JSONWriter) throws {
    try json.object { json in
      for field in fields {
        if field.referent(of: record) == nil {
          try field.write(record, isStored: true, writesNull: false, to: &json)
        } else {
          try field.writeShown(record, isStored: true, to: &json)
        }
      }
    }
  }

  /// Writes fields of a record as the members of an object, by the names under which they are stored.
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
        try field.write(record, isStored: true, writesNull: writesNull, to: &json)
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
  /// - Parameters:
  ///   - json: The object.
  ///   - isShown: Whether members have the names that views show, which are those of today first.
  ///   - record: The record.
  /// - Returns: The fields that were present.
  /// - Throws: An error that names the unreadable field, and why.
  @discardableResult
  func read(
    _ json: JSON,
    isShown: Bool = false,
    into record: UnsafeMutableRawPointer
  ) throws -> FieldSet {
    guard case .object(let members) = json else {
      throw FieldProblem("expected an object, found \(json.kind)")
    }
    // Nearly always they are in the order of the fields.
    var next = 0
    var found = FieldSet()
    for member in members {
      let shown = isShown ? fields.firstIndex { $0.has(name: member.name) } : nil
      guard let (index, conversion) = shown.map({ ($0, nil) }) ?? read(member.name, from: next)
      else { continue }
      let field = fields[index]
      do {
        let value = try conversion?.converted(member.value) ?? member.value
        try field.type._read(value, into: record + field.offset)
      } catch {
        throw FieldProblem(field.name, error)
      }
      found.insert(index)
      next = index + 1
    }
    return found
  }

  /// Returns the field that a member is of, and the conversion of its value.
  private func read(_ name: String, from start: Int) -> (Int, FieldConversion?)? {
    if start < fields.count, fields[start].has(storedName: name) { return (start, nil) }
    if let index = fields.firstIndex(where: { $0.has(storedName: name) }) { return (index, nil) }
    if let former = formerNames.first(where: { $0.name.isIdentical(to: name) }) {
      return (former.field, former.conversion)
    }
    return fields.firstIndex { $0.has(name: name) }.map { ($0, nil) }
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

  /// Returns what a value of a field is compared by: a rank if it has one, else its stored form.
  ///
  /// - Throws: Why it can't be stored.
  func compared(_ index: Int, of record: UnsafeRawPointer) throws -> StoredValue {
    try stored(index, of: record).compared(by: fields[index].type._ranks)
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
