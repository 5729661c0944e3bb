public import EventMVVM

// Answering. The home thread uses a store that is near; in a lasting session, reads that may take
// more than some milliseconds run in the background. A distant store is used on a thread of its own.
// Replies from another thread are inputs, as are failures of the store.

extension RecordServer {
  /// Answers the reads of a kind.
  func serveReading<R: Record>(_ type: R.Type, _ table: RecordTable, _ stream: EventStream) {
    stream.declareAnswerer(of: RequestRecords<R>.self)
    stream.on(RequestRecords<R>.self, owner: self) { server, request, turn in
      do throws(Failure) {
        server.answer(try request.resolved(turn), table, turn)
      } catch {
        turn.send(ResponseRecords<R>(.failure(error), rest: nil))
      }
    }
    serveLong(RequestRecordCounts<R>.self, stream) { request, store in
      try request.conditions.map { try store?.count($0, of: table) ?? 0 }
    }
    serve(RequestRecordLabels<R>.self, stream) { server, request, view in
      guard let column = table.index(of: request.field) else {
        throw Failure(.usage, "A \(R.kind) has no field '\(request.field)'.", field: "field")
      }
      return try server.read(in: view) {
        try $0?.labels(column, prefix: request.prefix, limit: request.limit, of: table) ?? []
      }
    }
    serve(RequestRecordPlan<R>.self, stream) { server, request, view in
      try server.read(in: view) { try $0?.plan(request.query.stored, of: table) ?? "" }
    }
  }

  /// Answers with a short read.
  func serve<R: Request>(
    _ type: R.Type,
    _ stream: EventStream,
    _ body: @escaping @Sendable (RecordServer, R, StorageView) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    stream.declareAnswerer(of: type)
    stream.on(type, owner: self) { server, request, turn in
      server.answer(request, turn) { try body($0, request, $1) }
    }
  }

