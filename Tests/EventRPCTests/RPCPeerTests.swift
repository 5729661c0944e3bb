import EventMVVM
import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting
import Testing

@testable import EventRPC

/// A peer over real pipes, and a client at their other ends.
@Suite(.hangLimit) struct RPCPeerTests {
  @Test func `calls come in order, and answers go back`() throws {
    let client = try PipeClient { call in
      call.responder?.succeed(Array(#""\#(call.method)""#.utf8))
    }
    client.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n")
    client.write("{\"jsonrpc\":\"2.0\",\"method\":\"b\"}\n")
    client.write("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"c\"}\n")
    client.endInput()
    #expect(
      client.readToEnd() == """
        {"jsonrpc":"2.0","id":1,"result":"a"}
        {"jsonrpc":"2.0","id":"x","result":"c"}

        """
    )
    #expect(client.methods == ["a", "b", "c"])
  }

  @Test func `a request that ends too early, or can't be read, is refused under its id`() throws {
    let client = try PipeClient { $0.responder?.succeed(Array("1".utf8)) }
    let cut = #"{"jsonrpc":"2.0","id":1,"method":"a","params":{}"#
    let wrong = #"{"jsonrpc":"2.0","id":"x","params":["\ud800"]}"#
    client.write("Content-Length: \(wrong.utf8.count)\r\n\r\n\(wrong)")
    client.write("Content-Length: \(cut.utf8.count + 1)\r\n\r\n\(cut)")
    client.endInput()
    let answers = client.readToEnd()
    #expect(answers.contains(#"{"jsonrpc":"2.0","id":"x","error":{"code":-32700,"#))
    #expect(answers.contains(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32700,"#))
  }

  @Test func `thirty thousand requests before an answer is read are all answered`() throws {
    let client = try PipeClient { call in
      call.responder?.succeed(Array(#""\#(String(repeating: "x", count: 400))""#.utf8))
    }
    for number in 1...30_000 {
      client.write("{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"x\"}\n")
    }
    client.endInput()
    let lines = client.readToEnd().split(separator: "\n")
    #expect(lines.count == 30_000)
    #expect(lines.last?.hasPrefix(#"{"jsonrpc":"2.0","id":30000,"#) == true)
  }

  @Test func `where one call may be under way, the next is read once it is answered`() throws {
    var limits = RPCLimits()
    limits.calls = 1
    let waiting = Locked<[IncomingCall]>([])
    let client = try PipeClient(limits) { call in
      waiting.withLock { $0.append(call) }
    }
    for number in 1...3 {
      client.write("{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"\(number)\"}\n")
    }
    client.endInput()
    for number in 1...3 {
      try waitUntil("call \(number) is taken") { !waiting.withLock { $0.isEmpty } }
      #expect(client.methods.count == number)
      waiting.withLock { $0.removeLast() }.succeed()
    }
    #expect(client.readToEnd().split(separator: "\n").count == 3)
  }

  @Test func `in a batch, too, the next call is taken once there is room for it`() throws {
    var limits = RPCLimits()
    limits.calls = 1
    let waiting = Locked<[IncomingCall]>([])
    let throttle = NotingThrottle()
    let client = try PipeClient(limits, throttle: throttle) { call in
      waiting.withLock { $0.append(call) }
    }
    let calls = (1...3).map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"\($0)\"}" }
    client.write("[\(calls.joined(separator: ",")),{}]\n")
    for number in 1...3 {
      try waitUntil("call \(number) is taken") { !waiting.withLock { $0.isEmpty } }
      #expect(client.methods.count == number)
      // It is told of what is dealt with, and not before.
      #expect(throttle.faults.withLock { $0.count } == number - 1)
      waiting.withLock { $0.removeLast() }.succeed()
    }
    client.endInput()
    #expect(client.readToEnd().contains(#""id":3,"result":1"#))
    #expect(throttle.faults.withLock { $0 } == [0, 0, 0, 1])
  }

  @Test func `a throttle is told what is read, what is served, and what is no message`() throws {
    let throttle = NotingThrottle()
    let client = try PipeClient(throttle: throttle) { call in
      call.responder?.succeed(Array("1".utf8))
    }
    client.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n{}\n[]\n!\n")
    client.endInput()
    _ = client.readToEnd()
    #expect(throttle.bytes.withLock { $0 } == 46)
    #expect(throttle.faults.withLock { $0 } == [0, 1, 2, 3])
  }

  @Test func `answers from other threads go each in one piece`() throws {
    let client = try PipeClient { call in
      Thread.detachNewThread { call.responder?.succeed(Array(repeating: 0x31, count: 3000)) }
    }
    for number in 1...200 {
      client.write("{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"x\"}\n")
    }
    client.endInput()
    let lines = client.readToEnd().split(separator: "\n")
    #expect(lines.count == 200)
    #expect(Set(lines.map { $0.utf8.count }).isSubset(of: [3034, 3035, 3036]))
  }

  @Test func `an answer does not wait for a later one that takes long`() throws {
    let held = Locked<[IncomingCall]>([])
    let client = try PipeClient { call in
      if call.method == "held" { held.withLock { $0.append(call) } } else { call.succeed() }
    }
    let calls = ["x", "held", "y"].enumerated()
      .map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"\($1)\"}\n" }
    client.write(calls.joined())
    #expect(client.readLine() == #"{"jsonrpc":"2.0","id":0,"result":1}"#)
    #expect(client.readLine() == #"{"jsonrpc":"2.0","id":2,"result":1}"#)
    held.withLock { $0.removeLast() }.succeed()
    client.endInput()
    #expect(client.readToEnd() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n")
  }

  @Test func `a hundred calls that wait for what comes behind them are handed on with it`() throws {
    let held = Locked<[IncomingCall]>([])
    let client = try PipeClient { call in
      held.withLock { $0.append(call) }
      guard call.method == "go" else { return }
      let calls = held.withLock { calls in
        defer { calls = [] }
        return calls
      }
      for call in calls { call.succeed() }
    }
    for number in 1...100 {
      client.write("{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"x\"}\n")
    }
    client.write("{\"jsonrpc\":\"2.0\",\"id\":101,\"method\":\"go\"}\n")
    client.endInput()
    #expect(client.readToEnd().split(separator: "\n").count == 101)
  }

  @Test func `the first answer to a request counts`() throws {
    let client = try PipeClient { call in
      call.responder?.succeed(Array("1".utf8))
      call.responder?.succeed(Array("2".utf8))
    }
    client.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n")
    client.endInput()
    #expect(client.readToEnd() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n")
  }

  @Test func `a result that no message can carry is an error`() throws {
    let client = try PipeClient { call in
      call.responder?.succeed([UInt8](repeating: 0x31, count: 16_777_217))
    }
    client.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n")
    client.endInput()
    #expect(
      client.readToEnd()
        == #"{"jsonrpc":"2.0","id":1,"error":{"code":-32803,"message":"The result has more than "#
        + "16777216 bytes, the most of a message; ask for less at once, say with a limit.\"}}\n"
    )
  }

