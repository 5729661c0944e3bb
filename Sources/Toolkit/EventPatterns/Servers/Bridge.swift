public import EventMVVM

extension EventStream {
  /// Answers a request of the views by one request to the models: the shape of a view-model
  /// server's handlers (S7, S56).
  ///
  /// ```swift
  /// stream.bridge(RequestCart.self, owner: self) { _, _, _ in
  ///   RequestRecords<Line>()
  /// } reply: { _, _, lines, turn in
  ///   states.show(lines, turn)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The view's request.
  ///   - owner: The object with which the subscription ends.
  ///   - failure: Converts a failure of the models to a message for a person.
  ///   - ask: Returns the request to the models; a throw becomes the failure of the reply.
  ///   - reply: Converts their answer to the view's; a throw becomes the failure of the reply.
  ///   - then: Called after a successful reply, to send facts.
  @inlinable
  public func bridge<R: Request, M: Request, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    failure: @escaping (M.Reply.Problem) -> Failure,
    _ ask: @escaping (Owner, R, borrowing Turn) throws -> M,
    reply: @escaping (Owner, R, M.Reply.Value, borrowing Turn) throws -> R.Reply.Value,
    then: @escaping (Owner, M.Reply.Value, borrowing Turn) -> Void = { _, _, _ in }
  ) where R.Reply.Problem == Failure {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, request, turn in
      do {
        turn.request(try ask(owner, request, turn)) { [weak owner] result, turn in
          guard let owner else { return }
          do {
            let value = try result.get().result.mapError(failure).get()
            turn.send(R.Reply(.success(try reply(owner, request, value, turn))))
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

  /// Answers a request of the views by one request to models whose failures are for people; see
  /// ``bridge(_:owner:failure:_:reply:then:)``.
  @inlinable
  public func bridge<R: Request, M: Request, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    _ ask: @escaping (Owner, R, borrowing Turn) throws -> M,
    reply: @escaping (Owner, R, M.Reply.Value, borrowing Turn) throws -> R.Reply.Value,
    then: @escaping (Owner, M.Reply.Value, borrowing Turn) -> Void = { _, _, _ in }
  ) where R.Reply.Problem == Failure, M.Reply.Problem == Failure {
    bridge(type, owner: owner, failure: { $0 }, ask, reply: reply, then: then)
  }
}
