import EventMVVM
import EventPatterns
import JSONText

// The journal: what undo, the history and figures ask.

extension RecordServer {
  func joinJournal(_ stream: EventStream) {
    serve(RequestJournal.self, stream) { server, request, turn in
      try server.read(in: server.view(turn)) { store in
        guard let store else { return [] }
        return try store.steps(request.query).map { try server.entry($0, store) }
      }
    }
    serve(RequestSubjectJournal.self, stream) { server, request, turn in
      let reference = try RecordReference(subject: request.reference)
      return try server.read(in: server.view(turn)) {
        try server.changes(of: reference, request.limit, $0)
      }
    }
    stream.declareAnswerer(of: RequestReversal.self)
    stream.on(RequestReversal.self, owner: self) { server, request, turn in
      var news: [RecordNews] = []
      turn.answerFromOutside(request, where: \.isFailureOfStore) { request, turn in
        let (part, changes) = try server.revert(request, turn)
        news = changes
        return part
      }
      server.state(news, turn)
    }
    serveLong(RequestMeasures.self, stream) { [types] request, store in
      try Self.measures(behind: request.place, limit: request.limit, types, store)
    }
  }

  // MARK: Steps

  private func entry(_ step: Step, _ store: any RecordReader) throws -> JournalEntry {
    let groups = try store.changes(.ofRoot(step.root), limit: .max).byRecord
      .filter { !$0.cameBack }
    let history = RecordHistory(store, types)
    return JournalEntry(
      step,
      count: groups.count,
      changes: groups.prefix(3).map { subject($0, history) }
    )
  }

  private func changes(
    of reference: RecordReference,
    _ limit: Int,
    _ store: (any RecordReader)?
  ) throws -> [JournalEntry] {
    let found = try store.flatMap { try number(reference, $0) }
    let changes = try found.flatMap { try store?.changes(.ofRecord($0, after: 0), limit: limit) }
    guard let store, let changes, !changes.isEmpty else {
      throw Failure(
        .notFound,
        "There is no \(reference.text), and never was.",
        field: "id",
        id: reference.knownNumber
      )
    }
    let history = RecordHistory(store, types)
    return try changes.compactMap { change in
      guard let step = try store.steps(.root(change.transaction.root)).first else { return nil }
      return JournalEntry(step, count: 1, changes: [subject([change], history)])
    }
  }

  /// The number of a record of any kind; nil if there is none.
  private func number(_ reference: RecordReference, _ store: any RecordReader) throws -> Int? {
    guard case .identity(let prefix) = reference else { return reference.knownNumber }
    let found = try types.tables.map { ($0, try store.numbers(prefix, of: $0, limit: 6)) }
    let numbers = found.flatMap(\.1)
    guard numbers.count > 1 else { return numbers.first }
    throw RecordError.ambiguous(reference, kind: found[0].0.kind, numbers)
  }

  /// What became of a record in one step, as those see it who know no domain; of what can't be read, no fields.
  private func subject(_ changes: [LoggedChange], _ history: RecordHistory) -> SubjectChange {
    let (first, last) = (changes[0], changes[changes.count - 1])
    let full = try? history.full(last)
    let text = full.flatMap { $0.after ?? $0.before }
    let fields = text.flatMap { try? RecordFields($0, first.number, first.kind) }
    let kind: SubjectChange.Kind =
      first.before == nil ? .added : last.after == nil ? .removed : .changed
    return SubjectChange(
      id: first.number,
      title: types.title(first.kind, fields),
      kind: kind,
      fields: kind == .removed ? [] : changes.differences
    )
  }

  // MARK: Taking back

  /// Takes a step back in one part.
  private func revert(
    _ request: RequestReversal,
    _ turn: borrowing Turn
  ) throws -> (ReversedPart, [RecordNews]) {
    let step = try read(in: view(turn)) { try $0?.steps(.number(request.step)).first }
    guard let step else {
      throw Failure(.notFound, "There is no step \(request.step) in the change log.")
    }
    let (reversal, news) = try write(turn, undoing: step) {
      try RecordReversal(step, force: request.force, &$0)
    }
    return (
      ReversedPart(changes: news.map(\.subject), conflicts: reversal.conflicts, rest: nil),
      news
    )
  }

  // MARK: Figures

  private static func measures(
    behind text: String,
    limit: Int,
    _ types: RecordTypes,
    _ store: (any RecordReader)?
  ) throws -> MeasuredPart {
    let place = try RecordPlace(text: text)
    guard let store else {
      guard place == nil else { throw RecordError.noSuchPlace }
      return MeasuredPart([], upTo: text, isLast: true)
    }
    let (changes, isLast) = try RecordHistory(store, types).changes(behind: place, limit: limit)
    return MeasuredPart(
      changes.flatMap { types.measures($0.change, at: $0.time) },
      upTo: changes.last?.place.text ?? text,
      isLast: isLast
    )
  }
}

extension [LoggedChange] {
  /// The fields that all of these together have changed, of one record.
  fileprivate var differences: [FieldChange] {
    var (before, after) = (RecordFields(), RecordFields())
    for change in reversed() { before.take(change.earlier) }
    for change in self { after.take(change.later) }
    return after.differences(from: before)
      .map { FieldChange($0, from: before[$0], to: after[$0]) }
  }

  /// Whether the record is what it was before the first of them.
  fileprivate var cameBack: Bool {
    let (wasThere, isThere) = (first?.before != nil, last?.after != nil)
    return count > 1 && wasThere == isThere && (!wasThere || differences.isEmpty)
  }
}

extension RecordPlace {
  /// How others keep it.
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
