import JSONText

/// Searches records and the log of their changes for lost or damaged data.
struct RecordExamination {
  private let store: any RecordReader
  private let types: RecordTypes
  /// The last change of each record.
  private var last: [Int: LoggedChange] = [:]
  private var seen: Set<Int> = []

  /// Examines a store.
  ///
  /// - Returns: The findings.
  /// - Throws: The store's failure.
  static func findings(
    _ store: any RecordReader,
    _ types: RecordTypes
  ) throws -> [StoreReport.Finding] {
    var examination = RecordExamination(store: store, types: types)
    let changes = try examination.changes()
    return try examination.records() + examination.sets() + examination.references() + changes
      + examination.lost()
  }

  private init(store: any RecordReader, types: RecordTypes) {
    self.store = store
    self.types = types
  }

  private mutating func changes() throws -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    var count = 0
    try store.forEachChange { change in
      let isReadable = [change.before, change.after]
        .allSatisfy { (try? RecordFields($0, change.number, change.kind)) != nil }
      if !isReadable {
        findings.append(.init(.error, "change \(change.revision) can't be read"))
      }
      last[change.number] = change
      count += 1
    }
    return [.init(.ok, "\(count) change\(count == 1 ? "" : "s") in the log")] + findings.shortened
  }

  private mutating func records() throws -> [StoreReport.Finding] {
    var problems: [StoreReport.Finding] = []
    var strays: [StoreReport.Finding] = []
    for table in types.tables {
      let rows = try store.rows(RecordQuery(), of: table)
      var keys: [[[StoredValue]: Int]] = table.fields.rules.map { _ in [:] }
      while let row = try rows.next() {
        seen.insert(row.number)
        problems += try duplicates(row, table.type, table, &keys)
        let name = "\(table.kind) #\(row.number)"
        if let problem = try problem(row, table.type, table) {
          problems.append(.init(.error, "\(name) can't be read: \(problem)"))
        }
        if try !isAsLogged(row, table) {
          strays.append(.init(.error, "\(name) is not as its last change left it"))
        }
      }
    }
    let known = seen.count
    for change in last.values.sorted(by: { $0.number < $1.number }) {
      guard change.after != nil, types.table(of: change.kind) == nil else { continue }
      seen.insert(change.number)
      problems.append(
        .init(
          .warning,
          "\(change.kind) #\(change.number) is of a kind that this version of the program does not know"
        )
      )
    }
    return [.init(.ok, types.count(known))] + problems.shortened + strays.shortened
  }

  /// Returns a finding for each rule that a record breaks, given those of the records before.
  private func duplicates<R: Record>(
    _ row: any RecordRow,
    _ type: R.Type,
    _ table: RecordTable,
    _ keys: inout [[[StoredValue]: Int]]
  ) throws -> [StoreReport.Finding] {
    guard !keys.isEmpty, let record = try? Kept<R>(row) else { return [] }
    var findings: [StoreReport.Finding] = []
    for (index, rule) in table.fields.rules.enumerated() {
      guard let key = try? record.value.withFields({ try table.fields.key(rule, of: $0) }) else {
        continue
      }
      guard let other = keys[index].updateValue(row.number, forKey: key) else { continue }
      let names = rule.fields.map { "'\(table.column($0).shownName)'" }.joined(separator: " and ")
      findings.append(
        .init(
          .error,
          "\(table.kind) #\(row.number) and #\(other) have the same \(names), which no two may have"
        )
      )
    }
    return findings
  }

  private func problem<R: Record>(
    _ row: any RecordRow,
    _ type: R.Type,
    _ table: RecordTable
  ) throws -> String? {
    var record = R()
    return record.withMutableFields {
      table.fields.loadReadable(row, into: $0).problem?.description
    }
  }

  private func isAsLogged(_ row: any RecordRow, _ table: RecordTable) throws -> Bool {
    guard let change = last[row.number], table.fields.isKind(change.kind),
      change.revision == row.revision, change.after != nil
    else { return false }
    return isAsLogged(row, change.later, table.type, table)
  }

  private func isAsLogged<R: Record>(
    _ row: any RecordRow,
    _ logged: RecordFields,
    _ type: R.Type,
    _ table: RecordTable
  ) -> Bool {
    var record = R()
    let unreadable = record.withMutableFields { table.fields.loadReadable(row, into: $0).fields }
    return logged.each.allSatisfy { field in
      // Fields that are no longer declared are ignored.
      guard let name = field.names.first, let index = table.index(of: name) else { return true }
      // A field that was optional when it was written has the value of a new record, where it had
      // none.
      if field[name] == .null, !table.column(index).isOptional { return true }
      var other = record
      // Unreadable fields are reported separately.
      if unreadable.contains(index) { return true }
      return (try? other.take(field, row.number)) != nil && other == record
    }
  }

  // MARK: Sets

  /// Returns the findings for records whose sets and their index differ.
  private func sets() throws -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    for table in types.tables {
      for index in 0..<table.count where table.column(index).isSet {
        findings += try names(in: index, table).shortened
      }
    }
    return findings
  }

  private func names(in index: Int, _ table: RecordTable) throws -> [StoreReport.Finding] {
    let field = table.column(index).shownName
    // By their bytes: two spellings of a name differ.
    var owners: [[UInt8]: Set<Int>] = [:]
    var unreadable: Set<Int> = []
    let rows = try store.rows(RecordQuery(), of: table)
    while let row = try rows.next() {
      guard let names = try? [String](stored: row.value(index)) else {
        unreadable.insert(row.number)
        continue
      }
      for name in names { owners[Array(name.utf8), default: []].insert(row.number) }
    }
    var lost: Set<Int> = []
    var strays: [String] = []
    for label in try store.labels(index, prefix: "", limit: .max, of: table) {
      let wanted = owners.removeValue(forKey: Array(label.text.utf8)) ?? []
      var query = RecordQuery()
      query.condition = .has(field, label.text)
      let found = try Set(store.rows(query, of: table).all { $0.number })
      lost.formUnion(wanted.subtracting(found))
      if label.count > found.count || !found.subtracting(wanted).isSubset(of: unreadable) {
        strays.append(label.text)
      }
    }
    for numbers in owners.values { lost.formUnion(numbers) }
    return lost.sorted()
      .map { .init(.error, "\(table.kind) #\($0) is not found by all of its \(field)") }
      + strays.map {
        .init(.error, "'\($0)' in '\(field)' finds a \(table.kind) that does not have it")
      }
  }

  // MARK: References

  /// Returns the findings for references to what is not there.
  private func references() throws -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    for table in types.tables where table.fields.hasReferences {
      for (index, field) in table.fields.fields.enumerated() {
        guard let type = field.reference?.type else { continue }
        findings += try references(in: index, table, to: RecordTable(any: type._target)).shortened
      }
    }
    return findings
  }

  private func references(
    in index: Int,
    _ table: RecordTable,
    to target: RecordTable
  ) throws -> [StoreReport.Finding] {
    var known: Set<RecordReference> = []
    let targets = try store.rows(RecordQuery(), of: target)
    while let row = try targets.next() {
      // It may have had no identity when it was referred to.
      known.formUnion([try target.reference(row), .number(row.number)])
    }
    var findings: [StoreReport.Finding] = []
    let rows = try store.rows(RecordQuery(), of: table)
    while let row = try rows.next() {
      guard let reference = try table.referent(index, of: row)?.reference,
        !known.contains(reference)
      else { continue }
      findings.append(
        .init(
          .error,
          "\(table.kind) #\(row.number) refers in '\(table.column(index).shownName)' to a \(target.kind) "
            + "that is not there"
        )
      )
    }
    return findings
  }

  private func lost() -> [StoreReport.Finding] {
    last.values.filter { $0.after != nil && !seen.contains($0.number) }
      .sorted { $0.number < $1.number }
      .map { .init(.error, "\($0.kind) #\($0.number) is missing: the log has it") }
      .shortened
  }
}
