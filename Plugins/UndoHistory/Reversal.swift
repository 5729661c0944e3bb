import EventCommands
import EventMVVM
import EventRecords
import JSONText

/// An undo or a redo in progress: it decides which step is reverted, and requests that from the
/// journal in a unit, which is committed as a whole or rolled back.
///
/// The journal decides which values the fields get; in `EventRecords` that is `RecordReversal`. A
/// journal may answer in parts, which are requested one a turn, so that other requests are answered
/// in between.
final class Reversal<Reversing: ReversingCommand> {
  private let request: Reversing
  private let held: AsyncTurn
  private let stream: EventStream
  private let maker: StepMaker?
  private let zone: ZoneRule
  private var report: ReversalReport?
  /// The first conflicts, as many as are shown, and their total number.
  private var conflicts: [JournalConflict] = []
  private var conflictCount = 0

  init(_ request: Reversing, _ turn: borrowing Turn) {
    self.request = request
    held = turn.hold()
    stream = turn.stream
    zone = turn.zone
    maker = request.mine ? StepMaker(session: stream.session, origin: turn.originName) : nil
  }

  func begin(_ turn: borrowing Turn) {
    guard !turn.isInUnit else {
      return end(
        .failure(
          Failure(
            .usage,
            "'\(Reversing.verb)' can't be part of a script that is all or nothing; run it on its own, or "
              + "the script with --keep-going."
          )
        )
      )
    }
    stream.begin(.allOrNothing) { [self] result, _ in
      switch result {
      case .success(let unit): find(unit)
      case .failure(let failure): end(.failure(failure))
      }
    }
  }

  /// Finds the step, inside the unit: so nothing changes between that and the first part.
  private func find(_ unit: StreamUnit) {
    unit.request(RequestJournal(Reversing.query(maker))) { [self] result, _ in
      do {
        guard let entry = try result.get().result.get().first else {
          throw Failure(.notFound, "There is nothing to \(Reversing.verb).")
        }
        report = ReversalReport(of: entry.step, by: Reversing.verb, in: zone)
        revert(entry.step.number, unit)
      } catch {
        giveUp(unit, error)
      }
    }
  }

  /// Reverts the step, or the next part of it, and commits after the last part.
  private func revert(_ step: Int, after last: Int? = nil, _ unit: StreamUnit) {
    guard !held.isCancelled else {
      return giveUp(unit, Failure(.cancelled, "Cancelled: nothing was changed."))
    }
    let next = RequestReversal(step: step, force: request.force, after: last)
    unit.request(next) { [self] result, _ in
      do {
        let part = try result.get().result.get()
        report?.add(part.changes, in: zone)
        conflictCount += part.conflicts.count
        conflicts += part.conflicts.prefix(max(0, Self.mostConflicts - conflicts.count))
        if let last = part.last { return revert(step, after: last, unit) }
        guard conflicts.isEmpty || request.force || request.skip else {
          throw Failure(conflicts, of: conflictCount, verb: Reversing.verb, in: zone)
        }
        commit(unit)
      } catch {
        giveUp(unit, error)
      }
    }
  }

  private static var mostConflicts: Int { 100 }

  private func commit(_ unit: StreamUnit) {
    if !request.force { report?.skip(conflicts, of: conflictCount, in: zone) }
    unit.commit { [self] result, _ in
      end(result.flatMap { report.map { .success($0) } ?? .failure(Failure(.store, "")) })
    }
  }

  private func giveUp(_ unit: StreamUnit, _ error: any Error) {
    unit.rollBack { [self] _, _ in end(.failure(Failure(error))) }
  }

  private func end(_ result: Result<ReversalReport, Failure>) {
    held.send(Reversing.Reply(result))
    held.release()
  }
}

extension Failure {
  /// Creates the failure with the fields that were changed since, and what to do.
  fileprivate init(
    _ conflicts: [JournalConflict],
    of count: Int,
    verb: String,
    in zone: ZoneRule
  ) {
    let sentences = conflicts.prefix(3).map { $0.readable(in: zone).sentence }
    let rest = count - sentences.count
    let more = rest > 0 ? " There \(rest == 1 ? "is" : "are") \(rest) more." : ""
    let first = conflicts[0]
    self.init(
      .conflict,
      sentences.joined(separator: " ") + more
        + " '\(verb) --force' restores the earlier values, '\(verb) --skip' leaves the newer ones.",
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
    let now = "and is \(current.quotedText) now."
    guard kind == .changed else {
      return "#\(id) was changed after it was \(kind.rawValue): its \(field.name) was "
        + "\(field.after.quotedText) \(now)"
    }
    return "#\(id) was changed again since: its \(field.name) was \(field.before.quotedText), "
      + "became \(field.after.quotedText), \(now)"
  }
}
