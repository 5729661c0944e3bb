import EventMVVM
import EventPatterns
import JSONText

// The journal: what undo, the history and figures ask.

extension RecordServer {
  func joinJournal(_ stream: EventStream) {
    stream.answer(RequestJournal.self, owner: self) { server, request, turn in
      let view = turn.view
      return try server.perform {
        try server.storage.steps(request.query, in: view).map { try server.entry($0, view) }
      }
    }
    stream.answer(RequestSubjectJournal.self, owner: self) { server, request, turn in
      let view = turn.view
      let reference = try RecordReference(subject: request.reference)
      return try server.perform { try server.changes(of: reference, request.limit, view) }
    }
    stream.declareAnswerer(of: RequestReversal.self)
    stream.on(RequestReversal.self, owner: self) { server, request, turn in
      do {
        let view = turn.view
        let writer = Writer(turn)
        let (part, changes) = try server.perform { try server.revert(request, writer, view) }
        turn.send(ResponseReversal(.success(part)))
        server.state(changes, turn)
      } catch {
        turn.send(ResponseReversal(.failure(Failure(error))))
      }
    }
    stream.answer(RequestMeasures.self, owner: self) { server, request, _ in
      try server.perform { try server.measures(behind: request.place, limit: request.limit) }
    }
  }

  // MARK: Steps

  private func entry(_ step: Step, _ view: StorageView) throws -> JournalEntry {
    let changes = try storage.changes(of: step, in: view).joined
    return JournalEntry(
      step,
      count: changes.count,
      changes: changes.prefix(3).map(subject)
    )
  }

  private func changes(
    of reference: RecordReference,
    _ limit: Int,
    _ view: StorageView
  ) throws -> [JournalEntry] {
    let changes = try storage.changes(of: reference.number, limit: limit, in: view)
    guard !changes.isEmpty else {
      throw Failure(
        .notFound,
        "There is no #\(reference.number), and never was.",
        field: "id",
        id: reference.number
      )
    }
    return changes.map { step, change in
      JournalEntry(step, count: 1, changes: [subject(change)])
    }
  }

  /// What became of a record, as those see it who know no domain; of what can't be read, no fields.
  private func subject(_ change: StoredChange) -> SubjectChange {
    let (before, after) = change.readableFields
    let kind: SubjectChange.Kind =
      change.before == nil ? .added : change.after == nil ? .removed : .changed
    return SubjectChange(
      id: change.number,
      title: types.title(change.kind, change.after ?? change.before),
      kind: kind,
      fields: kind == .removed
        ? []
        : after.differences(from: before)
          .map { FieldChange($0, from: before[$0], to: after[$0]) }
    )
  }

  // MARK: Taking back

  /// Takes a step back in one part: field by field, and only what nobody has changed since.
  private func revert(
    _ request: RequestReversal,
    _ writer: Writer,
    _ view: StorageView
  ) throws -> (ReversedPart, [StoredChange]) {
    guard let step = try storage.step(request.step, in: view) else {
      throw Failure(.notFound, "There is no step \(request.step) in the change log.")
    }
    var writes: [StoredWrite] = []
    var conflicts: [JournalConflict] = []
    for change in try storage.changes(of: step, in: view).joined {
      let current = try storage.record(change.number, in: view)
      let reversal = try RecordReversal(change, now: current?.body, force: request.force)
      for name in reversal.conflicts {
        conflicts.append(try conflict(name, change, reversal.now[name]))
      }
      if let write = reversal.write { writes.append(write) }
    }
    let changes = try storage.write(writes, by: writer, undoing: step)
    return (
      ReversedPart(changes: changes.map(subject), conflicts: conflicts, rest: nil),
      changes
    )
  }

  private func conflict(
    _ name: String,
    _ change: StoredChange,
    _ current: JSON
  ) throws -> JournalConflict {
    let (before, after) = try change.fields
    return JournalConflict(
      id: change.number,
      title: types.title(change.kind, change.after ?? change.before),
      kind: change.before == nil ? .added : change.after == nil ? .removed : .changed,
      field: FieldChange(name, from: before[name], to: after[name]),
      current: current
    )
  }

  // MARK: Figures

  private func measures(behind text: String, limit: Int) throws -> MeasuredPart {
    let place = try RecordPlace(text: text)
    let (changes, isLast) = try storage.changes(behind: place, limit: limit)
    return MeasuredPart(
      changes.flatMap { types.measures($0.change, at: $0.time) },
      upTo: changes.last?.place.text ?? text,
      isLast: isLast
    )
  }
}

/// What taking a change back makes of a record.
private struct RecordReversal {
  /// The fields that somebody else has changed since.
  private(set) var conflicts: [String] = []
  /// The record as it is.
  let now: RecordFields
  /// What has to be written, if anything has.
  private(set) var write: StoredWrite?

  init(_ change: StoredChange, now body: String?, force: Bool) throws {
    let (before, after) = try change.fields
    let (number, kind) = (change.number, change.kind)
    now = try RecordFields(body, number, kind)
    switch (change.before, change.after, body) {
    case (nil, _?, _?):
      conflicts = now.differences(from: after)
      if conflicts.isEmpty || force { write = .remove(number, kind: kind) }
    case (let text?, nil, nil):
      write = .restore(number, kind: kind, text)
    case (_?, _?, _?):
      var result = now
      for name in after.differences(from: before) {
        if now[name] == after[name] {
          result[name] = before[name]
        } else if now[name] != before[name] {
          conflicts.append(name)
          if force { result[name] = before[name] }
        }
      }
      let body = result.body
      if !body.isIdentical(to: now.body) { write = .put(number, kind: kind, body, seen: nil) }
    case (let text?, _?, nil):
      // Somebody has taken it away, and with it all that the step has changed.
      conflicts = after.differences(from: before)
      if force { write = .restore(number, kind: kind, text) }
    default: break  // It is as it was already.
    }
  }
}

extension StoredChange {
  /// The fields before and afterwards.
  var fields: (before: RecordFields, after: RecordFields) {
    get throws { (try RecordFields(before, number, kind), try RecordFields(after, number, kind)) }
  }

  /// The fields before and afterwards, none where they can't be read: one change must not hide all others.
  var readableFields: (before: RecordFields, after: RecordFields) {
    func fields(_ body: String?) -> RecordFields {
      (try? RecordFields(body, number, kind)) ?? RecordFields()
    }
    return (fields(before), fields(after))
  }
}

extension [StoredChange] {
  /// What became of each record in all of these together; what came back to what it was is left out.
  var joined: [StoredChange] {
    var order: [Int] = []
    var joined: [Int: StoredChange] = [:]
    for change in self {
      let first = joined[change.number]
      if first == nil { order.append(change.number) }
      joined[change.number] = StoredChange(
        change.number,
        change.kind,
        from: first.map(\.before) ?? change.before,
        to: change.after,
        revision: change.revision
      )
    }
    return order.compactMap { joined[$0] }.filter { !$0.before.isIdentical(to: $0.after) }
  }
}

extension RecordPlace {
  /// How others keep it.
  var text: String { "\(revision) \(root)" }

  /// Reads what ``text`` writes; nil for the beginning.
  init?(text: String) throws(Failure) {
    if text.isEmpty { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 2, let revision = Int(parts[0]), let root = Root(parts[1]) else {
      throw Failure(.notFound, "'\(text)' names no change.")
    }
    self.init(revision, root)
  }
}
