import Foundation

/// Distinguishes stores from other files.
package enum StoreSigns {
  /// Whether the file at a path is a store or belongs to one: a database, or what SQLite and the
  /// store keep next to one.
  ///
  /// The program never writes its own files over such a file, whatever its name.
  package static func isStore(at path: String) -> Bool {
    isBesideStore(path) || !isOpenHere(path) && isDatabase(FileHead.read(path, count: 16) ?? [])
  }

  /// Whether a path is that of a store or of a file next to it, even where none of them exists yet.
  package static func isName(_ path: String, ofStoreAt store: String) -> Bool {
    let (file, own) = (URL(filePath: path), URL(filePath: store))
    return ([""] + suffixes).contains { file.lastPathComponent == own.lastPathComponent + $0 }
      && FileIdentity(at: file.folder) == FileIdentity(at: own.folder)
  }

  /// The suffixes of the files next to a store.
  private static let suffixes = ["-wal", "-shm", "-journal", "-bell"]

  /// Whether the file at a path is a store, belongs to one, or is open in this process.
  static func isStoreOrInUse(_ path: String) -> Bool { isOpenHere(path) || isStore(at: path) }

  /// Whether a file begins as a database of SQLite does ("Database File Format", §1.3.1), or its
  /// logs (§3, §4.1).
  private static func isDatabase(_ head: [UInt8]) -> Bool {
    let logs: [[UInt8]] = [
      [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83],
      [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7],
    ]
    return head.starts(with: "SQLite format 3\0".utf8) || logs.contains { head.starts(with: $0) }
  }

  /// Whether a file has the name of one that SQLite or the store keeps next to an existing file, or
  /// has such files next to it.
  private static func isBesideStore(_ path: String) -> Bool {
    suffixes.contains { suffix in
      access(path + suffix, F_OK) == 0
        || path.hasSuffix(suffix) && access(String(path.dropLast(suffix.count)), F_OK) == 0
    }
  }

  /// Whether this process has a file open.
  ///
  /// It is called before the file is opened to read it: closing any descriptor of a database
  /// releases all locks that the process has on it ("How To Corrupt An SQLite Database File",
  /// §2.2).
  private static func isOpenHere(_ path: String) -> Bool {
    guard let identity = FileIdentity(at: path) else { return false }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
    return names.contains { Int32($0).flatMap { FileIdentity(of: $0) } == identity }
  }
}

extension URL {
  /// The path of the folder that it is in.
  fileprivate var folder: String { deletingLastPathComponent().path }
}

/// The first bytes of a file.
enum FileHead {
  /// Reads the first bytes of a file, as many as there are; nil if it can't be read, and `errno`
  /// says why.
  static func read(_ path: String, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = pread(descriptor, &bytes, count, 0)
    let code = errno
    close(descriptor)
    errno = code
    return length < 0 ? nil : Array(bytes[..<length])
  }
}
