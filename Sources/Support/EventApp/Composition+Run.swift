import EventCommands
import EventMVVM
import Foundation

// The run of a session, with the work of its plugins around it.

extension Composition {
  /// Runs a session to its end; the servers stay as long, and the frontends beside it and plugins
  /// that have begun receive all of its events.
  func run(
    _ console: Console,
    patience: Double = SessionWork.patience,
    _ makeFrontend: (ProcessSession) throws -> any Frontend
  ) throws -> ExitStatus {
    var session = session
    if !session.isAtTerminal { session.remark = { console.remark($0) } }
    let work = SessionWork(self, session, patience: patience)
    let (frontend, port): (any Frontend, ViewPort)
    do {
      frontend = try makeFrontend(session)
      try work.begin()
      port = context.port(named: frontend.name)
    } catch {
      work.finish()
      throw error
    }
    let status = frontend.run(port)
    work.finish()
    // A request that waits for a locked store would keep a process alive whose client is gone.
    let isHeldUp = session.isLasting && status != .success && !isPrompt(port)
    if !isHeldUp { context.leave() }
    for plugin in plugins {
      if let trouble = plugin.program?.trouble { console.report(trouble) }
    }
    return status
  }

  /// Whether the events queued so far are delivered within the rest of the two seconds in which a
  /// service ends.
  private func isPrompt(_ port: ViewPort) -> Bool {
    let isOver = DispatchSemaphore(value: 0)
    port.afterQueued { isOver.signal() }
    return isOver.wait(timeout: .now() + 0.4) == .success
  }
}

extension [OptionalPlugin] {
  /// Prepares the plugins for a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - environment: The environment of its stream, which plugins may change.
  /// - Returns: The recordings of the session.
  /// - Throws: The reason why the session can't begin.
  func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) throws -> [any SessionRecording] {
    var recordings: [any SessionRecording] = []
    for plugin in self {
      let recording = try plugin.program?.prepare(session, &environment)
      if let recording { recordings.append(recording) }
    }
    // A recording depends on no other file.
    if !recordings.isEmpty { for plugin in self { plugin.program?.isolate() } }
    return recordings
  }
}

extension ProcessSession {
  /// Creates the session of an invocation.
  init(_ invocation: Invocation, _ kind: Kind, store: String) {
    let program = invocation.application.program
    let paths = invocation.application.paths
    self.init(program.name, version: program.version, invocation.catalogue)
    self.store = store
    plugins = invocation.plugins.map(\.name)
    availablePlugins = invocation.availablePlugins
    givenFlags = invocation.options.given.flagsForSessions
    self.kind = kind
    saysYes = invocation.options.yes
    configuration = { paths.configuration($0) }
    state = { paths.state($0) }
  }
}
