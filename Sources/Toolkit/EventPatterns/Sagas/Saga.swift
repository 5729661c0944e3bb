public import EventMVVM

/// An operation of several steps in a given order, of which all are done, or none (S61).
///
/// Each step is a request, sent once the one before it was answered. When one fails, the completed
/// ones are compensated by requests of their own, in reverse order, and then the operation has
/// failed: a saga (Garcia-Molina and Salem, 1987). It is for services outside the store, which
/// share no transaction with it. Steps in the store alone need none: a ``EventMVVM/RequestUnit``
/// is all or nothing.
///
/// ```swift
/// let order = Saga<Order>("order")
///   .step("reserve") {
///     RequestReserve(item: $0.item)
///   } keep: { order, number in
///     order.reservation = number
///   } undo: {
///     RequestRelease(reservation: $0.reservation)
///   }
///   .step("pay") {
///     RequestPay(price: $0.price)
///   } undo: {
///     RequestRefund(price: $0.price)
///   }
///   .step("send") { RequestDelivery(item: $0.item) }
/// ```
///
/// What a process has done before it is killed stays done: the steps are in its memory alone. A
/// saga that needs more stores in a step of its own what it is about to do.
public struct Saga<Model: Sendable>: Sendable {
  private struct Step: Sendable {
    let name: String
    let perform:
      @Sendable (Model, borrowing Turn, @escaping (Result<Model, Failure>, borrowing Turn) -> Void)
        -> Void
    let compensate: Compensation?
    var standing = ""
  }

  private typealias Compensation =
    @Sendable (
      Model, borrowing Turn, @escaping (Failure?, borrowing Turn) -> Void
    ) -> Void

  /// Its name for people.
  public let name: String
  private var steps: [Step] = []

  /// An operation without steps.
  public init(_ name: String) {
    self.name = name
  }

  /// Adds a step with a compensation.
  ///
  /// - Parameters:
  ///   - name: Its name for people.
  ///   - perform: Returns the request, given the model after the steps before it.
  ///   - keep: Stores the reply's value in the model; nothing unless given.
  ///   - undo: Returns the compensation when a later step fails, given the model.
  /// - Returns: The operation with the step at its end.
  public func step<Do: Request, Undo: Request>(
    _ name: String,
    _ perform: @escaping @Sendable (Model) -> Do,
    keep: @escaping @Sendable (inout Model, Do.Reply.Value) -> Void = { _, _ in },
    undo: @escaping @Sendable (Model) -> Undo
  ) -> Saga where Do.Reply.Problem == Failure, Undo.Reply.Problem == Failure {
    adding(name, perform, keep) { model, turn, then in
      // A cancelled saga sends no further steps, and compensates the completed ones.
      guard !turn.isCancelled else { return Self.ask(undo(model), turn, then) }
      turn.request(undo(model)) { result, turn in
        let problem = Self.problem(result)
        if problem?.kind == .cancelled { return Self.ask(undo(model), turn, then) }
        then(problem, turn)
      }
    }
  }

