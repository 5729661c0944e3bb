public import EventMVVM
import EventValues

/// Changes of records, some of which may have to be read first.
///
/// ```swift
/// static func row(_ index: Count, _ body: @escaping @Sendable (inout Message) -> Void) -> Self {
///   .reading(Query()) { messages in
///     var message = try messages.row(index)
///     body(&message.value)
///     return [.put(message.number, message.value, seen: message.revision)]
///   }
/// }
/// ```
public struct RecordChange<R: Record>: Sendable {
  private let references: [RecordReference]
  private let query: Query<R>?
  private let writes: @Sendable ([Kept<R>]) throws -> [RecordWrite<R>]

  /// Returns a change of these writes, without a read.
  public static func write(_ writes: [RecordWrite<R>]) -> Self {
    Self(references: [], query: nil) { _ in writes }
  }

  /// Returns the addition of a record, without a read.
  public static func add(_ record: R) -> Self { .write([.add(record)]) }

  /// Returns a change of records; the write has the revision of the read, so that other fields keep
  /// external changes (S71).
  ///
  /// - Parameters:
  ///   - referred: Records; a missing one is a failure.
  ///   - query: Finds more records.
  ///   - body: Changes the value of one.
  /// - Returns: The change.
  public static func edit(
    _ referred: some RecordReferring,
    and query: Query<R>? = nil,
    _ body: @escaping @Sendable (inout Kept<R>) throws -> Void
  ) -> Self {
    Self(references: referred.references, query: query) { records in
      try records.map { record in
        var record = record
        try body(&record)
        return .put(record.number, record.value, seen: record.revision)
      }
    }
  }

  /// Returns the removal of records, without a read; a missing one is a failure.
  public static func remove(_ referred: some RecordReferring) -> Self {
    .write(referred.references.unique.map { .remove($0) })
  }

  /// Returns the removal of the results of a query.
  public static func remove(_ query: Query<R>) -> Self {
    Self(references: [], query: query) { records in records.map { .remove($0.number) } }
  }

  /// Returns writes that depend on the results of a query.
  public static func reading(
    _ query: Query<R>,
    _ writes: @escaping @Sendable ([Kept<R>]) throws -> [RecordWrite<R>]
  ) -> Self { Self(references: [], query: query, writes: writes) }

  /// The read that it needs; nil for none.
  var reading: RequestRecords<R>? {
    guard !references.isEmpty || query != nil else { return nil }
    return RequestRecords(references, query, isToWrite: true)
  }

  /// Returns the writes.
  func writes(_ records: [Kept<R>]) throws -> [RecordWrite<R>] { try writes(records) }

  private init(
    references: [RecordReference],
    query: Query<R>?,
    writes: @escaping @Sendable ([Kept<R>]) throws -> [RecordWrite<R>]
  ) {
    self.references = references
    self.query = query
    self.writes = writes
  }
}

extension EventStream {
  /// Answers a request of the views by changing records, and replies with the results of a query
  /// after that.
  ///
  /// ```swift
  /// stream.change(RequestKeepMail.self, owner: self, showing: Query()) { _, request, _ in
  ///   .write(request.mail.map { .addOnce(Message($0), by: Message.nameField) })
  /// } reply: { _, _, messages, _ in
  ///   messages
  /// }
  /// ```
  ///
  /// The change is all or nothing. Only its records and the query's results are read.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - owner: The object with which the subscription ends.
  ///   - query: Finds the records for the reply.
  ///   - change: Returns the change; a throw becomes the failure of the reply.
  ///   - reply: Converts the results for the view.
  public func change<R: Request, Kind: Record, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    showing query: Query<Kind>,
    _ change: @escaping (Owner, R, borrowing Turn) throws -> RecordChange<Kind>,
    reply: @escaping (Owner, R, [Kept<Kind>], borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, request, turn in
      turn.attempt(R.Reply.self) { turn in
        turn.change(try change(owner, request, turn), R.Reply.self) { [weak owner] turn in
          turn.show(query, owner, request, reply)
        }
      }
    }
  }

  /// Reports all records of a type after each change of them, in any process; several changes at
  /// once are reported together.
  ///
  /// ```swift
  /// stream.follow(User.self, owner: shown) { shown, users, turn in shown.follow(users, turn) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - owner: The object with which the subscription ends.
  ///   - show: Called on the home thread with all records.
  public func follow<Kind: Record, Owner: AnyObject>(
    _ type: Kind.Type,
    owner: Owner,
    _ show: @escaping (Owner, [Kept<Kind>], borrowing Turn) -> Void
  ) {
    let asking = Locked((isOn: false, isStale: false))
    func ask(_ owner: Owner, _ turn: borrowing Turn) {
      turn.request(RequestRecords<Kind>.inOrder) { [weak owner] result, turn in
        let isStale = asking.withLock { asking in
          defer { asking = (asking.isStale, false) }
          return asking.isStale
        }
        guard let owner else { return }
        if let records = try? result.get().result.get() { show(owner, records, turn) }
        if isStale { ask(owner, turn) }
      }
    }
    on(ResponseRecordChanges<Kind>.self, owner: owner) { owner, event, turn in
      let isFree = asking.withLock { asking in
        defer { asking.isOn = true }
        // This process's changes before the answer's turn are in the answer; those of others may
        // have been read meanwhile.
        if asking.isOn, event.externalOrigin != nil { asking.isStale = true }
        return !asking.isOn
      }
      if isFree { ask(owner, turn) }
    }
  }
}

extension Turn {
  /// Replies with the results of a query, unless the owner is gone.
  fileprivate borrowing func show<R: Request, Kind: Record, Owner: AnyObject>(
    _ query: Query<Kind>,
    _ owner: Owner?,
    _ asked: R,
    _ reply: @escaping (Owner, R, [Kept<Kind>], borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    request(RequestRecords(query)) { [weak owner] result, turn in
      guard let owner else { return }
      turn.attempt(R.Reply.self) { turn in
        let records = try result.get().result.get()
        turn.send(R.Reply(.success(try reply(owner, asked, records, turn))))
      }
    }
  }

  /// Reads the records of a change and writes it; a failure becomes the reply.
  fileprivate borrowing func change<Kind: Record, Reply: Response>(
    _ change: RecordChange<Kind>,
    _ type: Reply.Type,
    then: @escaping (borrowing Turn) -> Void
  ) where Reply.Problem == Failure {
    guard let reading = change.reading else {
      return attempt(type) { turn in turn.write(try change.writes([]), type) { then($1) } }
    }
    request(reading) { result, turn in
      turn.attempt(type) { turn in
        turn.write(try change.writes(try result.get().result.get()), type) { then($1) }
      }
    }
  }

  /// Writes records; a failure, also of the completion, becomes the reply.
  fileprivate borrowing func write<Kind: Record, Reply: Response>(
    _ writes: [RecordWrite<Kind>],
    _ type: Reply.Type,
    then: @escaping ([RecordTransition<Kind>], borrowing Turn) throws -> Void
  ) where Reply.Problem == Failure {
    request(RequestWriteRecords(writes)) { result, turn in
      turn.attempt(type) { turn in try then(try result.get().result.get(), turn) }
    }
  }

  /// Runs a body that answers; an error that it throws becomes the failure of the reply.
  fileprivate borrowing func attempt<Reply: Response>(
    _ type: Reply.Type,
    _ body: (borrowing Turn) throws -> Void
  ) where Reply.Problem == Failure {
    do {
      try body(self)
    } catch {
      send(Reply(.failure(Failure(error))))
    }
  }
}
