import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// A client's wish to be sent events as they happen.
///
/// Its events wait in the log, not in memory of its own: one message is on its way at a time, and takes
/// with it whatever has come meanwhile. If too many wait, it is over, and the client is told from which
/// number to go on.
final class EventSubscription: Sendable {
  /// How many events of any type may wait.
  static let mostWaiting = 16_384
  /// How many events, and bytes of them, go into a message.
  private static let mostAtOnce = 1024
  private static let mostBytes = 262_144

  private struct State {
    var next: UInt64
    var isSending = false
    var isOver = false
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
    let next = state.withLock { state -> UInt64? in
      guard !state.isSending, !state.isOver else { return nil }
      state.isSending = true
      return state.next
    }
    if let next { return send(from: next) }
    overflow()
  }

  private func send(from next: UInt64) {
    let slice = log.read(from: next, types, limit: Self.mostAtOnce, bytes: Self.mostBytes)
    guard !slice.isMissing else { return end(next) }
    let hasMore = state.withLock { state in
      state.next = slice.next
      // What came between reading and this is seen by whoever noted it, or now.
      state.isSending = !slice.entries.isEmpty
      return !state.isSending && log.head >= slice.next
    }
    guard !slice.entries.isEmpty else { return hasMore ? send() : () }
    herald.send(message(slice.entries)) { [weak self] in self?.goOn() }
  }

  private func goOn() {
    state.withLock { $0.isSending = false }
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

  private func overflow() {
    let next = state.withLock { $0.isOver ? nil : $0.next }
    if let next, log.count(from: next) > Self.mostWaiting { end(next) }
  }

  private func end(_ next: UInt64) {
    guard cancel() else { return }
    herald.send(
      RPCMessage.notification("events/overflow") { json in
        json.member("subscription", number)
        json.member("next", Int64(clamping: next))
      }
    )
    whenOver(number)
  }

  /// Sends nothing more; false if it did not anyway.
  @discardableResult
  func cancel() -> Bool {
    state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
  }
}
