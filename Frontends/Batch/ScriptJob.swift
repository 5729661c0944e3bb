import EventCommands
import EventMVVM
import Foundation

/// The job of a process that runs scripts: it prints results once they are committed, shows the
/// progress meanwhile, and rolls back on a signal.
final class ScriptJob: Sendable {
  private let script: ScriptRun
  private let mode: ScriptMode
  private let port: ViewPort
  private let console: Console
  private let progress: Locked<ProgressLine>
  private let trap = SignalTrap()
  /// The number of results, of lines committed on their own, that could not be written.
  private let unwritten = Locked(0)
  private let status = Locked<ExitStatus?>(nil)

  init(
    _ script: Script,
    _ mode: ScriptMode,
    _ port: ViewPort,
    _ console: Console,
    _ reader: ScriptReader
  ) {
    self.mode = mode
    self.port = port
    self.console = console
    self.script = ScriptRun(
      script,
      mode,
      reader,
      console.rendering,
      saysYes: console.saysYes,
      port
    )
    progress = Locked(ProgressLine(script.lines.count, console, now: port.environment.now))
  }

  func run() -> ExitStatus {
    script.begin { [self] in hear($0) }
    port.run { status.withLock { $0 != nil } }
    return status.withLock { $0 } ?? .failed
  }

  private func hear(_ update: ScriptRun.Update) {
    if case .reached(let count) = update {
      if trap.exitStatus != nil { script.cancel() }
      return progress.withLock { $0.advance(to: count) }
    }
    progress.withLock { $0.erase() }
    switch update {
    case .printed(let printout):
      if !console.print(printout) { unwritten.withLock { $0 += 1 } }
    case .failed(let problem): console.report(problem)
    case .over(let ending):
      let ended = end(ending)
      status.withLock { $0 = ended }
    case .reached: break
    }
  }

  private func end(_ ending: ScriptRun.Ending) -> ExitStatus {
    switch ending {
    case .ran(let printout, let failures):
      let isWritten = console.print(printout)
      if mode == .dryRun { console.note("Nothing was changed: this was a dry run.") }
      let unwritten = unwritten.withLock { $0 }
      return failures + unwritten > 0 ? .partial : isWritten ? printout.exitStatus : .failed
    case .rolledBack(let failure):
      console.note("Nothing was changed.")
      return failure.exitStatus
    case .failed(let failure):
      console.report(failure)
      return failure.exitStatus
    case .brokenOff(let failure):
      return failure.exitStatus
    case .cancelled(let count):
      let kept =
        mode == .keepGoing ? "the first \(count) commands are kept" : "nothing was changed"
      console.report(Failure(.cancelled, "Interrupted: \(kept)."))
      return trap.exitStatus ?? .failed
    }
  }
}

/// A line on the terminal with the progress of a script: drawn after half a second, ten times
/// a second at most, and erased before anything else is printed.
struct ProgressLine: Sendable {
  private let total: Int
  private let descriptor: Int32?
  private var pace: Pace?
  private var isDrawn = false

  /// Creates the line.
  ///
  /// - Parameters:
  ///   - total: The number of steps.
  ///   - console: The console, which may have a terminal to draw on.
  ///   - now: The clock.
  init(_ total: Int, _ console: Console, now: @escaping @Sendable () -> Instant) {
    self.total = total
    descriptor = console.showsProgress && !console.isQuiet ? console.messages : nil
    pace = descriptor.map { _ in Pace(after: 500, now: now) }
  }

  /// Updates the number of completed steps.
  mutating func advance(to done: Int) {
    guard pace?.isDue(at: done) == true else { return }
    write("\r\(done * 100 / max(total, 1))% (\(done) of \(total))")
    isDrawn = true
  }

  /// Erases the line.
  mutating func erase() {
    guard isDrawn else { return }
    isDrawn = false
    // Spaces, as not every terminal supports erasing.
    write("\r" + String(repeating: " ", count: 2 * "\(total)".count + 11) + "\r")
  }

  private func write(_ text: String) {
    guard let descriptor else { return }
    _ = Foundation.write(descriptor, text, text.utf8.count)
  }
}
