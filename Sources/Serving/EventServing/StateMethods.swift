import EventCommands
import EventMVVM
import EventRPC
import EventValues
import JSONText

/// The states that a client watches.
final class StateWatches: Sendable {
  private let watches = Locked<[String: StateWatch]>([:])
  private let cells = Locked<[String: CellWatch]>([:])

  /// Begins to watch a state; a second call has no effect.
  func add(_ name: String, _ make: () -> StateWatch) -> StateWatch {
    let watch = make()
    return watches.withLock { watches in
      let kept = watches[name] ?? watch
      watches[name] = kept
      return kept
    }
  }

  /// Begins to watch a published state; a second call begins again.
  func follow(_ name: String, _ session: Session) {
    let cell = CellWatch(name, session.notifier)
    cells.withLock { $0[name] = cell }
    cell.begin(session.port)
  }

  /// Stops watching it.
  func remove(_ name: String) {
    watches.withLock { $0[name] = nil }
    cells.withLock { $0[name] = nil }
  }

  /// Whether no state is watched.
  var isEmpty: Bool { watches.withLock { $0.isEmpty } && cells.withLock { $0.isEmpty } }

  /// Whether the client has the latest value of each.
  var isIdle: Bool {
    all.allSatisfy(\.isIdle) && cells.withLock { Array($0.values) }.allSatisfy(\.isIdle)
  }

  /// Requests the values of all.
  func ask() {
    for watch in all { watch.ask() }
  }

  /// Ends the pause of each.
  func hurry() {
    for watch in all { watch.hurry() }
  }

  private var all: [StateWatch] { watches.withLock { $0.isEmpty ? [] : Array($0.values) } }
}

/// Lists the states that can be watched.
struct ListStates: ServerMethod {
  static let spec = CommandSpec<Self>(
    "state/list",
    "Lists the states that can be watched, with what each says."
  )

  func perform(_ call: IncomingCall, _ session: Session) {
    var json = JSONWriter()
    json.array { json in
      for state in session.catalogue.wire.stateSummaries {
        json.object {
          $0.member("name", state.name)
          $0.member("summary", state.summary)
        }
      }
    }
    call.responder?.succeed(json.bytes)
  }
}

/// Subscribes to a state: its present value, and each change.
struct SubscribeState: ServerMethod {
  var name = ""
  static let spec = CommandSpec<Self>(
    "state/subscribe",
    "Tells how a state stands, at once and whenever it is another: `state/changed`."
  )
  .word(\.name, "The state")

  func perform(_ call: IncomingCall, _ session: Session) throws(CommandError) {
    let state = try session.state(named: name)
    call.responder?.succeed(.null)
    switch state {
    case .asked(let type):
      session.states
        .add(name) {
          StateWatch(type, session.port) { [notifier = session.notifier] in notifier.send($0) }
        }
        .askAnew()
    case .cell: session.states.follow(name, session)
    }
  }
}

/// Ends a subscription to a state.
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
  /// The way in which a state is watched.
  fileprivate enum Watched {
    /// By repeated requests.
    case asked(any WatchedState.Type)
    /// By the events of its changes.
    case cell
  }

  /// Returns the state with a name.
  fileprivate func state(named name: String) throws(CommandError) -> Watched {
    let wire = catalogue.wire
    if wire.cells.contains(where: { $0.name.isIdentical(to: name) }) { return .cell }
    if let state = wire.states.first(where: { $0.stateName.isIdentical(to: name) }) {
      return .asked(state)
    }
    let known = wire.stateSummaries.map { "'\($0.name)'" }.joined(separator: ", ")
    throw CommandError(
      "/name: there is no state '\(name.quotable)'; there is \(known.isEmpty ? "none" : known)",
      field: "name",
      path: "/name"
    )
  }
}
