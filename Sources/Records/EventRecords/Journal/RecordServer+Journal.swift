import EventMVVM
import JSONText

// The journal: the requests of undo, history and statistics.

extension RecordServer {
  func joinJournal(_ stream: EventStream) {
    stream.declareAnswerer(of: RequestJournal.self)
    stream.on(RequestJournal.self, owner: self) { server, request, turn in
      let read = { @Sendable (store: (any RecordReader)?) throws -> [JournalEntry] in
        guard let store else { return [] }
        let most = request.subjects ?? RequestJournal.fewSubjects
        return try store.steps(request.query).map { try server.entry($0, most, store) }
      }
      guard !request.mayBeLong else { return server.answerLong(request, turn, read) }
      server.answer(request, turn) { try $0.read(in: $1, read) }
    }
    stream.declareAnswerer(of: RequestSubjectJournal.self)
    stream.on(RequestSubjectJournal.self, owner: self) { server, request, turn in
      let names = SessionNames.of(turn.stream).names(of: turn.origin)
      let asked = Result {
        try names.resolve(RecordReference(subject: request.reference), kind: nil)
      }
      server.answerLong(request, turn) { store in
        try server.changes(of: try asked.get(), request.limit, store)
      }
    }
    stream.declareAnswerer(of: RequestReversal.self)
    stream.on(RequestReversal.self, owner: self) { server, request, turn in
      server.answerWrite(request, turn) { try $0.revert(request, $1) }
    }
    serveLong(RequestMeasures.self, stream) { [types] request, store in
      try Self.measures(after: request.position, limit: request.limit, types, store)
    }
  }

  // MARK: Steps

  private func entry(
    _ step: Step,
    _ most: Int,
    _ store: any RecordReader
  ) throws -> JournalEntry {
    let (count, first) = try store.records(of: step.root, limit: most)
    return JournalEntry(
      step,
      count: count,
      changes: try first.map { number in
        let changes = types.today(
          try store.changes(.ofRoot(step.root, record: number), limit: .max)
        )
        return try subject(changes, of: step, store)
      }
    )
  }

  private func changes(
    of reference: RecordReference,
    _ limit: Int,
    _ store: (any RecordReader)?
  ) throws -> [JournalEntry] {
    let found = try store.flatMap { try number(reference, $0) }
    let changes = try found.flatMap { try store?.changes(.ofRecord($0, after: 0), limit: limit) }
    guard let store, let changes = changes.map(types.today), !changes.isEmpty else {
      throw Failure(
        .notFound,
        types.all.count == 1
          ? "There is no \(types.all[0].kind) \(reference.text)."
          : "There is no \(reference.text), and never was.",
        field: "id",
        id: reference.knownNumber
      )
    }
    return try changes.compactMap { change in
      guard let step = try store.steps(.root(change.transaction.root)).first else { return nil }
      return JournalEntry(step, count: 1, changes: [try subject([change], of: step, store)])
    }
  }

  /// Returns the number of a record of any kind; nil if there is none.
  private func number(_ reference: RecordReference, _ store: any RecordReader) throws -> Int? {
    guard case .identity(let prefix) = reference else { return reference.knownNumber }
    let found = try types.tables.map { ($0, try store.numbers(prefix, of: $0, limit: 6)) }
    let numbers = found.flatMap(\.1)
    guard numbers.count > 1 else { return numbers.first }
    throw RecordError.ambiguous(reference, kind: found[0].0.kind, numbers)
  }

  /// Returns the change of a record in one step, for observers that depend on no domain; without
  /// fields where it can't be read.
  ///
  /// Its title is the current one or, if it no longer exists, its last.
  private func subject(
    _ changes: [LoggedChange],
    of step: Step,
    _ store: any RecordReader
  ) throws -> SubjectChange {
    let (first, last) = (changes[0], changes[changes.count - 1])
    let kind: SubjectChange.Kind =
      first.before == nil ? .added : last.after == nil ? .removed : .changed
    let table = types.table(of: first.kind)
    var fields = try table.flatMap { table in
      try store.row(first.number, of: table).flatMap { try? RecordFields($0, of: table) }
    }
    if fields == nil {
      let newest = try store.changes(.ofRecord(first.number, after: 0), limit: 1)
      let latest = types.today(newest).first ?? last
      let full = try? RecordHistory(store, types).full(latest)
      fields = (full?.after ?? full?.before)
        .flatMap { try? RecordFields($0, first.number, first.kind) }
    }
    // A restored record has its former values.
    let isTold = kind == .changed || kind == .added && step.kind == .change
    return SubjectChange(
      id: first.number,
      title: types.title(first.kind, fields, in: store),
      kind: kind,
      fields: isTold
        ? try changes.differences(in: table).map { try shown($0, in: table, store) } : []
    )
  }

  /// Returns the change of a reference with the number and the title of what it refers to, if that is there.
  private func shown(
    _ change: FieldChange,
    in table: RecordTable?,
    _ store: any RecordReader
  ) throws -> FieldChange {
    guard
      let field = table.flatMap({ table in
        table.index(of: change.name).map { table.fields.fields[$0] }
      }),
      let type = field.reference?.type
    else { return change }
    let target = RecordTable(any: type._target)
    func shown(_ value: JSON) throws -> JSON {
      guard let given = (try? type.init(field: value))?._referent,
        let row = try? store.row(given.reference, of: target, types)
      else { return value }
      return try target.referent(row).json
    }
    return FieldChange(change.name, from: try shown(change.before), to: try shown(change.after))
  }

  // MARK: Undoing

  /// How many records of a step can stay as they are, since another one refers to them or they to nothing.
  private static var mostKept: Int { 100 }

