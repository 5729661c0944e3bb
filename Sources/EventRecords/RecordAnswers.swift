public import EventMVVM

// What a domain says in a line: it adds, edits or removes records, and says what a view gets to see
// of them.

extension EventStream {
  /// Answers a request of the views by adding a record.
  ///
  /// Nothing is read for it, however many records there are.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - owner: The object with which the subscription ends.
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
          try reply(owner, request, try transitions[0].stillKept, turn)
        }
      }
    }
  }

  /// Answers a request of the views by changing records that it names; no others are read.
  ///
  /// Others may change them in between: their fields stay as they are and, where both have changed
  /// the same field, the change is carried out anew on what is there then. It is all of them, or
  /// none.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - referred: The records; one that is not there is a failure.
  ///   - owner: The object with which the subscription ends.
  ///   - change: Changes a record, maybe more than once; a throw becomes the failure of the reply.
  ///   - reply: Says what the records, as they are then and in the order of the references, mean
  ///     for the view.
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
      try reply(owner, request, try transitions.map { try $0.stillKept }, turn)
    }
  }

  /// Answers a request of the views by changing records of which the view may have seen an earlier
  /// state.
  ///
  /// A field that is changed, and that was changed since that state, is a conflict (S71); a set is
  /// not. Otherwise it is as without.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - referred: The records; one that is not there is a failure.
  ///   - revision: The revision of the store that was seen; nil if the request names none.
  ///   - owner: The object with which the subscription ends.
  ///   - change: Changes a record as it is now, given how it was seen; a throw becomes the failure
  ///     of the reply.
  ///   - reply: Says what the transitions, in the order of the references, mean for the view.
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
      turn.edit(referred(request), seen: revision(request)) {
        [weak owner] (record: inout Kept<Kind>, seen, turn) in
        guard let owner else { return }
        try change(owner, request, &record.value, seen.value, turn)
      } then: { [weak owner] transitions, turn in
        guard let owner else { return }
        turn.attempt(R.Reply.self) { turn in
          turn.send(R.Reply(.success(try reply(owner, request, try transitions.get(), turn))))
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
  ///   - owner: The object with which the subscription ends.
  ///   - reply: Says what the transitions mean for the view; one that could not be read has nothing
  ///     before.
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
  /// Changes records that are named; no others are read, and what stays as it is is checked, but
  /// not written.
  ///
  /// Others may change them in between: their fields stay as they are and, where both have changed
  /// the same field, the change is carried out anew on what is there then. It is all of them, or
  /// none.
  ///
  /// - Parameters:
  ///   - referred: The records; one that is not there is a failure.
  ///   - revision: The revision of the store that was seen: a field that is changed, and that was
  ///     changed since, is a conflict; a set is not. Nil if none was.
  ///   - change: Changes the value of a record as it is now, given the record as it was seen; a
  ///     throw is the failure. It can be called more than once.
  ///   - then: Called with the transitions, in the order of the references, or with why there are
  ///     none.
  public borrowing func edit<Kind: Record>(
    _ referred: some RecordReferring,
    seen revision: Int? = nil,
    _ change: @escaping (inout Kept<Kind>, _ seen: Kept<Kind>, borrowing Turn) throws -> Void,
    then: @escaping (Result<[RecordTransition<Kind>], Failure>, borrowing Turn) -> Void
  ) {
    edit(Edit(referred.references, revision, change, then), attempts: 20)
  }

  /// The change, and what follows.
  private struct Edit<Kind: Record> {
    let references: [RecordReference]
    let revision: Int?
    let change: (inout Kept<Kind>, _ seen: Kept<Kind>, borrowing Turn) throws -> Void
    let then: (Result<[RecordTransition<Kind>], Failure>, borrowing Turn) -> Void

    init(
      _ references: [RecordReference],
      _ revision: Int?,
      _ change: @escaping (inout Kept<Kind>, _ seen: Kept<Kind>, borrowing Turn) throws -> Void,
      _ then: @escaping (Result<[RecordTransition<Kind>], Failure>, borrowing Turn) -> Void
    ) {
      self.references = references
      self.revision = revision
      self.change = change
      self.then = then
    }

    /// What carries it out.
    func plan(
      _ records: [Kept<Kind>],
      _ seen: [Kept<Kind>]?,
      _ turn: borrowing Turn
    ) throws -> EditPlan<Kind> {
      var plan = EditPlan<Kind>()
      for record in records {
        let place = plan.transitions.count
        var changed = record
        try change(&changed, seen?[place] ?? record, turn)
        let transition = RecordTransition(
          record.number,
          from: record.value,
          to: changed.value,
          revision: record.revision
        )
        // What stays as it is is not written, and so not checked there.
        try Kind.check(transition)
        if let seen,
          let conflict = try record.conflict(giving: changed.value, since: seen[place].value)
        {
          throw Failure(conflict)
        }
        plan.transitions.append(transition)
        guard changed.value != record.value else { continue }
        plan.writes.append(.put(record.number, changed.value, seen: record.revision))
        plan.places.append(place)
      }
      return plan
    }

    /// Does something; what it throws is the failure.
    func attempt(_ turn: borrowing Turn, _ body: (borrowing Turn) throws -> Void) {
      do { try body(turn) } catch { then(.failure(Failure(error)), turn) }
    }
  }

  private borrowing func edit<Kind: Record>(_ edit: Edit<Kind>, attempts: Int) {
    func write(_ records: [Kept<Kind>], _ seen: [Kept<Kind>]?, _ turn: borrowing Turn) throws {
      let plan = try edit.plan(records, seen, turn)
      guard !plan.writes.isEmpty else { return edit.then(.success(plan.transitions), turn) }
      turn.request(RequestWriteRecords(plan.writes)) { result, turn in
        let result = result.mapError { Failure($0) }.flatMap { $0.result }
          .map { plan.transitions(writing: $0) }
        // A field was changed between the reading and the writing.
        if case .failure(let failure) = result, failure.expected != nil, attempts > 1 {
          turn.edit(edit, attempts: attempts - 1)
        } else {
          edit.then(result, turn)
        }
      }
    }
    request(RequestRecords<Kind>(edit.references, nil, isToWrite: true)) { result, turn in
      edit.attempt(turn) { turn in
        let records = try result.get().result.get()
        guard let revision = edit.revision else { return try write(records, nil, turn) }
        turn.request(RequestRecords<Kind>(edit.references, at: revision)) { result, turn in
          edit.attempt(turn) { turn in
            try write(records, try result.get().result.get(), turn)
          }
        }
      }
    }
  }

  /// Writes records, and replies to the request that is being answered.
  ///
  /// - Parameters:
  ///   - writes: The writes.
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

/// The writes that carry out a change of records, and its transitions.
private struct EditPlan<Kind: Record> {
  /// The transition of each record, in order.
  var transitions: [RecordTransition<Kind>] = []
  /// The writes of those that change.
  var writes: [RecordWrite<Kind>] = []
  /// The place of each of these among the records.
  var places: [Int] = []

  /// The same, with those that were written as they are now.
  func transitions(writing written: [RecordTransition<Kind>]) -> [RecordTransition<Kind>] {
    var result = transitions
    for index in places.indices { result[places[index]] = written[index] }
    return result
  }
}

extension RecordTransition {
  /// The record as it is kept now.
  fileprivate var stillKept: Kept<R> {
    get throws {
      // Written by another version of the program while this one was at it.
      guard let kept else {
        throw Failure(RecordError.damaged(number, kind: R.kind, "it was changed meanwhile"))
      }
      return kept
    }
  }
}
