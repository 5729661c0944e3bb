import EventMVVM
import TodoModels

extension EventStream {
  /// Answers a request of the views by one request to the models: the shape of every handler here.
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - owner: Whoever the subscription ends with.
  ///   - ask: Says what to ask the models; a throw becomes the failure of the reply.
  ///   - reply: Says what their answer means for the view.
  ///   - then: Called behind the reply of a success, to state facts.
  func bridge<R: Request, M: Request, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    _ ask: @escaping (Owner, R, borrowing Turn) throws -> M,
    reply: @escaping (Owner, R, M.Reply.Value, borrowing Turn) -> R.Reply.Value,
    then: @escaping (Owner, M.Reply.Value, borrowing Turn) -> Void = { _, _, _ in }
  ) where R.Reply.Problem == Failure, M.Reply.Problem == ModelError {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, request, turn in
      do {
        turn.request(try ask(owner, request, turn)) { [weak owner] result, turn in
          guard let owner else { return }
          do {
            let value = try result.get().result.mapError(Failure.init).get()
            turn.send(R.Reply(.success(reply(owner, request, value, turn))))
            then(owner, value, turn)
          } catch {
            turn.send(R.Reply(.failure(Failure(error))))
          }
        }
      } catch {
        turn.send(R.Reply(.failure(Failure(error))))
      }
    }
  }
}
