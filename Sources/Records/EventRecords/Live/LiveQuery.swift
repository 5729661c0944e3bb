public import EventMVVM

/// A query whose rows follow the changes of the store, of this process and others, by these changes alone: the store is read again only
/// where they don't suffice.
///
/// It lasts as long as its owner. The rows are those of a moment of the store, up to the revision of the page: a change is seen once, and
/// none is missed. What depends on the time of the day is that of the query: where it is to be asked anew, ``ask(_:_:)`` does that.
///
/// ```swift
/// process.stream.live(query, owner: shown) { shown, page, _ in shown.take(page) }
/// ```
///
/// Unchecked, as the home thread alone uses what can change; other threads only create and retain it.
public final class LiveQuery<R: Record>: @unchecked Sendable {
  private var query: Query<R>
  /// Its number among those of a stream.
  var number = 0
  private let tell: (LivePage<R>, borrowing Turn) -> Void
  /// The rows; nil while they can't be read.
  private var window: LiveWindow<R>?
  /// What the owner knows, while the store is read again.
  private var known: [Kept<R>]?
  /// The revision of the store when it was read.
  private var start = 0
  /// That of the last change that is known.
  private var revision = 0
  /// Whether the store is being read, and is to be read once more.
  private var (isAsking, isStale) = (false, false)
  /// Whether it could not be read again, and is to be at the next change.
  private var isUnread = false
  /// Whether the owner is told all rows next.
  private var tellsAll = true
  /// Whether nothing was told yet.
  private var isFirst = true
  /// Changes since the store is being read.
  private var pending: [LiveState<R>] = []

  init<Owner: AnyObject>(
    _ query: Query<R>,
    _ owner: Owner,
    _ show: @escaping (Owner, LivePage<R>, borrowing Turn) -> Void
  ) {
    self.query = query
    tell = { [weak owner] page, turn in if let owner { show(owner, page, turn) } }
  }

  /// Begins with the differences from rows that the owner knows.
  fileprivate func know(_ rows: [Kept<R>]) { (known, tellsAll) = (rows, false) }

  /// What it asks for.
  var condition: RecordCondition { query.stored.condition }

  /// All rows as they are now, on the home thread; nil while they can't be read.
  var page: LivePage<R>? { window.map { .rows($0.shown, revision: revision) } }

  /// Asks another query in place of the present one, in the same order; the owner is told the differences.
  public func ask(_ query: Query<R>, _ turn: borrowing Turn) {
    guard query != self.query else { return }
    LiveHub<R>.of(turn.stream).change(self) { self.query = query }
    readAgain(turn)
  }

  // MARK: Reading

  fileprivate func begin(_ request: (RequestLiveRows<R>) -> Void) {
    isAsking = true
    request(RequestLiveRows(query))
  }

  /// Reads the store, and tells how the rows differ from those that are known, or all of them.
  func readAgain(_ turn: borrowing Turn, tellsAll: Bool = false) {
    if tellsAll { self.tellsAll = true }
    if known == nil { known = window?.shown }
    guard !isAsking else { return isStale = true }
    begin { request in turn.request(request) { [self] result, turn in answer(result, turn) } }
  }

  fileprivate func answer(
    _ result: Result<ResponseLiveRows<R>, Interruption>,
    _ turn: borrowing Turn
  ) {
    isAsking = false
    do {
      let rows = try result.get().result.get()
      LiveHub<R>.of(turn.stream).note(rows.revision)
      read(rows)
      if isStale {
        isStale = false
        return readAgain(turn)
      }
      show(turn)
    } catch {
      let failure = Failure(error)
      // Whose command made it read was cancelled: the next change reads again.
      if failure.kind == .cancelled, window != nil { return isUnread = true }
      (window, known, pending) = (nil, nil, [])
      (isStale, tellsAll) = (false, true)
      tell(.failure(failure), turn)
    }
  }

  private func read(_ rows: LiveRows<R>) {
    (start, revision, isUnread) = (rows.revision, rows.revision, false)
    var read = LiveWindow(
      rows.query,
      rows.records,
      limit: query.stored.limit,
      isWhole: rows.isWhole
    )
    _ = read.take(new(pending))
    pending = []
    if read.isShort { isStale = true }
    window = read
  }

  /// Tells what was read.
  private func show(_ turn: borrowing Turn) {
    guard let window else { return }
    defer { (known, tellsAll, isFirst) = (nil, false, false) }
    guard !tellsAll, let known else { return tell(.rows(window.shown, revision: revision), turn) }
    let changes = window.differences(from: known)
    if !changes.isEmpty || isFirst { tell(.changes(changes, revision: revision), turn) }
  }

