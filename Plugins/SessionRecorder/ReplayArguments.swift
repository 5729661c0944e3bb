package import EventCommands
import EventMVVM
import EventValues

/// The options of a process that records its session.
struct RecorderOptions: Sendable {
  /// The new file that the session is recorded into.
  var record: String?

  static let spec = CommandSpec<Self>("", "")
    .option(\.record, "Records the session into a new file", flag: "--record", placeholder: "FILE")
}

/// The words after `replay`.
struct ReplayArguments: Sendable {
  /// The recording.
  var file = ""
  /// The number of the event to stop after.
  var until: Count?
  /// Whether each event is shown, with a pause before each root.
  var step = false

  static let spec = CommandSpec<Self>(
    "replay",
    "Replays a recorded session, and reports the first divergence."
  )
  .word(\.file, "What --record has written", placeholder: "FILE")
  .option(\.until, "Stops after the event of this number and shows it", flag: "--until")
  .option(\.step, "Shows each event; at a terminal, Enter goes on", flag: "--step")
}

extension ReplayArguments {
  /// The verb that replays a recorded session, in a separate store, without other effects.
  static var verb: ProcessVerb {
    ProcessVerb(spec, ReplayArguments()) { arguments, host in
      guard !arguments.file.isEmpty else { throw CommandError("'replay' needs a recording") }
      let recording = try Recording(path: arguments.file)
      let recorded = RecordedEnvironment(recording.header)
      return try host.replay(recording.setup(in: recorded)) { session in
        let replay = SessionReplay(
          recording,
          recorded,
          on: session.stream,
          inputs: session.inputs
        ) { change, decoder in
          try session.applyExternal(change, decoder)
        }
        return ReplayReport(recording, arguments, host).run(replay, in: session)
      }
    }
  }
}

extension Recording {
  /// Returns the assembly of the recorded program for a replay.
  package func setup(in recorded: RecordedEnvironment) -> ReplaySetup {
    ReplaySetup(
      plugins: header.plugins,
      isLasting: header.isInteractive,
      environment: recorded.environment,
      image: startingState
    )
  }
}
