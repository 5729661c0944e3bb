import Analytics
import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import ExternalObserver
import JSONText
import SessionRecorder

// What a recording needs of the rest.

extension Invocation {
  /// Begins the recording that was asked for, if one was.
  ///
  /// - Parameters:
  ///   - environment: The environment of the session, which is recorded from then on.
  ///   - store: The file that keeps everything.
  /// - Returns: Who records, and the plugins that are on.
  /// - Throws: Why nothing can be recorded.
  func beginRecording(
    _ environment: inout Environment,
    excluding store: String
  ) throws -> (recorder: SessionRecorder?, plugins: [OptionalPlugin]) {
    guard let path = options.record else { return (nil, plugins) }
    // No statistics are read or kept: a recording depends on no other file.
    let names = plugins.map(\.name)
    let plugins = application.plugins(figures: nil).filter { names.containsText($0.name) }
    guard let recorder = plugins.lazy.compactMap({ $0.plugin as? SessionRecorder }).first else {
      throw Failure(.usage, "--record needs the plugin 'recorder', which is off.")
    }
    let header = RecordingHeader(
      program: "\(application.program.name) \(application.program.version)",
      environment,
      locale: UserPaths.variable("LC_ALL") ?? UserPaths.variable("LANG") ?? "C",
      isInteractive: mode.isInteractive,
      plugins: names
    )
    environment = try recorder.record(to: path, excluding: store, environment, header)
    return (recorder, plugins)
  }
}

extension [OptionalPlugin] {
  /// Those that were on when something was recorded.
  func named(_ names: [String]) throws(Failure) -> [OptionalPlugin] {
    if let missing = names.first(where: { name in !contains { $0.name.isIdentical(to: name) } }) {
      throw Failure(
        .usage,
        "The session was recorded with the plugin '\(missing.quotable)', which is not here."
      )
    }
    return filter { names.containsText($0.name) }
  }
}

extension Composition {
  /// The types of what can come from outside.
  var inputs: [any (Event & Decodable).Type] {
    let asked: [any Event.Type] =
      catalogue.commands + catalogue.screenCommands + catalogue.statuses + catalogue.wire.states
    return asked.compactMap { $0 as? any (Event & Decodable).Type }
      + [
        RequestSubjectCandidates.self, RequestScreens.self, ResponseUnanswered.self,
        ResponseSessionEnd.self,
      ]
      + [ResponseReport.self, ResponseObserverTrouble.self] + answers()
      + application.domain.inputs
  }
}
