package import EventPatterns
package import Foundation
import EventMVVM
import GRDB
import SQLiteStore
package import TodoModels

/// Todos in one SQLite file, private to its user and shared by any number of processes.
///
/// Each write also appends to the change log, in the same transaction. Used by one thread, but for what
/// `TodoStorage` says otherwise.
package final class TodoDatabase: TodoStorage {
  let store: SharedStore
  /// The file.
  package var path: String { store.path }

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
    let opener = StoreOpener(file: file, patience: patience, migrations: .todos)
    self.init(opener, isLasting: isLasting)
  }

  init(_ opener: StoreOpener, isLasting: Bool = false) {
    store = SharedStore(opener, isLasting: isLasting)
  }

  // MARK: Reading

  package func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    try store.read(in: view) { try TodoReader($0).read(query) } ?? TodoReader.readNothing(query)
  }

  package func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    try store.read(in: view) { try TodoReader($0).labels(kind, prefix: prefix) } ?? []
  }

  package func readAside(_ query: TodoQuery) throws -> [Todo] {
    try store.readAside { try TodoReader($0).read(query) } ?? TodoReader.readNothing(query)
  }

  package func count(_ predicates: [TodoQuery.Predicate]) throws -> [Int] {
    try store.readAside { database in
      try database.inSnapshot { try predicates.map(TodoReader(database).count) }
    } ?? predicates.map { _ in 0 }
  }

  /// What is no longer than a part is read without a trace.
  package func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart {
    try store.perform {
      var beginning = query
      beginning.limit = min(query.limit ?? .max, count + 1)
      let todos = try store.opener.readOnce { try TodoReader($0).read(beginning) } ?? []
      guard todos.count > count, let connection = try store.opener.openToRead() else {
        return TodoPart(todos, rest: nil)
      }
      let rows = try TodoRows(connection, query, inPartsOf: count)
      return try rows.next()
    }
  }

  // MARK: Writing

  package func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    // A single write needs no savepoint: it fails before it changes anything, or the store does.
    try store.write(savepoint: writes.count > 1) { try TodoWriter($0, writer).write(writes) }
  }

  // MARK: Steps

  package func steps(
    _ query: RequestReadSteps.Query,
    in view: StorageView
  ) throws -> [TodoStep] {
    let steps = try store.read(in: view) { database in
      try database.inSnapshot { try StepLog(database).steps(query) }
    }
    if let steps { return steps }
    if case .todo(let reference, _) = query { throw ModelError.notFound(reference) }
    return []
  }

  package func transitions(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    let part = try store.readAside { database in
      try database.inSnapshot {
        var log = TransitionLog(database)
        return try log.part(after: place, limit: limit)
      }
    }
    if let part { return part }
    guard place == nil else { throw ModelError.noSuchPlace }
    return TodoTransitions([], upTo: nil, isLast: true)
  }

  package func revert(_ part: RequestRevertStep, by writer: Writer) throws -> RevertedTodos {
    try store.write { try StepReverter($0, writer).revert(part) }
  }

  // MARK: Units

  package func beginUnit() throws { try store.beginUnit() }
  package func keepUnit() throws { try store.keepUnit() }
  package func takeBackUnit() { store.takeBackUnit() }

  // MARK: Care

  package func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<StoreChange, StoreError>) -> Void
  ) -> any StoreWatching {
    StoreWatch(
      store.opener,
      reading: { database, revision in
        try ChangeLog(database).changes(after: revision, besides: session, limit: 500)
      },
      heard
    )
  }

  package func examine() throws -> StoreReport {
    try store.perform { try StoreExamination(store.opener).report() }
  }

  package func backUp(to path: String) throws -> StoreCopy {
    try store.perform {
      guard let connection = try store.opener.openToRead() else {
        throw StoreError(path: self.path, "is not there yet, so there is nothing to copy")
      }
      return try connection.queue.inDatabase { database in
        try Backup.copy(database, to: path) { copy in
          StoreCopy(
            path: path,
            count: try Int.fetchOne(copy, sql: "SELECT count(*) FROM todo") ?? 0,
            revision: try Revision.newest(copy)
          )
        }
      }
    }
  }

  // MARK: Recordings

  /// The last revision there is; 0 before anything was written.
  func newestRevision() throws -> Int { try store.newestRevision() }

  /// The last revision there is, read without a trace.
  func newestRevisionRead() throws -> Int { try store.readOnce(Revision.newest) ?? 0 }

  /// What other sessions have committed behind a revision, and the last revision that is known now.
  func changes(
    after revision: Int,
    besides session: UInt64
  ) throws -> (changes: [StoreChange], last: Int) {
    try store.readLatest { database in
      var changes: [StoreChange] = []
      var last = revision
      while true {
        let part = try ChangeLog(database).changes(after: last, besides: session, limit: 500)
        changes += part.changes
        last = part.last
        if part.isEnd { return (changes, last) }
      }
    } ?? ([], revision)
  }

  /// Writes what another process has changed, under the revisions and in the name that it had there.
  ///
  /// Inside of a unit it becomes a part of that, which nobody can tell in a store that nobody else uses.
  func adopt(_ change: StoreChange) throws {
    try store.write { database in
      let writer = Writer(root: change.root, origin: change.origin, time: change.time)
      for written in change.todos where written.todo.revision > 0 {
        try TodoWriter(database, writer).adopt(written.todo, undoing: change.undoes)
      }
    }
  }

  /// The store as one file, as it is committed; nil if it is not there yet or nothing was ever in it.
  package func image() throws -> [UInt8]? { try store.image() }
}
