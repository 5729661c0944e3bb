public import EventCommands
public import EventMVVM
import EventPatterns
import JSONText

/// Keeps the records of a domain, and answers what concerns them: reads, writes, the journal, what can be
/// measured (S18, S19).
///
/// It depends on the stream and a store alone (S13), puts a transaction behind each unit (promise 11), and
/// states what has changed, whoever changed it. What it is asked of the journal comes from plugins, and so as
/// view-model events: there is nothing of a domain for another server to add.
public final class RecordServer: Plugin, UnitParticipant {
  /// Its name among the plugins.
  public let name = "records"
  /// What it says that comes from outside of the stream: what other processes store.
  public static let inputs: [any (Event & Decodable).Type] = [
    ResponseForeignChange.self, ResponseDoctor.self, ResponseBackup.self,
  ]

  /// What people should hear of while they are doing something else.
  public static let announcements: [any Announcement.Type] = [
    ResponseChangedRecords.self, ResponseUnreadableRecords.self,
  ]
  /// What programs are told of it.
  public static var wire: Wire {
    var wire = Wire(changes: [ResponseChangedRecords.self])
    wire.notices = [ResponseUnreadableRecords.self]
    return wire
  }

  let storage: any RecordStorage
  let types: RecordTypes
  private let hearsOthers: Bool
  let worksAside: Bool
  private let watch = Locked<(any StoreWatching)?>(nil)
  /// Where that is told, between joining and starting.
  private let joined = Locked<EventStream?>(nil)
  /// Records that were read already, with the texts that they were read from.
  private let known = Locked<[Int: (body: String, value: any Sendable)]>([:])
  /// Of which kinds it was said that some can't be read, behind the latest intent that came upon them.
  private let told = Locked<(root: Root, kinds: Set<String>)?>(nil)

  /// Serves a store.
  ///
  /// - Parameters:
  ///   - storage: The store.
  ///   - types: The types of records that it keeps.
  ///   - hearsOthers: Whether what other processes store is told.
  ///   - worksAside: Whether others could have to wait, so that what takes long runs beside the home thread.
  public init(
    _ storage: any RecordStorage,
    _ types: [any Record.Type],
    hearsOthers: Bool,
    worksAside: Bool = false
  ) {
    self.storage = storage
    self.types = RecordTypes(types)
    self.hearsOthers = hearsOthers
    self.worksAside = worksAside
  }

  /// Subscribes to what it answers.
  public func join(_ stream: EventStream) {
    stream.participate(self)
    for type in types.all { serve(type, stream) }
    joinJournal(stream)
    joinCare(stream)
    stream.answer(RequestSubjectCandidates.self, owner: self) { server, request, turn in
      try server.perform { try server.candidates(request.prefix, in: turn.view) }
    }
    stream.on(ResponseForeignChange.self, owner: self) { server, event, turn in
      guard case .success(let change) = event.result else { return }
      server.state(change.changes, by: change.origin, turn)
    }
    joined.withLock { $0 = stream }
  }

  /// Listens for what other processes store.
  public func start() {
    let stream = joined.withLock { stream in
      defer { stream = nil }
      return stream
    }
    guard hearsOthers, let stream else { return }
    let watching = storage.watch(besides: stream.session) { heard in
      stream.send(ResponseForeignChange(heard.mapError { Failure(records: $0) }))
    }
    watch.withLock { $0 = watching }
  }

  // MARK: Records

  private func serve<R: Record>(_ type: R.Type, _ stream: EventStream) {
    stream.answer(RequestRecords<R>.self, owner: self) { server, request, turn in
      guard let numbers = request.numbers else {
        let (records, trouble) = try server.perform { try server.readable(type, in: turn.view) }
        if let trouble, server.isNew(R.kind, behind: turn.root) { turn.send(trouble) }
        return records
      }
      return try server.perform { try server.read(numbers, in: turn.view) }
    }
    stream.declareAnswerer(of: RequestWriteRecords<R>.self)
    stream.on(RequestWriteRecords<R>.self, owner: self) { server, request, turn in
      do {
        let changes = try server.perform { try server.write(request.writes, Writer(turn)) }
        let transitions = try server.perform { try changes.map(RecordTransition<R>.init) }
        turn.send(ResponseWriteRecords(.success(transitions)))
        server.state(changes, turn)
      } catch {
        turn.send(ResponseWriteRecords<R>(.failure(Failure(error))))
      }
    }
  }

  /// All of a kind that can be read, and what is to be said of the others.
  private func readable<R: Record>(
    _ type: R.Type,
    in view: StorageView
  ) throws -> ([Kept<R>], ResponseUnreadableRecords?) {
    let stored = try storage.records(R.kind, in: view)
    var problems: [(Int, String)] = []
    let records: [Kept<R>] = try stored.compactMap { record in
      do {
        return try kept(record)
      } catch RecordError.damaged(let number, _, let why) {
        problems.append((number, why))
        return nil
      }
    }
    guard !problems.isEmpty else { return (records, nil) }
    return (records, ResponseUnreadableRecords(problems, R.kind, of: stored.count))
  }