  /// Answers a request with a short read.
  func answer<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    _ body: @escaping @Sendable (RecordServer, StorageView) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    guard let thread else {
      return turn.answerAsInput(request) { _, turn in try body(self, self.view(turn)) }
    }
    let view = distantView(turn)
    turn.perform(on: thread) { [self] held in
      held.send(R.Reply(outcome(held) { try body(self, view) }))
    }
  }

  /// Answers with a read that may take long; inside a unit it sees the unit's writes.
  func serveLong<R: Request>(
    _ type: R.Type,
    _ stream: EventStream,
    _ body: @escaping @Sendable (R, (any RecordReader)?) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    stream.declareAnswerer(of: type)
    stream.on(type, owner: self) { server, request, turn in
      server.answerLong(request, turn) { try body(request, $0) }
    }
  }

  /// Answers a request with a read that may take long.
  func answerLong<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    _ body: @escaping @Sendable ((any RecordReader)?) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    guard readsInBackground, !turn.isInUnit else {
      return answer(request, turn) { server, view in try server.read(in: view, body) }
    }
    performLong(turn) { [self] held in
      held.send(R.Reply(outcome(held) { try readCommitted(body) }))
    }
  }

  /// As many records as are read in some milliseconds.
  static var few: Int { 100 }

  /// Answers a request with a write, and reports its changes.
  func answerWrite<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    _ body:
      @escaping @Sendable (RecordServer, Author) throws -> (R.Reply.Value, [AnyRecordTransition])
  ) where R.Reply.Problem == Failure {
    guard let thread else {
      var updates: [AnyRecordTransition] = []
      turn.answerAsInput(request) { _, turn in
        let (value, changes) = try body(self, Author(turn))
        updates = changes
        return value
      }
      return sendChanges(updates, turn)
    }
    let author = Author(turn)
    turn.perform(on: thread) { [self] held in
      let written = outcome(held) { try body(self, author) }
      held.send(R.Reply(written.map(\.0)))
      if case .success((_, let updates)) = written { sendChanges(updates, held) }
    }
  }

  /// Runs work in the background, after earlier uses of a distant store.
  func performLong(_ turn: borrowing Turn, _ body: @escaping @Sendable (AsyncTurn) -> Void) {
    guard let thread else {
      return turn.perform { [longReads] held in
        await longReads?.begin()
        body(held)
        longReads?.end()
      }
    }
    turn.perform(on: thread) { [longReads] held in
      await longReads?.begin()
      defer { longReads?.end() }
      // A thread of its own: others wait neither for it nor for a thread of the system's pool.
      await withCheckedContinuation { continuation in
        let work = { @Sendable in
          body(held)
          continuation.resume()
        }
        if !startThread(work) { work() }
      }
    }
  }

  /// The view of a use of a distant store.
  private func distantView(_ turn: borrowing Turn) -> StorageView {
    turn.isInUnit ? .insideUnit : .committed
  }

  /// Uses the store for a held request, unless that is cancelled; the engine may give up when it is.
  func outcome<T>(_ held: AsyncTurn, _ body: () throws -> T) -> Result<T, Failure> {
    guard thread != nil else { return Result(catching: body).mapError { Failure($0) } }
    let cancelled = Failure(.cancelled, "Cancelled; nothing was changed.")
    guard !held.isCancelled else { return .failure(cancelled) }
    return StoreUse.cancelled(if: { held.isCancelled }) {
      Result(catching: body)
        .mapError { error in
          // Another failure stays one: it may be unknown whether a commit has happened.
          let failure = Failure(error)
          return held.isCancelled && failure.isRetryable ? cancelled : failure
        }
    }
  }

  /// Reads committed data, on any thread; the body gets nil where there is no store yet.
  private func readCommitted<T>(_ body: ((any RecordReader)?) throws -> T) throws -> T {
    try perform { try engine.readCommitted(body) ?? body(nil) }
  }

  // MARK: Records

  private func answer<R: Record>(
    _ request: RequestRecords<R>,
    _ table: RecordTable,
    _ turn: borrowing Turn
  ) {
    let root = turn.root
    guard readsInBackground, !turn.isInUnit, request.mayBeLong else {
      if let thread {
        let view = request.isToWrite && !turn.isInUnit ? .toWrite : distantView(turn)
        return turn.perform(on: thread) { [self] held in
          send(outcome(held) { try found(request, table, in: view) }, held)
        }
      }
      let view = request.isToWrite && !turn.isInUnit ? .toWrite : view(turn)
      return turn.reply(
        from: { turn in
          let found = Result { try self.found(request, table, in: view) }.mapError { Failure($0) }
          if let trouble = try? found.get().trouble, isNew(R.kind, after: root) {
            turn.send(trouble)
          }
          return ResponseRecords(found)
        },
        where: { $0.result.isFailureOfStore }
      )
    }
    performLong(turn) { [self] held in
      send(outcome(held) { try foundAside(request, table) }, held)
    }
  }

  /// Sends the outcome of a read, after the warning about unreadable records.
  private func send<R: Record>(_ found: Result<RecordRest<R>.Part, Failure>, _ held: AsyncTurn) {
    if let trouble = try? found.get().trouble, isNew(R.kind, after: held.envelope.root) {
      held.send(trouble)
    }
    held.send(ResponseRecords(found))
  }

  /// Reads the requested records.
  private func found<R: Record>(
    _ request: RequestRecords<R>,
    _ table: RecordTable,
    in view: StorageView
  ) throws -> RecordRest<R>.Part {
    switch request.extent {
    case .rest(let rest): return try perform { try rest.next() }
    case .part(let count) where view != .insideUnit:
      return try part(request, table, count) { body in try read(in: view, body) }
    case .part, nil: return try read(in: view) { try request.read(table, $0) }
    }
  }

  /// Reads the requested records from committed data, on any thread.
  private func foundAside<R: Record>(
    _ request: RequestRecords<R>,
    _ table: RecordTable
  ) throws -> RecordRest<R>.Part {
    switch request.extent {
    case .rest(let rest): try perform { try rest.next() }
    case .part(let count): try part(request, table, count) { body in try readCommitted(body) }
    case nil: try readCommitted { try request.read(table, $0) }
    }
  }

  /// Reads the first part of a list; a list of one part needs no lasting snapshot.
  private func part<R: Record>(
    _ request: RequestRecords<R>,
    _ table: RecordTable,
    _ count: Int,
    _ read: (((any RecordReader)?) throws -> RecordRest<R>.Part) throws -> RecordRest<R>.Part
  ) throws -> RecordRest<R>.Part {
    guard let query = request.query else { return RecordRest.Part() }
    var beginning = query
    beginning.limit = min(query.limit ?? .max, count + 1)
    var isWhole = true
    let part = try read { store in
      guard let rows = try store?.rows(beginning, of: table) else { return RecordRest.Part() }
      let (part, seen) = try RecordRest<R>.Part.reading(rows)
      isWhole = seen <= count
      return part
    }
    if isWhole { return part }
    return try perform {
      guard let rows = try engine.openRows(query, of: table) else { return RecordRest.Part() }
      return try RecordRest(rows, inPartsOf: count).next()
    }
  }
}

extension Record {
  /// The type of the notice of its changes.
  static var _changes: any (Event & Decodable).Type { ResponseRecordChanges<Self>.self }
}

