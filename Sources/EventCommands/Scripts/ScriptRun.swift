package import EventMVVM

/// A script on its way through the stream: a command a turn, the next on the reply.
///
/// All of it is kept or nothing is, unless each line is to stand for itself. What its frontend
/// hears is said on the stream's home thread, in order; the rest may be used by any thread.
package final class ScriptRun: Sendable {
  /// What a frontend hears while a script runs.
  package enum Update {
    /// So many of its commands are over, and the next one's turn has come, or the end's.
    case reached(Int)
    /// The outcome of a command that stands for itself.
    case printed(Printout)
    /// What is wrong with a command that stands for itself, or because of which all is rolled back.
    case failed(Problem)
    /// It is over, and nothing more is heard.
    case over(Ending)
  }

  /// How a script has ended.
  package enum Ending: Sendable {
    /// All of it ran: what is still to be printed, and how many lines that stand for themselves
    /// failed.
    case ran(Printout, failures: Int)
    /// A command failed, and all was rolled back; the problem was reported before.
    case rolledBack(Failure)
    /// It could not begin, or could not be kept.
    case failed(Failure)
    /// The store failed a line that stands for itself, and the rest did not run; the problem was
    /// heard before.
    case brokenOff(Failure)
    /// It was cancelled, and all was rolled back but the lines that stand for themselves, so many.
    case cancelled(after: Int)
  }

  private struct State {
    var next = 0
    var printed: [UInt8] = []
    /// The status of the first result that is no success.
    var verdict = ExitStatus.success
    var failures = 0
    var isCancelled = false
    var ending: Ending?
  }

  private typealias Hear = (Update) -> Void

  private let script: Script
  private let mode: ScriptMode
  private let reader: ScriptReader
  private let rendering: Rendering
  private let port: ViewPort
  private let state = Locked(State())

  /// Prepares a script that has been read.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - mode: How it is run.
  ///   - reader: What it was read by.
  ///   - rendering: How results are shown.
  ///   - port: Where its commands are sent.
  package init(
    _ script: Script,
    _ mode: ScriptMode,
    _ reader: ScriptReader,
    _ rendering: Rendering,
    _ port: ViewPort
  ) {
    self.script = script
    self.mode = mode
    self.reader = reader
    self.rendering = rendering
    self.port = port
  }

  /// How it has ended; nil while it runs.
  package var ending: Ending? { state.withLock { $0.ending } }

  /// Has it end before its next command.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  /// Runs it, once.
  ///
  /// - Parameter hear: Called with what happens, on the stream's home thread.
  package func begin(_ hear: @escaping (Update) -> Void) {
    port.begin(unitMode) { [self] result, _ in
      switch result {
      case .success(let unit): step(unit, hear)
      case .failure(let failure): end(.failed(failure), hear)
      }
    }
  }

  private var unitMode: StreamUnit.Mode {
    switch mode {
    case .keepGoing: .keepGoing
    case .dryRun: .rehearse
    case .allOrNothing, .check: .allOrNothing
    }
  }

  /// Sends the next command, or ends the unit after the last.
  private func step(_ unit: StreamUnit, _ hear: @escaping Hear) {
    let next = state.withLock { $0.next }
    hear(.reached(next))
    if state.withLock({ $0.isCancelled }) {
      return unit.rollBack { [self] _, _ in end(.cancelled(after: next), hear) }
    }
    guard next < script.lines.count else { return commit(unit, hear) }
    state.withLock { $0.next = next + 1 }
    let line = script.lines[next]
    do {
      try reader.command(of: line, in: script)
        .send(through: unit, rendering, agrees: reader.agrees) { [self] outcome in
          switch outcome {
          case .success(let printout):
            add(printout, hear)
            step(unit, hear)
          case .failure(let failure):
            fail(reader.problem(failure, line, script.sources[line.source]), unit, hear)
          }
        }
    } catch {
      fail(error, unit, hear)
    }
  }

  private func add(_ printout: Printout, _ hear: Hear) {
    guard mode == .keepGoing else {
      return state.withLock { state in
        if state.verdict == .success { state.verdict = printout.exitStatus }
        state.printed.append(contentsOf: printout.bytes)
      }
    }
    if printout.exitStatus != .success { state.withLock { $0.failures += 1 } }
    hear(.printed(printout))
  }

  /// Reports what went wrong, and goes on after it or rolls back what was done.
  private func fail(_ problem: Problem, _ unit: StreamUnit, _ hear: @escaping Hear) {
    hear(.failed(problem))
    guard mode == .keepGoing else {
      return unit.rollBack { [self] _, _ in end(.rolledBack(problem.failure), hear) }
    }
    guard problem.failure.kind != .store else { return end(.brokenOff(problem.failure), hear) }
    state.withLock { $0.failures += 1 }
    step(unit, hear)
  }

  private func commit(_ unit: StreamUnit, _ hear: @escaping Hear) {
    unit.commit { [self] result, _ in
      if case .failure(let failure) = result { return end(.failed(failure), hear) }
      let (printout, failures) = state.withLock { state in
        defer { state.printed = [] }
        return (Printout(state.printed, state.verdict), state.failures)
      }
      end(.ran(printout, failures: failures), hear)
    }
  }

  private func end(_ ending: Ending, _ hear: Hear) {
    state.withLock { $0.ending = ending }
    hear(.over(ending))
  }
}
