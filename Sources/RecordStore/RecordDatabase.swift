package import EventMVVM
package import EventPatterns
package import EventRecords
package import Foundation
import GRDB
package import SQLiteStore

/// Records of any types in one SQLite file, private to its user and shared by any number of processes.
///
/// Each write also appends to the change log, in the same transaction, with all fields before and after: for
/// thousands of records of some hundred bytes. Used by one thread, but for what `RecordStorage` says
/// otherwise.
package final class RecordDatabase: RecordStorage, @unchecked Sendable {
  // Unchecked: the uses belong to the stream's home thread, as `RecordStorage` demands.
  private let store: SharedStore
  private var uses: any StoreUses

  /// Names a file; nothing is opened or created yet.
  ///
  /// - Parameters:
  ///   - program: The name of the program whose file it is.
  ///   - path: The file.
  ///   - makesFolders: Whether missing folders are made, too.
  ///   - patience: How long a write waits for another process's, in seconds.
  ///   - isLasting: Whether to keep what is opened to read; else a read leaves no trace.
  package init(
    of program: String,
    path: String,
    makesFolders: Bool = false,
    patience: TimeInterval = 5,
    isLasting: Bool = false
  ) {
    let file = StoreFile(path: path, makesFolders: makesFolders)
    store = SharedStore(
      StoreOpener(file: file, patience: patience, migrations: .records(of: program)),
      isLasting: isLasting
    )
    uses = PlainUses(store)
  }

  // MARK: Records

  package func records(_ kind: String, in view: StorageView) throws -> [StoredRecord] {
    try uses.reading { try store.read(in: view) { try RecordTable($0).records(kind) } ?? [] }
  }

  package func record(_ number: Int, in view: StorageView) throws -> StoredRecord? {
    try uses.reading { try store.read(in: view) { try RecordTable($0).record(number) } ?? nil }
  }

  package func write(
    _ writes: [StoredWrite],
    by writer: Writer,
    undoing undone: Step?
  ) throws -> [StoredChange] {
    try uses.writing {
      try store.write { try RecordWriter($0, writer, undoing: undone).write(writes) }
    }
  }

  // MARK: The change log

  package func steps(_ query: StepQuery, in view: StorageView) throws -> [Step] {
    try uses.reading {
      try store.read(in: view) { try StepTable($0).steps(query) } ?? []
    }
  }

  package func step(_ number: Int, in view: StorageView) throws -> Step? {
    try uses.reading { try store.read(in: view) { try StepTable($0).step(number) } ?? nil }
  }

  package func changes(of step: Step, in view: StorageView) throws -> [StoredChange] {
    try uses.reading { try store.read(in: view) { try RecordLog($0).changes(of: step.root) } ?? [] }
  }

  package func changes(
    of number: Int,
    limit: Int,
    in view: StorageView
  ) throws -> [(step: Step, change: StoredChange)] {
    try uses.reading {
      try store.read(in: view) { try RecordLog($0).changes(of: number, limit: limit) } ?? []
    }
  }

  package func changes(
    behind place: RecordPlace?,
    limit: Int
  ) throws -> (changes: [(place: RecordPlace, time: Instant, change: StoredChange)], isLast: Bool) {
    let found = try uses.reading {
      try store.readAside { database in
        try database.inSnapshot { try RecordLog(database).changes(behind: place, limit: limit) }
      }
    }
    if let found { return found }
    guard place == nil else { throw RecordError.noSuchPlace }
    return ([], true)
  }

  // MARK: Units

  package func beginUnit() throws { try uses.beginUnit() }
  package func keepUnit() throws { try uses.keepUnit() }
  package func takeBackUnit() { uses.takeBackUnit() }

  // MARK: Other processes

  package func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<ForeignChange, StoreError>) -> Void
  ) -> any StoreWatching {
    StoreWatch(
      store.opener,
      reading: { database, revision in
        try RecordLog(database).foreign(after: revision, besides: session, limit: 500)
      },
      heard
    )
  }

  // MARK: Care

  package func examine(
    _ problem: (StoredRecord) -> StoreReport.Finding?
  ) throws -> StoreReport {
    try store.perform {
      try StoreExamination(store.opener, of: "record")
        .report { try RecordExamination($0).findings(problem) }
    }
  }

  package func backUp(to path: String) throws -> StoreCopy {
    try store.backUp(to: path) { try Int.fetchOne($0, sql: "SELECT count(*) FROM record") ?? 0 }
  }

  // MARK: Recordings

  /// Notes what others change from now on, as soon as it matters to what the session reads or writes.
  ///
  /// - Parameters:
  ///   - session: Our own, whose changes are not noted.
  ///   - note: Called on the home thread with each change, in order.
  package func noteOthers(
    besides session: UInt64,
    _ note: @escaping @Sendable (OutsideChange<ForeignChange>) -> Void
  ) {
    let store = store
    uses = RecordedUses(
      store,
      readsAside: false,
      find: { revision in try store.changes(after: revision, besides: session) },
      note: note
    )
  }

  /// Tells a recorded session again, in a store that nobody else uses.
  ///
  /// - Returns: Takes what others have changed, before the use of the store that is to find it.
  package func retell() -> (OutsideChange<ForeignChange>) -> Void {
    let store = store
    let retold = RetoldUses<ForeignChange>(store, readsAside: false) { try store.adopt($0) }
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
  ) throws -> (changes: [ForeignChange], last: Int) {
    try readLatest { database in
      let news = try RecordLog(database).foreign(after: revision, besides: session, limit: -1)
      return (news.changes, news.last)
    } ?? ([], revision)
  }

  /// Writes what another process has changed, under the revisions and in the name that it had there.
  fileprivate func adopt(_ change: ForeignChange) throws {
    try write { database in
      let writer = Writer(root: change.root, origin: change.origin, time: change.time)
      let undone = try change.undoes.flatMap { try StepTable(database).step($0) }
      try RecordWriter(database, writer, undoing: undone).adopt(change.changes)
    }
  }
}
