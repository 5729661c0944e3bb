import Descriptors
import Foundation
import Testing

/// What is written to real pipes.
@Suite struct WriteAllTests {
  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    try #require(Foundation.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func readToEnd(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  @Test(arguments: [0, O_NONBLOCK])
  func `a million bytes arrive, also where the descriptor does not wait`(_ flag: Int32) throws {
    let (reading, writing) = try Self.pipe()
    _ = fcntl(writing, F_SETFL, flag)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    Thread.detachNewThread {
      #expect(writeAll(bytes, to: writing) == nil)
      close(writing)
    }
    #expect(Self.readToEnd(reading) == bytes)
    close(reading)
  }

  @Test func `the reason why nothing more can be written is given`() throws {
    let (reading, writing) = try Self.pipe()
    close(reading)
    #expect(writeAll([1], to: writing) == EPIPE)
    #expect(writeAll([], to: writing) == nil)
    close(writing)
    #expect(writeAll([1], to: -1) == EBADF)
  }
}
