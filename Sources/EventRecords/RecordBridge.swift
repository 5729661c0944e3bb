public import EventMVVM

extension EventStream {
  /// Answers a request of the views that changes records: reads all of a type, asks what is to be written,
  /// writes it, and replies by what is there then.
  ///
  /// Others may change them in between. What was read names its revision, so that their fields stay as they are, and
  /// a field that both have changed is a conflict; see ``RecordWrite/put(_:_:seen:)``.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - owner: Whoever the subscription ends with.
  ///   - writes: Says what is to be written, given the records; a throw becomes the failure of the reply.
  ///   - reply: Says what the records, as they are then, mean for the view.
  public func change<R: Request, Kind: Record, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    _ writes: @escaping (Owner, R, [Kept<Kind>]) throws -> [RecordWrite<Kind>],
    reply: @escaping (Owner, R, [Kept<Kind>], borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, request, turn in
      turn.request(RequestRecords<Kind>()) { [weak owner] result, turn in
        guard let owner else { return }
        turn.attempt(R.Reply.self) { turn in
          let known = try result.get().result.get()
          let wanted: [RecordWrite<Kind>]
          do {
            wanted = try writes(owner, request, known)
          } catch let failure as Failure where failure.kind == .notFound {
            return turn.explain(failure, Kind.self, R.Reply.self)
          }
          turn.write(wanted, owner, R.Reply.self) { owner, transitions, turn in
            try reply(owner, request, known.applying(transitions), turn)
          }
        }
      }
    }
  }
}

extension EventStream {
  /// Tells how the records of a type stand behind each change of them, whoever made it; behind many at once, once.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - owner: Whoever the subscription ends with.
  ///   - show: Called on the home thread with all records.
  public func follow<Kind: Record, Owner: AnyObject>(
    _ type: Kind.Type,
    owner: Owner,
    _ show: @escaping (Owner, [Kept<Kind>], borrowing Turn) -> Void
  ) {
    let isAsking = Locked(false)
    on(ResponseRecordChanges<Kind>.self, owner: owner) { owner, _, turn in
      let isFree = isAsking.withLock { isAsking in
        defer { isAsking = true }
        return !isAsking
      }
      // What has changed before the answer's turn is in the answer.
      guard isFree else { return }
      turn.request(RequestRecords<Kind>()) { [weak owner] result, turn in
        isAsking.withLock { $0 = false }
        guard let owner, let records = try? result.get().result.get() else { return }
        show(owner, records, turn)
      }
    }
  }
}

extension Turn {
  /// Replies that a record is not among those that can be read: it may be there none the less.
  fileprivate borrowing func explain<Kind: Record, Reply: Response>(
    _ failure: Failure,
    _ kind: Kind.Type,
    _ type: Reply.Type
  ) where Reply.Problem == Failure {
    guard let number = failure.id else { return send(Reply(.failure(failure))) }
    request(RequestRecords<Kind>([number])) { result, turn in
      turn.attempt(Reply.self) { _ in
        _ = try result.get().result.get()
        throw failure
      }
    }
  }
}

extension Array {
  /// Records as they are when some of them have been written.
  func applying<R: Record>(_ changes: [RecordTransition<R>]) -> [Kept<R>] where Element == Kept<R> {
    var records = Dictionary(uniqueKeysWithValues: map { ($0.number, $0) })
    for change in changes {
      records[change.number] = change.after.map {
        Kept(change.number, $0, revision: change.revision)
      }
    }
    return records.values.sorted { $0.number < $1.number }
  }

  /// Gives records other values: those of these references, each once.
  ///
  /// - Parameters:
  ///   - references: Which; all unless told.
  ///   - body: Changes the value.
  /// - Returns: What is to be written, with the revisions that were seen.
  /// - Throws: That there is none of a number, or what the body throws.
  public func changed<R: Record>(
    _ references: [RecordReference]?,
    _ body: (inout R) throws -> Void
  ) throws -> [RecordWrite<R>] where Element == Kept<R> {
    var seen: Set<Int> = []
    let wanted = references ?? map { RecordReference($0.number) }
    return try wanted.filter { seen.insert($0.number).inserted }
      .map { reference in
        guard let record = first(where: { $0.number == reference.number }) else {
          throw Failure(RecordError.notFound(reference.number, kind: R.kind))
        }
        var value = record.value
        try body(&value)
        return .put(record.number, value, seen: record.revision)
      }
  }
}
