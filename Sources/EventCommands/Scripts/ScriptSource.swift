package import EventMVVM

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a script comes from.
package enum ScriptSource: Sendable, Equatable {
  /// A file.
  case file(String)
  /// Standard input, up to its end.
  case standardInput

  /// The bytes that the sources of one script have at most, all together.
  ///
  /// All of a script is read before any of it runs, and is kept until it has run. An endless one must
  /// end in an answer, not in all the memory there is.
  private static let longest = 268_435_456

  /// Reads sources whole, as one script.
  package static func load(_ sources: [ScriptSource]) throws(Failure) -> [SourceText] {
    var texts: [SourceText] = []
    var room = longest
    for source in sources {
      let text = try source.load(room)
      texts.append(text)
      room -= text.bytes.count
    }
    return texts
  }

  private func load(_ room: Int) throws(Failure) -> SourceText {
    switch self {
    case .standardInput:
      return SourceText(name: "<stdin>", bytes: try Self.readAll(0, "<stdin>", room))
    case .file(let path):
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.failure(path) }
      defer { close(descriptor) }
      return SourceText(name: path, bytes: try Self.readAll(descriptor, path, room))
    }
  }

  private static func readAll(
    _ descriptor: Int32,
    _ name: String,
    _ room: Int
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, Seam.part(of: buffer.count, at: .read))
      if count > 0 {
        guard bytes.count + count <= room else { throw tooLong(name) }
        bytes.append(contentsOf: buffer[..<count])
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        throw failure(name)
      }
    }
  }

  private static func tooLong(_ name: String) -> Failure {
    Failure(.usage, "\(name): a script has at most \(longest) bytes in all; run it in parts.")
  }

  private static func failure(_ name: String) -> Failure {
    Failure(.usage, "\(name) can't be read: \(String(cString: strerror(errno)))")
  }
}
