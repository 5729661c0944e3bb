import EventCommands
import EventMVVM
import EventRPC
import EventValues
import JSONText

/// Sends a client a published state: its latest value, and then its changes.
///
/// While a value waits to be written, later ones replace each other: a client that does not read is
/// sent the last one alone.
final class CellWatch: Sendable {
  private struct State {
    /// Whether it has not received a value yet.
    var isAwaited = true
    var isWriting = false
    var next: [UInt8]?
    var watch: NamedStateWatch?
  }

  private let name: String
  private let notifier: Notifier
  private let state = Locked(State())

  init(_ name: String, _ notifier: Notifier) {
    self.name = name
    self.notifier = notifier
  }

  /// Begins to watch it, with its latest value first.
  func begin(_ port: ViewPort) {
    let watch = port.watch(name) { [weak self] in self?.take($0) }
    state.withLock { $0.watch = watch }
  }

  /// Whether the client was sent the latest value.
  var isIdle: Bool { state.withLock { !$0.isWriting && !$0.isAwaited } }

  private func take(_ value: [UInt8]) {
    let isFree = state.withLock { state in
      state.isAwaited = false
      if state.isWriting { state.next = value }
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFree { send(value) }
  }

  private func send(_ value: [UInt8]) {
    let message = RPCMessage.notification("state/changed") { json in
      json.member("name", name)
      json.key("value")
      json.value(text: value)
    }
    notifier.send(message, whenWritten: { [weak self] in self?.sendNext() })
  }

  private func sendNext() {
    let next = state.withLock { state in
      defer { state.next = nil }
      state.isWriting = state.next != nil
      return state.next
    }
    if let next { send(next) }
  }
}
