import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// A client's subscription to events.
///
/// Its events wait in the log, not in memory of its own: one message is written at a time, and the
/// next one has all events that came meanwhile. If too many wait, the subscription ends, and the
/// client is sent the number from which to resume: the one after the last that it was sent or,
/// where that is not stored any more, the first stored one.
final class EventSubscription: Sendable {
  /// The most events, and bytes of events, in a message.
  private static let mostAtOnce = 1024
  private static let mostBytes = 262_144

  /// The state of the latest message.
  private enum Message {
    /// There is none, or it has been written.
    case none
    /// It is being posted, and no other may be posted meanwhile.
    case beingSent
    /// It was written before the call that posts it has returned.
    case takenAtOnce
    /// It waits to be written.
    case waiting
  }

  private struct State {
    var next: UInt64
    /// The next number before the message that is being written.
    var nextBeforeMessage: UInt64
    var message = Message.none
    var isOver = false
    /// How many events of its types came before the next one, if that is known.
    var passed: Int?
  }

  let number: Int
  let types: Set<String>?
  private let log: EventLog
  private let notifier: Notifier
  /// How many events of any type may wait.
  private let maxQueuedEvents: Int
  private let state: Locked<State>
  private let whenOver: @Sendable (Int) -> Void

  init(
    _ number: Int,
    _ types: Set<String>?,
    from next: UInt64,
    _ log: EventLog,
    _ notifier: Notifier,
    maxQueuedEvents: Int,
    whenOver: @escaping @Sendable (Int) -> Void
  ) {
    self.number = number
    self.types = types
    self.log = log
    self.notifier = notifier
    self.maxQueuedEvents = maxQueuedEvents
    self.whenOver = whenOver
    let passed = log.count(before: next, types)
    state = Locked(State(next: next, nextBeforeMessage: next, passed: passed))
  }

  /// Whether the client has been sent all events, and they are written.
  var isUpToDate: Bool {
    state.withLock { state in
      state.isOver || (state.message == .none && log.count(from: state.next) == 0)
    }
  }

  /// The number of the first event that is not written to the client.
  var place: UInt64 {
    state.withLock { state in
      switch state.message {
      case .none, .takenAtOnce: state.next
      case .beingSent, .waiting: state.nextBeforeMessage
      }
    }
  }

  /// Sends the waiting events, unless a message is being written; checks whether too many wait.
  func send() {
    while let slice = take() {
      if slice.isMissing { return end(slice) }
      guard !slice.entries.isEmpty else { return }
      notifier.send(message(slice.entries)) { [weak self] in self?.noteTaken() }
      guard isTakenAtOnce() else { return }
    }
    overflow()
  }

  /// Returns the next events, if they may be sent now: no other thread sends any before they are
  /// posted.
  private func take() -> EventLog.Slice? {
    state.withLock { state in
      guard state.message == .none, !state.isOver else { return nil }
      var slice = log.read(from: state.next, types, limit: Self.mostAtOnce, bytes: Self.mostBytes)
      if slice.isMissing {
        slice.next = log.first
        return slice
      }
      if !slice.entries.isEmpty {
        state.message = .beingSent
        state.nextBeforeMessage = state.next
      }
      state.next = slice.next
      state.passed = state.passed.map { $0 + slice.entries.count }
      return slice
    }
  }

  /// Whether the message that was just posted has been written already; else it waits.
  private func isTakenAtOnce() -> Bool {
    state.withLock { state in
      let isTaken = state.message == .takenAtOnce
      state.message = isTaken ? .none : .waiting
      return isTaken
    }
  }

  /// Notes that the message has been written; continues unless another thread does.
  private func noteTaken() {
    let isFree = state.withLock { state in
      let isFree = state.message == .waiting
      state.message = isFree ? .none : .takenAtOnce
      return isFree
    }
    if isFree { send() }
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

  /// Ends the subscription if too much waits after the waiting message.
  ///
  /// Checked and decided under one lock: events that are written in between would be sent twice.
  private func overflow() {
    let next = state.withLock { state -> UInt64? in
      guard state.message == .waiting, !state.isOver,
        log.count(from: state.next) > maxQueuedEvents
      else { return nil }
      state.isOver = true
      return state.next
    }
    if let next { tellEnd(next, missed: 0) }
  }

  private func end(_ slice: EventLog.Slice) {
    let passed = state.withLock { $0.passed }
    if cancel() { tellEnd(slice.next, missed: passed.map { max(0, slice.dropped - $0) }) }
  }

  private func tellEnd(_ next: UInt64, missed: Int?) {
    notifier.send(
      RPCMessage.notification("events/overflow") { json in
        json.member("subscription", number)
        json.member("next", Int64(clamping: next))
        json.member("missed", missed)
      }
    )
    whenOver(number)
  }

  /// Stops sending; returns false if it had stopped before.
  @discardableResult
  func cancel() -> Bool {
    state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
  }
}
