import EventCommands
import EventMVVM
import Foundation

extension Composition {
  /// The plugins and frontends around a session, each with tasks of its own.
  final class SessionWork {
    /// How long to wait for cancelled tasks, in seconds.
    static let patience = 1.0

    private let context: AppContext
    private let isHome: Bool
    private let plugins: [(plugin: any ProgramPlugin, session: ProcessSession)]
    private let frontends: [(frontend: any ProgramFrontend, session: ProcessSession)]
    /// The number of plugins that have begun.
    private let patience: Double
    private var begun = 0

    init(
      _ composition: Composition,
      _ session: ProcessSession,
      patience: Double = SessionWork.patience
    ) {
      self.patience = patience
      let context = composition.context
      self.context = context
      isHome = !session.isLasting
      var count = 0
      func part(_ name: String?) -> ProcessSession {
        count += 1
        return session.part(count, of: name, on: context.stream)
      }
      frontends = composition.application.frontends.map { ($0, part(nil)) }
      plugins = composition.plugins.compactMap(\.program)
        .filter { $0.wantsJobs || session.isLasting }
        .map { ($0, part($0.name)) }
    }

    /// Begins the plugins, and then the frontends beside the session.
    ///
    /// - Throws: The error of a plugin or frontend that can't begin.
    func begin() throws {
      for (plugin, session) in plugins {
        try plugin.begin(session)
        begun += 1
      }
      for (frontend, session) in frontends {
        try frontend.begin(session) { [context] in context.port(named: $0) }
      }
    }

    /// Ends all tasks, and finishes all frontends, and then the plugins that have begun.
    func finish() {
      let deadline = ContinuousClock.now.advanced(by: .seconds(patience))
      for (frontend, session) in frontends {
        endTasks(of: session, until: deadline)
        frontend.finish(session)
      }
      for (index, (plugin, session)) in plugins.enumerated() {
        endTasks(of: session, until: deadline)
        if index < begun { plugin.finish(session) }
      }
    }

    /// Cancels tasks and waits until they have ended; meanwhile it delivers the events that they
    /// send.
    private func endTasks(of session: ProcessSession, until deadline: ContinuousClock.Instant) {
      let (isOver, over) = (Locked(false), DispatchSemaphore(value: 0))
      let stream = context.stream
      let areRunning = session.endTasks {
        isOver.withLock { $0 = true }
        // The events that they have sent are delivered first, and the answers to these, which are
        // queued meanwhile; this also wakes the delivering thread.
        stream.afterQueued { stream.afterQueued { over.signal() } }
      }
      guard areRunning else { return }
      let giveUp: @Sendable () -> Void = {
        isOver.withLock { $0 = true }
        over.signal()
        stream.afterQueued {}
      }
      // A thread, since tasks that ignore their cancellation may occupy all threads of the executor.
      let left = max(.zero, ContinuousClock.now.duration(to: deadline))
      if !startThread(after: Int(left / .milliseconds(1)), giveUp) { giveUp() }
      isHome ? stream.run { isOver.withLock { $0 } } : over.wait()
    }
  }
}