extension Turn {
  /// Answers a request with the outcome of a use of the store.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - isOutside: Whether the outcome depends on anything but the events on the stream: by
  ///     default, whether the store failed.
  ///   - body: Returns or throws the outcome of the reply.
  borrowing func answerAsInput<R: Request>(
    _ request: R,
    where isOutside: (Result<R.Reply.Value, Failure>) -> Bool = { $0.isFailureOfStore },
    _ body: (R, borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    reply(
      from: { turn in
        do {
          return R.Reply(.success(try body(request, turn)))
        } catch {
          return R.Reply(.failure(Failure(error)))
        }
      },
      where: { isOutside($0.result) }
    )
  }
}

extension Result where Failure == EventMVVM.Failure {
  /// Whether the store itself failed, which a replay can't reproduce.
  var isFailureOfStore: Bool {
    if case .failure(let failure) = self { failure.kind == .store } else { false }
  }
}

extension ResponseRecords {
  /// Wraps the outcome of a read.
  fileprivate init(_ found: Result<RecordRest<R>.Part, Failure>) {
    self.init(found.map { $0.records }, rest: try? found.get().rest)
  }
}

extension RequestRecords {
  /// Whether it may take more than some milliseconds.
  fileprivate var mayBeLong: Bool {
    guard !isToWrite, isInOrder == nil else { return false }
    return extent != nil || references.count > RecordServer.few
      || references.contains { $0.mostRecords > RecordServer.few }
      || query.map { $0.limit.map { $0 > RecordServer.few } ?? true } ?? false
  }

  /// Reads all requested records.
  ///
  /// - Parameters:
  ///   - table: The table of the kind.
  ///   - store: The reader; nil if there is no store yet.
  /// - Returns: The records, and the warning about unreadable ones.
  /// - Throws: An error if a number is missing, or the store's failure.
  fileprivate func read(
    _ table: RecordTable,
    _ store: (any RecordReader)?
  ) throws -> RecordRest<R>.Part {
    var records: [Kept<R>] = []
    var known: Set<Int> = []
    for reference in references {
      guard let store else {
        throw reference.knownNumber.map { .notFound($0, kind: R.kind) }
          ?? RecordError.unknown(reference, kind: R.kind)
      }
      for number in try store.numbers(reference, of: table, among: among) {
        guard let row = try store.row(number, of: table) else {
          throw RecordError.notFound(number, kind: R.kind)
        }
        // A single record needs no check for duplicates: creating a set would make the process
        // search its conformances.
        if query == nil && references.count == 1 || known.insert(number).inserted {
          records.append(try revision.map { try row.kept(at: $0, table, store) } ?? Kept(row))
        }
      }
    }
    var part = RecordRest<R>.Part(records: records)
    guard let query, let rows = try store?.rows(query, of: table) else { return part }
    let found = try RecordRest<R>.Part.reading(rows, excluding: known).0
    guard !part.records.isEmpty else { return found }
    part.records += found.records
    part.trouble = found.trouble
    return part
  }
}

extension RecordRow {
  /// Returns the record at a revision.
  fileprivate func kept<R: Record>(
    at revision: Int,
    _ table: RecordTable,
    _ store: any RecordReader
  ) throws -> Kept<R> {
    let number = number
    // A revision is valid up to the end of the log.
    let isReached = try revision <= self.revision || revision <= store.end().revision
    guard isReached else { throw RecordError.unseen(number, revision: revision) }
    let history = RecordHistory(store, RecordTypes(of: [table]))
    guard let fields = try history.fields(of: number, table, at: revision) else {
      throw RecordError.unseen(number, revision: revision)
    }
    return Kept(number, try R(fields, number), revision: revision)
  }
}

/// Makes reads that are queued together share one transaction of the store, which costs as much as
/// a read.
///
/// The data of each is no older than its request: all of them were queued when the first was read.
/// Used by the stream's home thread alone.
///
/// ```swift
/// let reading = SharedReading { log.withLock { $0.append("end") } }
/// ```
public final class SharedReading: @unchecked Sendable {
  // Unchecked: the home thread alone uses it.
  private let end: @Sendable () -> Void
  private var isOpen = false

  /// Creates an idle one.
  ///
  /// - Parameter end: Ends the transaction; called on the home thread after the last read that
  ///   shares it.
  public init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  /// Returns the view of a read in this turn: inside a unit with its writes.
  public func view(_ turn: borrowing Turn) -> StorageView {
    if turn.isInUnit { return .insideUnit }
    if isOpen { return .shared }
    guard turn.isFollowed else { return .committed }
    isOpen = true
    turn.afterQueued { [self] in
      isOpen = false
      end()
    }
    return .shared
  }
}

/// What events are sent through: a turn, or a held delivery.
protocol EventSender: ~Copyable, ~Escapable {
  borrowing func send<E: Event>(_ event: E, file: StaticString, line: UInt)
  /// The user's time zone.
  var zone: ZoneRule { get }
  /// When the event's turn came.
  var time: Instant { get }
}

extension Turn: EventSender {}

extension AsyncTurn: EventSender {
  var time: Instant { envelope.time }
}