  @Test func `it ends when nobody reads any more`() throws {
    let client = try PipeClient { call in call.responder?.succeed(Array("1".utf8)) }
    client.endOutput()
    // Until a process that another test has just started is a program, it has the end that nobody
    // reads, too.
    try client.waitUntilOver { client.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n") }
  }

  @Test func `it ends when it is told to`() throws {
    let client = try PipeClient { _ in }
    client.peer.end()
    try client.waitUntilOver()
  }

  @Test func `what is notified before the client has said a word is not sent`() throws {
    let client = try PipeClient { call in call.responder?.succeed(Array("1".utf8)) }
    client.peer.send(RPCMessage.notification("early") { _ in })
    client.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\n")
    client.endInput()
    #expect(client.readToEnd() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n")
  }
}

extension IncomingCall {
  /// Answers, and is under way until that is done.
  fileprivate func succeed() {
    withExtendedLifetime(self) { responder?.succeed(Array("1".utf8)) }
  }
}

/// Takes down what it is told.
private final class NotingThrottle: RPCThrottle {
  let bytes = Locked(0)
  let faults = Locked<[Int]>([])

  func hasRead(_ bytes: Int) {
    self.bytes.withLock { $0 += bytes }
  }

  func hasServed(in time: Duration, faults: Int) {
    self.faults.withLock { $0.append(faults) }
  }
}

/// The other ends of a peer's pipes; used by one thread.
private final class PipeClient {
  let peer: RPCPeer
  private let heard = Locked<[String]>([])
  private let over = Gate()
  private var input: Int32
  private var output: Int32

  init(
    _ limits: RPCLimits = RPCLimits(),
    throttle: NotingThrottle? = nil,
    _ take: @escaping @Sendable (IncomingCall) -> Void
  ) throws {
    let (toServer, toClient) = (try pipeOfOurOwn(), try pipeOfOurOwn())
    input = toServer.writing
    output = toClient.reading
    let peer = try #require(
      RPCPeer(
        input: toServer.reading,
        output: toClient.writing,
        limits: limits,
        throttle: throttle
      )
    )
    self.peer = peer
    let ends = [toServer.reading, toClient.writing]
    Thread.detachNewThread { [heard, over] in
      peer.listen(while: { true }) { call in
        heard.withLock { $0.append(call.method) }
        take(call)
      }
      peer.settle(within: 60)
      for end in ends { close(end) }
      over.open()
    }
  }

  deinit {
    endInput()
    endOutput()
  }

  var methods: [String] { heard.withLock { $0 } }

  func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  func endInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  func endOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  /// Waits for its end, and does something again and again until then.
  func waitUntilOver(_ doMeanwhile: () -> Void = {}) throws {
    try waitUntil("the peer has ended") {
      doMeanwhile()
      return over.isOpen
    }
  }

  /// The next line, without what ends it.
  func readLine() -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1, byte != 0x0A { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  func readToEnd() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
