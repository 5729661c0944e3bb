public import EventCommands
public import EventMVVM
import EventRecords
import EventValues
import JSONText
import RecordCommands

/// Undoes and redoes steps, and shows the history: `undo`, `redo` and `history`.
///
/// It depends on no domain. A domain with a journal of its changes answers its requests; the
/// policy is here: which step is the next one, and how a conflict is handled.
public struct UndoHistory: CommandPlugin {
  /// Its name among the plugins.
  public let name = "undo"
  /// The prefix of its JSON-RPC methods.
  public let group = "history"
  /// Its commands.
  public let commands: [any Command.Type] = [
    RequestUndo.self, RequestRedo.self, RequestHistory.self,
  ]

  /// Creates the plugin.
  public init() {}

  /// Subscribes to the requests that it answers.
  public func join(_ stream: EventStream) {
    answerReversals(RequestUndo.self, on: stream)
    answerReversals(RequestRedo.self, on: stream)
    stream.declareAnswerer(of: RequestHistory.self)
    stream.on(RequestHistory.self) { request, turn in request.answer(turn) }
  }

  private func answerReversals<R: ReversingCommand>(_ type: R.Type, on stream: EventStream) {
    stream.declareAnswerer(of: type)
    stream.on(type) { request, turn in request.answer(turn) }
  }
}

extension ReversingCommand {
  /// Requests the reversal from the journal, and answers with the result.
  ///
  /// The journal decides which values the fields get; in `EventRecords` that is `RecordReversal`.
  func answer(_ turn: borrowing Turn) {
    if turn.isInUnit, let unitRefusal { return turn.send(Reply(.failure(unitRefusal))) }
    let (clock, origin) = (turn.clock, turn.originName)
    let maker = mine ? StepMaker(session: turn.stream.session, origin: turn.originName) : nil
    let request = RequestReversal(
      Self.query(maker),
      conflicts: force ? .overwrite : skip ? .skip : .refuse
    )
    turn.request(request) { result, turn in
      do {
        let reversed = try result.get().result.get()
        turn.send(Reply(.success(try report(reversed, of: origin, at: clock))))
      } catch {
        turn.send(Reply(.failure(Failure(error))))
      }
    }
  }

  private func report(
    _ reversed: ReversedStep?,
    of origin: String,
    at clock: ReaderClock
  ) throws -> ReversalReport {
    guard let reversed else { throw Failure(.notFound, "There is nothing to \(Self.verb).") }
    guard reversed.conflicts.isEmpty || force || skip else {
      throw Failure(reversed.conflicts, verb: Self.verb, at: clock)
    }
    return ReversalReport(
      reversed,
      skipped: force ? [] : reversed.conflicts,
      by: Self.verb,
      of: origin,
      at: clock
    )
  }
}

extension Failure {
  /// Creates the failure with the fields that were changed since, and what to do.
  fileprivate init(
    _ conflicts: [JournalConflict],
    verb: String,
    at clock: ReaderClock
  ) {
    let sentences = conflicts.prefix(3).map { $0.readable(at: clock).sentence }
    let rest = conflicts.count - sentences.count
    let more = rest > 0 ? " There \(rest == 1 ? "is" : "are") \(rest) more." : ""
    let first = conflicts[0]
    let ways =
      conflicts.allSatisfy { $0.reason != nil }
      ? "'\(verb) --skip' reverts the rest."
      : "'\(verb) --force' restores the earlier values, '\(verb) --skip' leaves the newer ones."
    self.init(
      .conflict,
      sentences.joined(separator: " ") + more + " " + ways,
      field: first.field.name,
      id: first.id,
      expected: .json(first.field.after.description),
      actual: .json(first.current.description)
    )
  }
}

extension JournalConflict {
  /// The values before, after and now in one sentence.
  fileprivate var sentence: String {
    if let reason { return reason }
    let now = "and is \(current.quotedText) now."
    guard kind == .changed else {
      return "#\(id) was changed after it was \(kind.rawValue): its \(field.name) was "
        + "\(field.after.quotedText) \(now)"
    }
    return "#\(id) was changed again since: its \(field.name) was \(field.before.quotedText), "
      + "became \(field.after.quotedText), \(now)"
  }
}
