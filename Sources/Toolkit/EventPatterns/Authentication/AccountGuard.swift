public import EventCommands
public import EventMVVM

extension EventStream {
  /// Receives the outcome of a command, in the turn that determines it.
  public typealias Answering<R: Command> = (
    _ result: Result<R.Reply.Value, Failure>, _ turn: borrowing Turn
  ) -> Void

  /// Answers a command for the account of its session (S60).
  ///
  /// A failure of the kind `account`, such as ``EventMVVM/Failure/needsAccount``, postpones the command
  /// until a person has signed in; see `Authentication`.
  ///
  /// ```swift
  /// stream.answer(RequestParcel.self, owner: self) { office, _, account, turn, answer in
  ///   guard let account else { return answer(.failure(.needsAccount), turn) }
  ///   answer(office.parcel(for: account.name), turn)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The command.
  ///   - owner: The object with which the subscription ends.
  ///   - body: Called with the command, the account, which is nil where no person is signed in, and
  ///     a closure for the outcome.
  public func answer<R: Command, Owner: AnyObject>(
    _ type: R.Type,
    owner: Owner,
    asAccount body: @escaping (Owner, R, Account?, borrowing Turn, @escaping Answering<R>) -> Void
  ) {
    declareAnswerer(of: type)
    on(type, owner: owner) { owner, command, turn in
      turn.request(RequestAccount()) { [weak owner] result, turn in
        guard let owner else { return }
        switch result.mapError(Failure.init).flatMap(\.result) {
        case .failure(let failure) where failure.kind == .account:
          command.wait(for: nil, failure, turn)
        case let known:
          // Without a server of accounts no person is signed in.
          let account = (try? known.get()) ?? nil
          body(owner, command, account, turn) { result, turn in
            guard case .failure(let failure) = result, failure.kind == .account else {
              return turn.send(R.Reply(result))
            }
            command.wait(for: account, failure, turn)
          }
        }
      }
    }
  }
}

extension Command {
  /// Fails, and postpones the command until a sign-in where one is possible.
  fileprivate func wait(for account: Account?, _ failure: Failure, _ turn: borrowing Turn) {
    let request = RequestPostpone(command: PostponedCommand(command: self), account: account)
    turn.request(request) { result, turn in
      let postponement = try? result.get().result.get()
      turn.send(Reply(.failure(postponement?.failure ?? failure)))
    }
  }
}
