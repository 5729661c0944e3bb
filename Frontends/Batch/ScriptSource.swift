import EventCommands
import EventMVVM
import Foundation

/// Where a script comes from.
package enum ScriptSource: Sendable, Equatable {
  /// A file.
  case file(String)
  /// Standard input, up to its end.
  case standardInput

  /// Reads it whole.
  func load() throws(Failure) -> SourceText {
    switch self {
    case .standardInput:
      return SourceText(name: "<stdin>", bytes: try Self.readAll(0, "<stdin>"))
    case .file(let path):
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure(path) }
      defer { close(descriptor) }
      return SourceText(name: path, bytes: try Self.readAll(descriptor, path))
    }
  }

  private static func readAll(_ descriptor: Int32, _ name: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw failure(name)
      }
    }
  }

  private static func failure(_ name: String) -> Failure {
    Failure(.usage, "\(name) can't be read: \(String(cString: strerror(errno)))")
  }
}