  /// Finds a step and reverts it, in one transaction.
  private func revert(
    _ request: RequestReversal,
    _ author: Author
  ) throws -> Written<ReversedStep?> {
    var kept: [JournalConflict] = []
    while true {
      do {
        return try write(author) { transaction in
          guard let step = try transaction.store.steps(request.query).first else { return nil }
          let force = request.conflicts == .overwrite
          let reversal = try RecordReversal(
            step,
            force: force,
            without: Set(kept.map(\.id)),
            &transaction
          )
          do {
            try transaction.finish()
          } catch let error as RecordError where !force {
            guard let conflict = transaction.conflict(of: error) else { throw error }
            throw ReferenceConflict(conflict: conflict)
          }
          let conflicts = reversal.conflicts + kept
          guard conflicts.isEmpty || request.conflicts != .refuse else {
            throw RefusedReversal(step: ReversedStep(step, changes: [], conflicts: conflicts))
          }
          let changes = transaction.updates.map(\.reversed)
          return ReversedStep(step, changes: changes, conflicts: conflicts)
        }
      } catch let refused as RefusedReversal {
        return Written(value: refused.step, updates: [])
      } catch let refused as ReferenceConflict {
        guard kept.count < Self.mostKept else {
          throw Failure(.conflict, refused.conflict.reason ?? "")
        }
        // What can't be as it was stays as it is, and the rest is reverted without it.
        kept.append(refused.conflict)
      }
    }
  }

  // MARK: Statistics

  private static func measures(
    after text: String,
    limit: Int,
    _ types: RecordTypes,
    _ store: (any RecordReader)?
  ) throws -> MeasuredPart {
    let position = try LogPosition(text: text)
    guard let store else {
      guard position == nil else { throw RecordError.noSuchChange }
      return MeasuredPart([], upTo: text, isLast: true)
    }
    let history = RecordHistory(store, types)
    let (changes, isLast) = try history.changes(after: position, limit: limit)
    return MeasuredPart(
      try changes.flatMap { change in
        let measures = types.measures(change.change, at: change.time)
        guard let reversed = try history.reversed(change.change, by: change.position.root)
        else { return measures }
        // The measures are subtracted, or added again, in the same dimensions.
        return types.measures(reversed.change, at: reversed.time).filter { !$0.kind.isLevel }
          .map { Measure($0.kind, reversed.sign * $0.amount, at: $0.time, by: $0.dimensions) }
          + measures.filter(\.kind.isLevel)
      },
      upTo: changes.last?.position.text ?? text,
      isLast: isLast
    )
  }
}

/// Rolls back what would leave a reference to nothing.
private struct ReferenceConflict: Error {
  let conflict: JournalConflict
}

extension RecordTransaction {
  /// Returns the conflict that reverting a record would leave a reference to nothing; nil if it is another error.
  fileprivate func conflict(of error: RecordError) -> JournalConflict? {
    let (number, name): (Int, String)
    switch error {
    case .referred(let referred, _, _, _): (number, name) = (referred, "id")
    case .dangling(let dangling, _, let field): (number, name) = (dangling, field)
    default: return nil
    }
    guard let update = updates.last(where: { $0.number == number }) else { return nil }
    return JournalConflict(
      id: number,
      title: update.title,
      kind: update.reversed.kind,
      field: FieldChange(name, from: .null, to: .null),
      current: .null,
      reason: Failure(error).message
    )
  }
}

/// Rolls back what is in conflict.
private struct RefusedReversal: Error {
  let step: ReversedStep
}

extension RecordTable {
  /// The fields of a new record.
  fileprivate var newFields: RecordFields {
    func fields<R: Record>(_ type: R.Type) -> RecordFields? {
      try? RecordFields(R().text(), 0, R.kind)
    }
    return fields(self.type) ?? RecordFields()
  }
}

extension [LoggedChange] {
  /// Returns the fields that all of these changes of one record have changed together, in the order
  /// of their declaration; for a new record the fields that differ from any new one, without fixed
  /// ones.
  ///
  /// - Parameter table: The table of the record; nil if its kind is unknown.
  /// - Returns: The fields.
  fileprivate func differences(in table: RecordTable? = nil) -> [FieldChange] {
    let isNew = first?.before == nil
    let new = isNew ? table?.newFields ?? RecordFields() : RecordFields()
    var (before, after) = (new, new)
    for change in reversed() { before.take(change.earlier) }
    for change in self { after.take(change.later) }
    let fixed = isNew ? table?.fields.all(.fixed) ?? FieldSet() : FieldSet()
    return after.differences(from: before)
      .map { (place: table?.index(of: $0) ?? .max, name: $0) }
      .filter { !fixed.contains(Swift.min($0.place, 63)) }
      .filter { !isNew || $0.place < Int.max || !after[$0.name].isNothing }
      .sorted { $0.place < $1.place }
      .map { (_, name) in
        table?.fields.change(of: name, from: before[name], to: after[name])
          ?? FieldChange(name, from: before[name], to: after[name])
      }
  }
}

extension JSON {
  /// Whether a new record of an earlier version may have had it in a field that this version does not have.
  fileprivate var isNothing: Bool {
    switch self {
    case .null, .string(""), .array([]): true
    default: false
    }
  }
}

extension LogPosition {
  /// Its text, for other modules to store.
  var text: String { "\(revision) \(root)" }

  /// Reads what ``text`` writes; nil for the beginning.
  init?(text: String) throws(Failure) {
    if text.isEmpty { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 2, let revision = Int(parts[0]), revision > 0, let root = Root(parts[1])
    else {
      throw Failure(.notFound, "'\(text)' names no change.")
    }
    self.init(revision, root)
  }
}
