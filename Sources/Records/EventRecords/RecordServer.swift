public import EventMVVM
package import EventValues
import JSONText

/// Stores the records of a domain, and answers the requests about them: reads, writes, the journal,
/// and measures (S18, S19).
///
/// It depends on the stream and a store alone (S13), backs each unit by a transaction (promise 11),
/// and sends the changes of all processes. Requests about the journal come from plugins, and so
/// are view-model events: they need no other server of the domain.
public final class RecordServer: Plugin, UnitParticipant {
  /// Its name among the plugins.
  public let name = "records"
  /// The inputs that it sends without being asked.
  package var inputs: [any (Event & Decodable).Type] {
    [
      ResponseExternalChange.self, ResponseUnreadableRecords.self, ResponseChangedRecords.self,
      ResponseStoreRecovery.self,
    ] + types.all.map { $0._changes }
  }

  /// The origin of external changes, when the other process's own origin is unknown.
  static let externalOrigin = "elsewhere"

  let engine: any RecordEngine
  let types: RecordTypes
  private let watchesExternalChanges: Bool
  let readsInBackground: Bool
  private let tellsViews: Bool
  private let reading: SharedReading
  /// The thread that uses a distant store; nil where the home thread uses it.
  let thread: StoreThread?
  /// Admits the reads that run in the background; nil where none does, as its types would cost a
  /// process some 400 000 instructions.
  let longReads: ReadAdmission?
  private let watch = Locked<(any StoreWatching)?>(nil)
  /// Whether the store is unreadable at the moment, in a session that lasts.
  private let isReconnecting = Locked<State<Bool>?>(nil)
  /// The stream for external changes, between joining and starting.
  private let joined = Locked<EventStream?>(nil)
  /// The number of transactions, and the end of the log if a unit is open; while a distant store is
  /// used, also why its unit could not begin.
  private let writing = Locked(Writing())
  /// The kinds whose unreadable records were reported, for the latest root.
  private let told = Locked<(root: Root, kinds: Set<String>)?>(nil)

  /// Creates the server of a store.
  ///
  /// - Parameters:
  ///   - engine: The store.
  ///   - types: The types of its records.
  ///   - watchesExternalChanges: Whether to watch for external changes.
  ///   - readsInBackground: Whether other sessions could have to wait, so that long work runs
  ///     in the background.
  ///   - tellsViews: Whether views are notified of changes by ``ResponseChangedRecords``; else the
  ///     domain notifies them.
  public init(
    _ engine: any RecordEngine,
    _ types: [any Record.Type],
    watchesExternalChanges: Bool,
    readsInBackground: Bool = false,
    tellsViews: Bool = true
  ) {
    self.tellsViews = tellsViews
    self.engine = engine
    self.types = RecordTypes(types)
    reading = SharedReading { engine.endSharing() }
    thread = engine.isDistant && readsInBackground ? StoreThread() : nil
    longReads = readsInBackground ? ReadAdmission() : nil
    engine.open(self.types.tables)
    self.watchesExternalChanges = watchesExternalChanges
    self.readsInBackground = readsInBackground
  }

  /// Subscribes to the requests that it answers.
  public func join(_ stream: EventStream) {
    stream.participate(self)
    RecordServing.of(stream).begin(self)
    for type in types.all { serve(type, stream) }
    joinJournal(stream)
    joinMaintenance(stream)
    joinGauges(stream)
    serve(RequestSubjectCandidates.self, stream) { server, request, view in
      try server.candidates(request.prefix, of: server.types.tables, in: view)
    }
    serve(RequestOfferedRecords.self, stream) { server, request, view in
      try server.candidates(request, in: view)
    }
    serve(RequestFieldCandidates.self, stream) { server, request, view in
      try server.candidates(request, in: view)
    }
    stream.on(ResponseExternalChange.self, owner: self) { server, event, turn in
      switch event.result {
      case .success(let change):
        let updates = change.changes.map { AnyRecordTransition($0, server.types) }
        server.sendChanges(updates, by: change.origin, turn)
      case .failure(let failure):
        turn.send(ResponseStoreTrouble(failure))
        server.setReconnecting(true, turn)
      }
    }
    if readsInBackground { joinWatching(stream) }
    // Also registered where nothing is watched: a replay has the same names under the same numbers.
    let external = stream.joined(as: Self.externalOrigin)
    joined.withLock { $0 = external }
  }

  /// Publishes whether the store can be read.
  private func joinWatching(_ stream: EventStream) {
    let state = State(false, name: "store/reconnecting", on: stream)
    isReconnecting.withLock { $0 = state }
    stream.show(
      NamedState(.reconnecting) { [weak state] take in
        state?.watch { take(Array(($0 ? "true" : "false").utf8)) }
      }
    )
    stream.on(ResponseStoreRecovery.self, owner: self) { server, _, turn in
      server.setReconnecting(false, turn)
    }
  }

