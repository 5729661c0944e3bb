public import EventMVVM

// What a domain declares in a line: adding, editing or removing records, and converting them for a
// view.

extension EventStream {
  /// Answers a request of the views by adding a record.
  ///
  /// ```swift
  /// stream.add(RequestAddNote.self, owner: self) { _, request, _ in
  ///   try Note(saying: request.title)
  /// } reply: { _, _, note, turn in
  ///   NotesView([note], turn)
  /// }
  /// ```
  ///
  /// It reads nothing, however many records there are.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - owner: The object with which the subscription ends.
  ///   - record: Creates the record; a throw becomes the failure of the reply.
  ///   - reply: Converts the stored record for the view.
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
          try reply(owner, request, try transitions[0].stored, turn)
        }
      }
    }
  }

  /// Answers a request of the views by changing the records that it refers to; no others are read.
  ///
  /// ```swift
  /// stream.edit(RequestStart.self, \.id, among: Sample.waiting, owner: self) { _, _, sample, _ in
  ///   try sample.start()
  /// } reply: { _, _, samples, turn in
  ///   SamplesView(samples, turn)
  /// }
  /// ```
  ///
  /// External changes in between are merged: other fields are unchanged and, where both have
  /// changed the same field, the change is applied again to the current value. All records are
  /// changed, or none.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - referred: The records; a missing one is a failure.
  ///   - condition: What the records of a range meet, the others of which are left out; nil for all.
  ///   - owner: The object with which the subscription ends.
  ///   - change: Changes a record, possibly more than once; a throw becomes the failure of the
  ///     reply.
  ///   - reply: Converts the changed records, in the order of the references, for the view.
  public func edit<R: Request, Kind: Record, Referred: RecordReferring, Owner: AnyObject>(
    _ type: R.Type,
    _ referred: @escaping (R) -> Referred,
    among condition: Condition<Kind>? = nil,
    owner: Owner,
    _ change: @escaping (Owner, R, inout Kind, borrowing Turn) throws -> Void,
    reply: @escaping (Owner, R, [Kept<Kind>], borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    edit(type, referred, among: condition, seen: { _ in nil }, owner: owner) {
      owner,
      request,
      record,
      _,
      turn in
      try change(owner, request, &record, turn)
    } reply: { owner, request, transitions, turn in
      try reply(owner, request, try transitions.map { try $0.stored }, turn)
    }
  }

  /// Answers a request of the views by changing records of which the view may have an earlier
  /// state.
  ///
  /// ```swift
  /// stream.edit(RequestReviseParcel.self, \.id, seen: \.seen, owner: self) {
  ///   (_, request, parcel, seen, turn) in
  ///   try request.parcel.apply(to: &parcel, seen: seen, turn)
  /// } reply: { _, _, transitions, _ in
  ///   Message(transitions.map { $0.after?.tags.joined(separator: " ") ?? "" }.joined())
  /// }
  /// ```
  ///
  /// A field that is changed, and that was changed since that state, is a conflict (S71); a set is
  /// not. Otherwise it is like `edit` without a revision.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - referred: The records; a missing one is a failure.
  ///   - condition: What the records of a range meet, the others of which are left out; nil for all.
  ///   - revision: The revision of the store that the view had read; nil if the request has none.
  ///   - owner: The object with which the subscription ends.
  ///   - change: Changes the current record, given the one that the view had read; a throw becomes
  ///     the failure of the reply.
  ///   - reply: Converts the transitions, in the order of the references, for the view.
  public func edit<R: Request, Kind: Record, Referred: RecordReferring, Owner: AnyObject>(
    _ type: R.Type,
    _ referred: @escaping (R) -> Referred,
    among condition: Condition<Kind>? = nil,
    seen revision: @escaping (R) -> Int?,
    owner: Owner,
    _ change: @escaping (Owner, R, inout Kind, _ seen: Kind, borrowing Turn) throws -> Void,
    reply: @escaping (Owner, R, [RecordTransition<Kind>], borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, request, turn in
      turn.edit(referred(request), among: condition, seen: revision(request)) {
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

  /// Answers a request of the views by removing the records that it refers to: all of them, or
  /// none.
  ///
  /// ```swift
  /// stream.remove(RequestRemoveNote.self, of: Note.self, \.id, owner: self) {
  ///   (_, _, gone, _) in
  ///   Message("Removed " + gone.map { "#\($0.number)" }.joined(separator: ", "))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - kind: The type of the records.
  ///   - referred: The records; a missing one is a failure.
  ///   - owner: The object with which the subscription ends.
  ///   - reply: Converts the transitions for the view; an unreadable one has nothing
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
  /// Changes the referenced records; no others are read, and an unchanged one is checked, but not
  /// written.
  ///
  /// External changes in between are merged: other fields are unchanged and, where both have
  /// changed the same field, the change is applied again to the current value. All records are
  /// changed, or none.
  ///
  /// - Parameters:
  ///   - referred: The records; a missing one is a failure.
  ///   - condition: What the records of a range meet, the others of which are left out; nil for all.
  ///   - revision: The revision of the store that the caller had read: a field that is changed, and
  ///     that was changed since, is a conflict; a set is not. Nil for none.
  ///   - change: Changes the current value of a record, given the one that the caller had read; a
  ///     throw is the failure. It can be called more than once.
  ///   - then: Called with the transitions, in the order of the references, or with why there are
  ///     none.
  public borrowing func edit<Kind: Record>(
    _ referred: some RecordReferring,
    among condition: Condition<Kind>? = nil,
    seen revision: Int? = nil,
    _ change: @escaping (inout Kept<Kind>, _ seen: Kept<Kind>, borrowing Turn) throws -> Void,
    then: @escaping (Result<[RecordTransition<Kind>], Failure>, borrowing Turn) -> Void
  ) {
    edit(Edit(referred.references, condition, revision, change, then), attempts: 20)
  }

  /// The change, and its completion.
  private struct Edit<Kind: Record> {
    let references: [RecordReference]
    let condition: Condition<Kind>?
    let revision: Int?
    let change: (inout Kept<Kind>, _ seen: Kept<Kind>, borrowing Turn) throws -> Void
    let then: (Result<[RecordTransition<Kind>], Failure>, borrowing Turn) -> Void

    init(
      _ references: [RecordReference],
      _ condition: Condition<Kind>?,
      _ revision: Int?,
      _ change: @escaping (inout Kept<Kind>, _ seen: Kept<Kind>, borrowing Turn) throws -> Void,
      _ then: @escaping (Result<[RecordTransition<Kind>], Failure>, borrowing Turn) -> Void
    ) {
      self.references = references
      self.condition = condition
      self.revision = revision
      self.change = change
      self.then = then
    }

    /// Returns the writes that carry it out.
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
        // An unchanged record is not written, and so not checked by the write.
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

    /// Runs a body; an error that it throws becomes the failure.
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
        // A field was changed between the read and the write.
        if case .failure(let failure) = result, failure.expected != nil, attempts > 1 {
          turn.edit(edit, attempts: attempts - 1)
        } else {
          edit.then(result, turn)
        }
      }
    }
    request(
      RequestRecords<Kind>(edit.references, nil, isToWrite: true, among: edit.condition)
    ) { result, turn in
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

  /// Writes records, and replies to the current request.
  ///
  /// - Parameters:
  ///   - writes: The writes.
  ///   - owner: Without it there is no reply.
  ///   - type: The type of the reply.
  ///   - value: Converts the transitions to the reply's value.
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

  /// Runs a body that answers; an error that it throws becomes the failure of the reply.
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
  /// The writes of changed records.
  var writes: [RecordWrite<Kind>] = []
  /// The index of each of these among the records.
  var places: [Int] = []

  /// Returns the transitions, with the written ones in their final form.
  func transitions(writing written: [RecordTransition<Kind>]) -> [RecordTransition<Kind>] {
    var result = transitions
    for index in places.indices { result[places[index]] = written[index] }
    return result
  }
}

extension RecordTransition {
  /// The stored record; throws where there is none any more.
  public var stored: Kept<R> {
    get throws {
      // Written by another version of the program in the meantime.
      guard let kept else {
        throw Failure(RecordError.damaged(number, kind: R.kind, "it was changed meanwhile"))
      }
      return kept
    }
  }
}
