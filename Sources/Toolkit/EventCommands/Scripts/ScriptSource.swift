package import EventMVVM
import Seams

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The source of a script.
package enum ScriptSource: Sendable, Equatable {
  /// A file.
  case file(String)
  /// Standard input, up to its end.
  case standardInput

  /// The maximum size of all sources of one script together, in bytes.
  ///
  /// A whole script is read before any of it runs, and stays in memory until it has run. An endless
  /// one must fail, not exhaust the memory.
  fileprivate static let longest = 268_435_456

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
    var reading = Reading(descriptor, name, room)
    while try !reading.takePiece() {}
    return reading.bytes
  }

  fileprivate static func tooLong(_ name: String) -> Failure {
    Failure(.usage, "\(name): a script has at most \(longest) bytes in all; run it in parts.")
  }

  fileprivate static func failure(_ name: String) -> Failure {
    let cause = errno == EISDIR ? "it is a folder; name a file" : String(cString: strerror(errno))
    return Failure(.usage, "\(name) can't be read: \(cause)")
  }
}

/// A source that is being read, and the bytes read so far.
private struct Reading {
  private let descriptor: Int32
  private let name: String
  private let room: Int
  private(set) var bytes: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(_ descriptor: Int32, _ name: String, _ room: Int) {
    self.descriptor = descriptor
    self.name = name
    self.room = room
  }

  /// Reads a piece; returns whether the end was reached.
  mutating func takePiece() throws(Failure) -> Bool {
    let count = read(descriptor, &buffer, Seam.part(of: buffer.count, at: .read))
    if count > 0 {
      guard bytes.count + count <= room else { throw ScriptSource.tooLong(name) }
      bytes.append(contentsOf: buffer[..<count])
    } else if count < 0, errno != EINTR {
      throw ScriptSource.failure(name)
    }
    return count == 0
  }
}

/// A file that is read as a script, a piece at a time, without waiting for more.
///
/// It may be a pipe without a writer. Used by one thread.
package final class ScriptFile {
  /// The descriptor, to be polled until there is more to read.
  package let descriptor: Int32
  private let path: String
  private var reading: Reading

  /// Opens a file.
  package init(_ path: String) throws(Failure) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw ScriptSource.failure(path) }
    self.path = path
    reading = Reading(descriptor, path, ScriptSource.longest)
  }

  deinit { close(descriptor) }

  /// Reads what is available, up to a piece of some size.
  ///
  /// - Returns: The whole file; nil while more may come.
  package func read() throws(Failure) -> SourceText? {
    // A pipe that has had no writer yet reads as if it were at its end.
    var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&place, 1, 0) > 0, try reading.takePiece() else { return nil }
    return SourceText(name: path, bytes: reading.bytes)
  }
}
