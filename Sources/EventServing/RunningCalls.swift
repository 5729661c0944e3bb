import EventMVVM
import EventRPC

/// The commands in progress; of two with one id, the later one can be cancelled.
final class RunningCalls: Sendable {
  private struct State {
    var byID: [RPCID: RunningCall] = [:]
    var count = 0
    var whenIdle: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

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

  /// Whether the client has cancelled a command.
  func isCancelled(_ call: RunningCall) -> Bool {
    state.withLock { _ in call.isCancelled }
  }

  /// Stores how a command is cancelled from now on; if it was cancelled before, cancels it now.
  func follow(_ call: RunningCall, _ conversation: Conversation, _ port: ViewPort) {
    let isCancelled = state.withLock { _ in
      call.conversation = conversation
      return call.isCancelled
    }
    if isCancelled { port.cancel(conversation) }
  }

  /// Cancels the command with an id, if its work has not begun.
  func cancel(_ id: RPCID, _ port: ViewPort) {
    let conversation = state.withLock { state in
      state.byID[id]?.isCancelled = true
      return state.byID[id]?.conversation
    }
    if let conversation { port.cancel(conversation) }
  }

  /// Whether no command is in progress.
  var isIdle: Bool { state.withLock { $0.count == 0 } }

  /// Calls back as soon as no command is in progress.
  func whenIdle(_ body: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      if state.count > 0 { state.whenIdle = body }
      return state.count == 0
    }
    if isIdle { body() }
  }
}

/// A command in progress.
final class RunningCall: @unchecked Sendable {
  // Unchecked: the variables are touched under the lock of `RunningCalls` alone.

  /// The call that requested it.
  let call: IncomingCall
  /// Its progress, if the client requested it.
  let progress: Progress?
  /// The key of the write; nil if it has none.
  let key: String?
  /// The form of its answer.
  let form: AnswerForm
  fileprivate var conversation: Conversation?
  fileprivate var isCancelled = false

  init(
    _ call: IncomingCall,
    _ progress: Progress? = nil,
    key: String? = nil,
    as form: AnswerForm = .value
  ) {
    self.call = call
    self.progress = progress
    self.key = key
    self.form = form
  }
}

/// Sends a client's commands in the order in which they came, each after the writes before it.
///
/// Reads after a client's own writes see them, and `@last` is the record it added last, however
/// many requests it sends before it reads an answer. A read waits for no other read.
final class CallSequence: Sendable {
  private struct Step {
    let writes: Bool
    let start: @Sendable () -> Void
  }

  private struct State {
    /// The waiting steps; nil in place of a sent one, which would otherwise keep its call in
    /// progress.
    var steps: [Step?] = []
    var first = 0
    var isWriting = false
    /// Whether a thread is sending: one at a time, to keep the order.
    var isSending = false

    /// The next step, unless it has to wait.
    mutating func next() -> Step? {
      guard first < steps.count, !isWriting, let step = steps[first] else { return nil }
      steps[first] = nil
      first += 1
      isWriting = step.writes
      return step
    }

    /// Removes sent steps.
    mutating func tidy() {
      if first == steps.count {
        steps.removeAll(keepingCapacity: steps.capacity < 1024)
        first = 0
      } else if first > 1024, first * 2 > steps.count {
        steps.removeFirst(first)
        first = 0
      }
    }
  }

  private let state = Locked(State())

  /// Starts a command when its turn comes; at once if none is before it.
  ///
  /// - Parameters:
  ///   - writes: Whether later commands wait for ``writeEnded()``.
  ///   - start: Called on this thread, or on the one that ends an earlier write.
  func add(writes: Bool, _ start: @escaping @Sendable () -> Void) {
    let isNext = state.withLock { state in
      guard state.steps.isEmpty, !state.isWriting, !state.isSending else {
        state.steps.append(Step(writes: writes, start: start))
        return false
      }
      (state.isWriting, state.isSending) = (writes, true)
      return true
    }
    guard isNext else { return send() }
    start()
    sendOn()
  }

  /// Notes the end of the last write that was started.
  func writeEnded() {
    state.withLock { $0.isWriting = false }
    send()
  }

  /// Sends the steps that can be sent, unless another thread does.
  private func send() {
    let isFree = state.withLock { state in
      defer { state.isSending = true }
      return !state.isSending
    }
    if isFree { sendOn() }
  }

  private func sendOn() {
    while let step = nextStep() { step.start() }
  }

  private func nextStep() -> Step? {
    state.withLock { state in
      let step = state.next()
      state.tidy()
      state.isSending = step != nil
      return step
    }
  }
}
