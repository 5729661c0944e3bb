import Batch
import EventCommands
import EventMVVM
import Foundation

// How a session runs, and what its plugins do round it.

extension Composition {
  /// Runs a job to its end.
  func run(
    _ job: BatchFrontend.Job,
    _ invocation: Invocation,
    _ options: BatchOptions
  ) throws -> ExitStatus {
    try run(frontend(for: job, options), invocation, options)
  }

  /// Runs a session to its end; the servers stay as long, and what plugins have begun gets all of
  /// its events.
  func run(
    _ frontend: some Frontend,
    _ invocation: Invocation,
    _ options: BatchOptions
  ) throws -> ExitStatus {
    var session = session
    if !session.isAtTerminal { session.remark = { BatchOutput(options).remark($0) } }
    try begin(session)
    let port = context.port(named: frontend.name)
    let status = frontend.run(port)
    for plugin in plugins { plugin.program?.finish(session) }
    // A request that waits for a locked store would keep a server that has no client any more.
    let isHeldUp = invocation.mode.isServer && status != .success && !isPrompt(port)
    if !isHeldUp { context.leave() }
    for plugin in plugins {
      if let trouble = plugin.program?.trouble { BatchOutput(options).report(trouble) }
    }
    return status
  }

  /// Lets plugins begin; if one can't, those before it finish.
  private func begin(_ session: ProcessSession) throws {
    for (index, plugin) in plugins.enumerated() {
      do {
        try plugin.program?.begin(session)
      } catch {
        for begun in plugins[..<index] { begun.program?.finish(session) }
        throw error
      }
    }
  }

  /// Whether what is queued by now has its turn within the moment that is left of the two seconds
  /// in which a server ends.
  private func isPrompt(_ port: ViewPort) -> Bool {
    let isOver = DispatchSemaphore(value: 0)
    port.afterQueued { isOver.signal() }
    return isOver.wait(timeout: .now() + 0.4) == .success
  }
}

extension [OptionalPlugin] {
  /// Prepares them for a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - environment: The environment of its stream, as they leave it.
  /// - Returns: What records the session.
  /// - Throws: Why the session can't begin.
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
  /// The session that was asked for.
  init(_ invocation: Invocation, store: String) {
    let program = invocation.application.program
    let paths = invocation.application.paths
    self.init(program.name, version: program.version, invocation.catalogue)
    self.store = store
    plugins = invocation.plugins.map(\.name)
    isLasting = invocation.mode.isInteractive
    saysYes = invocation.options.yes
    isAtTerminal = invocation.mode.isAtTerminal
    effect = invocation.mode.effect
    configuration = { paths.configuration($0) }
    state = { paths.state($0) }
  }
}
