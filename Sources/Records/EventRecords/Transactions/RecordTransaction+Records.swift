public import EventMVVM
public import EventValues

// What a body in a transaction reads and writes.

extension RecordTransaction {
  /// What a body knows of its request; a change that is only taken over or reverted calls no body.
  private var request: WriteContext {
    guard let context else { preconditionFailure("a change that no request makes calls no body") }
    return context
  }

  /// The frontend or plugin that sent the request.
  public var origin: Origin { request.origin }
  /// When the request's turn came.
  public var time: Instant { author.time }
  /// The user's local time then.
  public var now: CivilMinute { localTime(at: time) }
  /// Returns the user's local time at an instant.
  public func localTime(at instant: Instant) -> CivilMinute {
    request.environment.zone.civil(at: instant)
  }

  // MARK: Reading

  /// Returns the records that a query finds, in its order; by default all of the kind.
  ///
  /// One that can't be read is left out, and a warning says so, ``ResponseUnreadableRecords``.
  ///
  /// - Throws: The store's failure.
  public func records<R: Record>(_ query: Query<R> = Query()) throws -> [Kept<R>] {
    guard let reader else { return [] }
    let table = RecordTable(R.self)
    let rows = try reader.rows(
      reader.resolved(query.stored, of: table, types, request.names),
      of: table
    )
    var part = try RecordRest<R>.Part.reading(rows).0
    if let trouble = part.trouble { request.warnings.withLock { $0.append(trouble) } }
    try reader.fill(&part.records)
    return part.records
  }

  /// Returns the first record that a query finds; nil if there is none.
  public func first<R: Record>(_ query: Query<R> = Query()) throws -> Kept<R>? {
    try records(query.first(1)).first
  }

  /// Returns how many records meet a condition.
  public func count<R: Record>(where condition: Condition<R>) throws -> Int {
    guard let reader else { return 0 }
    let table = RecordTable(R.self)
    return try reader.count(
      reader.resolved(condition.stored, of: table, types, request.names),
      of: table
    )
  }

  /// Returns the records of a command, in the order of their references, each once.
  ///
  /// - Throws: A failure where one does not exist, or the store's failure.
  public func records<R: Record>(_ target: Target<R>) throws -> [Kept<R>] {
    try records(target.references, of: R.self)
  }

  /// Returns the record that a reference refers to.
  ///
  /// - Parameters:
  ///   - reference: The reference: of a stored record, or as a command was given it.
  ///   - field: The property of the request that has it, for the failure.
  /// - Returns: The record.
  /// - Throws: A failure where there is none, or the store's failure.
  public func record<R: Record>(
    _ reference: Reference<R>,
    field: String = "id"
  ) throws -> Kept<R> {
    guard !reference.isNone else { throw Failure(.usage, "Say which \(R.kind).", field: field) }
    return try record(reference.reference, of: R.self, field: field)
  }

  /// Returns one record.
  ///
  /// - Parameters:
  ///   - reference: Its number, or what a person wrote.
  ///   - type: Its kind.
  ///   - field: The property of the request that names it, for the failure.
  /// - Returns: The record.
  /// - Throws: A failure where there is none, or not exactly one, or the store's failure.
  public func record<R: Record>(
    _ reference: some RecordReferring,
    of type: R.Type = R.self,
    field: String = "id"
  ) throws -> Kept<R> {
    do {
      let records = try records(reference.references, of: type)
      guard records.count == 1 else {
        throw Failure(
          .usage,
          "This takes one \(R.kind), and there are \(records.count).",
          field: "id"
        )
      }
      return records[0]
    } catch {
      throw Failure(anyOf: error).at(field)
    }
  }

  /// Returns the records that references mean, in their order, each once.
  ///
  /// - Throws: A failure where one does not exist, or the store's failure.
  public func records<R: Record>(
    _ references: [RecordReference],
    of type: R.Type
  ) throws -> [Kept<R>] {
    let table = RecordTable(type)
    var known: Set<Int> = []
    var records: [Kept<R>] = []
    for reference in references {
      let reference = try request.names.resolve(reference, kind: R.kind)
      guard let reader else { throw RecordError.none(reference, kind: R.kind) }
      for number in try reader.numbers(reference, of: table) where known.insert(number).inserted {
        guard let row = try reader.row(number, of: table) else {
          throw try types.missing(number, R.kind, in: reader)
        }
        records.append(try Kept(row))
      }
    }
    try reader?.fill(&records)
    return records
  }

  // MARK: Writing

  /// Adds a record; it gets an identity, if its kind declares one and it has none.
  ///
  /// - Returns: The stored record.
  /// - Throws: A failure where a rule forbids it, or the store's failure.
  @discardableResult
  public mutating func add<R: Record>(_ record: R) throws -> Kept<R> {
    try failing { try $0.write([.add(record)])[0].stored }
  }

