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
    serveLong(RequestRecordCounts<R>.self, stream) { [types] request, store in
      let store = try store?.at(request.moment, types)
      return try request.conditions.map { condition in
        guard let store else { return 0 }
        return try store.count(store.resolved(condition, of: table, types), of: table)
      }
    }
    stream.declareAnswerer(of: RequestLiveRows<R>.self)
    stream.on(RequestLiveRows<R>.self, owner: self) { server, request, turn in
      let trouble = Locked<[ResponseUnreadableRecords]>([])
      server.answerLong(request, turn, warnings: { trouble.withLock { $0 } }) {
        [types = server.types] store in
        guard let store else {
          return LiveRows(records: [], revision: 0, query: request.query, isWhole: true)
        }
        let query = try store.resolved(request.query, of: table, types)
        var (part, seen) = try RecordRest<R>.Part.reading(store.rows(query, of: table))
        if let found = part.trouble { trouble.withLock { $0 = [found] } }
        try store.fill(&part.records)
        return LiveRows(
          records: part.records,
          revision: try store.end().revision,
          query: query,
          isWhole: query.limit.map { seen < $0 } ?? true
        )
      }
    }
    serve(RequestRecordLabels<R>.self, stream) { server, request, view in
      guard let column = table.index(of: request.field) else {
        throw Failure(.usage, "A \(R.kind) has no field '\(request.field)'.", field: "field")
      }
      return try server.read(in: view) {
        try $0?.labels(column, prefix: request.prefix, limit: request.limit, of: table) ?? []
      }
    }
    serveLong(RequestRecordGroups<R>.self, stream) { [types] request, store in
      guard let column = table.index(of: request.field) else {
        throw Failure(.usage, "A \(R.kind) has no field '\(request.field)'.", field: "field")
      }
      guard let store else { return [] }
      let conditions = try request.conditions.map { try store.resolved($0, of: table, types) }
      return try store.groups(column, counting: conditions, of: table)
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

  /// Answers a request with a short read, after its warnings.
  func answer<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    warnings: @escaping @Sendable () -> [ResponseUnreadableRecords] = { [] },
    _ body: @escaping @Sendable (RecordServer, StorageView) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    guard let thread else {
      return turn.answerAsInput(request) { _, turn in
        let value = try body(self, self.view(turn))
        turn.send(new(warnings(), after: turn.root))
        return value
      }
    }
    let view = distantView(turn)
    turn.perform(on: thread) { [self] held in
      let outcome = outcome(held) { try body(self, view) }
      held.send(new(warnings(), after: held.envelope.root))
      held.send(R.Reply(outcome))
    }
  }

  /// Returns the warnings that were not yet sent for a root.
  private func new(_ warnings: [ResponseUnreadableRecords], after root: Root) -> [any Event] {
    warnings.filter { isNew($0.kind, after: root) }
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

  /// Answers a request with a read that may take long, after its warnings.
  func answerLong<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    warnings: @escaping @Sendable () -> [ResponseUnreadableRecords] = { [] },
    _ body: @escaping @Sendable ((any RecordReader)?) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    guard readsInBackground, !turn.isInUnit else {
      return answer(request, turn, warnings: warnings) { server, view in
        try server.read(in: view, body)
      }
    }
    performLong(turn) { [self] held in
      let outcome = outcome(held) { try readCommitted(body) }
      held.send(new(warnings(), after: held.envelope.root))
      held.send(R.Reply(outcome))
    }
  }

  /// As many records as are read in some milliseconds.
  static var few: Int { 100 }

  /// What a write has stored.
  struct Written<Value> {
    let value: Value
    let updates: [AnyRecordTransition]
    /// What is sent before the reply.
    var events: [any Event] = []
    var warnings: [ResponseUnreadableRecords] = []
    /// What a person is told besides.
    var note = ReplyNote()
  }

  /// Answers a request with a write, and reports its changes.
  func answerWrite<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    _ body: @escaping @Sendable (RecordServer, Author) throws -> Written<R.Reply.Value>
  ) where R.Reply.Problem == Failure {
    guard let thread else {
      var updates: [AnyRecordTransition] = []
      turn.answerAsInput(request) { _, turn in
        let written = try body(self, Author(turn))
        if !written.note.isEmpty {
          ReplyNotes.of(turn.stream).add(written.note, on: turn.sequence)
        }
        turn.send(new(written.warnings, after: turn.root) + written.events)
        updates = written.updates
        return written.value
      }
      return sendChanges(updates, turn)
    }
    let (author, notes) = (Author(turn), ReplyNotes.of(turn.stream))
    turn.perform(on: thread) { [self] held in
      switch outcome(held, { try body(self, author) }) {
      case .success(let written):
        notes.add(written.note, on: held.envelope.sequence)
        held.send(new(written.warnings, after: held.envelope.root) + written.events)
        held.send(R.Reply(.success(written.value)))
        sendChanges(written.updates, held)
      case .failure(let failure): held.send(R.Reply(.failure(failure)))
      }
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
          if let trouble = try? found.get().trouble, isNew(trouble.kind, after: root) {
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
    if let trouble = try? found.get().trouble, isNew(trouble.kind, after: held.envelope.root) {
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
    switch request.extentNow {
    case .rest(let rest):
      return try filled(perform { try rest.next() }) { body in try read(in: view, body) }
    case .part(let count) where view != .insideUnit:
      return try filled(part(request, table, count) { body in try read(in: view, body) }) { body in
        try read(in: view, body)
      }
    case .part, nil: return try read(in: view) { try request.read(table, self.types, $0) }
    }
  }

  /// Reads the requested records from committed data, on any thread.
  private func foundAside<R: Record>(
    _ request: RequestRecords<R>,
    _ table: RecordTable
  ) throws -> RecordRest<R>.Part {
    switch request.extentNow {
    case .rest(let rest):
      try filled(perform { try rest.next() }) { body in try readCommitted(body) }
    case .part(let count):
      try filled(part(request, table, count) { body in try readCommitted(body) }) { body in
        try readCommitted(body)
      }
    case nil: try readCommitted { try request.read(table, self.types, $0) }
    }
  }

  /// Returns a part of a list with what its references refer to, which is read in a snapshot of its own.
  private func filled<R: Record>(
    _ part: RecordRest<R>.Part,
    _ read: (((any RecordReader)?) throws -> [Kept<R>]) throws -> [Kept<R>]
  ) throws -> RecordRest<R>.Part {
    guard R._table.hasReferences else { return part }
    var part = part
    part.records = try read { store in
      var records = part.records
      try store?.fill(&records)
      return records
    }
    return part
  }

  /// Reads the first part of a list; a list of one part needs no lasting snapshot.
  private func part<R: Record>(
    _ request: RequestRecords<R>,
    _ table: RecordTable,
    _ count: Int,
    _ read: (((any RecordReader)?) throws -> RecordRest<R>.Part) throws -> RecordRest<R>.Part
  ) throws -> RecordRest<R>.Part {
    guard var query = request.query else { return RecordRest.Part() }
    var isWhole = true
    let part = try read { store in
      guard let store else { return RecordRest.Part() }
      query = try store.resolved(query, of: table, types)
      var beginning = query
      beginning.limit = min(query.limit ?? .max, count + 1)
      let rows = try store.rows(beginning, of: table)
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
    return moment != nil || extent != nil || references.count > RecordServer.few
      || references.contains { $0.mostRecords > RecordServer.few }
      || query.map { $0.limit.map { $0 > RecordServer.few } ?? true } ?? false
  }

  /// The part that is read at once: what was is in memory as a whole.
  fileprivate var extentNow: Extent? {
    if case .part = extent, moment != nil { nil } else { extent }
  }

  /// Reads all requested records.
  ///
  /// - Parameters:
  ///   - table: The table of the kind.
  ///   - types: The kinds of the store.
  ///   - store: The reader; nil if there is no store yet.
  /// - Returns: The records, and the warning about unreadable ones.
  /// - Throws: An error if a number is missing, or the store's failure.
  fileprivate func read(
    _ table: RecordTable,
    _ types: RecordTypes,
    _ store: (any RecordReader)?
  ) throws -> RecordRest<R>.Part {
    let store = try store?.at(moment, types)
    var part = try readRecords(table, types, store)
    try store?.fill(&part.records)
    return part
  }

  private func readRecords(
    _ table: RecordTable,
    _ types: RecordTypes,
    _ store: (any RecordReader)?
  ) throws -> RecordRest<R>.Part {
    var records: [Kept<R>] = []
    var known: Set<Int> = []
    for reference in references {
      guard let store else { throw RecordError.none(reference, kind: R.kind) }
      let among = try among.map { try store.resolved($0, of: table, types) }
      for number in try store.numbers(reference, of: table, among: among) {
        guard let row = try store.row(number, of: table) else {
          if moment != nil {
            throw Failure(
              .notFound,
              "There was no \(R.kind) #\(number) then.",
              field: "id",
              id: number
            )
          }
          throw try types.missing(number, R.kind, in: store)
        }
        // A single record needs no check for duplicates: creating a set would make the process
        // search its conformances.
        if query == nil && references.count == 1 || known.insert(number).inserted {
          records.append(
            try revision.map { try row.kept(at: $0, table, types, store) } ?? Kept(row)
          )
        }
      }
    }
    var part = RecordRest<R>.Part(records: records)
    guard let query, let store else { return part }
    let rows = try store.rows(store.resolved(query, of: table, types), of: table)
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
    _ types: RecordTypes,
    _ store: any RecordReader
  ) throws -> Kept<R> {
    let number = number
    // A revision is valid up to the end of the log.
    let isReached = try revision <= self.revision || revision <= store.end().revision
    guard isReached else { throw RecordError.unseen(number, revision: revision) }
    let history = RecordHistory(store, types)
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

extension EventSender where Self: ~Copyable, Self: ~Escapable {
  fileprivate borrowing func send(_ events: [any Event]) {
    for event in events { send(event, file: #fileID, line: #line) }
  }
}

extension Turn: EventSender {}

extension AsyncTurn: EventSender {
  var time: Instant { envelope.time }
}
