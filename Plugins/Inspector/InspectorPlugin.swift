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
    var program: InspectorProgram?
    var spool: EventSpool?
  }

  private let state = Locked(State())

  /// Creates the plugin.
  public init() {}

  /// Its options of the process.
  public var options: OptionGroup? {
    OptionGroup(InspectorOptions.spec, InspectorOptions(), forSessions: true) { [state] options in
      state.withLock { $0.place = options.inspect }
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
    guard let spool = state.withLock({ $0.spool }) else { return }
    stream.observeAll(with: EventTapper(spool))
  }

  /// Starts the program that serves the page, and prints the page's address on standard error.
  public func begin(_ session: ProcessSession) throws {
    let (program, spool, place) = state.withLock { ($0.program, $0.spool, $0.place) }
    guard let program, let spool else { return }
    let address = try program.serve(spool.descriptor, place)
    let color = isatty(2) == 1 ? ("\u{1b}[1m", "\u{1b}[0m") : ("", "")
    FileHandle.standardError.write(Data("Inspect at \(color.0)\(address)\(color.1)\n".utf8))
  }

  /// Writes the end of the session.
  public func leave() { state.withLock { $0.spool }?.end() }
}
