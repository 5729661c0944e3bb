import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

@testable import EventRPC

/// What is written, whatever becomes of the descriptor that it was given.
@Suite(.hangLimit) struct OutboxTests {
  @Test func `what waits gets into nothing that is opened under the number of a closed descriptor`()
    throws
  {
    let (reading, number) = try pipeOfOurOwn()
    let outbox = Outbox(number) {}
    for _ in 1...3 { outbox.post([UInt8](repeating: 0x31, count: 999_999), .lines) }
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
    let ends = try pipeOfOurOwn()
    let outbox = Outbox(ends.writing) {}
    outbox.post(Array("x".utf8), .lines)
    close(ends.writing)
    outbox.end()
    outbox.post(Array("y".utf8), .lines)
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(read(ends.reading, &bytes, 10) == 2)
    #expect(read(ends.reading, &bytes, 10) == 0)
    close(ends.reading)
  }

  @Test func `a descriptor that there is not is as if nobody read`() throws {
    let isBroken = Gate()
    let outbox = Outbox(-1) { isBroken.open() }
    outbox.post([0x31], .lines)
    try isBroken.wait("it is said that nobody reads")
  }

  // MARK: Messages that others follow

  /// An outbox on a pipe, and the pipe's other end.
  private func pipeline(patience: Double = 0.001) throws -> (Outbox, Int32) {
    let ends = try pipeOfOurOwn()
    defer { close(ends.writing) }
    return (Outbox(ends.writing, patience: patience) {}, ends.reading)
  }

  /// What one reading finds, which a pipe gives all that is in it.
  private func readText(_ end: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(end, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  @Test func `what others follow is written with them, in order`() throws {
    let (outbox, end) = try pipeline(patience: 60)
    defer {
      outbox.end()
      close(end)
    }
    outbox.post(Array("1".utf8), .lines, isFollowed: true)
    outbox.post(Array("22".utf8), .headers, isFollowed: true)
    outbox.post(Array("3".utf8), .lines)
    var text = ""
    while text.count < 25 { text += readText(end) }
    #expect(text == "1\nContent-Length: 2\r\n\r\n223\n")
    #expect(outbox.bytesWaiting == 0)
  }

  @Test func `what nothing follows after all is written soon`() throws {
    let (outbox, end) = try pipeline()
    defer {
      outbox.end()
      close(end)
    }
    outbox.post(Array("1".utf8), .lines, isFollowed: true)
    #expect(readText(end) == "1\n")
    outbox.post(Array("2".utf8), .lines, isFollowed: true)
    #expect(readText(end) == "2\n")
  }

  @Test func `what is let go is written at once`() throws {
    let (outbox, end) = try pipeline(patience: 60)
    defer {
      outbox.end()
      close(end)
    }
    outbox.post(Array("1".utf8), .lines, isFollowed: true)
    outbox.release()
    #expect(outbox.bytesWaiting == 0)
    #expect(readText(end) == "1\n")
    outbox.release()
  }

  @Test func `long messages and many short ones keep their order among those that are held`() throws
  {
    let (outbox, end) = try pipeline()
    defer {
      outbox.end()
      close(end)
    }
    var expected = ""
    for number in 1...300 {
      let text = "\(number) " + String(repeating: "x", count: number % 50 == 0 ? 5000 : number)
      expected += text + "\n"
      outbox.post(Array(text.utf8), .lines, isFollowed: number % 7 != 0)
    }
    let wanted = expected
    Thread.detachNewThread {
      outbox.flush(until: .now + 60)
      outbox.end()
    }
    var found = ""
    while true {
      let more = readText(end)
      guard !more.isEmpty else { break }
      found += more
    }
    #expect(found == wanted)
  }
}
