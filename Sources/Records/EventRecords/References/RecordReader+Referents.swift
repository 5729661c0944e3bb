import EventMVVM
import EventValues

// What references refer to: read along with the records that have them.

extension RecordReader {
  /// Returns the record that a reference of any form refers to.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - table: The table of the kind that it refers to.
  ///   - types: The kinds of the store.
  /// - Returns: The row.
  /// - Throws: An error if there is no such record, or if there are several.
  func row(
    _ reference: RecordReference,
    of table: RecordTable,
    _ types: RecordTypes
  ) throws -> any RecordRow {
    let number = try number(reference, of: table)
    guard let row = try row(number, of: table) else {
      throw try types.missing(number, table.kind, in: self)
    }
    return row
  }

  /// Whether there is a record that is not marked as deleted.
  func has(_ reference: RecordReference, of table: RecordTable, orDeleted: Bool) throws -> Bool {
    guard let number = try? number(reference, of: table), let row = try row(number, of: table)
    else { return false }
    return try orDeleted || !table.isDeleted(row)
  }

  /// Completes the references of records by the numbers and titles of what they refer to: with one
  /// statement for each field that has some, and for each some thousands of references.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - gone: What was removed, and is no longer read.
  /// - Throws: The store's failure.
  func fill<R: Record>(
    _ records: inout [Kept<R>],
    gone: [RecordReference: Referent] = [:]
  ) throws {
    let table = R._table
    guard table.hasReferences, !records.isEmpty else { return }
    for field in table.fields {
      guard let type = field.reference?.type else { continue }
      var references: Set<RecordReference> = []
      for index in records.indices {
        let referent = records[index].value.withFields { field.referent(of: $0) }
        if let referent { references.insert(referent.reference) }
      }
      let target = type._target
      let referents = try referents(references, of: target)
      for index in records.indices {
        records[index].value
          .withMutableFields { record in
            let value = record + field.offset
            guard let reference = type.referent(at: value)?.reference,
              let referent = referents[reference] ?? gone[reference]
            else { return }
            type.assign(referent, to: value)
          }
      }
    }
  }

  /// Returns a record with its references completed.
  func filled<R: Record>(
    _ record: Kept<R>,
    gone: [RecordReference: Referent] = [:]
  ) throws -> Kept<R> {
    guard R._table.hasReferences else { return record }
    var records = [record]
    try fill(&records, gone: gone)
    return records[0]
  }

  /// Returns what each of some references refers to, where that is there.
  private func referents<Target: Record>(
    _ references: Set<RecordReference>,
    of type: Target.Type
  ) throws -> [RecordReference: Referent] {
    let table = RecordTable(type)
    var found = [RecordReference: Referent](minimumCapacity: references.count)
    var records: [Kept<Target>] = []
    for condition in table.conditions(references) {
      var query = RecordQuery()
      query.condition = condition
      let rows = try rows(query, of: table)
      while let row = try rows.next() {
        let reference = try table.reference(row)
        // A record that can't be read is there, too.
        try? Target._read(row, table.fields, into: &records)
        let title = records.popLast()?.value.title
        found[reference] = Referent(reference, number: row.number, title: title)
      }
    }
    return found
  }
}

extension RecordReader {
  /// Returns a query whose references are as they are stored: of a number the identity, where the kind has one.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - table: The table of the kind that it finds.
  ///   - types: The kinds of the store.
  ///   - names: The names of the session, where they are not replaced yet.
  /// - Returns: The query.
  /// - Throws: A failure at the field of a reference to no record.
  func resolved(
    _ query: RecordQuery,
    of table: RecordTable,
    _ types: RecordTypes,
    _ names: SessionNames.Names? = nil
  ) throws -> RecordQuery {
    guard table.fields.hasReferences else { return query }
    var query = query
    query.condition = try resolved(query.condition, of: table, types, names)
    return query
  }

  /// Returns a condition whose references are as they are stored.
  func resolved(
    _ condition: RecordCondition,
    of table: RecordTable,
    _ types: RecordTypes,
    _ names: SessionNames.Names? = nil
  ) throws -> RecordCondition {
    guard table.fields.hasReferences else { return condition }
    func all(_ conditions: [RecordCondition]) throws -> [RecordCondition] {
      try conditions.map { try resolved($0, of: table, types, names) }
    }
    switch condition {
    case .anyOf(let name, let values):
      guard let field = table.index(of: name).map({ table.fields.fields[$0] }),
        let type = field.reference?.type
      else { return condition }
      let target = RecordTable(any: type._target)
      do {
        return .anyOf(name, try values.map { try resolved($0, of: target, types, names) })
      } catch {
        throw Failure(anyOf: error).at(name)
      }
    case .and(let conditions): return .and(try all(conditions))
    case .or(let conditions): return .or(try all(conditions))
    case .not(let conditions): return .not(try all(conditions))
    case .all, .numbers, .field, .has, .text, .contains: return condition
    }
  }

