import Platform
import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// What is written to real pipes.
@Suite(.hangLimit) struct WriteAllTests {
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
    let (reading, writing) = try pipeOfOurOwn()
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
    let (reading, writing) = try pipeOfOurOwn()
    close(reading)
    // A process that another test has just started reads it, too, until it is a program.
    var place = pollfd(fd: writing, events: 0, revents: 0)
    #expect(poll(&place, 1, 60_000) == 1)
    #expect(writeAll([1], to: writing) == EPIPE)
    #expect(writeAll([], to: writing) == nil)
    close(writing)
    #expect(writeAll([1], to: -1) == EBADF)
  }
}
