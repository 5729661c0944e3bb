public import EventCommands
public import EventMVVM

/// Counts the inputs of this process, and cheers: a plugin to begin with.
public struct Streak: CommandPlugin {
  /// The name by which it is listed and switched.
  public let name = "streak"
  /// The prefix of its methods in JSON-RPC.
  public let group = "streak"
  /// The requests that it answers.
  public let commands: [any Command.Type] = [RequestStreak.self]

  /// Creates the plugin, with a count of zero.
  public init() {}

  /// Counts the events that no other event has caused, and answers.
  public func join(_ stream: EventStream) {
    let count = Locked(0)
    stream.observeAll { _, turn in
      if turn.cause == nil { count.withLock { $0 += 1 } }
    }
    stream.answer(RequestStreak.self) { _, _ in "\(count.withLock { $0 }) so far. Go on!" }
  }
}

/// Asks for the count.
struct RequestStreak: Command {
  typealias Reply = ResponseStreak
  static let writes = false
  static let command = CommandSpec<Self>("streak", "Cheers.")
}

/// The count.
struct ResponseStreak: ViewModelEvent, Response {
  let result: Result<Message, Failure>
  init(_ result: Result<Message, Failure>) { self.result = result }
}
