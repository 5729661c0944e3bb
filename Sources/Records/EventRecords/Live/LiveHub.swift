import EventMVVM

/// The state of a record after a change.
struct LiveState<R: Record>: Sendable {
  let number: Int
  let revision: Int
  /// The record; nil if it is gone.
  let record: Kept<R>?
}

/// The live queries of a stream for the records of a kind, which are told each change once.
///
/// A query that asks a field for one value, or for one of a few, is told of changes of records that have it, or had it: a thousand such
/// queries cost a change that concerns none of them no more than one.
///
/// Unchecked, as the home thread alone uses it: all that adds to it or tells it something runs there.
final class LiveHub<R: Record>: @unchecked Sendable {
  private struct Entry {
    weak let owner: AnyObject?
    let live: LiveQuery<R>
  }

  /// A value of a field that all rows of a query have.
  private struct Key: Hashable {
    let field: Int
    let value: StoredValue
  }

  private var entries: [Int: Entry] = [:]
  private var last = 0
  /// How many there were when those without owners were forgotten last.
  private var sweptCount = 0
  /// The queries by what they ask for, and those that ask for no such value.
  private var keyed: [Key: [Int]] = [:]
  private var others: [Int] = []
  /// How many queries ask for a value of each field.
  private var fields: [Int: Int] = [:]
  /// The last change of each record; an external one may be told after a later one of this process.
  private var latest: [Int: Int] = [:]
  /// The revision up to which all changes are known.
  private var complete = 0
  /// Whether a row can show the title of another one.
  private var showsItself = false
  private var isJoined = false

  /// After how many changed records all queries are read again, so that these need not be known any longer.
  private static var most: Int { 10_000 }
  /// The most values of a field by which a query is found, and the most changes at once whose queries are.
  private static var few: Int { 8 }

  /// Returns that of a stream.
  static func of(_ stream: EventStream) -> LiveHub {
    let hub = stream.shared { LiveHub() }
    hub.join(stream)
    return hub
  }

  /// Adds a live query, which lasts as long as its owner.
  func add(_ live: LiveQuery<R>, _ owner: AnyObject) {
    if entries.count >= 2 * max(sweptCount, 8) {
      for number in entries.keys.sorted() { with(number) { _ in } }
      sweptCount = entries.count
    }
    last += 1
    live.number = last
    entries[last] = Entry(owner: owner, live: live)
    enter(live)
  }

  /// Notes that a live query asks another query.
  func change(_ live: LiveQuery<R>, _ ask: () -> Void) {
    guard entries[live.number] != nil else { return ask() }
    leave(live)
    ask()
    enter(live)
  }

  private func join(_ stream: EventStream) {
    guard !isJoined else { return }
    isJoined = true
    stream.on(ResponseRecordChanges<R>.self) { [weak self] event, turn in
      self?.take(event, turn)
    }
    stream.on(ResponseStoreRecovery.self) { [weak self] _, turn in
      // It may be another store, whose revisions begin anew.
      self?.latest = [:]
      self?.complete = 0
      self?.readAgain(turn, tellsAll: true)
    }
    // What a row shows of another record is asked for again.
    func follow<Target: Record>(_ type: Target.Type) {
      stream.on(ResponseRecordChanges<Target>.self) { [weak self] _, turn in self?.readAgain(turn) }
    }
    var kinds: Set<String> = [R.kind]
    for field in R._table.fields {
      guard let target = field.reference?.type._target else { continue }
      if target == R.self { showsItself = true }
      if kinds.insert(target.kind).inserted { follow(target) }
    }
  }

  // MARK: Which are concerned