  /// Whether it was not said of this kind behind this intent: a command reads its records more than once.
  private func isNew(_ kind: String, behind root: Root) -> Bool {
    told.withLock { told in
      if told?.root != root { told = (root, []) }
      return told?.kinds.insert(kind).inserted ?? true
    }
  }

  private func read<R: Record>(_ numbers: [Int], in view: StorageView) throws -> [Kept<R>] {
    try numbers.map { number in
      guard let record = try storage.record(number, in: view), record.kind == R.kind else {
        throw RecordError.notFound(number, kind: R.kind)
      }
      return try kept(record)
    }
  }

  /// Reads a record, unless its text was read already.
  private func kept<R: Record>(_ record: StoredRecord) throws -> Kept<R> {
    let known = known.withLock { $0[record.number] }
    if let known, known.body.isIdentical(to: record.body), let value = known.value as? R {
      return Kept(record.number, value, revision: record.revision)
    }
    let kept = try Kept<R>(record)
    self.known.withLock { $0[record.number] = (record.body, kept.value) }
    return kept
  }

  private func write<R: Record>(
    _ writes: [RecordWrite<R>],
    _ writer: Writer
  ) throws -> [StoredChange] {
    let stored = try writes.map { write in
      switch write {
      case .add(let value): StoredWrite.add(kind: R.kind, try value.readableBody)
      case .addOnce(let value, let field):
        StoredWrite.addOnce(kind: R.kind, try value.readableBody, by: field)
      case .put(let number, let value, let seen):
        StoredWrite.put(number, kind: R.kind, try value.readableBody, seen: seen)
      case .remove(let number): StoredWrite.remove(number, kind: R.kind)
      }
    }
    return try storage.write(stored, by: writer, undoing: nil)
  }

  /// The numbers that begin so, with what they stand for.
  private func candidates(_ prefix: String, in view: StorageView) throws -> [Candidate] {
    let digits = prefix.drop { $0 == "#" }
    return try types.all.flatMap { try storage.records($0.kind, in: view) }
      .filter { "\($0.number)".hasPrefix(digits) }.prefix(1000)
      .map { Candidate("\($0.number)", types.title($0.kind, $0.body)) }
  }

  // MARK: What has changed

  /// States what has changed: to the domain kind by kind, and to views in one.
  ///
  /// - Parameters:
  ///   - changes: What became of which record.
  ///   - stranger: Whose change it was, if it was another process's.
  ///   - turn: The turn.
  func state(_ changes: [StoredChange], by stranger: String? = nil, _ turn: borrowing Turn) {
    let news = changes.filter { !$0.before.isIdentical(to: $0.after) }
    guard let revision = news.map(\.revision).max() else { return }
    for type in types.all { state(news, of: type, stranger != nil, turn) }
    turn.send(
      ResponseChangedRecords(
        items: news.map { change in
          ResponseChangedRecords.Item(
            number: change.number,
            title: types.title(change.kind, change.after ?? change.before),
            wasThere: change.before != nil,
            isThere: change.after != nil
          )
        },
        revision: revision,
        stranger: stranger
      )
    )
  }

  private func state<R: Record>(
    _ changes: [StoredChange],
    of type: R.Type,
    _ isForeign: Bool,
    _ turn: borrowing Turn
  ) {
    // What can't be read is a failure where it is read.
    let news = changes.filter { $0.kind == R.kind }.compactMap { try? RecordTransition<R>($0) }
    if !news.isEmpty { turn.send(ResponseRecordChanges(news, isForeign: isForeign)) }
  }

  // MARK: Units

  /// Opens the transaction of a unit.
  public func begin(_ unit: Root) throws { try perform { try storage.beginUnit() } }
  /// Commits it.
  public func keep(_ unit: Root) throws { try perform { try storage.keepUnit() } }
  /// Rolls it back.
  public func takeBack(_ unit: Root) { storage.takeBackUnit() }

  /// Puts what goes wrong in words for a person.
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

extension Turn {
  /// What a read in this turn sees.
  var view: StorageView { isInUnit ? .insideUnit : .committed }
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
    case .conflict(let number, let kind, let field, let expected, let actual):
      self.init(
        .conflict,
        "The \(kind) #\(number) was changed since you saw it: its \(field) was \(expected), "
          + "and is \(actual) now.",
        field: field,
        id: number,
        expected: .json(expected),
        actual: .json(actual)
      )
    case .unseen(let number, let kind, let revision):
      self.init(
        .conflict,
        "Nobody can have seen the \(kind) #\(number) at revision \(revision) of this store; read it again.",
        field: "expectedRevision",
        id: number
      )
    case .isThere(let number, let kind):
      self.init(.conflict, "There is a \(kind) #\(number) already.", id: number)
    case .noSuchPlace: self.init(.notFound, "The store has no such change.")
    case .damaged(let number, let kind, let problem):
      self.init(
        .store,
        "The \(kind) #\(number) can't be read: \(problem). \(ResponseUnreadableRecords.advice)",
        id: number
      )
    }
  }
}
