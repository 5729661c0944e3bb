import EventMVVM

/// Sends a client's commands in the order in which they came, each after the writes before it.
///
/// Reads after a client's own writes see them, and `@last` is the record it added last, however
/// many requests it sends before it reads an answer. A read waits for no other read, and nothing
/// waits for a write that waits for a person. While the client does not read its answers, no command
/// is begun. Used by any thread.
final class CallSequence: Sendable {
  /// How many commands are in progress at once; their answers are in memory together.
  private static let mostRunning = 64

  /// A command whose turn has come.
  struct Turn {
    fileprivate let number: Int
  }

  private struct Step {
    let writes: Bool
    let start: @Sendable (Turn) -> Void
  }

  private struct State {
    var steps = FIFO<Step>()
    /// The number of the last command whose turn has come.
    var last = 0
    var running = 0
    /// The write that later commands wait for.
    var writing: Int?
    /// Whether a thread is sending: one at a time, to keep the order.
    var isSending = false
    /// Whether the client is awaited to read its answers.
    var awaitsClient = false

    var isFree: Bool { writing == nil && running < CallSequence.mostRunning }

    mutating func turn(writes: Bool) -> Turn {
      last += 1
      running += 1
      if writes { writing = last }
      return Turn(number: last)
    }

    /// The next step, unless it has to wait.
    mutating func next() -> (Step, Turn)? {
      guard isFree, let step = steps.popFirst() else { return nil }
      return (step, turn(writes: step.writes))
    }
  }

  /// What the client has not read: whether there is room for another answer, and a call back when
  /// there is.
  private let hasRoom: @Sendable () -> Bool
  private let whenRead: @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  private let state = Locked(State())

  /// Creates an empty sequence.
  ///
  /// - Parameters:
  ///   - hasRoom: Whether the client leaves room for another answer.
  ///   - whenRead: Calls back when it does.
  init(
    hasRoom: @escaping @Sendable () -> Bool = { true },
    whenRead: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Void = { $0() }
  ) {
    self.hasRoom = hasRoom
    self.whenRead = whenRead
  }

  /// Starts a command when its turn comes; at once if none is before it.
  ///
  /// - Parameters:
  ///   - writes: Whether later commands wait until it ``ended(_:)``.
  ///   - start: Called on this thread, or on the one that ends an earlier command.
  func add(writes: Bool, _ start: @escaping @Sendable (Turn) -> Void) {
    let hasRoom = hasRoom()
    let turn = state.withLock { state -> Turn? in
      guard hasRoom, state.steps.isEmpty, state.isFree, !state.isSending else {
        state.steps.append(Step(writes: writes, start: start))
        return nil
      }
      state.isSending = true
      return state.turn(writes: writes)
    }
    guard let turn else { return send() }
    start(turn)
    sendOn()
  }

  /// Notes the end of a command.
  func ended(_ turn: Turn) {
    state.withLock { state in
      state.running -= 1
      if state.writing == turn.number { state.writing = nil }
    }
    send()
  }

  /// Lets later commands pass a write, since it waits for a person.
  func pass(_ turn: Turn) {
    let isPassed = state.withLock { state in
      guard state.writing == turn.number else { return false }
      state.writing = nil
      return true
    }
    if isPassed { send() }
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
    while let (step, turn) = nextStep() { step.start(turn) }
  }

  private func nextStep() -> (Step, Turn)? {
    let hasRoom = hasRoom()
    let (next, isHeldUp) = state.withLock { state -> ((Step, Turn)?, Bool) in
      let next = hasRoom ? state.next() : nil
      state.isSending = next != nil
      let isHeldUp = !hasRoom && !state.steps.isEmpty && !state.awaitsClient
      if isHeldUp { state.awaitsClient = true }
      return (next, isHeldUp)
    }
    if isHeldUp {
      whenRead { [weak self] in
        self?.state.withLock { $0.awaitsClient = false }
        self?.send()
      }
    }
    return next
  }
}
