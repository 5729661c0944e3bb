package import EventCommands
package import EventMVVM

/// Asks which event caused which in what followed from what was last asked of this process.
package struct RequestTrace: Command, Codable {
  package typealias Reply = ResponseTrace
  package static let writes = false
  // The second can ask for all.
  package static let version = 2

  /// How many intents; the last one unless given.
  package var count: Count?
  /// Whether those count that nobody asked for: what keeps a prompt or a watched state up to date,
  /// and what other processes have done.
  package var all = false

  package static let command = CommandSpec<Self>(
    "trace",
    "Shows which event caused which in the last conversations of this process."
  )
  .word(\.count, "How many conversations, the latest last; 1 unless given")
  .option(\.all, "Also those that nobody asked for, such as a prompt's own", flag: "--all")

  package init() {}

  /// Asks for so many.
  package init(count: Count) {
    self.count = count
  }
}

/// What was asked for.
package struct ResponseTrace: ViewModelEvent, Response {
  /// The intents with their events, or why they are not shown.
  package let result: Result<TraceReport, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<TraceReport, Failure>) {
    self.result = result
  }

  /// Writes nothing: a replay does not know what keeps a frontend up to date from what is asked for.
  package func _record(to encoder: any Encoder) throws -> Bool { false }
}
