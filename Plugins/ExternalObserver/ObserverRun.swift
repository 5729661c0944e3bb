import EventMVVM
import EventRPC
import EventServing
import Foundation
import Platform

/// One run of an observer: its process, and the conversation with it.
///
/// The program is the client, and uses the protocol of `serve`. Whatever it does affects only its
/// own threads and pipes.
final class ObserverRun: Sendable {
  /// Why it was ended, if it did not end by itself.
  enum Reason: Sendable {
    /// It has not begun its session.
    case silence
    /// It sent too many invalid messages.
    case nonsense
    /// The system had no thread for it.
    case noThread
    /// The process that it observes ends.
    case finish
  }

  private struct State {
    var reason: Reason?
    var isStopping = false
    var hasInput = true
  }

  let session: Session
  let log: ObserverLog
  private let process: SupervisedProcess
  private let patience: ObserverPatience
  private let peer: RPCPeer
  private let throttle: ObserverThrottle
  private let state = Locked(State())

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - setting: The configuration of observers.
  ///   - patience: The limits of waiting.
  ///   - port: The port that sends its requests.
  ///   - source: The source of its events.
  ///   - resumePoints: The positions where subscriptions begin.
  /// - Throws: A failure if the system has no pipe or process left.
  init(
    _ program: ObserverProgram,
    _ setting: ObserverConfiguration,
    _ patience: ObserverPatience,
    _ port: ViewPort,
    _ source: EventSource,
    from resumePoints: EventPositions
  ) throws(Failure) {
    let process = try SupervisedProcess(
      program.path,
      environment: ObserverEnvironment.variables(of: setting.environment, for: program.name),
      in: setting.home
    )
    self.process = process
    self.patience = patience
    log = ObserverLog(
      setting.logFolder.map { "\($0)/\(program.name).log" },
      reading: process.errors
    )
    var limits = RPCLimits()
    // One request at a time: the next is read when it is answered.
    limits.calls = 1
    limits.waiting = 4_194_304
    let hopeless = Locked<(@Sendable () -> Void)?>(nil)
    let throttle = ObserverThrottle { hopeless.withLock { $0 }?() }
    self.throttle = throttle
    let peer = RPCPeer(
      input: process.output,
      output: process.input,
      limits: limits,
      throttle: throttle
    )
    guard let peer else {
      process.kill()
      throw Failure(.store, SystemProblem(EMFILE).text)
    }
    self.peer = peer
    var options = setting.options(from: resumePoints)
    options.afterPart = { throttle.afterPart($0) }
    session = Session(setting.catalogue, options, port, peer, source)
    hopeless.withLock { [weak self] in $0 = { self?.giveUp(.nonsense) } }
  }

  /// Runs the conversation with it to its end, on the calling thread.
  ///
  /// - Returns: How it ended, and why if it was not by itself.
  func run() -> (SupervisedProcess.Ending, Reason?) {
    let start = ContinuousClock.now
    Alarm.shared.after(Double(patience.hello)) { [weak self, patience] in
      let isLate = start.duration(to: .now) >= .seconds(patience.hello)
      if self?.session.hasBegun == false { self?.giveUp(isLate ? .silence : .noThread) }
    }
    let isWatched = startThread { [self] in
      while process.wait(seconds: 3600) == nil {}
      // Its last messages may still be in the pipe; a process that holds the pipe open after its
      // end is ignored.
      Thread.sleep(forTimeInterval: 0.5)
      peer.end()
      throttle.release()
    }
    if !isWatched { giveUp(.noThread) }
    peer.listen(while: { [session] in session.hasClient }, session.take)
    // A program that closes its output sends nothing more, and may still read.
    if peer.isOver || !session.hasClient { stop() }
    while process.wait(seconds: 3600) == nil {}
    close(process.output)
    // A write to it finds that there is no longer a reader.
    peer.settle(within: 1)
    closeInput()
    return (process.wait(seconds: 0) ?? .killed(SIGKILL), state.withLock { $0.reason })
  }

  /// Whether it was sent everything, and has no open request, as far as is known; polled
  /// repeatedly.
  ///
  /// One that has neither subscribed to anything nor sent `initialized` may still do so.
  var isServed: Bool {
    guard session.hasBegun, session.isUpToDate, session.hasSubscribed || session.isReady else {
      return false
    }
    if hasUnread { throttle.noteBusy() }
    return throttle.silence > (session.hasSubscribed ? patience.quiet : patience.ready)
  }

  /// Whether its pipe has unread bytes.
  private var hasUnread: Bool {
    state.withLock { state in
      var unread: Int32 = 0
      return state.hasInput && ioctl(process.input, UInt(FIONREAD), &unread) == 0 && unread > 0
    }
  }

  /// Whether none of its processes is left.
  var isOver: Bool { process.wait(seconds: 0) != nil }

  // MARK: Ending

  /// Sends it everything at once, and allows it a little more work: the process is about to end.
  func hurry() {
    throttle.hurry()
    session.hurry()
  }

  /// Ends it for a reason; the first one counts.
  func giveUp(_ reason: Reason) {
    state.withLock { if $0.reason == nil { $0.reason = reason } }
    throttle.release()
    peer.end()
    if reason != .finish { process.terminate() }
  }

  /// Ends it, because the process ends: its input first and then, if it stays, the program.
  func finish() {
    // A run that had ended before has its own reason.
    if !isOver { state.withLock { if $0.reason == nil { $0.reason = .finish } } }
    if !session.hasBegun { process.terminate() }
    // Requests that can't be finished by now are not answered.
    throttle.stop()
    stop()
  }

  private func stop() {
    let isFirst = state.withLock { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    guard isFirst else { return }
    peer.settle(within: 0.2)
    // Waiting output is still written, and its input ends after that.
    closeInput()
    if process.wait(seconds: patience.farewell) == nil { process.terminate() }
    if process.wait(seconds: patience.farewell) == nil { process.kill() }
  }

  private func closeInput() {
    state.withLock { state in
      if state.hasInput { close(process.input) }
      state.hasInput = false
    }
  }
}
