import Foundation

/// A file without a name, in the place of what a process reads or prints.
struct MemoryFile {
  private let descriptor: Int32

  init() {
    var name = Array("/tmp/todostream-fuzz-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    require(descriptor >= 0, "no file can be made in /tmp")
    unlink(name)
  }

  /// A path that opens it from its beginning.
  var path: String { "/dev/fd/\(descriptor)" }
  /// The descriptor to print to.
  var output: Int32 { descriptor }

  /// Empties it.
  func clear() {
    require(ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0, "not emptied")
  }

  /// Makes these bytes all that it has.
  func fill(_ bytes: [UInt8]) {
    clear()
    require(write(descriptor, bytes, bytes.count) == bytes.count, "not filled")
  }

  /// All that it has.
  var text: String {
    let count = Int(lseek(descriptor, 0, SEEK_END))
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = pread(descriptor, buffer.baseAddress, count, 0)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
