public import EventCommands
public import EventMVVM
import Foundation

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
    let (state, isWritable) = state.withLock { ($0, $0.isWritable) }
    guard let program = state.program, let spool = state.spool else { return }
    let (address, connection) = try program.serve(spool.descriptor, state.place, isWritable)
    if isWritable, let stream = state.stream {
      let sender = PageSession(session, ViewPort(stream.joined(as: name)), connection)
      self.state.withLock { $0.sender = sender }
    } else {
      close(connection)
    }
    let color = isatty(2) == 1 ? ("\u{1b}[1m", "\u{1b}[0m") : ("", "")
    FileHandle.standardError.write(Data("Inspect at \(color.0)\(address)\(color.1)\n".utf8))
  }

  /// Ends the session of the page.
  public func finish(_ session: ProcessSession) { state.withLock { $0.sender }?.end() }

  /// Writes the end of the session.
  public func leave() { state.withLock { $0.spool }?.end() }
}
