import Foundation
import JSONText
import RecordingIndex
import Synchronization

/// Sends commands of the page to the session that it shows, over JSON-RPC; any thread.
final class CommandSender: Sendable {
  private struct State {
    var number: Int64 = 0
    var answers: [Int64: JSON] = [:]
    var isOver = false
  }

  private let connection: Int32
  private let state = Mutex(State())
  private let arrival = NSCondition()
  /// How long an answer is waited for, in seconds.
  private static let patience: TimeInterval = 60

  /// Prepares a session with the program at the other end of standard output.
  init() { connection = dup(1) }

  /// Begins the session; standard output is used for nothing else any more.
  func begin() {
    dup2(2, 1)
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread { [self] in read() }
    _ = ask("initialize", [:])
  }

  /// Runs a command line.
  ///
  /// - Returns: What a person reads, and whether it failed.
  func run(_ line: String) -> (output: String, isFailed: Bool) {
    let answer = ask("line/run", ["line": .string(line), "as": "text", "width": 100])
    if case .string(let text)? = answer["result"]?["text"] { return (text, false) }
    if case .string(let text)? = answer["error"]?["message"] { return (text, true) }
    return ("The session does not answer; it may have ended.", true)
  }

  /// Returns what can complete the last word of a line.
  func candidates(_ line: String) -> JSON {
    ask("line/complete", ["line": .string(line)])["result"]?["candidates"] ?? []
  }

  /// Sends a request, and waits for its answer; null if none comes.
  private func ask(_ method: String, _ parameters: JSON) -> JSON {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let request: JSON = [
      "jsonrpc": "2.0", "id": .integer(number), "method": .string(method), "params": parameters,
    ]
    guard write(Array("\(request)\n".utf8)) else { return .null }
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    arrival.lock()
    defer { arrival.unlock() }
    while true {
      let (answer, isOver) = state.withLock { ($0.answers.removeValue(forKey: number), $0.isOver) }
      if let answer { return answer }
      guard !isOver, arrival.wait(until: deadline) else { return .null }
    }
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(connection, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads messages, one a line, to the end.
  private func read() {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(connection, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += part.prefix(count)
      while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        take(Array(bytes[..<end]))
        bytes.removeFirst(end + 1)
      }
    }
    state.withLock { $0.isOver = true }
    announce()
  }

  private func take(_ line: [UInt8]) {
    guard let json = try? JSON(parsing: line), case .integer(let number)? = json["id"] else {
      return
    }
    state.withLock { $0.answers[number] = json }
    announce()
  }

  private func announce() {
    arrival.lock()
    arrival.broadcast()
    arrival.unlock()
  }
}
