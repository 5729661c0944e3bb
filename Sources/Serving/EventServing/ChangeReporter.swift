import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// Notifies a client of changes, by any session: many changes in one message.
///
/// Changes within 20 milliseconds are one message for each origin, and no more are created before
/// the last one is written: a client that does not read gets one message more, not a thousand.
/// Revisions never fall: an external change that came before a write of this process, and is
/// noticed after it, is sent with the revision of that write.
final class ChangeReporter: Sendable {
  /// How many numbers a message lists; for more, the client reads everything again.
  private static let mostIDs = 10_000
  private static let pause = 0.02

  /// The changes of one origin since the last message.
  fileprivate struct Change {
    let notification: String
    let origin: String
    var revision = 0
    var ids: Set<Int> = []
    var isEverything = false

    /// Adds another change, in place: a script makes thousands.
    mutating func add(_ revision: Int, _ ids: [Int]) {
      self.revision = revision
      guard !isEverything else { return }
      for id in ids { self.ids.insert(id) }
      guard self.ids.count > mostIDs else { return }
      self.ids = []
      isEverything = true
    }
  }

  private struct State {
    var pending: [Change] = []
    /// The newest revision of each notification.
    var newest: [String: Int] = [:]
    /// Whether a message is being written, or the client must not be notified yet.
    var isWaiting = true
  }

  private let notifier: Notifier
  private let state = Locked(State())
  private let whenChanged: @Sendable () -> Void

  /// Creates a reporter for a client; nothing is sent before ``begin()``.
  ///
  /// - Parameters:
  ///   - notifier: Sends the notifications.
  ///   - whenChanged: Called at every change, on the home thread.
  init(_ notifier: Notifier, whenChanged: @escaping @Sendable () -> Void) {
    self.notifier = notifier
    self.whenChanged = whenChanged
  }

  /// Reports the changes so far, and later ones.
  func begin() {
    let isNew = state.withLock { state in
      state.isWaiting = !state.pending.isEmpty
      return state.isWaiting
    }
    if isNew { send() }
  }

  /// Whether the client was notified of everything.
  var isIdle: Bool { state.withLock { $0.pending.isEmpty && !$0.isWaiting } }

  /// Observes a kind of change.
  func listen<C: ChangeNotice>(to type: C.Type, _ port: ViewPort) {
    port.on(type, owner: self) { reporter, change, turn in
      let origin = change.externalOrigin ?? turn.originName
      reporter.note(C.notification, origin, change.revision, change.changedIDs)
      reporter.whenChanged()
    }
  }

  private func note(_ notification: String, _ origin: String, _ revision: Int, _ ids: [Int]) {
    let mustWait = state.withLock { state in
      let index = state.pending.lastIndex {
        $0.notification.isIdentical(to: notification) && $0.origin.isIdentical(to: origin)
      }
      // The latest origin comes last, so that the revisions of messages rise.
      if let index {
        if index != state.pending.count - 1 {
          state.pending.append(state.pending.remove(at: index))
        }
      } else {
        state.pending.append(Change(notification: notification, origin: origin))
      }
      let newest = max(revision, state.newest[notification] ?? 0)
      state.newest[notification] = newest
      state.pending[state.pending.count - 1].add(newest, ids)
      defer { state.isWaiting = true }
      return !state.isWaiting
    }
    if mustWait { sendSoon() }
  }

  private func sendSoon() {
    Alarm.shared.after(Self.pause) { [weak self] in self?.send() }
  }

  /// Sends the pending changes; later ones wait until the message is written.
  func send() {
    let changes = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    guard let last = changes.last else { return state.withLock { $0.isWaiting = false } }
    for change in changes.dropLast() { notifier.send(change.message) }
    notifier.send(last.message) { [weak self] in self?.goOn() }
  }

  private func goOn() {
    let isNew = state.withLock { state in
      state.isWaiting = !state.pending.isEmpty
      return state.isWaiting
    }
    if isNew { sendSoon() }
  }
}

extension ChangeReporter.Change {
  /// Its notification.
  fileprivate var message: [UInt8] {
    RPCMessage.notification(notification) { json in
      json.member("revision", revision)
      json.key("ids")
      if isEverything {
        json.null()
      } else {
        json.array { json in
          for id in ids.sorted() { json.value(id) }
        }
      }
      json.member("origin", origin)
    }
  }
}
