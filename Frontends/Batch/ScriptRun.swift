import EventCommands
import EventMVVM

/// A script on its way through the stream: a command a turn, the next on the reply.
///
/// All of it is kept, or nothing; results are printed once it has been kept.
final class ScriptRun {
  private let script: Script
  private let mode: ScriptMode
  private let port: ViewPort
  private let output: BatchOutput
  private let reader: ScriptReader
  private let options: BatchOptions
  private var next = 0
  private var printed: [UInt8] = []
  private var failures = 0
  /// What the first result says that is bad news.
  private var verdict = ExitStatus.success
  private let progress: ProgressLine
  private let trap = SignalTrap()
  private var status: ExitStatus?

  init(
    _ script: Script,
    _ mode: ScriptMode,
    _ port: ViewPort,
    _ output: BatchOutput,
    _ reader: ScriptReader,
    _ options: BatchOptions
  ) {
    self.script = script
    self.mode = mode
    self.port = port
    self.output = output
    self.reader = reader
    self.options = options
    progress = ProgressLine(script.lines.count, options, now: port.environment.now)
  }

  func run() -> ExitStatus {
    port.begin(unitMode) { [self] result, _ in
      switch result {
      case .success(let unit): step(unit)
      case .failure(let failure): end(failure)
      }
    }
    port.run { status != nil }
    return status ?? .failed
  }

  private var unitMode: StreamUnit.Mode {
    switch mode {
    case .keepGoing: .keepGoing
    case .dryRun: .rehearse
    case .allOrNothing, .check: .allOrNothing
    }
  }

  /// Sends the next command, or ends the unit behind the last.
  private func step(_ unit: StreamUnit) {
    if let exitStatus = trap.exitStatus { return interrupt(unit, exitStatus) }
    guard next < script.lines.count else { return finish(unit) }
    let line = script.lines[next]
    progress.advance(to: next)
    next += 1
    do {
      try reader.command(of: line, in: script)
        .send(in: unit, options.rendering, agrees: reader.agrees) { [self] outcome in
          switch outcome {
          case .success(let printout):
            add(printout)
            step(unit)
          case .failure(let failure):
            fail(reader.problem(failure, line, script.sources[line.source]), unit)
          }
        }
    } catch {
      fail(error, unit)
    }
  }

  /// Reports what went wrong, and goes on behind it or takes back what was done.
  private func fail(_ problem: Problem, _ unit: StreamUnit) {
    progress.erase()
    output.report(problem)
    failures += 1
    guard mode == .keepGoing else { return takeBack(unit, problem.failure) }
    guard problem.failure.kind != .store else { return status = problem.failure.exitStatus }
    step(unit)
  }

  private func add(_ printout: Printout) {
    guard mode == .keepGoing else {
      if verdict == .success { verdict = printout.exitStatus }
      return printed.append(contentsOf: printout.bytes)
    }
    if printout.exitStatus != .success { failures += 1 }
    progress.erase()
    if !output.print(printout.bytes) { failures += 1 }
  }

  private func takeBack(_ unit: StreamUnit, _ failure: Failure) {
    unit.takeBack { [self] _, _ in
      output.note("Nothing was changed.")
      status = failure.exitStatus
    }
  }

  /// Somebody has told the process to end.
  private func interrupt(_ unit: StreamUnit, _ exitStatus: ExitStatus) {
    progress.erase()
    unit.takeBack { [self] _, _ in
      let kept =
        mode == .keepGoing ? "the first \(next) commands are kept" : "nothing was changed"
      output.report(Failure(.cancelled, "Interrupted: \(kept)."))
      status = exitStatus
    }
  }

  private func finish(_ unit: StreamUnit) {
    unit.keep { [self] result, _ in
      progress.erase()
      if case .failure(let failure) = result { return end(failure) }
      let isWritten = output.print(printed)
      if mode == .dryRun { output.note("Nothing was changed: this was a dry run.") }
      status = failures > 0 ? .partial : isWritten ? verdict : .failed
    }
  }

  private func end(_ failure: Failure) {
    output.report(failure)
    status = failure.exitStatus
  }
}
