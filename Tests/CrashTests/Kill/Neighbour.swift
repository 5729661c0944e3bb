import Foundation

/// A process that has the store open while others come and go, and writes a line when it is told
/// to.
final class Neighbour {
  private let child: Child
  /// Our end of what is its standard input and output.
  private let line: Int32
  private let streams: Streams

  init(_ program: Program, _ shim: Shim? = nil) throws {
    streams = try Streams(in: program.scratch, input: "")
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("a socket") }
    line = ends[0]
    defer { close(ends[1]) }
    child = try program.start(
      ["--json", "run", "--keep-going", "-"],
      [ends[1], ends[1], streams.descriptors[2]],
      shim
    )
  }

  deinit { close(line) }

  /// Has it add a todo, and gives what it prints about it: a line, or nothing at its end.
  func add(_ mark: String) throws -> String {
    let command = Array("add \"One-shot \(mark)\"\n".utf8)
    guard send(line, command, command.count, Int32(MSG_NOSIGNAL)) == command.count else {
      throw SystemError("the neighbour")
    }
    var printed: [UInt8] = []
    var byte: UInt8 = 0
    while printed.last != UInt8(ascii: "\n"), read(line, &byte, 1) == 1 { printed.append(byte) }
    return String(decoding: printed, as: UTF8.self)
  }

  /// Ends its input, and waits for its end.
  func end() -> (Child.Ending, errors: String) {
    shutdown(line, Int32(SHUT_WR))
    return (child.wait(), streams.errors)
  }
}
