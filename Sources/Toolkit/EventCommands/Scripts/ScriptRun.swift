package import EventMVVM

/// A script that runs on the stream: a command a turn, the next one on the reply.
///
/// All of it is committed or nothing is, unless each line is committed on its own. The frontend
/// receives updates on the stream's home thread, in order; the rest may be used by any thread.
package final class ScriptRun: Sendable {
  /// An update that a frontend receives while a script runs.
  package enum Update {
    /// The number of commands that have ended; the next one, or the end of the script, follows.
    case reached(Int)
    /// The outcome of a command that is committed on its own.
    case printed(Printout)
    /// The problem of a command that is committed on its own, or that causes the rollback.
    case failed(Problem)
    /// The end; no further update follows.
    case over(Ending)
  }

  /// How a script has ended.
  package enum Ending: Sendable {
    /// All of it ran: the output still to be printed, and the number of failed lines that are
    /// committed on their own.
    case ran(Printout, failures: Int)
    /// A command failed, and all was rolled back; the problem was reported before.
    case rolledBack(Failure)
    /// The unit could not begin, or could not be committed.
    case failed(Failure)
    /// A change that is committed on its own failed in the store, which takes no others, and the rest
    /// did not run; the problem was reported before.
    case brokenOff(Failure)
    /// Cancelled after this many commands; all but lines committed on their own was rolled back.
    case cancelled(after: Int)
  }

  private struct State {
    var next = 0
    var printed: [UInt8] = []
    /// Whether anything that is printed confirms a change.
    var isConfirmation = false
    /// The status of the first result that is not a success.
    var verdict = ExitStatus.success
    var failures = 0
    var isCancelled = false
    var ending: Ending?
  }

  /// Receives an update.
  package typealias Hear = @Sendable (Update) -> Void

  private let script: Script
  private let mode: ScriptMode
  private let reader: ScriptReader
  private let rendering: Rendering
  private let saysYes: Bool
  private let port: ViewPort
  private let state = Locked(State())

  /// Prepares a script that has been read.
  ///
  /// - Parameters:
  ///   - script: The script.
  ///   - mode: How it is run.
  ///   - reader: The reader that has read it.
  ///   - rendering: How results are shown.
  ///   - saysYes: Whether second tries are agreed to; the questions of its commands were answered
  ///     before.
  ///   - port: The port that sends its commands.
  package init(
    _ script: Script,
    _ mode: ScriptMode,
    _ reader: ScriptReader,
    _ rendering: Rendering,
    saysYes: Bool,
    _ port: ViewPort
  ) {
    self.script = script
    self.mode = mode
    self.reader = reader
    self.rendering = rendering
    self.saysYes = saysYes
    self.port = port
  }

  /// How it has ended; nil while it runs.
  package var ending: Ending? { state.withLock { $0.ending } }

  /// Cancels the script before its next command.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  /// Runs the script; called once.
  ///
  /// - Parameter hear: Called with each update, on the stream's home thread.
  package func begin(_ hear: @escaping Hear) {
    let unitMode: StreamUnit.Mode =
      switch mode {
      case .keepGoing: .keepGoing
      case .dryRun: .rehearse
      case .allOrNothing, .check: .allOrNothing
      }
    port.begin(unitMode) { [self] result, _ in
      switch result {
      case .success(let unit): step(unit, hear)
      case .failure(let failure): end(.failed(failure), hear)
      }
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
    do {
      let command = try reader.command(of: script.lines[next], in: script)
      let run = CommandRun(sender: unit, rendering, saysYes: saysYes)
      run.begin(agreed: command.command) { [self] ending in
        switch ending {
        case .printed(let printout):
          add(printout, hear)
          step(unit, hear)
        case .failed(let failure), .declined(let failure):
          fail(command, failure, unit, hear)
        }
      }
    } catch {
      fail(error, unit, hear)
    }
  }

  /// Reports the failure of a command, and continues after it, unless that is a change and the store
  /// takes no others.
  private func fail(
    _ command: ScriptCommand,
    _ failure: Failure,
    _ unit: StreamUnit,
    _ hear: @escaping Hear
  ) {
    let problem = command.problem(failure)
    guard mode == .keepGoing, failure.kind == .store, type(of: command.command).writes else {
      return fail(problem, unit, hear)
    }
    hear(.failed(problem))
    end(.brokenOff(failure), hear)
  }

  private func add(_ printout: Printout, _ hear: Hear) {
    guard mode == .keepGoing else {
      return state.withLock { state in
        if state.verdict == .success { state.verdict = printout.exitStatus }
        state.isConfirmation = state.isConfirmation || printout.isConfirmation
        state.printed.append(contentsOf: printout.bytes)
      }
    }
    if printout.exitStatus != .success { state.withLock { $0.failures += 1 } }
    hear(.printed(printout))
  }

  /// Reports a problem, and continues after it or rolls back.
  private func fail(_ problem: Problem, _ unit: StreamUnit, _ hear: @escaping Hear) {
    hear(.failed(problem))
    guard mode == .keepGoing else {
      return unit.rollBack { [self] _, _ in end(.rolledBack(problem.failure), hear) }
    }
    state.withLock { $0.failures += 1 }
    step(unit, hear)
  }

  private func commit(_ unit: StreamUnit, _ hear: @escaping Hear) {
    unit.commit { [self] result, _ in
      if case .failure(let failure) = result { return end(.failed(failure), hear) }
      let (printout, failures) = state.withLock { state in
        defer { state.printed = [] }
        let all = Printout(state.printed, state.verdict, isConfirmation: state.isConfirmation)
        return (all, state.failures)
      }
      end(.ran(printout, failures: failures), hear)
    }
  }

  private func end(_ ending: Ending, _ hear: Hear) {
    state.withLock { $0.ending = ending }
    hear(.over(ending))
  }
}
