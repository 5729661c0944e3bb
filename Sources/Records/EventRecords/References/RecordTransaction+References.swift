import EventMVVM

// How references stay true: what is written refers to what is there, and what is removed takes along, or
// frees, what refers to it.

extension RecordTransaction {
  /// Returns a record whose references are as they are stored, and refer to what is there.
  ///
  /// - Parameters:
  ///   - value: The record.
  ///   - base: The record as the caller had read it, whose references are not checked again; nil for a new one.
  ///   - now: The stored record; nil for a new one.
  ///   - table: The table of the kind.
  /// - Returns: The record.
  /// - Throws: A failure at the field of a reference that refers to nothing.
  func resolved<R: Record>(
    _ value: R,
    since base: R?,
    now: R?,
    _ table: RecordTable
  ) throws -> R {
    guard table.fields.hasReferences else { return value }
    var value = value
    for field in table.fields.fields {
      guard let type = field.reference?.type else { continue }
      let given = value.withFields { field.referent(of: $0) }
      let before = base.map { $0.withFields { field.referent(of: $0) } }
      var referent: Referent?
      if let given, given.reference == before??.reference {
        let current = now?.withFields { field.referent(of: $0) }
        referent = current?.reference == given.reference ? current : before ?? given
      } else if let given {
        referent = try self.referent(given, field, type._target)
      } else if !field.type._isOptional {
        // A record from before the field was declared has none.
        guard case .some(.none) = before else {
          let problem = "A \(R.kind) needs a \(type._target.kind); say which."
          throw Failure(.validation, problem, field: "\(field.name)")
        }
      }
      value.withMutableFields { type.assign(referent, to: $0 + field.offset) }
    }
    return value
  }

  /// Returns what a given reference refers to, which is there and not deleted.
  private func referent(
    _ given: Referent,
    _ field: Field,
    _ target: any Record.Type
  ) throws -> Referent {
    let table = RecordTable(any: target)
    let row: any RecordRow
    do {
      let reference = try context?.names.resolve(given.reference, kind: table.kind)
      row = try store.row(reference ?? given.reference, of: table, types)
    } catch {
      throw Failure(anyOf: error).at("\(field.name)")
    }
    let referent = try table.referent(row)
    if let number = given.number, number != row.number {
      let problem = "'id' and 'uuid' are those of two records: of #\(number) and #\(row.number)."
      throw Failure(.usage, problem, field: "\(field.name)")
    }
    guard try !table.isDeleted(row) else {
      let problem = "The \(table.kind) #\(row.number) is deleted."
      throw Failure(.validation, problem, field: "\(field.name)", id: row.number)
    }
    return referent
  }

  /// Notes a change that marks a record as deleted, or no longer.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - table: The table of its kind.
  ///   - releases: Whether what refers to it goes along or is cleared.
  /// - Throws: The store's failure.
  mutating func noteMark<R: Record>(
    of change: RecordTransition<R>,
    _ table: RecordTable,
    releases: Bool = false
  ) throws {
    guard let before = change.before, let after = change.after else { return }
    switch (before.isMarkedDeleted, after.isMarkedDeleted) {
    case (false, true): try note(change.number, table, isKept: true, releases: releases)
    case (true, false) where table.fields.hasReferences:
      links.back.append(Back(number: change.number, table: table))
    default: break
    }
  }

  /// Removes a record and, as its declaration says, what refers to it.
  mutating func removeWhole<R: Record>(
    _ number: Int,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    guard types.incoming[R.kind] != nil else { return try remove(number, table) }
    try note(number, table)
    let transition: RecordTransition<R> = try remove(number, table)
    try release()
    return transition
  }

  /// Notes that a record is removed or marked as deleted, with what refers to it.
  ///
  /// - Parameters:
  ///   - number: The record.
  ///   - table: The table of its kind.
  ///   - isKept: Whether it is only marked.
  ///   - releases: Whether what refers to it goes along or is cleared.
  /// - Throws: The store's failure.
  mutating func note(
    _ number: Int,
    _ table: RecordTable,
    isKept: Bool = false,
    releases: Bool = true
  ) throws {
    guard let incoming = types.incoming[table.kind], let row = try store.row(number, of: table)
    else { return }
    let referent = try table.referent(row)
    let reference = referent.reference
    links.gone.append(Gone(number: number, table: table, reference: reference))
    links.referents[reference] = referent
    for field in incoming where releases && field.removal != .restrict {
      let query = field.query(reference, number, orDeleted: !isKept)
      let numbers = try store.rows(query, of: field.table).all { $0.number }
      links.waiting += numbers.map {
        Waiting(number: $0, field: field, reference: reference, isKept: isKept)
      }
    }
  }

