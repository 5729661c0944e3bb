import EventMVVM
import EventRecords
import Foundation
import GRDB
import Platform

/// Copies of a store while it is in use.
enum Backup {
  /// Copies committed data into one new file, 0600, which is complete or does not exist.
  ///
  /// - Parameters:
  ///   - database: A connection, outside any transaction.
  ///   - path: The file; an existing one is not changed.
  ///   - describe: Examines the copy.
  /// - Returns: The result of `describe`.
  /// - Throws: The reason why there is no copy.
  static func copy<T>(
    _ database: Database,
    to path: String,
    _ describe: (Database) throws -> T
  ) throws -> T {
    guard StoreFile.size(path) == nil else {
      throw StoreError.refused(path, "is there already; name a new file")
    }
    removeAbandoned(beside: path)
    // A new name, which SQLite does not take for a URI.
    let partial = StoreFile.plain(path) + mark + String(UniqueID.random().low, radix: 36)
    let descriptor = open(partial, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    // Held until the end, so that another process sees that it is not abandoned.
    _ = lockFile(descriptor, within: .zero)
    defer {
      close(descriptor)
      unlink(partial)
    }
    do {
      try database.execute(sql: "VACUUM INTO ?", arguments: [partial])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // The damage is in the original, unless SQLite names the copy.
      guard error.message?.contains(partial) == true else { throw error }
      throw StoreError(path: path, "can't be written; name another file")
    } catch let error as DatabaseError {
      throw StoreError(error, path: path)
    }
    guard fsync(descriptor) == 0 else { throw failure(path) }
    let contents = try look(into: partial, describe)
    // Unlike a renaming, a link fails if a file of that name exists by now.
    guard link(partial, path) == 0 else { throw failure(path) }
    StoreFile.syncFolder(of: path)
    return contents
  }

  /// What stands between the name of a copy and an id while the copy is made.
  private static let mark = ".partial-"

  /// Removes what copies into a folder have left whose processes were killed.
  ///
  /// Only what such a copy is: a private file of this user, with that name, that begins as a database
  /// does or is empty, that no process has locked, and that is an hour old: a copy that has just been
  /// begun is not locked yet.
  private static func removeAbandoned(beside path: String) {
    let folder = StoreFile.folder(of: StoreFile.plain(path))
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for name in names {
      guard let range = name.firstRange(of: mark) else { continue }
      let id = name[range.upperBound...]
      guard !id.isEmpty, UInt64(id, radix: 36) != nil else { continue }
      let file = open("\(folder)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else { continue }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_mode & (S_IFMT | 0o777) == S_IFREG | 0o600,
        status.st_uid == geteuid(), status.st_nlink == 1,
        status.st_size == 0 || isDatabase(file), time(nil) - status.st_mtim.tv_sec > 3600,
        flock(file, LOCK_EX | LOCK_NB) == 0
      else { continue }
      unlink("\(folder)/\(name)")
    }
  }

  private static func isDatabase(_ file: Int32) -> Bool {
    let header = Array("SQLite format 3\0".utf8)
    var bytes = [UInt8](repeating: 0, count: header.count)
    return pread(file, &bytes, bytes.count, 0) == header.count && bytes == header
  }

  /// Returns committed data as the bytes of one file.
  ///
  /// - Throws: The reason why the data can't be read or copied.
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

  /// Opens the copy, to check that it is a database.
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
      StoreError(path: path, "can't be written: \(SystemProblem(code).text); name another")
    }
  }
}

extension SharedStore {
  /// Whether SQLite or this program may create a file of that name next to the store.
  private func isOwnFile(_ path: String) throws -> Bool {
    let (target, _) = try opener.file.locate()
    let (file, store) = (URL(filePath: StoreFile.plain(path)), URL(filePath: target))
    guard file.folder == store.folder else { return false }
    return ["-wal", "-shm", "-journal", "-bell"]
      .contains { file.lastPathComponent == store.lastPathComponent + $0 }
  }

  /// Copies committed data into one new file, 0600, which is complete or does not exist; any
  /// thread.
  ///
  /// - Parameters:
  ///   - path: The file; an existing one is not changed.
  ///   - count: Counts the records in the copy.
  /// - Returns: The copy, with its number of records.
  /// - Throws: The reason why there is no copy.
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
