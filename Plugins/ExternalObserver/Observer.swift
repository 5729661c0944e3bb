import EventMVVM
import EventServing
import Foundation
import Platform

/// A program that observes: when it dies it is started again, with growing pauses.
final class Observer: Sendable {
  /// How often a program is started again before it is abandoned.
  static let mostRestarts = 5
  /// The run time after which an end does not count as a failed start, in seconds.
  private static let goodLife = 60.0

  private struct State {
    var run: ObserverRun?
    var isFinishing = false
    var isOver = false
  }

  let program: ObserverProgram
  private let setting: ObserverConfiguration
  private let patience: ObserverPatience
  private let port: ViewPort
  private let source: EventSource
  private let say: @Sendable (String) -> Void
  private let state = Locked(State())
  private let pause = DispatchSemaphore(value: 0)

  init(
    _ program: ObserverProgram,
    _ setting: ObserverConfiguration,
    _ patience: ObserverPatience,
    _ port: ViewPort,
    _ source: EventSource,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.program = program
    self.setting = setting
    self.patience = patience
    self.port = port
    self.source = source
    self.say = say
  }

  /// Whether it has ended for good.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Starts the program, with a thread of its own.
  ///
  /// It is started on the calling thread, so that it receives all events from now on.
  func start() {
    let first = begin(from: EventPositions(from: 1))
    let isStarted = startThread { [self] in
      if let first { live(first) }
      noteOver()
    }
    guard !isStarted else { return }
    report("did not start: the system has no thread to spare.")
    first?.giveUp(.noThread)
    noteOver()
  }

  private func noteOver() {
    state.withLock { state in
      state.isOver = true
      state.run = nil
    }
  }

  private func live(_ first: ObserverRun) {
    var run = first
    var restarts = 0
    var resumePoints = EventPositions(from: 1)
    while true {
      let start = ContinuousClock.now
      let (ending, reason) = run.run()
      resumePoints = run.session.resumePoints ?? resumePoints
      // In a lasting process, its session's state is released with it.
      if setting.isLasting, reason != .finish { port.end() }
      guard reason != .finish, let problem = problem(ending, reason, run) else { return }
      if start.duration(to: .now) > .seconds(Self.goodLife) { restarts = 0 }
      let isWorthwhile: Bool =
        switch ending {
        case .notStarted: false
        default: reason == nil && setting.isLasting && restarts < Self.mostRestarts
        }
      guard isWorthwhile else { return report("\(problem) It is not started again.") }
      let seconds = 1 << restarts
      restarts += 1
      report("\(problem) It is started again in \(seconds) s.")
      if pause.wait(timeout: .now() + .seconds(seconds)) == .success { return }
      guard let next = begin(from: resumePoints) else { return }
      run = next
    }
  }

  /// Starts a run; nil if that fails, or is no longer needed.
  private func begin(from resumePoints: EventPositions) -> ObserverRun? {
    guard !state.withLock({ $0.isFinishing }) else { return nil }
    do {
      let run = try ObserverRun(program, setting, patience, port, source, from: resumePoints)
      state.withLock { $0.run = run }
      return run
    } catch {
      report("did not start: \(error.message).")
      return nil
    }
  }

  // MARK: Ending

  /// Sends it the remaining events, and ends it; waits up to a limit.
  func finish(until deadline: ContinuousClock.Instant) {
    let run = state.withLock { state in
      state.isFinishing = true
      return state.run
    }
    pause.signal()
    guard let run else { return }
    run.hurry()
    source.settle()
    while !run.isServed, !run.isOver, ContinuousClock.now < deadline {
      Thread.sleep(forTimeInterval: 0.002)
    }
    if !run.session.hasBegun, !run.isOver {
      report("has not sent 'initialize' before the end, and has heard of nothing.")
    }
    run.finish()
    // It is ended by a signal, if necessary, and then by another one.
    let last = deadline.advanced(by: .seconds(2 * patience.farewell + 2))
    while !isOver, ContinuousClock.now < last {
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  // MARK: Problems

  /// Returns the problem of how a run ended; nil for none.
  private func problem(
    _ ending: SupervisedProcess.Ending,
    _ reason: ObserverRun.Reason?,
    _ run: ObserverRun
  ) -> String? {
    let complaint = run.log.complaint
    let quoted = complaint.isEmpty ? "." : ": \(complaint)" + (complaint.last == "." ? "" : ".")
    switch (reason, ending) {
    case (.noThread?, _):
      // What wakes it later has a thread, and two files.
      let cause = SystemProblem.ofOpening(2)?.text ?? "the system has no thread to spare"
      return "was ended: \(cause)."
    case (.silence?, _):
      return "has not sent 'initialize' in \(patience.hello) s, and was ended."
    case (.nonsense?, _):
      return "sent more than \(ObserverThrottle.mostFaults) messages that are none, and was ended."
    case (_, .notStarted(ENOEXEC)):
      return "did not start: it is neither a program nor a script with '#!' and the path of one."
    case (_, .notStarted(let code)): return "did not start: \(SystemProblem(code).text)."
    case (_, .exited(0)): return nil
    case (_, .exited(let status)): return "ended with status \(status)\(quoted)"
    case (_, .killed(let signal)): return "was ended by signal \(signal)\(quoted)"
    }
  }

  private func report(_ problem: String) {
    say("observer '\(program.name)' \(problem)")
  }
}