  private func setReconnecting(_ value: Bool, _ turn: borrowing Turn) {
    guard let state = isReconnecting.withLock({ $0 }), state.value != value else { return }
    turn.set(state, to: value)
  }

  /// Begins to watch for external changes.
  public func start() {
    let stream = joined.withLock { stream in
      defer { stream = nil }
      return stream
    }
    guard watchesExternalChanges, let stream else { return }
    guard let thread else { return watchChanges(stream) }
    thread.run { [weak self] in self?.watchChanges(stream) }
  }

  private func watchChanges(_ stream: EventStream) {
    let watching = engine.watch { [types] store, revision in
      // Few at once: what was read before a distant store is lost again has been reported.
      let updates = try RecordHistory(store, types)
        .external(after: revision, excluding: stream.session, limit: 50)
      for change in updates.changes {
        let change = try change.filled(types, store)
        stream.send(ResponseExternalChange(.success(change)))
      }
      return (updates.last, updates.isEnd)
    } report: { error in
      guard let error else { return stream.send(ResponseStoreRecovery()) }
      stream.send(ResponseExternalChange(.failure(Failure(records: error))))
    }
    watch.withLock { $0 = watching }
  }

  /// Closes the store, even while the stream is still retained.
  public func leave() {
    // Released out of the lock: it waits for its thread, and ends before the store is closed.
    let close = { @Sendable [watch, engine] in
      _ = watch.withLock { $0.take() }
      engine.close()
    }
    if let thread { thread.runAndWait(close) } else { close() }
  }

  // MARK: Records

  private func serve<R: Record>(_ type: R.Type, _ stream: EventStream) {
    let table = RecordTable(type)
    serveReading(type, table, stream)
    stream.declareAnswerer(of: RequestWriteRecords<R>.self)
    stream.on(RequestWriteRecords<R>.self, owner: self) { server, request, turn in
      do throws(Failure) {
        let writes = try request.resolved(turn).identified { turn.makeID() }
        let isSingle = request.isSingle
        if request.isMove { SessionNames.of(turn.stream).noteMove(turn.sequence) }
        let context = WriteContext(turn)
        server.answerWrite(request, turn) { server, author in
          // What belongs to a write, or refers to what it removes, can fail after it.
          let isSingle =
            isSingle && server.types.incoming.isEmpty && !context.rules.concern(writes)
          return try server.write(author, in: context, savepoint: !isSingle) {
            try $0.write(writes)
          }
        }
      } catch {
        turn.send(ResponseWriteRecords<R>(.failure(error)))
      }
    }
    SessionNames.of(stream).observe(type, on: stream)
  }

  /// Whether this kind was not yet reported for this root: a command reads its records more
  /// than once.
  func isNew(_ kind: String, after root: Root) -> Bool {
    told.withLock { told in
      if told?.root != root { told = (root, []) }
      return told?.kinds.insert(kind).inserted ?? true
    }
  }

  /// Returns the view of a read in this turn; reads that are queued together share a snapshot.
  func view(_ turn: borrowing Turn) -> StorageView { reading.view(turn) }

  /// Reads in one snapshot; the body gets nil where there is no store yet.
  func read<T>(in view: StorageView, _ body: ((any RecordReader)?) throws -> T) throws -> T {
    try perform { try engine.read(in: view, body) ?? body(nil) }
  }

  /// Writes in one transaction, or in that of the unit.
  ///
  /// - Returns: The value of the body, and the changes that it made.
  /// - Throws: A failure for a person; then nothing is written.
  func write<T>(
    _ author: Author,
    in context: WriteContext? = nil,
    savepoint: Bool = true,
    _ body: (inout RecordTransaction) throws -> T
  ) throws -> Written<T> {
    let (ordinal, end) = try writing.withLock { try $0.next() }
    let (result, updates, note, reached) = try perform {
      try engine.write(savepoint: savepoint) { store in
        var transaction = try RecordTransaction(
          store,
          types,
          end: end,
          by: author,
          ordinal: ordinal,
          in: context
        )
        let result = try body(&transaction)
        try transaction.finish()
        return (result, transaction.updates, transaction.note, transaction.end)
      }
    }
    writing.withLock { $0.end = $0.isInUnit ? reached : nil }
    return Written(value: result, updates: updates, note: note)
  }

  /// State between one write and the next.
  private struct Writing {
    /// The number of transactions so far.
    private var count = 0
    /// The end of the log; known while a unit prevents other writes.
    var end: LogEnd?
    private(set) var isInUnit = false

    /// Why the unit could not begin.
    var failure: Failure?

