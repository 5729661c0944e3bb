public import EventCommands
public import EventMVVM

/// Undoes and redoes steps, and shows the history: `undo`, `redo` and `history`.
///
/// It depends on no domain. A domain with a journal of its changes answers its requests; the
/// policy is here: which step is the next one, and how a conflict is handled.
public struct UndoHistory: CommandPlugin {
  /// Its name among the plugins.
  public let name = "undo"
  /// The prefix of its JSON-RPC methods.
  public let group = "history"
  /// Its commands.
  public let commands: [any Command.Type] = [
    RequestUndo.self, RequestRedo.self, RequestHistory.self,
  ]

  /// Creates the plugin.
  public init() {}

  /// Subscribes to the requests that it answers.
  public func join(_ stream: EventStream) {
    answerReversals(RequestUndo.self, on: stream)
    answerReversals(RequestRedo.self, on: stream)
    stream.declareAnswerer(of: RequestHistory.self)
    stream.on(RequestHistory.self) { request, turn in request.answer(turn) }
  }

  private func answerReversals<R: ReversingCommand>(_ type: R.Type, on stream: EventStream) {
    stream.declareAnswerer(of: type)
    stream.on(type) { request, turn in request.answer(turn) }
  }
}
