import Batch
import EventCommands
import EventMVVM
import ExternalObserver
import Foundation
import SessionRecorder

// Which programs observe a process.

extension Composition {
  /// Runs a job to its end.
  func run(
    _ job: BatchFrontend.Job,
    _ invocation: Invocation,
    _ options: BatchOptions
  ) throws(Failure) -> ExitStatus {
    try run(frontend(for: job, options), invocation, options)
  }

  /// Runs a session to its end; the servers stay as long, and observers get all of its events.
  func run(
    _ frontend: some Frontend,
    _ invocation: Invocation,
    _ options: BatchOptions
  ) throws(Failure) -> ExitStatus {
    let observers = try startObservers(invocation, options)
    let port = context.port(named: frontend.name)
    let status = frontend.run(port)
    observers?.finish(isHome: !invocation.mode.isInteractive)
    // A request that waits for a locked store would keep a server that has no client any more.
    let isHeldUp = invocation.mode.isServer && status != .success && !isPrompt(port)
    if !isHeldUp { context.leave() }
    if let trouble = recorder?.trouble {
      BatchOutput(options).report(Failure(.store, "The recording ends early: \(trouble)"))
    }
    return status
  }

  /// Whether what is queued by now has its turn within the moment that is left of the two seconds
  /// in which a server ends.
  private func isPrompt(_ port: ViewPort) -> Bool {
    let isOver = DispatchSemaphore(value: 0)
    port.afterQueued { isOver.signal() }
    return isOver.wait(timeout: .now() + 0.4) == .success
  }

  /// Starts the programs that observe.
  ///
  /// - Parameters:
  ///   - invocation: What the process was asked for.
  ///   - options: How messages are printed.
  /// - Returns: Who has started them; nil if observing is switched off.
  /// - Throws: A usage error if one that was named can't be started.
  private func startObservers(
    _ invocation: Invocation,
    _ options: BatchOptions
  ) throws(Failure) -> ExternalObserver? {
    // What is only checked does nothing, and needs no observers.
    if case .job(.scripts(_, .check)) = invocation.mode { return nil }
    let words = invocation.options.observer
    guard let observers = plugins.lazy.compactMap(\.observers).first else {
      guard words.isEmpty else {
        throw Failure(.usage, "--observer needs the plugin 'observers', which is off.")
      }
      return nil
    }
    let folder = invocation.mode.isWorthObserving ? application.paths.observers : nil
    // Most processes have none, and should not look round for the rest.
    guard !words.isEmpty || folder.map({ access($0, F_OK) == 0 }) == true else { return observers }
    var setting = ObserverConfiguration(
      invocation.catalogue,
      program: application.program.name,
      version: application.program.version
    )
    setting.words = words
    setting.environment = ProcessInfo.processInfo.environment
    // What an observer starts is not observed by the folder again, or it would start itself for
    // ever.
    let isObserver = UserPaths.variable(ExternalObserver.marker) != nil
    setting.folder = isObserver ? nil : folder
    setting.logs = application.paths.observerLogs
    setting.isLasting = invocation.mode.isInteractive
    if !invocation.mode.isConversation {
      let output = BatchOutput(options)
      setting.say = { output.remark($0) }
    }
    try observers.start(setting)
    return observers
  }
}

extension LaunchMode {
  /// Whether a person at a terminal reads what is announced.
  fileprivate var isConversation: Bool { if case .repl = self { true } else { false } }

  /// Whether the programs of the folder are started for it: one command that only reads should be
  /// over at once, however many there are, and what is only checked does nothing.
  fileprivate var isWorthObserving: Bool {
    switch self {
    case .repl, .serve: true
    case .version, .completions, .replay: false
    case .job(.command(let command)): type(of: command).writes
    case .job(.scripts(_, let mode)): mode != .check
    }
  }
}
