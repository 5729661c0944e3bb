package import EventPatterns
package import Foundation
import EventMVVM
import GRDB
package import SQLiteStore
package import TodoModels

/// Todos in one SQLite file, private to its user and shared by any number of processes.
///
/// Each write also appends to the change log, in the same transaction. Used by one thread, but for what
/// `TodoStorage` says otherwise.
package final class TodoDatabase: TodoStorage, @unchecked Sendable {
  // Unchecked: the uses belong to the stream's home thread, as `TodoStorage` demands.
  let store: SharedStore
  private var uses: any StoreUses
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
    uses = PlainUses(store)
  }

  // MARK: Reading

  package func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    try uses.reading {
      try store.read(in: view) { try TodoReader($0).read(query) } ?? TodoReader.readNothing(query)
    }
  }

  package func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    try uses.reading {
      try store.read(in: view) { try TodoReader($0).labels(kind, prefix: prefix) } ?? []
    }
  }

  package func endSharing() { store.endSharing() }

  package func readAside(_ query: TodoQuery) throws -> [Todo] {
    try store.readAside { try TodoReader($0).read(query) } ?? TodoReader.readNothing(query)
  }

  package func count(_ predicates: [TodoQuery.Predicate]) throws -> [Int] {
    try uses.readingLong {
      try store.readAside { database in
        try database.inSnapshot { try predicates.map(TodoReader(database).count) }
      } ?? predicates.map { _ in 0 }
    }
  }

  /// What is no longer than a part is read without a trace.
  package func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart {
    try uses.readingLong { try store.perform { try part(query, count) } }
  }

  private func part(_ query: TodoQuery, _ count: Int) throws -> TodoPart {
    var beginning = query
    beginning.limit = min(query.limit ?? .max, count + 1)
    let todos = try store.opener.readOnce { try TodoReader($0).read(beginning) } ?? []
    guard todos.count > count, let connection = try store.opener.openToRead() else {
      return TodoPart(todos, rest: nil)
    }
    let rows = try TodoRows(connection, query, inPartsOf: count)
    return try rows.next()
  }

  // MARK: Writing

  package func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    // A single write needs no savepoint: it fails before it changes anything, or the store does.
    try uses.writing {
      try store.write(savepoint: writes.count > 1) { try TodoWriter($0, writer).write(writes) }
    }
  }

  // MARK: Steps

  package func steps(
    _ query: RequestReadSteps.Query,
    in view: StorageView
  ) throws -> [TodoStep] {
    let steps = try uses.reading {
      try store.read(in: view) { database in
        try database.inSnapshot { try StepLog(database).steps(query) }
      }
    }
    if let steps { return steps }
    if case .todo(let reference, _) = query { throw ModelError.notFound(reference) }
    return []
  }

  package func transitions(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    let part = try uses.readingLong {
      try store.readAside { database in
        try database.inSnapshot {
          var log = TransitionLog(database)
          return try log.part(after: place, limit: limit)
        }
      }
    }
    if let part { return part }
    guard place == nil else { throw ModelError.noSuchPlace }
    return TodoTransitions([], upTo: nil, isLast: true)
  }

  package func revert(_ part: RequestRevertStep, by writer: Writer) throws -> RevertedTodos {
    try uses.writing { try store.write { try StepReverter($0, writer).revert(part) } }
  }

  // MARK: Units

  package func beginUnit() throws { try uses.beginUnit() }
  package func keepUnit() throws { try uses.keepUnit() }
  package func takeBackUnit() { uses.takeBackUnit() }

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
    try store.perform {
      try StoreExamination(store.opener, of: "todo").report { try TodoExamination($0).findings() }
    }
  }

  package func backUp(to path: String) throws -> StoreCopy {
    try store.backUp(to: path) { try Int.fetchOne($0, sql: "SELECT count(*) FROM todo") ?? 0 }
  }

  // MARK: Recordings

  /// Notes what others change from now on, as soon as it matters to what the session reads or writes.
  ///
  /// - Parameters:
  ///   - session: Our own, whose changes are not noted.
  ///   - readsAside: Whether long reads run beside the home thread.
  ///   - note: Called on the home thread with each change, in order.
  package func noteOthers(
    besides session: UInt64,
    readsAside: Bool,
    _ note: @escaping @Sendable (OutsideChange<StoreChange>) -> Void
  ) {
    let store = store
    uses = RecordedUses(
      store,
      readsAside: readsAside,
      find: { revision in try store.changes(after: revision, besides: session) },
      note: note
    )
  }

  /// Tells a recorded session again, in a store that nobody else uses.
  ///
  /// - Parameter readsAside: Whether long reads ran beside the home thread when it was recorded.
  /// - Returns: Takes what others have changed, before the use of the store that is to find it.
  package func retell(readsAside: Bool) -> (OutsideChange<StoreChange>) -> Void {
    let store = store
    let retold = RetoldUses<StoreChange>(store, readsAside: readsAside) { try store.adopt($0) }
    uses = retold
    return retold.expect
  }

  /// The store as one file, as it is committed; nil if it is not there yet or nothing was ever in it.
  package func image() throws -> [UInt8]? {
    uses.begin()
    return try store.image()
  }
}

extension SharedStore {
  /// What other sessions have committed behind a revision, and the last revision that is known now.
  fileprivate func changes(
    after revision: Int,
    besides session: UInt64
  ) throws -> (changes: [StoreChange], last: Int) {
    try readLatest { database in
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
  fileprivate func adopt(_ change: StoreChange) throws {
    try write { database in
      let writer = Writer(root: change.root, origin: change.origin, time: change.time)
      for written in change.todos where written.todo.revision > 0 {
        try TodoWriter(database, writer).adopt(written.todo, undoing: change.undoes)
      }
    }
  }
}
