import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// Sends a client a state: once, and then at each change.
///
/// To ask may take long where much is stored. After an answer it therefore rests a moment, and
/// whatever changes meanwhile is asked for at its end, once: the last value always arrives.
final class StateWatch: Sendable {
  /// Calls back when a rest is over.
  typealias Rest = @Sendable (_ isOver: @escaping @Sendable () -> Void) -> Void

  /// How long it rests.
  private static let restTime = 0.2
  /// Rests by the system's clock.
  static let rest: Rest = { isOver in
    Alarm.shared.after(restTime, isOver)
  }

  private enum Phase {
    /// Nothing has changed since it asked.
    case idle
    /// The answer is on its way.
    case asking
    /// It was answered a moment ago.
    case resting
  }

  private struct State {
    var phase = Phase.idle
    /// Whether something has changed since it asked.
    var isStale = false
    /// Whether it does not rest any more.
    var isHurried = false
    var last: [UInt8]?
    /// Why the last answer was none.
    var trouble: Failure?

    /// Whether to ask now that something may have changed.
    mutating func mustAsk() -> Bool {
      isStale = phase == .asking || (phase == .resting && !isHurried)
      guard !isStale else { return false }
      phase = .asking
      return true
    }
  }

  private let port: ViewPort
  private let type: any WatchedState.Type
  private let rest: Rest
  private let send: @Sendable ([UInt8]) -> Void
  private let state = Locked(State())

  /// Watches a state.
  ///
  /// - Parameters:
  ///   - type: How it is asked for.
  ///   - port: Where.
  ///   - rest: Rests between two askings.
  ///   - send: Takes the notification.
  init(
    _ type: any WatchedState.Type,
    _ port: ViewPort,
    rest: @escaping Rest = StateWatch.rest,
    _ send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.type = type
    self.port = port
    self.rest = rest
    self.send = send
  }

  /// Whether the client has the latest value, as far as is known.
  var isIdle: Bool { state.withLock { $0.phase != .asking && !$0.isStale } }

  /// Sends it again, though it was sent before.
  func askAnew() {
    state.withLock { ($0.last, $0.trouble) = (nil, nil) }
    ask()
  }

  /// Asks how it stands, at once or soon; many askings are one.
  func ask() {
    if state.withLock({ $0.mustAsk() }) { askNow() }
  }

  /// Rests no more.
  func hurry() {
    let mustAsk = state.withLock { state in
      state.isHurried = true
      return state.isStale && state.mustAsk()
    }
    if mustAsk { askNow() }
  }

  private func askNow() {
    type.ask(through: port) { [weak self] answer, name in self?.take(answer, name) }
  }

  /// Takes the answer; why there is none is reported once.
  private func take(_ answer: Result<[UInt8], Failure>, _ name: String) {
    let isNew = state.withLock { state in
      state.phase = .resting
      switch answer {
      case .success(let value):
        defer { (state.last, state.trouble) = (value, nil) }
        return state.last != value
      case .failure(let trouble):
        defer { (state.last, state.trouble) = (nil, trouble) }
        return state.trouble != trouble
      }
    }
    if isNew { tell(answer, name) }
    if state.withLock({ $0.isHurried }) { return goOn() }
    rest { [weak self] in self?.goOn() }
  }

  /// Asks again if something has changed since it asked.
  private func goOn() {
    let mustAsk = state.withLock { state in
      // Who was hurried has asked already.
      guard state.phase == .resting else { return false }
      state.phase = .idle
      return state.isStale && state.mustAsk()
    }
    if mustAsk { askNow() }
  }

  private func tell(_ answer: Result<[UInt8], Failure>, _ name: String) {
    switch answer {
    case .success(let value):
      guard let value = try? JSON(parsing: value) else { return }
      send(
        RPCMessage.notification("state/changed") { json in
          json.member("name", name)
          json.member("value", value)
        }
      )
    case .failure(let trouble): send(RPCMessage.notice(trouble, .error))
    }
  }
}

extension WatchedState {
  /// Asks how it stands.
  fileprivate static func ask(
    through port: ViewPort,
    _ take: @escaping @Sendable (Result<[UInt8], Failure>, String) -> Void
  ) {
    port.request(Self(), isHousekeeping: true) { result, _ in
      let answer = result.mapError { Failure($0) }.flatMap { $0.result }
      let bytes = answer.map { value in
        var json = JSONWriter()
        value.write(to: &json)
        return json.bytes
      }
      take(bytes, stateName)
    }
  }
}

extension [UInt8] {
  /// The result of what has none.
  static let null = Array("null".utf8)
}