  /// The values of a field of which each row of a query has one; none where there is no such field.
  private func keys(of live: LiveQuery<R>) -> [Key] {
    func keys(_ condition: RecordCondition) -> [Key] {
      var asked: (name: String, values: [StoredValue])
      switch condition {
      case .field(let name, .equal, let value): asked = (name, [value])
      case .anyOf(let name, let values) where !values.isEmpty && values.count <= Self.few:
        asked = (name, values)
      case .and(let all):
        for one in all {
          let keys = keys(one)
          if !keys.isEmpty { return keys }
        }
        return []
      default: return []
      }
      // What a reference is given by is another value than what is stored.
      guard let field = R._table.index(of: asked.name), R._table.fields[field].reference == nil
      else { return [] }
      return asked.values.map { Key(field: field, value: $0) }
    }
    return keys(live.condition)
  }

  private func enter(_ live: LiveQuery<R>) {
    let (number, keys) = (live.number, keys(of: live))
    guard let field = keys.first?.field else { return others.append(number) }
    fields[field, default: 0] += 1
    for key in keys { keyed[key, default: []].append(number) }
  }

  private func leave(_ live: LiveQuery<R>) {
    let (number, keys) = (live.number, keys(of: live))
    guard let field = keys.first?.field else { return others.removeAll { $0 == number } }
    fields[field] = fields[field].flatMap { $0 > 1 ? $0 - 1 : nil }
    for key in keys {
      keyed[key]?.removeAll { $0 == number }
      if keyed[key]?.isEmpty == true { keyed[key] = nil }
    }
  }

  /// Returns the queries that changes may concern.
  private func concerned(by changes: [RecordTransition<R>]) -> [Int] {
    guard changes.count <= Self.few else { return entries.keys.sorted() }
    var concerned = Set(others)
    for change in changes {
      for field in fields.keys {
        for record in [change.before, change.after] {
          guard let record else { continue }
          guard let value = try? record.withFields({ try R._table.compared(field, of: $0) }) else {
            return entries.keys.sorted()
          }
          for number in keyed[Key(field: field, value: value)] ?? [] { concerned.insert(number) }
        }
      }
    }
    // In the order in which they began, always.
    return concerned.sorted()
  }

  /// Calls `body` with a query, or forgets it if its owner is gone.
  private func with(_ number: Int, _ body: (LiveQuery<R>) -> Void) {
    guard let entry = entries[number] else { return }
    guard entry.owner == nil else { return body(entry.live) }
    leave(entry.live)
    entries[number] = nil
  }

  /// Notes a revision of the store up to which a query has read everything.
  func note(_ revision: Int) { complete = max(complete, revision) }

  // MARK: Changes

  private func readAgain(_ turn: borrowing Turn, tellsAll: Bool = false) {
    for number in entries.keys.sorted() {
      with(number) { $0.readAgain(turn, tellsAll: tellsAll) }
    }
  }

  private func take(_ event: ResponseRecordChanges<R>, _ turn: borrowing Turn) {
    let changes = event.changes
    var (states, earlier): ([LiveState<R>], [RecordTransition<R>]) = ([], [])
    for change in changes {
      guard change.revision > latest[change.number] ?? 0 else {
        earlier.append(change)
        continue
      }
      latest[change.number] = change.revision
      let record = change.after.map { Kept(change.number, $0, revision: change.revision) }
      states.append(LiveState(number: change.number, revision: change.revision, record: record))
    }
    // A change of this process may be told before an earlier one of another process; then what is shown is read, so that the revision
    // that is told is true.
    let isEarly = event.externalOrigin == nil && (changes.first?.revision ?? 0) > complete + 1
    complete = max(complete, changes.last?.revision ?? 0)
    if !states.isEmpty {
      for number in concerned(by: changes) {
        with(number) { isEarly ? $0.readAgain(turn) : $0.take(states, turn) }
      }
      if showsItself, changes.contains(where: { $0.before?.title != $0.after?.title }) {
        readAgain(turn)
      }
    }
    // The later change that was told before may not have concerned a query that has the record as it was.
    for number in earlier.isEmpty ? [] : concerned(by: earlier) where !others.contains(number) {
      with(number) { $0.readAgain(turn) }
    }
    guard latest.count > Self.most else { return }
    latest = [:]
    readAgain(turn)
  }
}
