public import EventMVVM

// What a domain says in a line: it adds, edits or removes records, and says what a view gets to see of them.

extension EventStream {
  /// Answers a request of the views by adding a record.
  ///
  /// Nothing is read for it, however many records there are.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - owner: Whoever the subscription ends with.
  ///   - record: Makes the record; a throw becomes the failure of the reply.
  ///   - reply: Says what the record, as it is kept, means for the view.
  public func add<R: Request, Kind: Record, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    _ record: @escaping (Owner, R, borrowing Turn) throws -> Kind,
    reply: @escaping (Owner, R, Kept<Kind>, borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, request, turn in
      turn.attempt(R.Reply.self) { turn in
        let writes = [RecordWrite.add(try record(owner, request, turn))]
        turn.write(writes, owner, R.Reply.self) { owner, transitions, turn in
          try reply(owner, request, try transitions[0].kept, turn)
        }
      }
    }
  }

  /// Answers a request of the views by changing records that it names; no others are read.
  ///
  /// Others may change them in between. What was read names its revision, so that their fields stay as they are, and
  /// a field that both have changed is a conflict (S71). It is all of them, or none.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - referred: The records; one that is not there is a failure.
  ///   - owner: Whoever the subscription ends with.
  ///   - change: Changes a record; a throw becomes the failure of the reply.
  ///   - reply: Says what the records, as they are then and in the order of the references, mean for the view.
  public func edit<R: Request, Kind: Record, Referred: RecordReferring, Owner: AnyObject>(
    _ type: R.Type,
    _ referred: @escaping (R) -> Referred,
    owner: Owner,
    _ change: @escaping (Owner, R, inout Kind, borrowing Turn) throws -> Void,
    reply: @escaping (Owner, R, [Kept<Kind>], borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    edit(type, referred, seen: { _ in nil }, owner: owner) { owner, request, record, _, turn in
      try change(owner, request, &record, turn)
    } reply: { owner, request, transitions, turn in
      try reply(owner, request, try transitions.map { try $0.kept }, turn)
    }
  }

  /// Answers a request of the views by changing records of which whoever asks may have seen an earlier state.
  ///
  /// A field that is changed, and that was changed since that state, is a conflict (S71); a set is not. Otherwise it is as
  /// without.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - referred: The records; one that is not there is a failure.
  ///   - revision: The revision of the store that was seen; nil if the request names none.
  ///   - owner: Whoever the subscription ends with.
  ///   - change: Changes a record as it is now, given how it was seen; a throw becomes the failure of the reply.
  ///   - reply: Says what became of the records, in the order of the references, means for the view.
  public func edit<R: Request, Kind: Record, Referred: RecordReferring, Owner: AnyObject>(
    _ type: R.Type,
    _ referred: @escaping (R) -> Referred,
    seen revision: @escaping (R) -> Int?,
    owner: Owner,
    _ change: @escaping (Owner, R, inout Kind, _ seen: Kind, borrowing Turn) throws -> Void,
    reply: @escaping (Owner, R, [RecordTransition<Kind>], borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, request, turn in
      let references = referred(request).references
      turn.read(RequestRecords<Kind>(references, nil, isToWrite: true), owner, R.Reply.self) {
        (owner, records, turn) in
        func write(_ seen: [Kept<Kind>]?, _ turn: borrowing Turn) throws {
          var writes: [RecordWrite<Kind>] = []
          for (index, record) in records.enumerated() {
            var value = record.value
            try change(owner, request, &value, (seen?[index] ?? record).value, turn)
            if let seen, let conflict = try record.conflict(giving: value, since: seen[index].value)
            {
              throw Failure(conflict)
            }
            writes.append(.put(record.number, value, seen: record.revision))
          }
          turn.write(writes, owner, R.Reply.self) { owner, transitions, turn in
            try reply(owner, request, transitions, turn)
          }
        }
        guard let revision = revision(request) else { return try write(nil, turn) }
        turn.read(RequestRecords<Kind>(references, at: revision), owner, R.Reply.self) {
          (_, seen, turn) in try write(seen, turn)
        }
      }
    }
  }

  /// Answers a request of the views by removing records that it names; it is all of them, or none.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - kind: The type of the records.
  ///   - referred: The records; one that is not there is a failure.
  ///   - owner: Whoever the subscription ends with.
  ///   - reply: Says what the transitions mean for the view; one that could not be read has nothing before.
  public func remove<R: Request, Kind: Record, Referred: RecordReferring, Owner: AnyObject>(
    _ type: R.Type,
    of kind: Kind.Type,
    _ referred: @escaping (R) -> Referred,
    owner: Owner,
    reply: @escaping (Owner, R, [RecordTransition<Kind>], borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, request, turn in
      let writes = referred(request).references.unique.map { RecordWrite<Kind>.remove($0) }
      turn.write(writes, owner, R.Reply.self) { owner, transitions, turn in
        try reply(owner, request, transitions, turn)
      }
    }
  }
}

extension Turn {
  /// Reads records; a failure, also of what follows, is the reply.
  ///
  /// Without the owner nothing follows.
  fileprivate borrowing func read<Kind: Record, Owner: AnyObject, Reply: Response>(
    _ reading: RequestRecords<Kind>,
    _ owner: Owner,
    _ type: Reply.Type,
    then: @escaping (Owner, [Kept<Kind>], borrowing Turn) throws -> Void
  ) where Reply.Problem == Failure {
    request(reading) { [weak owner] result, turn in
      guard let owner else { return }
      turn.attempt(type) { turn in try then(owner, try result.get().result.get(), turn) }
    }
  }

  /// Writes records, and replies to the request that is being answered.
  ///
  /// - Parameters:
  ///   - writes: What is to be written.
  ///   - owner: Without it there is no reply.
  ///   - type: The reply.
  ///   - value: What was written means for it.
  borrowing func write<Kind: Record, Owner: AnyObject, Reply: Response>(
    _ writes: [RecordWrite<Kind>],
    _ owner: Owner,
    _ type: Reply.Type,
    _ value: @escaping (Owner, [RecordTransition<Kind>], borrowing Turn) throws -> Reply.Value
  ) where Reply.Problem == Failure {
    write(writes, type) { [weak owner] transitions, turn in
      guard let owner else { return }
      turn.send(Reply(.success(try value(owner, transitions, turn))))
    }
  }

  /// Does something that answers; what it throws becomes the failure of the reply.
  borrowing func attempt<Reply: Response>(
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

extension RecordTransition {
  /// The record as it is kept now.
  fileprivate var kept: Kept<R> {
    get throws {
      // Written by another version of the program while this one was at it.
      guard let after else {
        throw Failure(RecordError.damaged(number, kind: R.kind, "it was changed meanwhile"))
      }
      return Kept(number, after, revision: revision)
    }
  }
}
