import EventMVVM

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