  /// Sends a request in a conversation of its own, which is never cancelled.
  private static func ask<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    _ then: @escaping (Failure?, borrowing Turn) -> Void
  ) where R.Reply.Problem == Failure {
    turn.stream.request(request) { result, turn in then(problem(result), turn) }
  }

  private static func problem<Reply: Response>(_ result: Result<Reply, Interruption>) -> Failure?
  where Reply.Problem == Failure {
    do {
      _ = try result.get().result.get()
      return nil
    } catch {
      return Failure(error)
    }
  }

  /// Adds a step without a compensation: one that leaves nothing to undo, such as the last, or that
  /// can't be undone, as its `standing` states.
  ///
  /// - Parameters:
  ///   - name: Its name for people.
  ///   - standing: What a failure of a later step states about it, a sentence such as "The letter
  ///     was sent."; nothing unless given.
  ///   - perform: Returns the request, given the model after the steps before it.
  ///   - keep: Stores the reply's value in the model; nothing unless given.
  /// - Returns: The operation with the step at its end.
  public func step<Do: Request>(
    _ name: String,
    standing: String = "",
    _ perform: @escaping @Sendable (Model) -> Do,
    keep: @escaping @Sendable (inout Model, Do.Reply.Value) -> Void = { _, _ in }
  ) -> Saga where Do.Reply.Problem == Failure {
    var saga = adding(name, perform, keep, compensate: nil)
    saga.steps[saga.steps.count - 1].standing = standing
    return saga
  }

  private func adding<Do: Request>(
    _ name: String,
    _ perform: @escaping @Sendable (Model) -> Do,
    _ keep: @escaping @Sendable (inout Model, Do.Reply.Value) -> Void,
    compensate: Compensation?
  ) -> Saga where Do.Reply.Problem == Failure {
    var saga = self
    saga.steps.append(
      Step(
        name: name,
        perform: { model, turn, then in
          turn.request(perform(model)) { result, turn in
            do {
              var model = model
              keep(&model, try result.get().result.get())
              then(.success(model), turn)
            } catch {
              then(.failure(Failure(error)), turn)
            }
          }
        },
        compensate: compensate
      )
    )
    return saga
  }

  // MARK: Running

  /// Runs the steps, in the conversation of a request.
  ///
  /// A script can't be rolled back where a step reaches an external service, so a saga does not run
  /// inside one.
  ///
  /// - Parameters:
  ///   - model: The model of the first step.
  ///   - done: The name of a step that an earlier run has completed: the steps after it run as if
  ///     this run had completed it. Nil for all steps.
  ///   - turn: The turn of the request.
  ///   - then: Called once, on the home thread: with the model after all steps; or with why one of
  ///     them failed, once the others are compensated. If one could not be, the failure states
  ///     which, and why; it also states what can't be undone.
  public func run(
    _ model: Model,
    after done: String? = nil,
    _ turn: borrowing Turn,
    then: @escaping (Result<Model, Failure>, borrowing Turn) -> Void
  ) {
    let first = done.map { done in steps.firstIndex { $0.name == done } } ?? -1
    guard let first else { preconditionFailure("'\(name)' has no step '\(done ?? "")'") }
    guard !turn.isInUnit else {
      let failure = Failure(.usage, "'\(name)' can't be rolled back: run it outside of the script.")
      return then(.failure(failure), turn)
    }
    run(first + 1, model, turn, then)
  }

  private func run(
    _ index: Int,
    _ model: Model,
    _ turn: borrowing Turn,
    _ then: @escaping (Result<Model, Failure>, borrowing Turn) -> Void
  ) {
    guard index < steps.count else { return then(.success(model), turn) }
    steps[index]
      .perform(model, turn) { result, turn in
        switch result {
        case .success(let model): run(index + 1, model, turn, then)
        case .failure(let failure): compensate(index - 1, model, failure, turn, then)
        }
      }
  }

  private func compensate(
    _ index: Int,
    _ model: Model,
    _ failure: Failure,
    _ turn: borrowing Turn,
    _ then: @escaping (Result<Model, Failure>, borrowing Turn) -> Void
  ) {
    guard index >= 0 else { return then(.failure(failure), turn) }
    let step = steps[index]
    guard let compensate = step.compensate else {
      var failure = failure
      if !step.standing.isEmpty { failure.add(step.standing) }
      return self.compensate(index - 1, model, failure, turn, then)
    }
    compensate(model, turn) { problem, turn in
      var failure = failure
      if let problem {
        failure.add("What '\(step.name)' did could not be undone: \(problem.message)")
      }
      self.compensate(index - 1, model, failure, turn, then)
    }
  }
}

extension Failure {
  /// Adds a message as a sentence, even where a service's message is none.
  fileprivate mutating func add(_ sentence: String) {
    message += message.hasSuffix(".") ? " \(sentence)" : ". \(sentence)"
  }
}
