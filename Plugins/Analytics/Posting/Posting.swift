import EventCommands
import EventMVVM
import EventValues
import JSONText

/// Posts reports: each is stored in the spool first, then sent after those that wait before it.
///
/// A batch arrives at least once: its `id` lets the collector recognise duplicates. It contains
/// numbers, and the labels of a report by tag or project; titles never reach the plugin.
struct Posting: Sendable {
  let spool: Spool
  /// The pauses before repeated attempts.
  let pauses: [Duration]
  /// The longest pause that a service may ask for; the batch waits for the next report otherwise.
  static let longestPause = Duration.seconds(10)

  /// The outcome.
  struct Outcome: Sendable, Equatable, Codable {
    /// The target, in its form for display.
    let target: String
    /// How many batches have arrived, including those that had waited.
    var posted = 0
    /// How many wait for the next attempt.
    var waiting = 0
    /// How many were dropped to make room.
    var dropped = 0
    /// Why the first waiting batch has not arrived.
    var problem: String?
    /// How many the target has refused for good, which are not sent again; nil if none.
    var refused: Int?
    /// Why it has refused the first of them.
    var refusal: String?

    /// Whether all batches have arrived.
    var isComplete: Bool { problem == nil && refusal == nil }
  }

  /// Posts a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - target: The target.
  ///   - turn: The delivery; no other attempt is made once it is cancelled.
  /// - Returns: The outcome; a failure if the spool could not store it.
  func post(
    _ report: Report,
    to target: PostTarget,
    _ turn: AsyncTurn
  ) async -> Result<Outcome, Failure> {
    if let refusal = target.refusal { return .failure(refusal) }
    var outcome = Outcome(target: target.shown)
    let id = turn.makeID()
    do {
      let batch = Self.batch(report, id, turn.envelope.time)
      outcome.dropped = try spool.add(batch, to: target, at: turn.envelope.time, id)
    } catch {
      let problem = "The statistics can't be kept: \(error.message)."
      return .failure(Failure(.usage, problem, field: "post"))
    }
    let stored = outcome
    if let sent = await spool.whileLocked({ await sendAll(to: target, stored, turn) }) {
      outcome = sent
    } else {
      outcome.problem = "another process is posting"
    }
    outcome.waiting = spool.batches(for: target).count
    return .success(outcome)
  }

  private static func batch(_ report: Report, _ id: UniqueID, _ time: Instant) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("id", id.text)
      json.member("time", time.iso8601)
      json.key("report")
      report.write(to: &json)
    }
    return json.bytes
  }

  /// Sends the waiting batches, in order, up to the first that does not arrive; those that the target refuses
  /// for good are removed, as they would keep the others from it for ever.
  private func sendAll(
    to target: PostTarget,
    _ outcome: Outcome,
    _ turn: AsyncTurn
  ) async -> Outcome {
    let service = target.service
    var outcome = outcome
    for (entry, bytes) in spool.batches(for: target) {
      switch await send(bytes, by: service, turn) {
      case nil: outcome.posted += 1
      case let problem? where problem.prospect == .never:
        outcome.refused = (outcome.refused ?? 0) + 1
        outcome.refusal = outcome.refusal ?? problem.message
      case let problem?:
        outcome.problem = problem.message
        return outcome
      }
      spool.remove(entry)
    }
    return outcome
  }

  /// Sends a batch, again after each pause while that makes sense.
  private func send(
    _ batch: [UInt8],
    by service: any StatisticsService,
    _ turn: AsyncTurn
  ) async -> PostProblem? {
    var rest = pauses[...]
    while true {
      do throws(PostProblem) {
        try await service.post(batch)
        return nil
      } catch {
        guard case .soon(let asked) = error.prospect, asked ?? .zero <= Self.longestPause,
          let pause = rest.popFirst(), !turn.isCancelled
        else { return error }
        try? await Task.sleep(for: max(pause, asked ?? .zero))
      }
    }
  }
}
