package import EventCommands
package import EventMVVM
package import EventValues

/// Requests the causes and consequences of the last roots of this process.
package struct RequestTrace: Command, Codable {
  package typealias Reply = ResponseTrace
  package static let writes = false
  // Version 2 can request all roots.
  package static let version = 2

  /// The number of roots; the last one unless given.
  package var count: Count?
  /// Whether roots count that no person or client asked for: updates of a prompt or of a watched
  /// state, and external changes.
  package var all = false

  package static let command = CommandSpec<Self>(
    "trace",
    "Shows which event caused which in the last conversations of this process."
  )
  .topic(.rare)
  .word(\.count, "How many conversations, the latest last; 1 unless given")
  .option(\.all, "Also those that nobody asked for, such as a prompt's own", flag: "--all")

  package init() {}

  /// Creates a request for a number of roots.
  package init(count: Count) {
    self.count = count
  }
}

/// The requested trace.
package struct ResponseTrace: ViewModelEvent, Response {
  /// The roots with their events, or why they are not shown.
  package let result: Result<TraceReport, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<TraceReport, Failure>) {
    self.result = result
  }

  /// Writes nothing: a replay can't distinguish updates of a frontend from requests.
  package func _record(to encoder: any Encoder) throws -> Bool { false }
}
