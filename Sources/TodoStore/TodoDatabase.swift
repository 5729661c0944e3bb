package import Foundation
import EventMVVM
import GRDB
package import TodoModels

/// Todos in one SQLite file, private to its user and shared by any number of processes.
///
/// The file is opened at the first use, and an opening that failed is tried again at the next. Every
/// write is one IMMEDIATE transaction, synchronised in full, that also appends to the change log.
/// Used by one thread, but for what `TodoStorage` says otherwise.
package final class TodoDatabase: TodoStorage, @unchecked Sendable {
  // Unchecked: the variables belong to the stream's home thread, as `TodoStorage` demands; what any
  // thread may call touches the opener and what is behind the lock alone.
  /// The file.
  package let path: String
  private let opener: StoreOpener
  private(set) var writer: StoreConnection?
  /// Whether the process lives long, and reads often before it writes, if it ever does.
  private let isLasting: Bool
  /// What such a process reads by, on the home thread, until it writes.
  private var reader: StoreConnection?
  /// A connection that only sees what is committed.
  private let aside = Locked<StoreConnection?>(nil)
  /// The connection that the unit's transaction is open on.
  private var unit: StoreConnection?

  /// Names a file; nothing is opened or created yet.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - makesFolders: Whether missing folders are made, too.
  ///   - patience: How long a write waits for another process's.
  ///   - isLasting: Whether to keep what is opened to read; else a read leaves no trace.
  package convenience init(
    path: String,
    makesFolders: Bool = false,
    patience: TimeInterval = 5,
    isLasting: Bool = false
  ) {
    let file = StoreFile(path: path, makesFolders: makesFolders)
    self.init(StoreOpener(file: file, patience: patience), isLasting: isLasting)
  }

  init(_ opener: StoreOpener, isLasting: Bool = false) {
    self.opener = opener
    self.isLasting = isLasting
    path = opener.file.path
  }

  // MARK: Reading

  /// A process that has not written yet reads without a connection that would leave traces.
  package func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    guard unit == nil || view == .insideUnit else { return try readAside(query) }
    return try perform {
      guard writer != nil else {
        return try readOften { try TodoReader($0).read(query) } ?? TodoReader.readNothing(query)
      }
      return try openWriter().queue.inDatabase { try TodoReader($0).read(query) }
    }
  }

  /// Reads before anything was written: on a connection that is kept, or on one that leaves no trace.
  private func readOften<T>(_ body: (Database) throws -> T) throws -> T? {
    guard isLasting else { return try opener.readOnce(body) }
    if try Self.kept(&reader) == nil { reader = try opener.openToRead() }
    return try reader?.queue.inDatabase(body)
  }

  package func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    try perform {
      guard writer != nil, unit == nil || view == .insideUnit else {
        return try opener.readOnce { try TodoReader($0).labels(kind, prefix: prefix) } ?? []
      }
      return try openWriter().queue.inDatabase { try TodoReader($0).labels(kind, prefix: prefix) }
    }
  }

  package func readAside(_ query: TodoQuery) throws -> [Todo] {
    try perform {
      guard let connection = try openAside() else { return try TodoReader.readNothing(query) }
      return try connection.queue.inDatabase { try TodoReader($0).read(query) }
    }
  }

  package func count(_ predicates: [TodoQuery.Predicate]) throws -> [Int] {
    try perform {
      guard let connection = try openAside() else { return predicates.map { _ in 0 } }
      return try connection.queue
        .inDatabase { database in
          try database.inSnapshot { try predicates.map(TodoReader(database).count) }
        }
    }
  }

  /// What is no longer than a part is read without a trace.
  package func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart {
    try perform {
      var beginning = query
      beginning.limit = min(query.limit ?? .max, count + 1)
      let todos = try opener.readOnce { try TodoReader($0).read(beginning) } ?? []
      guard todos.count > count, let connection = try opener.openToRead() else {
        return TodoPart(todos, rest: nil)
      }
      let rows = try TodoRows(connection, query, inPartsOf: count)
      return try rows.next()
    }
  }

  // MARK: Writing

  package func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    // A single write needs no savepoint: it fails before it changes anything, or the store does.
    try inTransaction(savepoint: writes.count > 1) { try TodoWriter($0, writer).write(writes) }
  }

  /// Writes in the unit's transaction, of which this is a part that can fail by itself; else in one of
  /// its own.
  private func inTransaction<T>(
    savepoint: Bool = true,
    _ body: (Database) throws -> T
  ) throws -> T {
    try perform {
      guard unit != nil else { return try openWriter().transaction(body) }
      return try openWriter().queue
        .inDatabase { database in
          try database.checkIsInsideTransaction(path)
          return try savepoint ? inSavepoint(database) { try body(database) } : body(database)
        }
    }
  }

  private func inSavepoint<T>(_ database: Database, _ body: () throws -> T) throws -> T {
    var result: T?
    try database.inSavepoint {
      result = try body()
      return .commit
    }
    return try result.orFail()
  }

  // MARK: Steps

  package func steps(
    _ query: RequestReadSteps.Query,
    in view: StorageView
  ) throws -> [TodoStep] {
    try perform {
      guard writer != nil, unit == nil || view == .insideUnit else {
        guard let steps = try opener.readOnce({ try StepLog($0).steps(query) }) else {
          if case .todo(let reference, _) = query { throw ModelError.notFound(reference) }
          return []
        }
        return steps
      }
      return try openWriter().queue
        .inDatabase { database in try database.inSnapshot { try StepLog(database).steps(query) } }
    }
  }

  package func transitions(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    try perform {
      guard let connection = try openAside() else {
        guard place == nil else { throw ModelError.noSuchPlace }
        return TodoTransitions([], upTo: nil, isLast: true)
      }
      return try connection.queue.inDatabase { database in
        try database.inSnapshot {
          var log = TransitionLog(database)
          return try log.part(after: place, limit: limit)
        }
      }
    }
  }

  package func revert(_ part: RequestRevertStep, by writer: Writer) throws -> RevertedTodos {
    try inTransaction { try StepReverter($0, writer).revert(part) }
  }

  // MARK: Units

  package func beginUnit() throws {
    try perform {
      let connection = try openWriter()
      try connection.begin()
      unit = connection
    }
  }

  package func keepUnit() throws {
    try perform {
      defer { unit = nil }
      try unit?.keep()
    }
  }

  package func takeBackUnit() {
    unit?.takeBack()
    unit = nil
  }

  // MARK: Care

  package func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<StoreChange, StoreError>) -> Void
  ) -> any StoreWatching {
    StoreWatch(opener, besides: session, heard)
  }

  package func examine() throws -> StoreReport {
    try perform { try StoreExamination(opener).report() }
  }

  package func backUp(to path: String) throws -> StoreCopy {
    try perform {
      guard let connection = try opener.openToRead() else {
        throw StoreError(path: self.path, "is not there yet, so there is nothing to copy")
      }
      return try connection.queue.inDatabase { try Backup.copy($0, to: path) }
    }
  }

  /// The last revision there is; 0 before anything was written.
  func newestRevision() throws -> Int {
    try perform { try openWriter().queue.inDatabase(ChangeLog.newestRevision) }
  }

  /// The last revision there is, read without a trace.
  func newestRevisionRead() throws -> Int {
    try perform { try opener.readOnce(ChangeLog.newestRevision) ?? 0 }
  }

  /// What other sessions have committed behind a revision, and the last revision that is known now.
  func changes(
    after revision: Int,
    besides session: UInt64
  ) throws -> (changes: [StoreChange], last: Int) {
    func read(_ database: Database) throws -> (changes: [StoreChange], last: Int) {
      var changes: [StoreChange] = []
      var last = revision
      while true {
        let part = try ChangeLog(database).changes(after: last, besides: session, limit: 500)
        changes += part.changes
        last = part.last
        if part.isEnd { return (changes, last) }
      }
    }
    return try perform {
      guard let connection = unit ?? writer else {
        return try opener.readOnce(read) ?? ([], revision)
      }
      return try connection.queue.inDatabase(read)
    }
  }

  /// Writes what another process has changed, under the revisions and in the name that it had there.
  ///
  /// Inside of a unit it becomes a part of that, which nobody can tell in a store that nobody else uses.
  func adopt(_ change: StoreChange) throws {
    try inTransaction { database in
      let writer = Writer(root: change.root, origin: change.origin, time: change.time)
      for written in change.todos where written.todo.revision > 0 {
        try TodoWriter(database, writer).adopt(written.todo)
      }
    }
  }

  /// The store as one file, as it is committed; nil if it is not there yet or nothing was ever in it.
  package func image() throws -> [UInt8]? {
    try perform {
      guard let connection = try opener.openToRead() else { return nil }
      return try connection.queue.inDatabase { database in
        guard try ChangeLog.newestRevision(database) > 0 else { return nil }
        return try Backup.image(of: database)
      }
    }
  }

  // MARK: Opening

  /// Inside a unit always its connection, even if the files are gone: only it can be taken back.
  private func openWriter() throws -> StoreConnection {
    if let unit {
      try unit.files.check()
      return unit
    }
    if let kept = try Self.kept(&writer) { return kept }
    let opened = try opener.openToWrite()
    writer = opened
    reader = nil
    return opened
  }

  private func openAside() throws -> StoreConnection? {
    try aside.withLock { open in
      if let kept = try Self.kept(&open) { return kept }
      open = try opener.openToRead()
      return open
    }
  }

  /// A connection whose files are still there; else it is given up, and the next one is opened anew.
  private static func kept(_ connection: inout StoreConnection?) throws -> StoreConnection? {
    do {
      try connection?.files.check()
      return connection
    } catch {
      connection?.abandon()
      connection = nil
      throw error
    }
  }

  /// Puts SQLite's errors in words, with the path and what to do.
  private func perform<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
  }
}

extension Optional {
  fileprivate func orFail() throws -> Wrapped {
    guard let self else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
    return self
  }
}