  private func resolved(
    _ value: StoredValue,
    of target: RecordTable,
    _ types: RecordTypes,
    _ names: SessionNames.Names?
  ) throws -> StoredValue {
    if value == target.stored(.number(0)) { return .null }
    guard case .text(let text) = value, UniqueID(text) == nil else { return value }
    var reference = try RecordReference(word: text)
    reference = try names?.resolve(reference, kind: target.kind) ?? reference
    return target.stored(try target.reference(row(reference, of: target, types)))
  }
}

extension RecordTable {
  /// Creates the table of a type that is known when it runs.
  init(any type: any Record.Type) {
    func table<R: Record>(_ type: R.Type) -> RecordTable { RecordTable(type) }
    self = table(type)
  }

  /// As many values as one statement has.
  private static var mostValues: Int { 30_000 }
  /// As many numbers as one statement has.
  private static var mostNumbers: Int { 500 }

  /// Returns the conditions that find referenced records, each for many of them.
  fileprivate func conditions(_ references: Set<RecordReference>) -> [RecordCondition] {
    var values: [StoredValue] = []
    var numbers: [RecordCondition] = []
    for reference in references {
      switch reference {
      case .identity(let text): values.append(.text(text))
      case .number(let number): numbers.append(.numbers(number, number))
      case .numbers, .last, .named: break
      }
    }
    var conditions: [RecordCondition] = []
    if let identity = fields.identity {
      for first in stride(from: 0, to: values.count, by: Self.mostValues) {
        let some = values[first..<min(first + Self.mostValues, values.count)]
        conditions.append(.anyOf(column(identity).name, Array(some)))
      }
    }
    for first in stride(from: 0, to: numbers.count, by: Self.mostNumbers) {
      conditions.append(.or(Array(numbers[first..<min(first + Self.mostNumbers, numbers.count)])))
    }
    return conditions
  }

  /// Whether the record of a row is marked as deleted.
  func isDeleted(_ row: any RecordRow) throws -> Bool {
    guard let deletion = fields.deletion else { return false }
    return try row.value(deletion) == .integer(1)
  }

  /// Returns the value of a field that refers to one of its records, as it is stored.
  func stored(_ reference: RecordReference) -> StoredValue {
    if fields.identity == nil, case .number(let number) = reference {
      return .integer(Int64(number))
    }
    return .text(reference.text)
  }

  /// Returns what a field of a row refers to; nil if to nothing, or it can't be read.
  func referent(_ index: Int, of row: any RecordRow) throws -> Referent? {
    guard let type = fields.fields[index].reference?.type else { return nil }
    return try? type.init(stored: row.value(index))._referent
  }

  /// Returns a reference to the record of a row, as it is stored.
  func reference(_ row: any RecordRow) throws -> RecordReference {
    guard let identity = fields.identity, let text = try row.value(identity).fullIdentity else {
      return .number(row.number)
    }
    return .identity(text)
  }

  /// Returns a reference to the record of a row, with its number and title.
  func referent(_ row: any RecordRow) throws -> Referent {
    func title<R: Record>(_ type: R.Type) -> String? { (try? Kept<R>(row))?.value.title }
    return Referent(try reference(row), number: row.number, title: title(self.type))
  }
}

/// A field that refers to records of a kind.
struct IncomingReference: Sendable {
  let table: RecordTable
  let field: Int
  let removal: ReferenceRemoval
  /// The table of the kind that it refers to.
  let target: RecordTable

  /// What finds the records that refer to one.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - number: The number of the record; it may have had no identity when it was referred to.
  ///   - orDeleted: Whether those that are marked as deleted are found, too.
  ///   - limit: How many at most; nil for all.
  /// - Returns: The query.
  func query(
    _ reference: RecordReference,
    _ number: Int,
    orDeleted: Bool,
    limit: Int? = nil
  ) -> RecordQuery {
    var query = RecordQuery()
    var values = [target.stored(reference)]
    if reference != .number(number) { values.append(target.stored(.number(number))) }
    query.condition = .anyOf(table.column(field).name, values)
    if !orDeleted, let deletion = table.fields.deletion {
      let mark = RecordCondition.anyOf(table.column(deletion).name, [.integer(0)])
      query.condition = .and([query.condition, mark])
    }
    query.limit = limit
    return query
  }
}

extension RecordTypes {
  /// Returns the fields that refer to records of each kind.
  static func incoming(_ tables: [RecordTable]) -> [String: [IncomingReference]] {
    var incoming: [String: [IncomingReference]] = [:]
    for table in tables where table.fields.hasReferences {
      for (index, field) in table.fields.fields.enumerated() {
        guard let reference = field.reference else { continue }
        let target = RecordTable(any: reference.type._target)
        let known = IncomingReference(
          table: table,
          field: index,
          removal: reference.removal,
          target: target
        )
        incoming[target.kind, default: []].append(known)
      }
    }
    return incoming
  }
}
