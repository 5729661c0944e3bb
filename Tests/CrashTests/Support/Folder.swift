import Foundation

/// A folder that goes when nobody needs it any more.
final class Folder {
  /// Absolute, and without symbolic links.
  let path: String

  init(_ name: String) throws {
    let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(temporary)/crash-\(name)-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  static func / (folder: Folder, name: String) -> String { "\(folder.path)/\(name)" }

  /// The files below it, by their paths from here; shared memory, which is not on a disk, left out.
  func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path)
    where !name.hasSuffix("-shm") {
      var isFolder: ObjCBool = false
      let file = self / name
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      files[name] = try readBytes(file)
    }
    return files
  }

  /// Makes it hold these files, and nothing else.
  func become(_ files: [String: [UInt8]]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: self / name)
    }
    for (name, bytes) in files {
      if name.contains("/") {
        let parent = (self / name) as NSString
        try FileManager.default.createDirectory(
          atPath: parent.deletingLastPathComponent,
          withIntermediateDirectories: true
        )
      }
      try writeBytes(bytes, to: self / name)
    }
  }
}

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = "\(what): \(String(cString: strerror(errno)))" }
}

/// A file's bytes; Foundation's way takes three times as long for small files.
func readBytes(_ path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw SystemError(path) }
  defer { close(descriptor) }
  var status = stat()
  fstat(descriptor, &status)
  var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
  var count = 0
  while count < bytes.count {
    let read = bytes[count...]
      .withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
    guard read > 0 else { throw SystemError(path) }
    count += read
  }
  return bytes
}

func writeBytes(_ bytes: [UInt8], to path: String) throws {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { throw SystemError(path) }
  defer { close(descriptor) }
  guard write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemError(path) }
}

/// The number of the file that a path names.
func inode(_ path: String) throws -> UInt64 {
  var status = stat()
  guard stat(path, &status) == 0 else { throw SystemError(path) }
  return UInt64(status.st_ino)
}
