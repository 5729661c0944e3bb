public import EventCommands
public import EventMVVM

/// Counts what was asked for in this process, and cheers: a plugin to begin with.
public struct Streak: CommandPlugin {
  /// By which it is listed and switched.
  public let name = "streak"
  /// What JSON-RPC puts before its methods.
  public let group = "streak"
  /// What it answers.
  public let commands: [any Command.Type] = [RequestStreak.self]

  /// Has counted nothing yet.
  public init() {}

  /// Counts what nothing else has caused, and answers.
  public func join(_ stream: EventStream) {
    let count = Locked(0)
    stream.observeAll { _, turn in
      if turn.cause == nil { count.withLock { $0 += 1 } }
    }
    stream.answer(RequestStreak.self) { _, _ in "\(count.withLock { $0 }) so far. Go on!" }
  }
}

/// Asks how much was done.
struct RequestStreak: Command {
  typealias Reply = ResponseStreak
  static let writes = false
  static let command = CommandSpec<Self>("streak", "Cheers.")
}

/// How much was done.
struct ResponseStreak: ViewModelEvent, Response {
  let result: Result<Message, Failure>
  init(_ result: Result<Message, Failure>) { self.result = result }
}
