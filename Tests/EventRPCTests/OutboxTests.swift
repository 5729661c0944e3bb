import Foundation
import Testing

@testable import EventRPC

/// What is written, whatever becomes of the descriptor that it was given.
@Suite struct OutboxTests {
  @Test func `what waits gets into nothing that is opened under the number of a closed descriptor`()
    throws
  {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, number) = (ends[0], ends[1])
    let outbox = Outbox(number) {}
    for _ in 1...3 { outbox.post([UInt8](repeating: 0x31, count: 1_000_000)) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // Behind that the first message is on its way, and does not fit.
    try #require(read(reading, &bytes, 1) == 1)
    outbox.flush(until: .now)
    outbox.end()
    let path = NSTemporaryDirectory() + "outbox-\(UUID().uuidString)"
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer { unlink(path) }
    // That closes what the outbox was given, and puts the file there in one step.
    try #require(file >= 0 && dup2(file, number) == number)
    var count = 1
    while true {
      let more = read(reading, &bytes, bytes.count)
      guard more > 0 else { break }
      count += more
    }
    #expect(count == 3_000_000)
    #expect(lseek(file, 0, SEEK_END) == 0)
    for descriptor in [reading, number, file] { close(descriptor) }
  }

  @Test func `the other end hears of the end once everything is written`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let outbox = Outbox(ends[1]) {}
    outbox.post(Array("x".utf8))
    close(ends[1])
    outbox.end()
    outbox.post(Array("y".utf8))
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(ends[0], &bytes, 10) == 1)
    #expect(read(ends[0], &bytes, 10) == 0)
    close(ends[0])
  }

  @Test func `a descriptor that there is not is as if nobody read`() {
    let isBroken = DispatchSemaphore(value: 0)
    let outbox = Outbox(-1) { isBroken.signal() }
    outbox.post([0x31])
    isBroken.wait()
  }
}
