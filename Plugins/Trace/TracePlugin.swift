public import EventCommands
public import EventMVVM
import EventValues

/// Stores the consequences of the last roots of the process, and shows which event caused which
/// (S97): for requests of a person or a client, or for all roots on demand.
///
/// It depends on no domain: an event has its name and its subject. Its memory is bounded, and it
/// retains no event.
public struct TracePlugin: CommandPlugin {
  /// Its name among the plugins.
  public let name = "trace"
  /// The prefix of its JSON-RPC methods.
  public let group = ""
  /// Its commands.
  public let commands: [any Command.Type] = [RequestTrace.self]

  /// Creates the plugin.
  public init() {}

  /// Subscribes to the events that it observes and answers.
  public func join(_ stream: EventStream) {
    // Both handlers run on the home thread, and only they use it: it needs no lock.
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