  // MARK: Changes

  /// Takes the states of records after a change.
  func take(_ states: [LiveState<R>], _ turn: borrowing Turn) {
    guard !isAsking else { return pending += states }
    guard window != nil, !isUnread else { return readAgain(turn) }
    let states = new(states)
    let earlier = window?.mayBeShort(after: states) == true ? window?.shown : nil
    let differences = window?.take(states) ?? []
    if window?.isShort == true {
      // The owner is told once, when it is known what is behind them.
      known = earlier
      return readAgain(turn)
    }
    if !differences.isEmpty { tell(.changes(differences, revision: revision), turn) }
  }

  /// Returns the states that are not known yet, the last one of each record.
  private func new(_ states: [LiveState<R>]) -> [LiveState<R>] {
    var new: [LiveState<R>] = []
    var indices: [Int: Int] = [:]
    for state in states where state.revision > start {
      revision = max(revision, state.revision)
      // Most changes are of one record.
      guard states.count > 1 else { return states }
      if let known = indices[state.number] {
        new[known] = state
      } else {
        indices[state.number] = new.count
        new.append(state)
      }
    }
    return new
  }
}

/// Reads the rows of a live query.
struct RequestLiveRows<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  typealias Reply = ResponseLiveRows<R>
  /// It only reads.
  static var writes: Bool { false }

  /// The query for as many rows as a window keeps.
  let query: RecordQuery

  init(_ query: Query<R>) {
    var stored = query.stored
    stored.limit = LiveWindow<R>.extent(of: stored.limit)
    self.query = stored
  }
}

/// The rows of a live query.
struct ResponseLiveRows<R: Record>: ModelEvent, Response, Decodable {
  /// The rows, or why there are none.
  let result: Result<LiveRows<R>, Failure>

  init(_ result: Result<LiveRows<R>, Failure>) { self.result = result }
}

/// Rows of one snapshot.
struct LiveRows<R: Record>: Sendable, Equatable, Codable {
  let records: [Kept<R>]
  /// The revision of the last change in the snapshot.
  let revision: Int
  /// The query by which they were found, whose references are identities.
  let query: RecordQuery
  /// Whether there are no others behind them.
  let isWhole: Bool
}

extension EventStream {
  /// Follows the rows of a query; the first page has all of them.
  ///
  /// It is for what is outside of handlers; in a handler it is ``Turn/live(_:owner:since:_:)``.
  ///
  /// - Parameters:
  ///   - query: The query. Up to its limit rows are told, and twice as many are kept.
  ///   - owner: The object with which it ends.
  ///   - show: Called on the home thread with the first page, and then after each change that changes the rows.
  /// - Returns: The live query, to ask another one by.
  @discardableResult
  public func live<R: Record, Owner: AnyObject>(
    _ query: Query<R>,
    owner: Owner,
    _ show: @escaping (Owner, LivePage<R>, borrowing Turn) -> Void
  ) -> LiveQuery<R> {
    let live = LiveQuery(query, owner, show)
    begin(live, owner)
    return live
  }

  /// Begins a live query, on the home thread, as all that the hub does.
  func begin<R: Record>(_ live: LiveQuery<R>, _ owner: AnyObject) {
    // Unsafe, as an owner need not be Sendable: the home thread alone reads it, to see whether it is still there.
    nonisolated(unsafe) weak let owner = owner
    afterQueued {
      guard let owner else { return }
      LiveHub<R>.of(self).add(live, owner)
      live.begin { request in
        self.request(request, isHousekeeping: true) { result, turn in live.answer(result, turn) }
      }
    }
  }
}

extension Turn {
  /// Follows the rows of a query; the first page has all of them, or how they differ from those that are known.
  ///
  /// - Parameters:
  ///   - query: The query. Up to its limit rows are told, and twice as many are kept.
  ///   - owner: The object with which it ends.
  ///   - known: The rows that the owner knows, in the order of the query; nil if none.
  ///   - show: Called on the home thread with the first page, and then after each change that changes the rows.
  /// - Returns: The live query, to ask another one by.
  @discardableResult
  public borrowing func live<R: Record, Owner: AnyObject>(
    _ query: Query<R>,
    owner: Owner,
    since known: [Kept<R>]? = nil,
    _ show: @escaping (Owner, LivePage<R>, borrowing Turn) -> Void
  ) -> LiveQuery<R> {
    let live = LiveQuery(query, owner, show)
    LiveHub<R>.of(stream).add(live, owner)
    if let known { live.know(known) }
    live.begin { request in
      self.request(request) { result, turn in live.answer(result, turn) }
    }
    return live
  }
}
