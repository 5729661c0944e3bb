import Foundation
import GRDB
import TodoModels

/// The file of a store: made private to its user, checked, and brought to today's schema.
struct StoreFile {
  /// "todo" in ASCII: whose file it is, as `PRAGMA application_id` says.
  static let applicationID = 0x746F_646F
  /// How long a write waits for another process's.
  static let patience: TimeInterval = 5

  let path: String

  /// Opens it for reading and writing; creates it, and its folder, where there is none.
  func open() throws -> DatabaseQueue {
    let path = try createIfMissing()
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { database in
      try check(database)
      // Not through GRDB's configuration: that comes before the check and so converts a file that
      // is not ours, and after `prepareDatabase`, so that it syncs less than in full.
      try switchToWAL(database)
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try Migrations.run(on: database)
    }
    return queue
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Self.patience)
    configuration.allowsUnsafeTransactions = true
    return configuration
  }

  /// Switches a new file to WAL, which SQLite does not wait for while other processes open it, too.
  private func switchToWAL(_ database: Database) throws {
    let end = DispatchTime.now() + Self.patience
    while true {
      do {
        return try database.execute(sql: "PRAGMA journal_mode = WAL")
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && DispatchTime.now() < end
      {
        usleep(2_000)
      }
    }
  }

  /// A file of ours, or a new one; its schema no newer than this program.
  ///
  /// Read in one transaction: another process may be making the schema meanwhile.
  private func check(_ database: Database) throws {
    var (application, version, isEmpty) = (0, 0, true)
    try database.inTransaction(.deferred) {
      application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
      version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
      return .commit
    }
    guard application == Self.applicationID || (application == 0 && version == 0 && isEmpty) else {
      throw StoreError(
        path: path,
        "is another application's database; name another file with --store"
      )
    }
    guard version <= Migrations.newest else {
      throw StoreError(
        path: path,
        "was written by a newer version (schema \(version), this one knows \(Migrations.newest)); "
          + "install that version, or name another file with --store"
      )
    }
  }

  // MARK: Creating

  /// The file is private from its first byte: 0600, in folders of 0700.
  ///
  /// - Returns: The file itself, behind any symbolic links.
  private func createIfMissing() throws -> String {
    let path = target
    var status = stat()
    guard stat(path, &status) != 0 else { return path }
    try createFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    let descriptor = Foundation.open(
      path,
      O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC,
      0o600
    )
    guard descriptor >= 0 || errno == EEXIST else {
      throw StoreError(path: path, "can't be created: \(String(cString: strerror(errno)))")
    }
    if descriptor >= 0 { close(descriptor) }
    return path
  }

  /// What the path names, symbolic links followed, whether it is there or not.
  private var target: String {
    var path = path
    for _ in 0..<40 {
      var text = [CChar](repeating: 0, count: 4096)
      let length = readlink(path, &text, text.count)
      guard length > 0 else { break }
      let link = String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      path = link.hasPrefix("/") ? link : folder + link
    }
    return path
  }

  private func createFolder(_ folder: String) throws {
    var status = stat()
    guard !folder.isEmpty, stat(folder, &status) != 0 else { return }
    try createFolder(String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]))
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw StoreError(
        path: folder,
        "the folder can't be created: \(String(cString: strerror(errno)))"
      )
    }
  }
}

/// The schema, step by step: the n-th step brings version n - 1 to version n.
enum Migrations {
  static let newest = steps.count

  private static let steps = [
    """
    CREATE TABLE todo (
      number INTEGER PRIMARY KEY,
      uuid TEXT NOT NULL UNIQUE,
      createdAt INTEGER NOT NULL,
      title TEXT NOT NULL,
      subtitle TEXT NOT NULL,
      priority INTEGER NOT NULL,
      completedAt INTEGER,
      deleted INTEGER NOT NULL,
      due TEXT,
      tags TEXT NOT NULL,
      project TEXT,
      revision INTEGER NOT NULL,
      folded TEXT NOT NULL
    ) STRICT;
    CREATE INDEX todoByCreation ON todo (deleted, createdAt DESC, number DESC);
    CREATE INDEX todoByDue ON todo (due, number DESC) WHERE due IS NOT NULL;
    CREATE INDEX todoByProject ON todo (project) WHERE project IS NOT NULL;
    CREATE TABLE tag (
      name TEXT NOT NULL,
      todo INTEGER NOT NULL REFERENCES todo (number),
      PRIMARY KEY (name, todo)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE change (
      revision INTEGER PRIMARY KEY,
      todo INTEGER NOT NULL REFERENCES todo (number),
      before TEXT,
      after TEXT NOT NULL,
      session INTEGER NOT NULL,
      root INTEGER NOT NULL,
      origin TEXT NOT NULL,
      at INTEGER NOT NULL,
      undoesSession INTEGER,
      undoesRoot INTEGER
    ) STRICT;
    CREATE INDEX changeByTodo ON change (todo, revision);
    CREATE INDEX changeByRoot ON change (session, root);
    """
  ]

  /// Brings a store to today's schema, in one transaction.
  static func run(on database: Database) throws {
    guard try version(of: database) < newest else { return }
    try database.execute(sql: "BEGIN IMMEDIATE")
    do {
      for step in try version(of: database)..<newest { try database.execute(sql: steps[step]) }
      try database.execute(sql: "PRAGMA application_id = \(StoreFile.applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(newest)")
      try database.execute(sql: "COMMIT")
    } catch {
      try? database.execute(sql: "ROLLBACK")
      throw error
    }
  }

  private static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }
}
