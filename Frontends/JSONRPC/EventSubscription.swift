import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// A client's wish to be sent events as they happen.
///
/// Its events wait in the log, not in memory of its own: one message is on its way at a time, and takes
/// with it whatever has come meanwhile. If too many wait, it is over, and the client is told from which
/// number to go on: the one behind the last that it was sent or, where that is not kept any more, the first
/// that is.
final class EventSubscription: Sendable {
  /// How many events of any type may wait.
  static let mostWaiting = 16_384
  /// How many events, and bytes of them, go into a message.
  private static let mostAtOnce = 1024
  private static let mostBytes = 262_144

  private struct State {
    /// The first number that was not yet read for the client.
    var next: UInt64
    /// How many messages were read from the log, given to the herald, and written.
    var read = 0
    var sent = 0
    var written = 0
    var isOver = false
  }

  /// What is to be said.
  private enum Step: Sendable {
    case nothing
    case append([EventLog.Entry], Int)
    case overflow(UInt64)
  }

  let number: Int
  private let types: Set<String>?
  private let log: EventLog
  private let herald: Herald
  private let state: Locked<State>
  private let whenOver: @Sendable (Int) -> Void

  init(
    _ number: Int,
    _ types: Set<String>?,
    from next: UInt64,
    _ log: EventLog,
    _ herald: Herald,
    whenOver: @escaping @Sendable (Int) -> Void
  ) {
    self.number = number
    self.types = types
    self.log = log
    self.herald = herald
    self.whenOver = whenOver
    state = Locked(State(next: next))
  }

  /// Sends what there is, unless something is on its way; looks whether too much waits.
  func send() {
    switch state.withLock({ takeStep(&$0) }) {
    case .nothing: break
    case .overflow(let next): tellOverflow(next)
    case .append(let entries, let count):
      herald.send(message(entries)) { [weak self] in self?.goOn(behind: count) }
      state.withLock { $0.sent = max($0.sent, count) }
    }
  }

  /// Reading and noting how far it was read is one, so that nothing is sent twice.
  private func takeStep(_ state: inout State) -> Step {
    guard !state.isOver else { return .nothing }
    guard state.written == state.read else {
      // What is not with the herald yet would come behind what is said now.
      let isTooFar = state.sent == state.read && log.count(from: state.next) > Self.mostWaiting
      state.isOver = isTooFar
      return isTooFar ? .overflow(state.next) : .nothing
    }
    let slice = log.read(from: state.next, types, limit: Self.mostAtOnce, bytes: Self.mostBytes)
    guard !slice.isMissing else {
      state.isOver = true
      return .overflow(log.first)
    }
    state.next = slice.next
    guard !slice.entries.isEmpty else { return .nothing }
    state.read += 1
    return .append(slice.entries, state.read)
  }

  private func goOn(behind count: Int) {
    state.withLock { $0.written = count }
    send()
  }

  private func message(_ entries: [EventLog.Entry]) -> [UInt8] {
    var bytes = Array(
      #"{"jsonrpc":"2.0","method":"events/append","params":{"subscription":\#(number),"events":["#
        .utf8
    )
    bytes.reserveCapacity(bytes.count + entries.reduce(8) { $0 + $1.json.count + 1 })
    for (index, entry) in entries.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += entry.json
    }
    bytes += "]}}".utf8
    return bytes
  }

  // MARK: Falling behind

  private func tellOverflow(_ next: UInt64) {
    herald.send(
      RPCMessage.notification("events/overflow") { json in
        json.member("subscription", number)
        json.member("next", Int64(clamping: next))
      }
    )
    whenOver(number)
  }

  /// Sends nothing more.
  func cancel() {
    state.withLock { $0.isOver = true }
  }
}
