import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// Tells a client how a state stands: once, and then whenever it is another.
final class StateWatch: Sendable {
  private struct State {
    var isAsking = false
    var isStale = false
    var last: [UInt8]?
  }

  private let herald: Herald
  private let port: ViewPort
  private let type: any WatchedState.Type
  private let state = Locked(State())

  init(_ type: any WatchedState.Type, _ port: ViewPort, _ herald: Herald) {
    self.type = type
    self.port = port
    self.herald = herald
  }

  /// Asks how it stands; many askings at once are one.
  func ask() {
    let isFree = state.withLock { state in
      state.isStale = state.isAsking
      defer { state.isAsking = true }
      return !state.isAsking
    }
    if isFree { send() }
  }

  private func send() {
    type.ask(through: port) { [weak self] value, name in self?.take(value, name) }
  }

  /// Takes the answer; one that could not be had is none.
  private func take(_ value: [UInt8], _ name: String) {
    let (isNews, asksAgain) = state.withLock { state in
      let isNews = !value.isEmpty && state.last != value
      if isNews { state.last = value }
      defer { state.isStale = false }
      state.isAsking = state.isStale
      return (isNews, state.isStale)
    }
    if isNews { tell(value, name) }
    if asksAgain { send() }
  }

  private func tell(_ value: [UInt8], _ name: String) {
    guard let value = try? JSON(parsing: value) else { return }
    herald.send(
      RPCMessage.notification("state/changed") { json in
        json.member("name", name)
        json.member("value", value)
      }
    )
  }
}

extension WatchedState {
  /// Asks how it stands; nothing is written if that can't be had.
  fileprivate static func ask(
    through port: ViewPort,
    _ take: @escaping @Sendable ([UInt8], String) -> Void
  ) {
    port.request(Self()) { result, _ in
      var json = JSONWriter()
      if let value = try? result.get().result.get() { value.write(to: &json) }
      take(json.bytes, stateName)
    }
  }
}

/// The states that a client watches.
final class StateWatches: Sendable {
  private let watches = Locked<[String: StateWatch]>([:])

  /// Watches a state from now on; again is no more.
  func add(_ name: String, _ make: () -> StateWatch) -> StateWatch {
    let watch = make()
    return watches.withLock { watches in
      let kept = watches[name] ?? watch
      watches[name] = kept
      return kept
    }
  }

  /// Watches it no more.
  func remove(_ name: String) {
    watches.withLock { $0[name] = nil }
  }

  /// Whether none is watched.
  var isEmpty: Bool { watches.withLock { $0.isEmpty } }

  /// Asks how they all stand.
  func ask() {
    for watch in watches.withLock({ Array($0.values) }) { watch.ask() }
  }
}

/// Asks to be told how a state stands, now and whenever it changes.
struct SubscribeState: ServerMethod {
  var name = ""
  static let spec = CommandSpec<Self>(
    "state/subscribe",
    "Tells how a state stands, at once and whenever it is another: `state/changed`."
  )
  .word(\.name, "The state")

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    let type = try session.state(named: name)
    call.responder?.succeed(.null)
    session.states.add(name) { StateWatch(type, session.port, session.herald) }.ask()
  }
}

/// Asks to be told no more.
struct UnsubscribeState: ServerMethod {
  var name = ""
  static let spec = CommandSpec<Self>("state/unsubscribe", "Tells no more how a state stands.")
    .word(\.name, "The state")

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    _ = try session.state(named: name)
    session.states.remove(name)
    call.responder?.succeed(.null)
  }
}

extension Session {
  /// The state that a client names.
  fileprivate func state(named name: String) throws(CommandError) -> any WatchedState.Type {
    let states = catalogue.wire.states
    if let state = states.first(where: { $0.stateName.isIdentical(to: name) }) { return state }
    let known = states.map { "'\($0.stateName)'" }.joined(separator: ", ")
    throw CommandError(
      "/name: there is no state '\(name.quotable)'; there is \(known.isEmpty ? "none" : known)",
      field: "name",
      path: "/name"
    )
  }
}

extension [UInt8] {
  /// The result of what has none.
  static let null = Array("null".utf8)
}