    /// Returns the ordinal of a write's transaction; a unit is one transaction.
    ///
    /// - Throws: Why the unit could not begin.
    mutating func next() throws -> (ordinal: Int, LogEnd?) {
      if let failure { throw failure }
      if !isInUnit { count += 1 }
      return (count, end)
    }

    mutating func begin() {
      count += 1
      (end, isInUnit) = (nil, true)
    }

    mutating func finish() { (end, isInUnit, failure) = (nil, false, nil) }
  }

  /// Returns the names in a set of a kind, or the texts in a field, with a prefix.
  private func candidates(
    _ request: RequestFieldCandidates,
    in view: StorageView
  ) throws -> [Candidate] {
    guard let table = types.table(of: request.kind), let column = table.index(of: request.field)
    else { return [] }
    return try read(in: view) { store in
      try store?.labels(column, prefix: request.prefix, limit: 100, counted: false, of: table)
        .map { Candidate($0.text) } ?? []
    }
  }

  /// Returns the ranges of numbers that begin with these digits; nil if none does.
  static func ranges(of digits: Substring) -> [ClosedRange<Int>]? {
    if digits.isEmpty { return [1...Int.max] }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let first = Int(digits),
      first > 0,
      !digits.hasPrefix("0")
    else { return nil }
    var ranges = [first...first]
    var width = 1
    while true {
      let (wider, isTooWide) = width.multipliedReportingOverflow(by: 10)
      let (low, isTooHigh) = first.multipliedReportingOverflow(by: wider)
      guard !isTooWide, !isTooHigh, low <= Int.max - wider else { return ranges }
      ranges.append(low...(low + wider - 1))
      width = wider
    }
  }

  // MARK: Changes

  /// Sends the changes: to the domain kind by kind, and to views in one event.
  ///
  /// - Parameters:
  ///   - updates: The changes of records.
  ///   - origin: The origin of an external change; nil for a change of this process.
  ///   - turn: The turn, or the held delivery.
  func sendChanges<Sender: EventSender & ~Copyable & ~Escapable>(
    _ updates: [AnyRecordTransition],
    by origin: String? = nil,
    _ turn: borrowing Sender
  ) {
    guard let revision = updates.map(\.revision).max() else { return }
    func send<R: Record>(_ type: R.Type, _ turn: borrowing Sender) {
      // Not `compactMap`: a process would search its conformances for it, as for
      // `joined(separator:)`.
      var changes: [RecordTransition<R>] = []
      for update in updates {
        // What can't be read is a failure where it is read.
        if let change = update.transition(of: type) { changes.append(change) }
      }
      guard !changes.isEmpty else { return }
      let response = ResponseRecordChanges(changes, externalOrigin: origin)
      turn.send(response, file: #fileID, line: #line)
    }
    for type in types.all { send(type, turn) }
    guard tellsViews else { return }
    turn.send(
      ResponseChangedRecords(
        items: updates.map { update in
          ResponseChangedRecords.Item(
            number: update.number,
            title: update.title,
            wasThere: update.wasThere,
            isThere: update.isThere
          )
        },
        revision: revision,
        externalOrigin: origin,
        shown: ShownChanges(updates, at: turn.zone.civil(at: turn.time))
      ),
      file: #fileID,
      line: #line
    )
  }

  // MARK: Units

  /// Opens the transaction of a unit: of a distant store behind all earlier uses, and a failure is
  /// that of the unit's requests.
  public func begin(_ unit: Root) throws {
    guard let thread else { return try beginUnit() }
    thread.run { [self] in
      do {
        try beginUnit()
      } catch {
        writing.withLock { writing in
          writing.begin()
          writing.failure = Failure(error)
        }
      }
    }
  }

  private func beginUnit() throws {
    try perform { try engine.beginUnit() }
    writing.withLock { $0.begin() }
  }

  /// Commits it: of a distant store on its thread.
  public func commit(
    _ unit: Root,
    then: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) {
    guard let thread else { return then(commitUnit()) }
    thread.run { [self] in then(commitUnit()) }
  }

  private func commitUnit() -> Result<Void, Failure> {
    let failure = writing.withLock { writing in
      defer { writing.finish() }
      return writing.failure
    }
    if let failure { return .failure(failure) }
    return Result { try perform { try engine.commitUnit() } }.mapError { Failure($0) }
  }

  /// Rolls it back: of a distant store behind all earlier uses.
  public func rollBack(_ unit: Root) {
    let rollBack = { @Sendable [self] in
      writing.withLock { $0.finish() }
      engine.rollBackUnit()
    }
    if let thread { thread.run(rollBack) } else { rollBack() }
  }

  /// Runs a body, and converts its errors to failures for a person.
  func perform<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as RecordError {
      throw Failure(error)
    } catch let error as StoreError {
      throw Failure(records: error)
    }
  }
}

