public import EventMVVM

// Changes of records that merge with external ones.

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

    /// Whether it refers to records that may be fewer at another time.
    var hasRange: Bool {
      for case .numbers in references { return true }
      return false
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
        let read = edit.hasRange ? records.map { .number($0.number) } : edit.references
        turn.request(RequestRecords<Kind>(read, at: revision)) { result, turn in
          edit.attempt(turn) { turn in
            try write(records, try result.get().result.get(), turn)
          }
        }
      }
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
