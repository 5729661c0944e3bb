import EventMVVM
import EventPatterns
import TodoModels

extension EventStream {
  /// Answers a request of the views by one request to the models of todos.
  func bridge<R: Request, M: Request, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    _ ask: @escaping (Owner, R, borrowing Turn) throws -> M,
    reply: @escaping (Owner, R, M.Reply.Value, borrowing Turn) -> R.Reply.Value,
    then: @escaping (Owner, M.Reply.Value, borrowing Turn) -> Void = { _, _, _ in }
  ) where R.Reply.Problem == Failure, M.Reply.Problem == ModelError {
    bridge(type, owner: owner, failure: Failure.init, ask, reply: reply, then: then)
  }
}
