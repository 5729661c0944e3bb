import Foundation

/// Reads ordinary files whole, without blocking and without trust in their reported size.
package enum OrdinaryFile {
  /// Why a file is not read.
  package enum Refusal: Error, Equatable {
    /// The number of the system's error.
    case unreadable(Int32)
    /// It is a folder, a pipe or a device.
    case notOrdinary
    /// It has more bytes than the limit.
    case tooLong
  }

  /// Reads whatever has an end: a file that a person named, or a pipe.
  ///
  /// - Parameter path: Its path; links are followed.
  /// - Returns: Its contents.
  /// - Throws: The problem; of a folder that it is one.
  package static func contents(_ path: String) throws(SystemProblem) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw SystemProblem(errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    do throws(Refusal) { try readAll(file, atMost: .max, into: &bytes) } catch {
      guard case .unreadable(let code) = error else { return bytes }
      throw SystemProblem(code)
    }
    return bytes
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: Its path; links are followed.
  ///   - most: The bytes that it may have.
  /// - Returns: Its contents.
  /// - Throws: Why it is not read.
  package static func read(_ path: String, atMost most: Int) throws(Refusal) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw .unreadable(errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .unreadable(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notOrdinary }
    var bytes: [UInt8] = []
    try readAll(file, atMost: most, into: &bytes)
    return bytes
  }

  private static func readAll(
    _ file: Int32,
    atMost most: Int,
    into bytes: inout [UInt8]
  ) throws(Refusal) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(errno) }
      if count == 0 { return }
      bytes += buffer[..<count]
      guard bytes.count <= most else { throw .tooLong }
    }
  }
}
