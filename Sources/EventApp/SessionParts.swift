import EventCommands
import EventMVVM
import Foundation

/// The plugins and frontends around a session, each with tasks of its own.
final class SessionParts {
  /// How long tasks that were cancelled are awaited, in seconds.
  private static let patience = 1.0

  private let context: AppContext
  private let isHome: Bool
  private let plugins: [(plugin: any ProgramPlugin, session: ProcessSession)]
  private let frontends: [(frontend: any ProgramFrontend, session: ProcessSession)]
  /// How many of the plugins have begun.
  private var begun = 0

  init(_ composition: Composition, _ session: ProcessSession) {
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

  /// Lets plugins begin, and then frontends beside the session.
  ///
  /// - Throws: Why one can't.
  func begin() throws {
    for (plugin, session) in plugins {
      try plugin.begin(session)
      begun += 1
    }
    for (frontend, session) in frontends {
      try frontend.begin(session) { [context] in context.port(named: $0) }
    }
  }

  /// Ends the tasks of each, and finishes it: all frontends, and then the plugins that have begun.
  func finish() {
    let deadline = ContinuousClock.now.advanced(by: .seconds(Self.patience))
    for (frontend, session) in frontends {
      endTasks(of: session, until: deadline)
      frontend.finish(session)
    }
    for (index, (plugin, session)) in plugins.enumerated() {
      endTasks(of: session, until: deadline)
      if index < begun { plugin.finish(session) }
    }
  }

  /// Cancels tasks and waits until they have ended, and delivers meanwhile what they send.
  private func endTasks(of session: ProcessSession, until deadline: ContinuousClock.Instant) {
    let (isOver, over) = (Locked(false), DispatchSemaphore(value: 0))
    let stream = context.stream
    let areRunning = session.endTasks {
      isOver.withLock { $0 = true }
      // What they have sent has its turn before; the thread that delivers wakes by this.
      stream.afterQueued { over.signal() }
    }
    guard areRunning else { return }
    let giveUp: @Sendable () -> Void = {
      isOver.withLock { $0 = true }
      over.signal()
      stream.afterQueued {}
    }
    // A thread, as tasks that heed no cancellation may have all of the executor's.
    let left = max(.zero, ContinuousClock.now.duration(to: deadline))
    if !startThread(after: Int(left / .milliseconds(1)), giveUp) { giveUp() }
    isHome ? stream.run { isOver.withLock { $0 } } : over.wait()
  }
}
