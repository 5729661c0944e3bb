public import EventCommands
public import EventMVVM

/// Remembers what followed from the last intents of the process, and shows which event caused
/// which (S97): of what a person or a client asked for, unless all is wanted.
///
/// It knows no domain: an event says its name, and what it is about. What it remembers is bounded,
/// and keeps no event alive.
public struct TracePlugin: CommandPlugin {
  /// Its name among the plugins.
  public let name = "trace"
  /// The prefix of its JSON-RPC methods.
  public let group = ""
  /// Its commands.
  public let commands: [any Command.Type] = [RequestTrace.self]

  /// Remembers nothing yet.
  public init() {}

  /// Subscribes to the events that it observes and answers.
  public func join(_ stream: EventStream) {
    // Both handlers run on the home thread, and it is theirs alone: it needs no lock.
    let log = TraceLog()
    stream.observeAll(with: log)
    stream.answer(RequestTrace.self) { request, turn in
      let count = request.count?.number ?? 1
      guard count > 0 else {
        throw Failure(.usage, "'trace' shows at least one conversation.", field: "count")
      }
      let stream = turn.stream
      let intents = log.last(count, all: request.all)
      return TraceReport(intents.map { .init($0) { stream.name(of: $0) } })
    }
  }
}
