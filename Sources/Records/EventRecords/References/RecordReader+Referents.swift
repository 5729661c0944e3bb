import EventMVVM
import EventValues

// What references refer to: read along with the records that have them.

extension RecordReader {
  /// Returns what a reference of any form refers to, as it is stored.
  ///
  /// - Parameters:
  ///   - referent: The reference.
  ///   - table: The table of the kind that it refers to.
  ///   - types: The kinds of the store.
  /// - Returns: The identity or the number, with the number and the title of the record.
  /// - Throws: An error if there is no such record, or if there are several.
  func referent(
    _ referent: Referent,
    of table: RecordTable,
    _ types: RecordTypes
  ) throws -> Referent {
    let number = try number(referent.reference, of: table)
    guard let row = try row(number, of: table) else {
      throw try types.missing(number, table.kind, in: self)
    }
    return try table.referent(row)
  }

  /// Completes the references of records by the numbers and titles of what they refer to: with one
  /// statement for each field that has some.
  func fill<R: Record>(_ records: inout [Kept<R>]) throws {
    let table = R._table
    guard table.hasReferences, !records.isEmpty else { return }
    for field in table.fields {
      guard let type = field.reference?.type else { continue }
      let referents = try referents(
        records.compactMap { $0.value.withFields { field.referent(of: $0) }?.reference },
        of: RecordTable(any: type._target)
      )
      for index in records.indices {
        records[index].value
          .withMutableFields { record in
            let value = record + field.offset
            guard let reference = type.referent(at: value)?.reference,
              let referent = referents[reference]
            else { return }
            type.assign(referent, to: value)
          }
      }
    }
  }

  private func referents(
    _ references: [RecordReference],
    of table: RecordTable
  ) throws -> [RecordReference: Referent] {
    var found: [RecordReference: Referent] = [:]
    for condition in table.conditions(references.unique) {
      var query = RecordQuery()
      query.condition = condition
      let rows = try rows(query, of: table)
      while let row = try rows.next() {
        let referent = try table.referent(row)
        found[referent.reference] = referent
      }
    }
    return found
  }
}

extension RecordReader {
  /// Returns a query whose references are as they are stored: of a number the identity, where the kind has one.
  ///
  /// - Throws: A failure at the field of a reference to no record.
  func resolved(
    _ query: RecordQuery,
    of table: RecordTable,
    _ types: RecordTypes
  ) throws -> RecordQuery {
    guard table.fields.hasReferences else { return query }
    var query = query
    query.condition = try resolved(query.condition, of: table, types)
    return query
  }

  /// Returns a condition whose references are as they are stored.
  func resolved(
    _ condition: RecordCondition,
    of table: RecordTable,
    _ types: RecordTypes
  ) throws -> RecordCondition {
    guard table.fields.hasReferences else { return condition }
    switch condition {
    case .anyOf(let name, let values):
      guard let field = table.index(of: name).map({ table.fields.fields[$0] }),
        let type = field.reference?.type
      else { return condition }
      let target = RecordTable(any: type._target)
      return .anyOf(name, try values.map { try resolved($0, of: target, field: name, types) })
    case .and(let all): return .and(try all.map { try resolved($0, of: table, types) })
    case .or(let all): return .or(try all.map { try resolved($0, of: table, types) })
    case .not(let all): return .not(try all.map { try resolved($0, of: table, types) })
    case .all, .numbers, .field, .has, .text: return condition
    }
  }

  private func resolved(
    _ value: StoredValue,
    of target: RecordTable,
    field: String,
    _ types: RecordTypes
  ) throws -> StoredValue {
    guard case .text(let text) = value, UniqueID(text) == nil else { return value }
    do {
      let given = Referent(try RecordReference(word: text))
      return try referent(given, of: target, types).reference.storedReference
    } catch let error as RecordError {
      var failure = Failure(error)
      failure.field = field
      throw failure
    }
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
  fileprivate func conditions(_ references: [RecordReference]) -> [RecordCondition] {
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

  /// Returns a reference to the record of a row, as it is stored.
  func referent(_ row: any RecordRow) throws -> Referent {
    func title<R: Record>(_ type: R.Type) -> String? { (try? Kept<R>(row))?.value.title }
    let reference: RecordReference =
      if let identity = try fields.identity.flatMap({ try row.value($0).fullIdentity }) {
        .identity(identity)
      } else {
        .number(row.number)
      }
    return Referent(reference, number: row.number, title: title(self.type))
  }
}

extension RecordReference {
  /// The value of a field that has this reference, as it is stored.
  var storedReference: StoredValue {
    if case .number(let number) = self { .integer(Int64(number)) } else { .text(text) }
  }
}

/// A field that refers to records of a kind.
struct IncomingReference: Sendable {
  let table: RecordTable
  let field: Int
  let removal: ReferenceRemoval

  /// What finds the records that refer to one.
  func query(_ reference: RecordReference, limit: Int? = nil) -> RecordQuery {
    var query = RecordQuery()
    query.condition = .anyOf(table.column(field).name, [reference.storedReference])
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
        let target = reference.type._target.kind
        precondition(
          tables.contains { $0.kind == target },
          "the field '\(field.name)' of '\(table.kind)' refers to a '\(target)', which is not stored"
        )
        incoming[target, default: []]
          .append(
            IncomingReference(table: table, field: index, removal: reference.removal)
          )
      }
    }
    return incoming
  }
}
