import Foundation

/// What the first bytes of a database say ("Database File Format", §1.3).
struct FileHeader {
  let isInWAL: Bool
  let version: Int
  let application: Int

  /// Nil if the file is no database, or can't be read.
  init?(_ target: String) {
    let descriptor = open(target, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 72)
    guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count,
      bytes.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    isInWAL = bytes[18] == 2
    version = Self.number(bytes[60..<64])
    application = Self.number(bytes[68..<72])
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
