public import EventMVVM

extension EventStream {
  /// Answers a request in one transaction: it reads and writes records of any kinds, and all of it takes
  /// effect or nothing.
  ///
  /// ```swift
  /// stream.transaction(RequestRemoveUser.self) { request, store in
  ///   try store.remove(request.id, of: User.self)
  ///   return UsersDisplay(try store.records())
  /// }
  /// ```
  ///
  /// The writers of a store come one after another, in any number of processes: what the body has read stays
  /// true until its end, and so a check and a write in one body need no more. A throw rolls everything back.
  /// What is written is one step of undo. Inside a script's unit the body is a part of the unit that can
  /// fail by itself (promise 11).
  ///
  /// Its facts, `ResponseRecordChanges` and `ResponseChangedRecords`, follow the reply; in a unit, when it
  /// is committed.
  ///
  /// The reply can be decoded, as it is an input of a recording where the body has run on another thread.
  ///
  /// - Parameters:
  ///   - type: The request, whose `writes` is true, as it is by default.
  ///   - body: Returns what the reply carries, or throws its failure. It runs on the home thread, or on the
  ///     thread of a store on another machine; others wait for it, so it does nothing but read and
  ///     write. It has no effects but those in the store: with a store on another machine it can
  ///     run again for one request. A throw is the failure of the reply.
  public func transaction<R: Request>(
    _ type: R.Type,
    _ body:
      @escaping @Sendable (
        _ request: R, _ store: inout RecordTransaction
      ) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure, R.Reply: Decodable {
    precondition(type.writes, "'transaction' is for a request that writes; 'reading' is for others")
    declareAnswerer(of: type)
    on(type) { request, turn in
      turn.serve(request) { server, turn in server.transact(request, turn, body) }
    }
  }

  /// Answers a request by reading records of any kinds, all in one snapshot.
  ///
  /// ```swift
  /// stream.reading(RequestLabels.self) { request, store in
  ///   let box = try store.record(request.box, of: Box.self, field: "box")
  ///   let labels = try store.records(Query<Label>().newestFirst())
  ///     .filter { $0.value.title.hasPrefix(box.value.title + "-") }
  /// ```
  ///
  /// The reply can be decoded, as it is an input of a recording where the body has run on another thread.
  ///
  /// - Parameters:
  ///   - type: The request, whose `writes` is false.
  ///   - body: Returns what the reply carries, or throws its failure. In a session that lasts it runs in the
  ///     background, and delays no other request; inside a unit it reads what that has written.
  public func reading<R: Request>(
    _ type: R.Type,
    _ body:
      @escaping @Sendable (
        _ request: R, _ store: borrowing RecordTransaction
      ) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure, R.Reply: Decodable {
    precondition(!type.writes, "'reading' is for a request that writes nothing")
    declareAnswerer(of: type)
    on(type) { request, turn in
      turn.serve(request) { server, turn in
        let (author, context) = (Author(turn), WriteContext(turn))
        let warnings = { @Sendable in context.warnings.withLock { $0 } }
        server.answerLong(request, turn, warnings: warnings) { reader in
          try body(
            request,
            RecordTransaction(reading: reader, server.types, by: author, in: context)
          )
        }
      }
    }
  }
}

extension Turn {
  /// Has the server of the stream's store answer a request.
  fileprivate borrowing func serve<R: Request>(
    _ request: R,
    _ answer: (RecordServer, borrowing Turn) -> Void
  ) where R.Reply.Problem == Failure {
    if let server = RecordServing.of(stream).server { return answer(server, self) }
    let problem = "Nothing is stored here: the program has no RecordServer."
    send(R.Reply(.failure(Failure(.store, problem))))
  }
}

extension RecordServer {
  /// Answers a request in one transaction.
  fileprivate func transact<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    _ body: @escaping @Sendable (R, inout RecordTransaction) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure, R.Reply: Decodable {
    let context = WriteContext(turn)
    answerWrite(request, turn) { server, author in
      let written = try server.write(author, in: context) { transaction in
        (try body(request, &transaction), transaction.aliases, transaction.facts)
      }
      let (value, aliases, facts) = written.value
      var events: [any Event] = facts
      if let note = ResponseTransaction(written.updates, aliases) { events.insert(note, at: 0) }
      return Written(
        value: value,
        updates: written.updates,
        events: events,
        warnings: context.warnings.withLock { $0 }
      )
    }
  }
}

/// The server of the stream's store.
final class RecordServing: Sendable {
  private struct Weak: Sendable {
    weak var server: RecordServer?
  }

  private let held = Locked(Weak())

  var server: RecordServer? { held.withLock { $0.server } }

  static func of(_ stream: EventStream) -> RecordServing { stream.shared { RecordServing() } }

  /// Only the first one is used, as the participant of units is.
  func begin(_ server: RecordServer) {
    held.withLock { if $0.server == nil { $0.server = server } }
  }
}

/// States which records a transaction has changed, before its reply.
struct ResponseTransaction: ModelEvent, Codable {
  /// A record that was changed or named.
  struct Item: Sendable, Equatable, Codable {
    let number: Int
    let kind: String
    /// The name in the session; nil for none.
    var alias: String?
  }

  /// The last changed record of each kind, and the named ones.
  private(set) var items: [Item] = []

  /// Creates the event; nil if nothing was changed or named.
  init?(_ updates: [AnyRecordTransition], _ aliases: [Item]) {
    for update in updates.reversed() {
      guard !items.contains(where: { $0.kind == update.kind }) else { continue }
      items.append(Item(number: update.number, kind: update.kind))
    }
    items = items.reversed() + aliases
    if items.isEmpty { return nil }
  }
}