  /// Changes a record that was read in this transaction, or earlier: a field that was changed to another
  /// value since is a conflict (S71).
  ///
  /// - Returns: The stored record.
  /// - Throws: What the body throws, a failure where a rule forbids the change, or the store's failure.
  @discardableResult
  public mutating func change<R: Record>(
    _ record: Kept<R>,
    _ body: (inout R) throws -> Void
  ) throws -> Kept<R> {
    var value = record.value
    try body(&value)
    return try failing { transaction in
      try transaction.write([.put(record.number, value, seen: record.revision)])[0].stored
    }
  }

  /// Removes a record, and what its declaration removes with it.
  ///
  /// If another record still refers to it at the end of the transaction, and is declared to restrict its removal,
  /// the transaction fails then.
  ///
  /// - Throws: A failure where there is none any more, or the store's failure.
  public mutating func remove<R: Record>(_ record: Kept<R>) throws {
    try remove(record.number, of: R.self)
  }

  /// Removes the records that a query finds.
  public mutating func remove<R: Record>(_ query: Query<R>) throws {
    for record in try records(query) { try remove(record) }
  }

  /// Removes records, even unreadable ones.
  ///
  /// - Parameters:
  ///   - referred: The records.
  ///   - type: Their kind.
  /// - Throws: A failure where one does not exist, or the store's failure.
  public mutating func remove<R: Record>(
    _ referred: some RecordReferring,
    of type: R.Type
  ) throws {
    var writes: [RecordWrite<R>] = []
    for reference in referred.references.unique {
      writes.append(.remove(try request.names.resolve(reference, kind: R.kind)))
    }
    _ = try failing { try $0.write(writes) }
  }

  /// Runs a body, and converts its errors to failures for a person.
  private mutating func failing<T>(_ body: (inout RecordTransaction) throws -> T) throws -> T {
    do {
      return try body(&self)
    } catch let error as RecordError {
      throw Failure(error)
    }
  }

  /// What a person is told of the transaction so far, besides its records.
  package var note: ReplyNote { ReplyNote(along: types.words(links.along), lines: lines) }

  /// Tells a person a line after what the command says of its records, such as what follows from a write.
  ///
  /// A program is told by the notification of changes. Commands that answer with a message of their own don't show it.
  public mutating func tell(_ line: String) { lines.append(line) }

  /// Whether a rule runs for a write that another rule has made; see `EventStream.onWrite`.
  public var isFollowing: Bool { depth > 1 }

  /// Whether a record was added in a transaction that changed another one, and was not changed since.
  public func wasAddedAlong<R: Record>(_ record: Kept<R>, with number: Int) throws -> Bool {
    guard let reader else { return false }
    let changes = try reader.changes(of: [record.number, number], after: 0)
    let last = changes.first { $0.number == record.number }
    guard let last, last.before == nil else { return false }
    return changes.contains { $0.number == number && $0.transaction == last.transaction }
  }

  /// Returns the record with an identity, also one that is marked as deleted; nil if there is none.
  public func record<R: Record>(identifiedBy identity: UniqueID, of type: R.Type) throws -> Kept<R>?
  {
    guard let index = R._table.identity else { return nil }
    let name = "\(R._table.fields[index].name)"
    return try first(
      Query().where(Condition(stored: .anyOf(name, [.text(identity.text)])))
    )
  }

  /// Returns the change of a record since the beginning of the transaction.
  package func transition<R: Record>(to record: Kept<R>) -> RecordTransition<R> {
    let first = updates.first { $0.number == record.number }
    let before = first.map { $0.transition(of: R.self)?.before } ?? record.value
    return RecordTransition(
      record.number,
      from: before,
      to: record.value,
      revision: record.revision
    )
  }

  /// Gives a record a name in the session of the request: `@name` means it then; see
  /// ``EventMVVM/Turn/name(_:as:)``.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - alias: The name, without `@`; nil gives none.
  /// - Throws: A failure where it is no name.
  public mutating func name<R: Record>(_ record: Kept<R>, as alias: String?) throws {
    guard let alias else { return }
    try SessionNames.check(alias, of: R.self)
    aliases.append(ResponseTransaction.Item(number: record.number, kind: R.kind, alias: alias))
  }

  /// Sends a fact, such as a toast, once the body has succeeded: before the reply or, in a unit, when that is
  /// committed.
  public mutating func send<F: Fact>(_ fact: F) { facts.append(fact) }
}

extension Failure {
  /// Converts an error of records, as it is for a person.
  init(anyOf error: any Error) {
    if let error = error as? RecordError { self.init(error) } else { self.init(error) }
  }

  /// The failure, at another property where it is about a reference.
  func at(_ field: String) -> Failure {
    var failure = self
    if failure.field == "id" { failure.field = field }
    return failure
  }
}

extension RecordTypes {
  /// Returns the error that there is no record of a kind with a number, which may be one of another kind.
  func missing(_ number: Int, _ kind: String, in store: any RecordReader) throws -> RecordError {
    for table in tables where table.kind != kind {
      if try store.row(number, of: table) != nil {
        return .otherKind(number, kind: kind, actual: table.kind)
      }
    }
    return .notFound(number, kind: kind)
  }
}
