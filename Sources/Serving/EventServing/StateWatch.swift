import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// Sends a client a state: once, and then at each change.
///
/// A request may take long where much is stored. After an answer it therefore pauses, and a change
/// meanwhile leads to one request at the end of the pause: the last value always arrives.
final class StateWatch: Sendable {
  /// Calls back at the end of a pause.
  typealias Rest = @Sendable (_ isOver: @escaping @Sendable () -> Void) -> Void

  /// The length of a pause, in seconds.
  private static let restTime = 0.2
  /// Pauses by the system's clock.
  static let rest: Rest = { isOver in
    Alarm.shared.after(restTime, isOver)
  }

  private enum Phase {
    /// Nothing has changed since the last request.
    case idle
    /// A request is in progress.
    case asking
    /// It pauses after an answer.
    case resting
  }

  private struct State {
    var phase = Phase.idle
    /// Whether something has changed since the last request.
    var isStale = false
    /// Whether it no longer pauses.
    var isHurried = false
    var last: [UInt8]?
    /// The failure of the last request.
    var trouble: Failure?

    /// Whether to send a request after a possible change.
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
  ///   - type: The request for the state.
  ///   - port: The port that sends the request.
  ///   - rest: Pauses between two requests.
  ///   - send: Sends the notification.
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

  /// Sends the value again, even if it has not changed.
  func askAnew() {
    state.withLock { ($0.last, $0.trouble) = (nil, nil) }
    ask()
  }

  /// Requests the value, at once or soon; several calls are combined.
  func ask() {
    if state.withLock({ $0.mustAsk() }) { askNow() }
  }

  /// Ends the pauses.
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

  /// Handles the answer; a failure is reported once.
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

  /// Requests the value again if something has changed since the last request.
  private func goOn() {
    let mustAsk = state.withLock { state in
      // After `hurry()` the request has been sent already.
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
  /// Requests the value.
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
  /// The result of methods without one.
  static let null = Array("null".utf8)
}
