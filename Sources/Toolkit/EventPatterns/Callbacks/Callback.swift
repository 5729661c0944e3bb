public import EventMVVM

/// Adapts an API that answers by a callback or a delegate, so that the caller can await the answer
/// (S64).
///
/// There is one answer, whatever the API does: the first counts, and each further one is ignored.
/// An API that releases the callback without calling it has answered as well: no answer will come.
/// If the task that waits is cancelled, or the time limit passes, that is the answer, and
/// ``onCancel(_:)`` notifies the API. All of it on any thread, inside ``wait(within:clock:_:)`` or
/// later.
///
/// ```swift
/// let text = try await Callback.wait { callback in
///   printer.print("hello") { text, error in
///     callback(text.map { .success($0) } ?? .failure(Failure(.store, "\(error)")))
///   }
/// }
/// ```
///
/// A delegate is an object that has the callback, and calls it when its API reports the end.
public final class Callback<Value: Sendable>: Sendable {
  private let answer: Answer<Value>

  fileprivate init(_ answer: Answer<Value>) {
    self.answer = answer
  }

  deinit { answer.settle(.failure(Failure(.unanswered, "Nobody calls back any more."))) }

  /// Answers.
  ///
  /// - Parameter result: The answer.
  /// - Returns: Whether it counts: it is the first, and the caller still waits.
  @discardableResult
  public func callAsFunction(_ result: Result<Value, Failure>) -> Bool {
    answer.settle(result)
  }

  /// Whether it has been answered, or the caller no longer waits; long work checks it.
  public var isOver: Bool { answer.isOver }

  /// Sets the closure that cancels the API, called once when the caller no longer waits.
  ///
  /// It is called at once if the caller no longer waits, and never after an answer. The closure is
  /// retained until then. It refers weakly to an API that may release its callback without calling
  /// it, as otherwise each would retain the other.
  public func onCancel(_ body: @escaping @Sendable () -> Void) {
    answer.onCancel(body)
  }

  /// Calls an API and waits for its answer.
  ///
  /// - Parameters:
  ///   - limit: How long to wait; nil for as long as it takes.
  ///   - clock: The clock of the limit.
  ///   - start: Calls the API, and passes it the callback; an error that it throws is the answer.
  /// - Returns: The answer.
  /// - Throws: An ``EventMVVM/Failure`` that was the answer; of the kind `cancelled` where the task
  ///   was cancelled, of the kind `unanswered` where no call will come, or not in time.
  public static func wait(
    within limit: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    _ start: (Callback) throws -> Void
  ) async throws(Failure) -> Value {
    let answer = Answer<Value>()
    let timer = limit.map { limit in
      Task { [weak answer] in
        // A cancelled sleep means an answer in time.
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        answer?.giveUp(Failure(.unanswered, "There was no answer within \(limit)."))
      }
    }
    defer { timer?.cancel() }
    let result = await withTaskCancellationHandler {
      begin(answer, start)
      return await answer.value
    } onCancel: {
      answer.giveUp(Failure(.cancelled, "Cancelled before there was an answer."))
    }
    return try result.get()
  }

  /// Calls the API; the API owns the callback from then on.
  private static func begin(_ answer: Answer<Value>, _ start: (Callback) throws -> Void) {
    guard !answer.isOver else { return }
    let callback = Callback(answer)
    do {
      try start(callback)
    } catch {
      answer.giveUp(Failure(error))
    }
  }
}

/// The one answer, and its waiter.
private final class Answer<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, Failure>?
    var waiter: CheckedContinuation<Result<Value, Failure>, Never>?
    var cancelHandlers: [@Sendable () -> Void] = []
    var isCancelled = false
  }

  private let state = Locked(State())

  var isOver: Bool { state.withLock { $0.result != nil } }

  /// Accepts the answer, if it is the first.
  @discardableResult
  func settle(_ result: Result<Value, Failure>) -> Bool {
    take(result, isCancelled: false) != nil
  }

  /// Answers in place of the API, and notifies the API.
  func giveUp(_ failure: Failure) {
    for body in take(.failure(failure), isCancelled: true) ?? [] { body() }
  }

  /// Accepts an answer: returns nil if there is one, else the closures to call on cancellation.
  private func take(
    _ result: Result<Value, Failure>,
    isCancelled: Bool
  ) -> [@Sendable () -> Void]? {
    let taken = state.withLock { state -> (State, isFirst: Bool) in
      let before = state
      guard state.result == nil else { return (before, false) }
      state = State(result: result, isCancelled: isCancelled)
      return (before, true)
    }
    guard taken.isFirst else { return nil }
    taken.0.waiter?.resume(returning: result)
    return taken.0.cancelHandlers
  }

  func onCancel(_ body: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if state.result == nil { state.cancelHandlers.append(body) }
      return state.isCancelled
    }
    if isCancelled { body() }
  }

  /// The answer, as soon as there is one; for one waiter.
  var value: Result<Value, Failure> {
    get async {
      await withCheckedContinuation { waiter in
        let result = state.withLock { state in
          if state.result == nil { state.waiter = waiter }
          return state.result
        }
        if let result { waiter.resume(returning: result) }
      }
    }
  }
}
