public import EventMVVM

/// An operation of several steps in a given order, of which all are done, or none (S61).
///
/// Each step is a request, sent once the one before it was answered. When one fails, those that
/// were done are compensated by requests of their own, the last one first, and then the operation
/// has failed: a saga (Garcia-Molina and Salem, 1987). It is for what reaches out of the store, to
/// services that know no common transaction. What is in the store alone needs none: a
/// ``EventMVVM/RequestUnit`` is all or nothing.
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
/// What a process that is killed has done so far stays done: the steps are in its memory alone. A
/// saga that needs more writes down in a step of its own what is about to be done.
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

  /// What a person calls it.
  public let name: String
  private var steps: [Step] = []

  /// An operation without steps.
  public init(_ name: String) {
    self.name = name
  }

  /// Adds a step with a compensation.
  ///
  /// - Parameters:
  ///   - name: What a person calls it.
  ///   - perform: What to ask for, given what the steps before it have brought.
  ///   - keep: Notes what the reply brings; nothing unless given.
  ///   - undo: What to ask for when a later step fails, given what was noted.
  /// - Returns: The operation with the step at its end.
  public func step<Do: Request, Undo: Request>(
    _ name: String,
    _ perform: @escaping @Sendable (Model) -> Do,
    keep: @escaping @Sendable (inout Model, Do.Reply.Value) -> Void = { _, _ in },
    undo: @escaping @Sendable (Model) -> Undo
  ) -> Saga where Do.Reply.Problem == Failure, Undo.Reply.Problem == Failure {
    adding(name, perform, keep) { model, turn, then in
      // What is cancelled asks for nothing more; what it has done is compensated all the same.
      guard !turn.isCancelled else { return Self.ask(undo(model), turn, then) }
      turn.request(undo(model)) { result, turn in
        let problem = Self.problem(result)
        if problem?.kind == .cancelled { return Self.ask(undo(model), turn, then) }
        then(problem, turn)
      }
    }
  }

  /// Asks in a conversation of its own, which is never cancelled.
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
  /// can't be undone, and says so.
  ///
  /// - Parameters:
  ///   - name: What a person calls it.
  ///   - standing: What a failure of a later step says of it, a whole sentence such as "The letter
  ///     was sent."; nothing unless given.
  ///   - perform: What to ask for, given what the steps before it have brought.
  ///   - keep: Notes what the reply brings; nothing unless given.
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

  /// Carries the steps out, in the conversation of a request.
  ///
  /// A script can't be rolled back where a step reaches out of the store, so a saga does not run
  /// inside of one.
  ///
  /// - Parameters:
  ///   - model: What the first step begins with.
  ///   - done: The name of a step that an earlier run has done, and that stands: what follows it is
  ///     carried out, as if this run had done it. Nil for all steps.
  ///   - turn: The turn of the request.
  ///   - then: Called once, on the home thread: with what the steps have brought; or why one of
  ///     them failed, when the others have been compensated. If one could not be, the failure says
  ///     which, and why; what stands by its nature is said as well.
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
  /// Adds a sentence; what a service says may be none.
  fileprivate mutating func add(_ sentence: String) {
    message += message.hasSuffix(".") ? " \(sentence)" : ". \(sentence)"
  }
}
