import EventMVVM

// How references stay true: what is written refers to what is there, and what is removed takes along, or
// frees, what refers to it.

extension RecordTransaction {
  /// Returns a record whose references are as they are stored.
  ///
  /// - Parameters:
  ///   - value: The record.
  ///   - known: Its current value; nil if it does not exist.
  ///   - table: The table of the kind.
  /// - Returns: The record.
  /// - Throws: A failure at the field of a reference that refers to nothing.
  func resolved<R: Record>(_ value: R, knownAs known: R?, _ table: RecordTable) throws -> R {
    guard table.fields.hasReferences else { return value }
    var value = value
    for field in table.fields.fields {
      guard let type = field.reference?.type else { continue }
      let now = known?.withFields { field.referent(of: $0) }
      guard let given = value.withFields({ field.referent(of: $0) }) else {
        guard !field.type._isOptional else { continue }
        let problem = "A \(R.kind) needs a \(type._target.kind); say which."
        throw Failure(.validation, problem, field: "\(field.name)")
      }
      guard given.reference != now?.reference else { continue }
      let referent: Referent
      do {
        referent = try store.referent(given, of: RecordTable(any: type._target), types)
      } catch let error as RecordError {
        var failure = Failure(error)
        failure.field = "\(field.name)"
        throw failure
      }
      value.withMutableFields { type.assign(referent, to: $0 + field.offset) }
    }
    return value
  }

  /// Removes a record and, as its declaration says, what refers to it.
  mutating func removeWhole<R: Record>(
    _ number: Int,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    guard let incoming = types.incoming[R.kind] else { return try remove(number, table) }
    if let reference = try note(number, table) {
      for field in incoming {
        guard field.removal != .restrict else { continue }
        let numbers = try store.rows(field.query(reference), of: field.table).all { $0.number }
        waiting += numbers.map { Waiting(number: $0, field: field) }
      }
    }
    let transition: RecordTransition<R> = try remove(number, table)
    try release()
    return transition
  }

  /// Notes that a record will be removed, and returns the reference to it; nil if it does not exist.
  @discardableResult
  mutating func note(_ number: Int, _ table: RecordTable) throws -> RecordReference? {
    guard types.incoming[table.kind] != nil, let row = try store.row(number, of: table) else {
      return nil
    }
    let reference = try table.referent(row).reference
    removed.insert(number)
    gone.append(Gone(number: number, table: table, reference: reference))
    return reference
  }

  /// Removes or clears what refers to removed records: one after another, however long the chain is.
  private mutating func release() throws {
    guard !isReleasing else { return }
    isReleasing = true
    var next = 0
    while next < waiting.count {
      guard waiting.count <= Self.mostReleased else {
        throw Failure(
          .validation,
          "Nothing was removed: more than \(Self.mostReleased) others refer to it, or to what goes "
            + "with it."
        )
      }
      let one = waiting[next]
      try release(one, one.field.table.type)
      next += 1
    }
    (waiting, isReleasing) = ([], false)
  }

  /// As many records as a removal takes along or clears.
  private static var mostReleased: Int { 10_000 }

  private mutating func release<R: Record>(_ waiting: Waiting, _ type: R.Type) throws {
    let (field, table) = (
      waiting.field.table.fields.fields[waiting.field.field], waiting.field.table
    )
    guard let row = try store.row(waiting.number, of: table) else { return }
    guard waiting.field.removal == .clear else {
      _ = try write([RecordWrite<R>.remove(waiting.number)])
      return
    }
    var record = try Kept<R>(row)
    record.value.withMutableFields { field.reference?.type.assign(nil, to: $0 + field.offset) }
    _ = try write([.put(record.number, record.value, seen: nil)])
  }

  /// Ends the writes: nothing refers to what is not there, and what an undo has changed knows what it refers
  /// to.
  ///
  /// - Throws: An error that names what would refer to nothing.
  mutating func finishReferences() throws {
    try checkReferences()
    for kind in Set(back.map(\.table.kind)) {
      if let type = types.type(of: kind) { try fillUpdates(of: type) }
    }
    (gone, back) = ([], [])
  }

  private func checkReferences() throws {
    for gone in gone where try store.row(gone.number, of: gone.table) == nil {
      for field in types.incoming[gone.table.kind] ?? [] {
        let rows = try store.rows(field.query(gone.reference, limit: 1), of: field.table)
        guard let row = try rows.next() else { continue }
        throw RecordError.referred(
          gone.number,
          kind: gone.table.kind,
          by: row.number,
          of: field.table.kind
        )
      }
    }
    for back in back {
      guard let row = try store.row(back.number, of: back.table) else { continue }
      for (index, field) in back.table.fields.fields.enumerated() {
        guard let type = field.reference?.type else { continue }
        let reference = try type.init(stored: row.value(index))._referent?.reference
        guard let reference else { continue }
        let target = RecordTable(any: type._target)
        guard let number = try? store.number(reference, of: target),
          try store.row(number, of: target) != nil
        else {
          throw RecordError.dangling(back.number, kind: back.table.kind, field: "\(field.name)")
        }
      }
    }
  }

  /// Completes the references of changed records.
  private mutating func fillUpdates<R: Record>(of type: R.Type) throws {
    for index in updates.indices {
      guard let transition = updates[index].transition(of: type) else { continue }
      var states = [transition.before, transition.after]
        .compactMap { value in
          value.map { Kept(transition.number, $0, revision: transition.revision) }
        }
      try store.fill(&states)
      let after = transition.after.flatMap { _ in states.popLast()?.value }
      let filled = RecordTransition(
        transition.number,
        from: states.first?.value,
        to: after,
        revision: transition.revision
      )
      updates[index] = AnyRecordTransition(
        filled,
        wasThere: updates[index].wasThere,
        isThere: updates[index].isThere
      )
    }
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
  }

  /// A record that an undo has brought back, or changed.
  struct Back {
    let number: Int
    let table: RecordTable
  }
}
