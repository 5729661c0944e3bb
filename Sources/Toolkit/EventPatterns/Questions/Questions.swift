public import EventCommands
public import EventMVVM
import EventValues

/// Keeps the questions that sessions owe an answer to (S83).
///
/// A view model asks by ``RequestDecision``. The view of that session receives
/// ``ResponseQuestion``, asks its person, and answers by ``RequestAnswer``;
/// ``ResponseQuestionClosed`` states that no answer is needed any more. A request that waits for an
/// answer can be cancelled like any request.
///
/// A program of `EventApp` has it; any other adds it to its context, and its ``commands`` and ``wire`` to
/// its catalogue.
public final class Questions: Plugin {
  /// Its name among the plugins.
  public let name = "questions"
  /// The prefix of its JSON-RPC methods.
  public static let group = "question"
  /// The commands that it brings, for frontends that show screens.
  public static let commands: [any Command.Type] = [RequestAnswer.self]
  /// The notices that it sends to programs.
  public static let wire = Wire(
    sessionNotices: [ResponseQuestion.self, ResponseQuestionClosed.self]
  )
  /// How many questions a session can owe at once.
  public static let mostPending = 8

  private typealias Decision = Result<String, Failure>

  private struct Pending {
    let id: Int
    let request: RequestDecision
    let decide: AsyncStream<Decision>.Continuation
    /// Whether the decision is queued.
    var isAnswered = false
  }

  private struct State {
    var last = 0
    /// By the sequence of the request.
    var pending: [UInt64: Pending] = [:]
  }

  private let canAsk: Bool
  private let state = Locked(State())

  /// Creates the plugin.
  ///
  /// - Parameter canAsk: Whether there are views that can ask a person; single commands and
  ///   scripts have none.
  public init(canAsk: Bool) {
    self.canAsk = canAsk
  }

  /// Subscribes to the requests that it answers.
  public func join(_ stream: EventStream) {
    stream.declareAnswerer(of: RequestDecision.self)
    stream.on(RequestDecision.self, owner: self) { $0.ask($1, $2) }
    stream.answer(RequestAnswer.self, owner: self) { try $0.answer($1, $2) }
    // A decision's cause is the request that it answers.
    stream.on(ResponseDecision.self, owner: self) { questions, _, turn in
      guard let cause = turn.cause,
        let pending = questions.state.withLock({ $0.pending.removeValue(forKey: cause) })
      else { return }
      turn.send(ResponseQuestionClosed(session: pending.request.session, id: pending.id))
    }
    stream.on(ResponseQuestionWithdrawal.self, owner: self) { questions, withdrawal, _ in
      questions.close { $0.request.id == withdrawal.id }
    }
    stream.on(ResponseSessionEnd.self, owner: self) { questions, _, turn in
      let session = turn.origin
      questions.close { $0.request.session == session }
    }
  }

  /// Closes the pending questions: no answer will come.
  public func leave() { close { _ in true } }

  private func close(_ isConcerned: (Pending) -> Bool) {
    for pending in state.withLock({ Array($0.pending.values) }) where isConcerned(pending) {
      pending.decide.finish()
    }
  }

  private func ask(_ request: RequestDecision, _ turn: borrowing Turn) {
    guard canAsk, !turn.isInUnit else { return fail(.usage, "Nobody can be asked here.", turn) }
    let (answers, decide) = AsyncStream.makeStream(of: Decision.self)
    let sequence = turn.sequence
    let pending: Pending? = state.withLock { state in
      let count = state.pending.values.count { $0.request.session == request.session }
      guard count < Self.mostPending else { return nil }
      state.last += 1
      let pending = Pending(id: state.last, request: request, decide: decide)
      state.pending[sequence] = pending
      return pending
    }
    guard let pending else { return fail(.usage, "Too many questions wait for an answer.", turn) }
    turn.send(
      ResponseQuestion(
        session: request.session,
        id: pending.id,
        text: request.text,
        choices: request.choices
      )
    )
    turn.perform { held in
      let decision = try? await held.cancellable { await answers.first { _ in true } }
      let none = Failure(.cancelled, "Nobody has answered.")
      held.send(ResponseDecision(decision ?? .failure(none)))
    }
  }

  private func fail(_ kind: Failure.Kind, _ message: String, _ turn: borrowing Turn) {
    turn.send(ResponseDecision(.failure(Failure(kind, message))))
  }

  /// Accepts an answer from the session that owes it, and from no other.
  private func answer(_ request: RequestAnswer, _ turn: borrowing Turn) throws -> Message {
    let (session, number) = (turn.origin, request.id.number)
    let found = state.withLock { state in
      state.pending.first {
        $0.value.id == number && $0.value.request.session == session && !$0.value.isAnswered
      }
    }
    guard let (sequence, pending) = found else {
      let problem = "No question \(number) waits for an answer."
      throw Failure(.notFound, problem, field: "id", id: number)
    }
    if let value = request.value, let choices = pending.request.choices, !choices.contains(value) {
      let known = choices.joined(separator: ", ")
      throw Failure(.validation, "The answer is one of \(known).", field: "value")
    }
    state.withLock { $0.pending[sequence]?.isAnswered = true }
    if let value = request.value { pending.decide.yield(.success(value)) }
    pending.decide.finish()
    return request.value == nil ? "Not answered." : "Answered."
  }
}
