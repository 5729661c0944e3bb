import EventMVVM
import EventRPC

/// The commands that are under way.
final class RunningCalls: Sendable {
  private struct State {
    var byID: [RPCID: RunningCall] = [:]
    var count = 0
    var whenIdle: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// The call that has an id; of two with one id, the later one.
  subscript(id: RPCID) -> RunningCall? { state.withLock { $0.byID[id] } }

  /// Notes that a command begins.
  func begin(_ call: RunningCall) {
    state.withLock { state in
      state.count += 1
      if let id = call.call.responder?.id { state.byID[id] = call }
    }
  }

  /// Notes that a command has been answered.
  func end(_ call: RunningCall) {
    let whenIdle = state.withLock { state -> (@Sendable () -> Void)? in
      state.count -= 1
      if let id = call.call.responder?.id, state.byID[id] === call { state.byID[id] = nil }
      guard state.count == 0 else { return nil }
      defer { state.whenIdle = nil }
      return state.whenIdle
    }
    whenIdle?()
  }

  /// Calls back as soon as nothing is under way.
  func whenIdle(_ body: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      if state.count > 0 { state.whenIdle = body }
      return state.count == 0
    }
    if isIdle { body() }
  }
}

/// A command that is under way.
final class RunningCall: Sendable {
  /// The call that asked for it.
  let call: IncomingCall
  /// How far it has come, if the client wants to know.
  let progress: Progress?
  private let state = Locked((conversation: Conversation?.none, isCancelled: false))

  init(_ call: IncomingCall, _ progress: Progress?) {
    self.call = call
    self.progress = progress
  }

  /// Whether the client has cancelled it.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Notes how it is cancelled from now on; what was cancelled a moment ago is cancelled now.
  func follow(_ conversation: Conversation, _ port: ViewPort) {
    let isCancelled = state.withLock { state in
      state.conversation = conversation
      return state.isCancelled
    }
    if isCancelled { port.cancel(conversation) }
  }

  /// Cancels it, if its work has not begun.
  func cancel(_ port: ViewPort) {
    let conversation = state.withLock { state in
      state.isCancelled = true
      return state.conversation
    }
    if let conversation { port.cancel(conversation) }
  }
}
