import EventMVVM
import EventRecords
import Foundation
import GRDB

/// Copies of a store while it is in use.
enum Backup {
  /// Copies what is committed into one new file, 0600, which is there whole or not at all.
  ///
  /// - Parameters:
  ///   - database: A connection, outside any transaction.
  ///   - path: The file; an existing one is left alone.
  ///   - describe: Looks into the copy.
  /// - Returns: What that says of it.
  /// - Throws: Why there is none.
  static func copy<T>(
    _ database: Database,
    to path: String,
    _ describe: (Database) throws -> T
  ) throws -> T {
    guard StoreFile.size(path) == nil else {
      throw StoreError.refused(path, "is there already; name a new file")
    }
    // A name of its own, and one that SQLite takes for no URI.
    let partial = StoreFile.plain(path) + ".partial-" + String(UniqueID.random().low, radix: 36)
    let descriptor = open(partial, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer {
      close(descriptor)
      unlink(partial)
    }
    do {
      try database.execute(sql: "VACUUM INTO ?", arguments: [partial])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // What is damaged is what is copied, unless SQLite names the copy.
      guard error.message?.contains(partial) == true else { throw error }
      throw StoreError(path: path, "can't be written; name another file")
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
    guard fsync(descriptor) == 0 else { throw failure(path) }
    let contents = try look(into: partial, describe)
    // A link is refused where a file has come to stand meanwhile, unlike a renaming.
    guard link(partial, path) == 0 else { throw failure(path) }
    StoreFile.syncFolder(of: path)
    return contents
  }

  /// What is committed, as the bytes of one file.
  ///
  /// - Throws: Why it can't be read, or copied meanwhile.
  static func image(of database: Database) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.path
    let path = folder + "/store-" + String(UniqueID.random().low, radix: 36)
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer {
      close(descriptor)
      unlink(path)
    }
    try database.execute(sql: "VACUUM INTO ?", arguments: [path])
    guard let data = FileManager.default.contents(atPath: path) else { throw failure(path) }
    return Array(data)
  }

  /// Opens the copy, to be sure that it is one.
  private static func look<T>(into copy: String, _ body: (Database) throws -> T) throws -> T {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabaseQueue(path: copy, configuration: configuration).inDatabase(body)
  }

  private static func failure(_ path: String) -> StoreError {
    switch errno {
    case ENOSPC, EDQUOT: .full(path)
    case EEXIST: .refused(path, "is there already; name a new file")
    case let code:
      StoreError(path: path, "can't be written: \(String(cString: strerror(code))); name another")
    }
  }
}

extension SharedStore {
  /// Whether SQLite or we may make a file of that name beside the store.
  private func isOwnFile(_ path: String) throws -> Bool {
    let (target, _) = try opener.file.locate()
    let (file, store) = (URL(filePath: StoreFile.plain(path)), URL(filePath: target))
    guard file.folder == store.folder else { return false }
    return ["-wal", "-shm", "-journal", "-bell"]
      .contains { file.lastPathComponent == store.lastPathComponent + $0 }
  }

  /// Copies what is committed into one new file, 0600, which is there whole or not at all; any
  /// thread.
  ///
  /// - Parameters:
  ///   - path: The file; an existing one is left alone.
  ///   - count: Counts what the copy holds.
  /// - Returns: What the copy holds.
  /// - Throws: Why there is none.
  func backUp(to path: String, _ count: (Database) throws -> Int) throws -> StoreCopy {
    try perform {
      guard let connection = try opener.openToRead() else {
        throw StoreError(path: self.path, "is not there yet, so there is nothing to copy")
      }
      guard try !isOwnFile(path) else {
        let cause = "is what the store's own files are called; name another file"
        throw StoreError.refused(path, cause)
      }
      return try connection.queue.inDatabase { database in
        try Backup.copy(database, to: path) { copy in
          StoreCopy(path: path, count: try count(copy), revision: try Revision.newest(copy))
        }
      }
    }
  }
}

extension URL {
  /// The folder of a file, links followed.
  fileprivate var folder: String { deletingLastPathComponent().resolvingSymlinksInPath().path }
}
