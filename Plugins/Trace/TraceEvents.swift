package import EventCommands
package import EventMVVM

/// Asks which event caused which in what followed from the last intents of this process.
package struct RequestTrace: Command, Codable {
  package typealias Reply = ResponseTrace
  package static let writes = false

  /// How many intents; the last one unless given.
  package var count: Count?

  package static let command = CommandSpec<Self>(
    "trace",
    "Shows which event caused which in the last conversations of this process."
  )
  .word(\.count, "How many conversations, the latest last; 1 unless given")

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
}