extension RequestWriteRecords {
  /// Whether it is one write of one record, which fails before it changes anything, or because the
  /// store fails.
  fileprivate var isSingle: Bool {
    guard writes.count == 1 else { return false }
    return switch writes[0] {
    case .move, .remove(.numbers): false
    default: true
    }
  }

  /// Whether it is the move of one record, which may move others to make room for it.
  package var isMove: Bool {
    if writes.count == 1, case .move = writes[0] { true } else { false }
  }
}

extension StateName {
  /// Whether the store can't be read at the moment.
  package static let reconnecting = StateName(
    "store/reconnecting",
    "Whether the store can't be read at the moment, and is tried again and again.",
    progress: "no connection to the store"
  )
}

extension Failure {
  init(records error: StoreError) {
    self.init(error.kind, error.message)
    isRetryable = error.isRetryable
  }

  init(_ error: RecordError) {
    switch error {
    case .notFound(let number, let kind):
      self.init(.notFound, "There is no \(kind) #\(number).", field: "id", id: number)
    case .otherKind(let number, let kind, let actual):
      let message = "#\(number) is a \(actual), not a \(kind)."
      self.init(.notFound, message, field: "id", id: number)
    case .referred(let number, let kind, let other, let otherKind):
      let message =
        "The \(kind) #\(number) can't be removed: the \(otherKind) #\(other) refers to it."
      self.init(.conflict, message, field: "id", id: number)
    case .dangling(let number, let kind, let field):
      let message =
        "The \(kind) #\(number) would refer in '\(field)' to what is no longer there."
      self.init(.conflict, message, field: field, id: number)
    case .unknown(let reference, let kind):
      self.init(.notFound, "There is no \(kind) \(reference.text).", field: "id")
    case .unfit(let reference, let kind):
      let message =
        "There is nothing to change in \(reference.text): no \(kind) there is one for this command."
      self.init(.notFound, message, field: "id")
    case .ambiguous(let reference, _, let numbers):
      let some = numbers.prefix(5).map { "#\($0)" }.joined(separator: ", ")
      self.init(
        .ambiguous,
        "\(reference.text) could be \(some)\(numbers.count > 5 ? " or more" : ""); "
          + "give more of the UUID, or the number.",
        field: "id"
      )
    case .taken(let number, let kind, let field, let value, let sentence):
      self.init(
        .conflict,
        sentence ?? "The \(kind) #\(number) has the \(field) \(value) already.",
        field: field,
        id: number,
        actual: .json(value)
      )
    case .conflict(let number, let field, let expected, let actual, let isPlace):
      self.init(
        .conflict,
        isPlace
          ? "Somebody moved #\(number) meanwhile: you saw it \(expected.place), now it is \(actual.place)."
          : "Somebody changed the \(field) of #\(number) meanwhile: you saw \(expected.inWords), "
            + "now it is \(actual.inWords).",
        field: field,
        id: number,
        expected: expected.value,
        actual: actual.value
      )
    case .unseen(let number, let revision):
      self.init(
        .conflict,
        "Nobody can have seen #\(number) at revision \(revision) of this store; read it again.",
        field: "expectedRevision",
        id: number
      )
    case .unread(let number, let kind, let field):
      self.init(
        .conflict,
        "The \(kind) #\(number) was changed in '\(field)', which this version of the program does not read; "
          + "undo it with the version that does.",
        field: field,
        id: number
      )
    case .isThere(let number, let kind):
      self.init(.conflict, "There is a \(kind) #\(number) already.", id: number)
    case .besideItself(let number):
      self.init(.validation, "#\(number) can't stand beside itself.", field: "other", id: number)
    case .noRoom(let number):
      self.init(
        .validation,
        "Too much was moved there: #\(number) has no room beside it. Move what stands there elsewhere first.",
        field: "other",
        id: number
      )
    case .beside(let error):
      self.init(error)
      field = "other"
    case .noSuchChange: self.init(.notFound, "The store has no such change.")
    case .damaged(let number, let kind, let problem):
      self.init(
        .store,
        "The \(kind) #\(number) can't be read: \(problem). \(ResponseUnreadableRecords.advice)",
        id: number
      )
    }
  }
}

extension JSON {
  /// The value of a field, for a failure.
  fileprivate var value: Failure.Value {
    if case .string(let text) = self { .text(text) } else { .json(description) }
  }

  /// The value of a field, in the form of the history.
  fileprivate var inWords: String {
    switch self {
    case .null, .string(""): "none"
    case .string(let text): "'\(text.quotable)'"
    default: referredText ?? "'\(description)'"
    }
  }

  /// The text of a place in a manual order.
  fileprivate var place: String {
    if case .string(let text) = self { "at \(text)" } else { "where its number puts it" }
  }
}
