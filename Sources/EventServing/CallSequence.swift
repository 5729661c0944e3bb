import EventMVVM

/// Sends a client's commands in the order in which they came, each after the writes before it.
///
/// What a client asks for after its own writes shows them, and `@last` is what it added last,
/// however many requests it sends before it reads an answer. What only reads waits for no other
/// reading.
final class CallSequence: Sendable {
  private struct Step {
    let writes: Bool
    let start: @Sendable () -> Void
  }

  private struct State {
    /// Those that have come; none in the place of what was sent, or its call would be under way
    /// with it.
    var steps: [Step?] = []
    var first = 0
    var isWriting = false
    /// Whether a thread sends what can be sent: one at a time, or the order would be lost.
    var isSending = false

    /// The next step, unless it has to wait.
    mutating func next() -> Step? {
      guard first < steps.count, !isWriting, let step = steps[first] else { return nil }
      steps[first] = nil
      first += 1
      isWriting = step.writes
      return step
    }

    /// Drops what has been sent.
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

  /// Starts a command when its turn comes; at once if nothing is before it.
  ///
  /// - Parameters:
  ///   - writes: Whether those after it wait for ``writeEnded()``.
  ///   - start: Called on this thread, or where an earlier write has ended.
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

  /// Notes that the write that was started last is over.
  func writeEnded() {
    state.withLock { $0.isWriting = false }
    send()
  }

  /// Sends what can be sent, unless another thread does.
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
