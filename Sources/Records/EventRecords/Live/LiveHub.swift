import EventMVVM

/// The state of a record after a change.
struct LiveState<R: Record>: Sendable {
  let number: Int
  let revision: Int
  /// The record; nil if it is gone.
  let record: Kept<R>?
}

/// The live queries of a stream for the records of a kind, which are told each change once.
final class LiveHub<R: Record>: @unchecked Sendable {
  private struct Entry {
    weak let owner: AnyObject?
    let live: LiveQuery<R>
  }

  // Unchecked: the home thread alone uses it.
  private var entries: [Entry] = []
  /// The last change of each record; an external one may be told after a later one of this process.
  private var latest: [Int: Int] = [:]
  private var isJoined = false

  /// After how many changed records all queries are read again, so that these need not be known any longer.
  private static var most: Int { 10_000 }

  /// Returns that of a stream.
  static func of(_ stream: EventStream) -> LiveHub {
    let hub = stream.shared { LiveHub() }
    hub.join(stream)
    return hub
  }

  /// Adds a live query, which lasts as long as its owner.
  func add(_ live: LiveQuery<R>, _ owner: AnyObject) {
    entries.append(Entry(owner: owner, live: live))
  }

  private func join(_ stream: EventStream) {
    guard !isJoined else { return }
    isJoined = true
    stream.on(ResponseRecordChanges<R>.self) { [weak self] event, turn in
      self?.take(event.changes, turn)
    }
    stream.on(ResponseStoreRecovery.self) { [weak self] _, turn in
      self?.readAgain(turn, tellsAll: true)
    }
    // What a row shows of another record is asked for again.
    func follow<Target: Record>(_ type: Target.Type) {
      stream.on(ResponseRecordChanges<Target>.self) { [weak self] _, turn in self?.readAgain(turn) }
    }
    var kinds: Set<String> = [R.kind]
    for field in R._table.fields {
      guard let target = field.reference?.type._target, kinds.insert(target.kind).inserted else {
        continue
      }
      follow(target)
    }
  }

  private func readAgain(_ turn: borrowing Turn, tellsAll: Bool = false) {
    sweep()
    for entry in entries { entry.live.readAgain(turn, tellsAll: tellsAll) }
  }

  private func take(_ changes: [RecordTransition<R>], _ turn: borrowing Turn) {
    var states: [LiveState<R>] = []
    var indices: [Int: Int] = [:]
    for change in changes where change.revision > latest[change.number] ?? 0 {
      latest[change.number] = change.revision
      let record = change.after.map { Kept(change.number, $0, revision: change.revision) }
      let state = LiveState(number: change.number, revision: change.revision, record: record)
      if let known = indices[change.number] {
        states[known] = state
      } else {
        indices[change.number] = states.count
        states.append(state)
      }
    }
    guard !states.isEmpty else { return }
    sweep()
    for entry in entries { entry.live.take(states, turn) }
    guard latest.count > Self.most else { return }
    latest = [:]
    readAgain(turn)
  }

  /// Forgets the queries whose owners are gone.
  private func sweep() { entries.removeAll { $0.owner == nil } }
}
