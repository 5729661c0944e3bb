import Platform
import EventMVVM
import EventRecords
import Foundation
import GRDB

// Reading without a trace, for a process that only reads.
//
// A file in WAL mode is changed by checkpoints alone. While there is no log, the file is complete,
// and is read without lock, log or shared memory (`immutable`). Afterwards it is checked for a
// change meanwhile; after one it is read again in the ordinary way. That also works without
// permission to write: on read-only files, folders and disks.

extension StoreOpener {
  /// Reads once; writes nothing, unless the schema has to be updated first.
  ///
  /// - Parameter body: The reading; called again if the file was changed meanwhile.
  /// - Returns: The result of `body`; nil if there is no store yet.
  /// - Throws: The reason why the store can't be read.
  func readOnce<T>(_ body: (Database) throws -> T) throws -> T? {
    let (target, presence) = try locate()
    guard presence == .file else { return nil }
    if let state = FileStamp(untouched: target),
      state.isSettled || StoreFile.isOnReadOnlyDisk(target)
    {
      let result = Result<T?, any Error> {
        try checked(openUntouched(target), target).map { try $0.queue.inDatabase(body) }
      }
      if FileStamp(untouched: target) == state { return try result.get() }
    }
    // The store was just closed: an ordinary reading creates a log and memory, and removes them.
    let removesLog = FileStamp(untouched: target) != nil && StoreFile.isWritable(target)
    return try checked(openShared(target, removesLog: removesLog), target)
      .map { try $0.queue.inDatabase(body) }
  }

  /// Opens a connection for several reads.
  ///
  /// - Parameter all: Whether to refuse a store that lacks changes.
  /// - Returns: Nil if there is no store yet.
  /// - Throws: The reason why the store can't be read.
  func openToRead(demandingAll all: Bool = true) throws -> StoreConnection? {
    let (target, presence) = try locate()
    guard presence == .file else { return nil }
    // Other users may write a file that this user may not write, but no user writes to such a disk.
    let isUntouched = StoreFile.isOnReadOnlyDisk(target) && FileStamp(untouched: target) != nil
    return try checked(isUntouched ? openUntouched(target) : openShared(target), target, all)
  }

  /// Returns the connection, once it is certain that it reads a complete store of today's schema.
  private func checked(
    _ connection: StoreConnection,
    _ target: String,
    _ demandsAll: Bool = true,
    isAgain: Bool = false
  ) throws -> StoreConnection? {
    let found = try connection.queue.inDatabase { try version(of: $0) }
    guard found != nil else {
      guard let signalled = ChangeSignal.revision(of: target), signalled > 0 else { return nil }
      // The store may just have been created: a connection after the signal finds it.
      guard isAgain else {
        return try checked(openShared(target), target, demandsAll, isAgain: true)
      }
      throw lost(target, StoreFile.Presence.empty.rawValue, signalled)
    }
    guard found == migrations.newest,
      try connection.queue.inDatabase({ try isReadable($0, target) })
    else {
      connection.closeKeepingLog()
      return try openToWrite()
    }
    if demandsAll { try connection.queue.inDatabase { try checkNothingIsMissing($0, target) } }
    return connection
  }

  /// Whether the tables are those of this version; where they can't be changed, also if only the form
  /// of the texts that are searched is one of before.
  private func isReadable(_ database: Database, _ target: String) throws -> Bool {
    if try migrations.declared.isMade(database) { return true }
    let mayChange = StoreFile.isWritable(target) && !StoreFile.isOnReadOnlyDisk(target)
    return try !mayChange && migrations.declared.hasColumns(database)
  }

  private func openUntouched(_ target: String) throws -> StoreConnection {
    var configuration = configuration
    configuration.readonly = true
    let queue = try DatabaseQueue(path: Self.untouchedURI(target), configuration: configuration)
    return connection(queue, target)
  }

  /// Returns a URI by which SQLite takes the file for an immutable one ("URI Filenames", §3).
  private static func untouchedURI(_ target: String) -> String {
    var uri = "file:"
    // A path that begins with two slashes would name a host.
    let path = target.hasPrefix("//") ? "/" + target.drop { $0 == "/" } : target[...]
    // By scalars: a combining mark would hide the character before it.
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": uri += "%25"
      case "?": uri += "%3f"
      case "#": uri += "%23"
      default: uri.unicodeScalars.append(scalar)
      }
    }
    return uri + "?immutable=1"
  }

  /// Opens it in the ordinary way.
  ///
  /// Such a connection never checkpoints, and so never syncs, unless it is to remove a log that did
  /// not exist before: SQLite lets only a connection that may write do that.
  private func openShared(_ target: String, removesLog: Bool = false) throws -> StoreConnection {
    var configuration = configuration
    configuration.readonly = !removesLog
    do {
      try checkLogBelongs(to: target)
      let queue = try DatabaseQueue(path: target, configuration: configuration)
      try queue.inDatabase { database in
        _ = try Int.fetchOne(database, sql: "PRAGMA user_version")
        try checkFiles(database, target)
      }
      return connection(queue, target, isReadOnly: !removesLog)
    } catch let error as DatabaseError
      // SQLite also reports read-only to a reader of a journal that has to be rolled back first.
      where error.resultCode == .SQLITE_READONLY
      || error.resultCode == .SQLITE_CANTOPEN && !StoreFile.isWritable(target)
    {
      return try openCopy(target)
    }
  }

  /// Opens a copy, with its log, if the folder is read-only and there is no shared memory to use.
  ///
  /// Another user may change the files meanwhile: then they are copied again.
  private func openCopy(_ target: String) throws -> StoreConnection {
    for _ in 0..<10 {
      // The name of a hidden folder, which no message contains.
      let before = stamps(target)
      let name = "store-" + String(UniqueID.random().low, radix: 36)
      let folder = FileManager.default.temporaryDirectory.path + "/" + name
      do {
        try copyFiles(target, to: folder)
        if stamps(target) == before {
          let queue = try DatabaseQueue(
            path: folder + "/store.sqlite",
            configuration: configuration
          )
          // All files are open by then, and need no name any more: a killed process leaves none
          // behind.
          _ = try queue.inDatabase {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema")
          }
          try? FileManager.default.removeItem(atPath: folder)
          return connection(queue, target)
        }
      } catch {
        try? FileManager.default.removeItem(atPath: folder)
        if error is DatabaseError { throw error }
        throw StoreError(path: file.path, "can't be copied to be read: \(error)")
      }
      try? FileManager.default.removeItem(atPath: folder)
    }
    throw StoreError.locked(file.path)
  }

  private func stamps(_ target: String) -> [FileStamp?] {
    ["", "-wal", "-journal"].map { FileStamp(target + $0) }
  }

  private func copyFiles(_ target: String, to folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    for suffix in ["", "-wal", "-journal"] where StoreFile.size(target + suffix) != nil {
      let copy = folder + "/store.sqlite" + suffix
      try FileManager.default.copyItem(atPath: target + suffix, toPath: copy)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
    }
  }
}
