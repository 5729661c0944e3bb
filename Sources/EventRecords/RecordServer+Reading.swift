public import EventMVVM

// Reading. In a lasting session, reads that may take more than some milliseconds run
// in the background; their replies are inputs then, as are failures of the store.

extension RecordServer {
  /// Answers the reads of a kind.
  func serveReading<R: Record>(_ type: R.Type, _ table: RecordTable, _ stream: EventStream) {
    stream.declareAnswerer(of: RequestRecords<R>.self)
    stream.on(RequestRecords<R>.self, owner: self) { server, request, turn in
      server.answer(request, table, turn)
    }
    serveLong(RequestRecordCounts<R>.self, stream) { request, store in
      try request.conditions.map { try store?.count($0, of: table) ?? 0 }
    }
    serve(RequestRecordLabels<R>.self, stream) { server, request, turn in
      guard let column = table.index(of: request.field) else {
        throw Failure(.usage, "A \(R.kind) has no field '\(request.field)'.", field: "field")
      }
      return try server.read(in: server.view(turn)) {
        try $0?.labels(column, prefix: request.prefix, limit: request.limit, of: table) ?? []
      }
    }
    serve(RequestRecordPlan<R>.self, stream) { server, request, turn in
      try server.read(in: server.view(turn)) {
        try $0?.plan(request.query.stored, of: table) ?? ""
      }
    }
  }

  /// Answers at once; a failure of the store is an input.
  func serve<R: Request>(
    _ type: R.Type,
    _ stream: EventStream,
    _ body: @escaping (RecordServer, R, borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    stream.declareAnswerer(of: type)
    stream.on(type, owner: self) { server, request, turn in
      turn.answerAsInput(request) { request, turn in
        try body(server, request, turn)
      }
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
      guard server.readsInBackground, !turn.isInUnit else {
        return turn.answerAsInput(request) { request, turn in
          try server.read(in: server.view(turn)) { try body(request, $0) }
        }
      }
      turn.perform { held in
        held.send(
          R.Reply(
            Result { try server.readCommitted { try body(request, $0) } }.mapError { Failure($0) }
          )
        )
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
      let view = request.isToWrite && !turn.isInUnit ? .toWrite : view(turn)
      return turn.reply(
        from: { turn in
          let found = Result { try self.found(request, table, in: view) }
          if let trouble = try? found.get().trouble, isNew(R.kind, after: root) {
            turn.send(trouble)
          }
          return ResponseRecords(found)
        },
        where: { $0.result.isFailureOfStore }
      )
    }
    turn.perform { [self] held in
      let found = Result { try foundAside(request, table) }
      if let trouble = try? found.get().trouble, isNew(R.kind, after: root) { held.send(trouble) }
      held.send(ResponseRecords(found))
    }
  }

  /// Reads the requested records on the home thread.
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
  /// The types of its answers from the background, or because of a failed store.
  static var _inputs: [any (Event & Decodable).Type] {
    [
      ResponseRecords<Self>.self, ResponseRecordCounts<Self>.self, ResponseRecordLabels<Self>.self,
      ResponseRecordPlan<Self>.self, ResponseWriteRecords<Self>.self,
    ]
  }
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
  fileprivate init(_ found: Result<RecordRest<R>.Part, any Error>) {
    let found = found.mapError { Failure($0) }
    self.init(found.map { $0.records }, rest: try? found.get().rest)
  }
}

extension RequestRecords {
  /// Whether it may take more than some milliseconds.
  fileprivate var mayBeLong: Bool {
    guard !isToWrite, isInOrder == nil else { return false }
    return extent != nil || query.map { $0.limit.map { $0 > 100 } ?? true } ?? false
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
      let number = try store.number(reference, of: table)
      guard let row = try store.row(number, of: table) else {
        throw RecordError.notFound(number, kind: R.kind)
      }
      // A single record needs no check for duplicates: creating a set would make the process search
      // its conformances.
      if query == nil && references.count == 1 || known.insert(number).inserted {
        records.append(try revision.map { try row.kept(at: $0, table, store) } ?? Kept(row))
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