  /// Removes or clears what refers to removed records: one after another, however long the chain is.
  mutating func release() throws {
    guard !links.isReleasing else { return }
    links.isReleasing = true
    var next = 0
    while next < links.waiting.count {
      guard links.waiting.count <= Self.mostReleased else {
        throw Failure(
          .validation,
          "Nothing was removed: more than \(Self.mostReleased) others refer to it, or to what goes "
            + "with it."
        )
      }
      let one = links.waiting[next]
      try release(one, one.field.table.type)
      next += 1
    }
    (links.waiting, links.isReleasing) = ([], false)
  }

  /// As many records as a removal takes along or clears.
  private static var mostReleased: Int { 10_000 }

  private mutating func release<R: Record>(_ waiting: Waiting, _ type: R.Type) throws {
    let (field, table) = (
      waiting.field.table.fields.fields[waiting.field.field], waiting.field.table
    )
    // A rule may have removed it, or given it another reference.
    guard let row = try store.row(waiting.number, of: table),
      try table.referent(waiting.field.field, of: row)?.reference == waiting.reference
    else { return }
    let marks = waiting.isKept && table.fields.deletion != nil
    if waiting.field.removal == .cascade { links.along.append(R.kind) }
    guard waiting.field.removal == .clear || marks else {
      _ = try write([RecordWrite<R>.remove(waiting.number)])
      return
    }
    var record = try Kept<R>(row)
    if waiting.field.removal == .clear {
      record.value.withMutableFields { field.reference?.type.assign(nil, to: $0 + field.offset) }
    } else {
      record.value.markDeleted(true)
    }
    _ = try write([.put(record.number, record.value, seen: nil)])
  }

  /// Ends the writes: nothing refers to what is not there, and what an undo has changed knows what it refers
  /// to.
  ///
  /// - Throws: An error that names what would refer to nothing.
  mutating func finish() throws {
    if let broken { throw broken }
    try checkReferences()
    for kind in Set(links.back.map(\.table.kind)) {
      if let type = types.type(of: kind) { try fillUpdates(of: type) }
    }
    (links.gone, links.back, links.referents) = ([], [], [:])
  }

  private func checkReferences() throws {
    for gone in links.gone {
      let row = try store.row(gone.number, of: gone.table)
      if let row, try !gone.table.isDeleted(row) { continue }
      for field in types.incoming[gone.table.kind] ?? [] {
        let query = field.query(gone.reference, gone.number, orDeleted: row == nil, limit: 1)
        let rows = try store.rows(query, of: field.table)
        guard let row = try rows.next() else { continue }
        throw RecordError.referred(
          gone.number,
          kind: gone.table.kind,
          by: row.number,
          of: field.table.kind
        )
      }
    }
    for back in links.back {
      guard let row = try store.row(back.number, of: back.table) else { continue }
      for (index, field) in back.table.fields.fields.enumerated() {
        guard let type = field.reference?.type,
          let reference = try back.table.referent(index, of: row)?.reference
        else { continue }
        let isThere = try store.has(
          reference,
          of: RecordTable(any: type._target),
          orDeleted: back.table.isDeleted(row)
        )
        guard isThere else {
          throw RecordError.dangling(back.number, kind: back.table.kind, field: "\(field.name)")
        }
      }
    }
  }

  /// Completes the references of changed records of a kind, all at once.
  private mutating func fillUpdates<R: Record>(of type: R.Type) throws {
    var states: [Kept<R>] = []
    for update in updates {
      let transition = update.transition(of: type)
      for case let value? in [transition?.before, transition?.after] {
        states.append(Kept(update.number, value, revision: update.revision))
      }
    }
    try store.fill(&states, gone: links.referents)
    var rest = states[...]
    for (index, update) in updates.enumerated() {
      guard let transition = update.transition(of: type) else { continue }
      let before = transition.before.flatMap { _ in rest.popFirst()?.value }
      let after = transition.after.flatMap { _ in rest.popFirst()?.value }
      updates[index] = AnyRecordTransition(
        RecordTransition(update.number, from: before, to: after, revision: update.revision),
        wasThere: update.wasThere,
        isThere: update.isThere
      )
    }
  }

  /// What a transaction has done that concerns references.
  struct Links {
    /// What was removed or marked as deleted, which nothing may refer to at the end.
    var gone: [Gone] = []
    /// The same, for records that refer to it and are still to be read.
    var referents: [RecordReference: Referent] = [:]
    /// What was brought back, or changed by an undo, whose references are checked at the end.
    var back: [Back] = []
    /// What refers to removed records, and goes with them or is cleared.
    var waiting: [Waiting] = []
    var isReleasing = false
    /// The kind of each record that was removed, or marked as deleted, along with another one.
    var along: [String] = []
  }

  /// A removed record.
  struct Gone {
    let number: Int
    let table: RecordTable
    let reference: RecordReference
  }

  /// A record that refers to a removed one.
  struct Waiting {
    let number: Int
    let field: IncomingReference
    /// The reference to that one.
    let reference: RecordReference
    /// Whether that one is only marked as deleted.
    let isKept: Bool
  }

  /// A record that an undo has brought back, or changed.
  struct Back {
    let number: Int
    let table: RecordTable
  }
}
