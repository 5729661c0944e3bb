public import EventCommands
public import EventMVVM
import Foundation
import Platform

/// Shows the events of a session in a browser, while they happen: `--inspect`; or those of a recording: `inspect FILE`.
///
/// It depends on no domain. The page is served by a program of its own, `todostream-inspector`, so that this one
/// links no HTTP server. What that program reads is a recording: the plugin writes one of the session, for as long as
/// it lasts, into a file without a name. Nothing asks the session anything, and so a page that hangs does not delay it.
/// Without `--inspect` the plugin does nothing.
public final class InspectorPlugin: ProgramPlugin {
  /// Its name among the plugins.
  public let name = "inspector"
  /// Its verbs of the process.
  public var verbs: [ProcessVerb] { [InspectArguments.verb] }

  private struct State {
    var place = InspectorPort.none
    var isWritable = false
    var program: InspectorProgram?
    var spool: EventSpool?
    var stream: EventStream?
    var sender: PageSession?
  }

  private let state = Locked(State())

  /// Creates the plugin.
  public init() {}

  /// Its options of the process.
  public var options: OptionGroup? {
    OptionGroup(InspectorOptions.spec, InspectorOptions(), forSessions: true) {
      [state] options throws(CommandError) in
      guard options.inspect != .none || !options.inspectWrite else {
        throw CommandError("--inspect-write is for a session that is inspected: --inspect")
      }
      state.withLock { state in
        state.place = options.inspect
        state.isWritable = options.inspectWrite
      }
    }
  }

  /// Makes the file of the events, before the stream is created.
  public func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) throws -> (any SessionRecording)? {
    guard state.withLock({ $0.place != .none }) else { return nil }
    let program = try InspectorProgram()
    let spool = try EventSpool(session, environment)
    state.withLock { state in
      state.program = program
      state.spool = spool
    }
    return nil
  }

  /// Observes all events, if the options request it.
  public func join(_ stream: EventStream) {
    let spool = state.withLock { state in
      state.stream = stream
      return state.spool
    }
    if let spool { stream.observeAll(with: EventTapper(spool)) }
  }

  /// Starts the program that serves the page, and prints the page's address on standard error.
  public func begin(_ session: ProcessSession) throws {
    let known = state.withLock { $0 }
    guard let program = known.program, let spool = known.spool else { return }
    let (address, connection) = try program.serve(spool.descriptor, known.place, known.isWritable)
    if known.isWritable, let stream = known.stream {
      let sender = try PageSession(session, ViewPort(stream.joined(as: name)), connection)
      state.withLock { $0.sender = sender }
    } else {
      close(connection)
    }
    Self.say(isatty(2) == 1 ? "Inspect at \u{1b}[1m\(address)\u{1b}[0m" : "Inspect at \(address)")
  }

  /// Ends the session of the page.
  public func finish(_ session: ProcessSession) { state.withLock { $0.sender }?.end() }

  /// Writes the end of the session, and prints if events are missing.
  public func leave() {
    if let problem = state.withLock({ $0.spool })?.end() {
      Self.say("warning: The inspector lacks events: \(problem).")
    }
  }

  private static func say(_ line: String) { _ = writeAll(Array("\(line)\n".utf8), to: 2) }
}
