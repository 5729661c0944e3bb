public import EventMVVM

extension EventStream {
  /// Observes the values of successful responses (S10); failures are for the requesters.
  ///
  /// - Parameters:
  ///   - type: The response type.
  ///   - body: Called on the home thread with the value of each success, in order.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public func on<R: Response>(
    successOf type: R.Type,
    _ body: @escaping (R.Value, borrowing Turn) -> Void
  ) -> Subscription {
    on(type) { response, turn in
      if case .success(let value) = response.result { body(value, turn) }
    }
  }

  /// Observes the values of successful responses, for as long as `owner` lives (S10); failures are
  /// for the requesters.
  ///
  /// - Parameters:
  ///   - type: The response type.
  ///   - owner: The object with which the subscription ends; retained while `body` runs.
  ///   - body: Called on the home thread with the owner and the value of each success, in order.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public func on<R: Response, Owner: AnyObject>(
    successOf type: R.Type,
    owner: Owner,
    _ body: @escaping (Owner, R.Value, borrowing Turn) -> Void
  ) -> Subscription {
    on(type, owner: owner) { owner, response, turn in
      if case .success(let value) = response.result { body(owner, value, turn) }
    }
  }
}
