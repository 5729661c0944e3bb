public import EventCommands
public import EventMVVM
import JSONText

/// Stores the account of each session, and postpones the commands that wait for a sign-in (S60).
///
/// A command that needs an account is answered by
/// ``EventMVVM/EventStream/answer(_:owner:asAccount:)``. Where no person is signed in, or the
/// account has expired, it fails at once, and is postponed; signing in sends it again, and the reply
/// carries its outcome. So an expired account interrupts a conversation, and does not end it:
///
/// 1. The clock is the stream's; the service may report the expiry as well, by
///    ``EventMVVM/Failure/needsAccount``.
/// 2. Postponed commands are sent again in order, once each: a command that even then needs a sign-in
///    fails.
/// 3. Postponed commands are dropped by cancelling, by signing out, by a sign-in under another name
///    than that of the expired account, and, where there are screens, as soon as the screen that
///    shows them is closed or another one is opened above it: so each is sent again on the screens
///    on which it was sent first. A script does not wait.
///
/// ``RequestCancelSignIn`` is answered with and without screens. ``SignInFlow`` lists it among the
/// commands of its screen; a program that has no screens adds it to its catalogue with the
/// ``commands``.
///
/// No secret passes through the stream: see ``Authenticator``.
///
/// ```swift
/// return Servers(
///   setting,
///   [
///     MailServer(services.get((any Mailbox).self)),
///     Authentication(
///       services.get((any Authenticator).self),
///       hasLastingSessions: setting.isInteractive
///     ),
///   ]
/// )
/// ```
public final class Authentication: Plugin {
  /// Its name among the plugins.
  public let name = "account"
  /// The prefix of its JSON-RPC methods.
  public static let group = "account"
  /// Its commands.
  public static let commands: [any Command.Type] = [RequestSignIn.self, RequestSignOut.self]
  /// How many commands of a session can be postponed.
  public static let mostWaiting = 16

  private let authenticator: any Authenticator
  private let hasLastingSessions: Bool
  private let sessions = Locked<[Origin: Session]>([:])

  private struct Session {
    var account: Account?
    /// The name of the account whose expiry postponed the commands; nil if no person was signed in.
    var former: String?
    var waiting: [PostponedCommand] = []
    /// The root in which postponed commands are sent again.
    var resuming: Root?
    /// Whether a screen shows the postponed commands.
    var isShown = false

    /// Ends the account, and keeps its name for commands that are postponed from then on.
    mutating func endAccount() {
      former = account?.name ?? former
      account = nil
    }

    /// Drops the postponed commands, and returns them.
    mutating func giveUp() -> [PostponedCommand] {
      defer { waiting = [] }
      return waiting
    }
  }

  /// Creates the plugin with the service that authenticates.
  ///
  /// - Parameters:
  ///   - authenticator: The service.
  ///   - hasLastingSessions: Whether sessions continue after a command, so that commands can be
  ///     postponed.
  public init(_ authenticator: any Authenticator, hasLastingSessions: Bool) {
    self.authenticator = authenticator
    self.hasLastingSessions = hasLastingSessions
  }

  /// Subscribes to the requests that it answers.
  public func join(_ stream: EventStream) {
    stream.answer(RequestAccount.self, owner: self) { try $0.account($2) }
    stream.answer(RequestPostpone.self, owner: self) { $0.postpone($1, $2) }
    stream.answer(RequestSignOut.self, owner: self) { try $0.signOut($2) }
    stream.answer(RequestCancelSignIn.self, owner: self) { try $0.cancel($2) }
    stream.answerAsync(RequestProof.self) { [authenticator] request, held in
      try await authenticator.account(
        named: request.name,
        secret: request.secret,
        at: held.envelope.time
      )
    }
    stream.declareAnswerer(of: RequestSignIn.self)
    stream.on(RequestSignIn.self, owner: self) { $0.signIn($1, $2) }
    stream.on(ResponseScreenChange.self, owner: self) { authentication, change, _ in
      authentication.hear(change)
    }
    stream.on(ResponseSessionEnd.self, owner: self) { authentication, _, turn in
      let session = turn.origin
      _ = authentication.sessions.withLock { $0.removeValue(forKey: session) }
    }
  }

  private func edit<T>(_ session: Origin, _ body: (inout Session) throws -> T) rethrows -> T {
    try sessions.withLock { try body(&$0[session, default: Session()]) }
  }

  // MARK: Accounts

  private func account(_ turn: borrowing Turn) throws -> Account? {
    let time = turn.time
    let (account, isOver) = edit(turn.origin) { session in
      let account = session.account
      guard let expires = account?.expires, expires <= time else { return (account, false) }
      session.endAccount()
      return (account, true)
    }
    guard isOver else { return account }
    turn.send(ResponseAccountChange(name: nil))
    throw Failure.needsAccount
  }

  private func signOut(_ turn: borrowing Turn) throws -> Message {
    let (account, given) = edit(turn.origin) { session in
      defer { (session.account, session.former) = (nil, nil) }
      return (session.account, session.giveUp())
    }
    tellEnd(of: given, turn)
    guard let account else {
      guard !given.isEmpty else { throw Failure(.notFound, "Nobody is signed in.") }
      return Message("Gave up \(given.verbs).")
    }
    turn.send(ResponseAccountChange(name: nil))
    return Message("Signed out \(account.name).")
  }

  private func cancel(_ turn: borrowing Turn) throws -> Message {
    guard !turn.isInUnit else { throw Navigator.isForNoScript }
    let given = edit(turn.origin) { $0.giveUp() }
    guard !given.isEmpty else {
      throw Failure(.usage, "Nothing waits for somebody to sign in.")
    }
    tellEnd(of: given, turn)
    return Message("Gave up \(given.verbs).")
  }

  private func tellEnd(of waiting: [PostponedCommand], _ turn: borrowing Turn) {
    if !waiting.isEmpty { turn.send(ResponsePostponeEnd()) }
  }

  private func signIn(_ request: RequestSignIn, _ turn: borrowing Turn) {
    guard !request.name.isEmpty, !request.secret.isEmpty else {
      let problem = "sign-in needs a name, and the file that the secret is in."
      return turn.send(RequestSignIn.Reply(.failure(Failure(.usage, problem))))
    }
    turn.request(RequestProof(name: request.name, secret: request.secret)) {
      [weak self] result, turn in
      switch result.mapError(Failure.init).flatMap(\.result) {
      case .failure(let failure): turn.send(RequestSignIn.Reply(.failure(failure)))
      case .success(let account): self?.begin(account, turn)
      }
    }
  }

  /// Begins a session of an account, and sends the postponed commands again; a cancelled sign-in does
  /// neither.
  private func begin(_ account: Account, _ turn: borrowing Turn) {
    let (isCancelled, root) = (turn.isCancelled, turn.root)
    let (waiting, before, former) = edit(turn.origin) { session in
      let (before, former) = (session.account, session.former)
      if !isCancelled {
        (session.account, session.former) = (account, nil)
        session.resuming = root
      }
      return (session.giveUp(), before, former)
    }
    tellEnd(of: waiting, turn)
    guard !isCancelled else {
      let who = before.map { "\($0.name) stays signed in" } ?? "nobody is signed in"
      return turn.send(RequestSignIn.Reply(.failure(Failure(.cancelled, "Cancelled; \(who)."))))
    }
    turn.send(ResponseAccountChange(name: account.name))
    if let former, !former.isIdentical(to: account.name) {
      let failure = Failure(.account, "It was said as \(former), and is given up.")
      let given = waiting.map {
        SignedIn.Resumed(command: $0.verb, outcome: .failure(failure))
      }
      return resume([], given, account, turn)
    }
    resume(waiting[...], [], account, turn)
  }

  private func resume(
    _ waiting: ArraySlice<PostponedCommand>,
    _ done: [SignedIn.Resumed],
    _ account: Account,
    _ turn: borrowing Turn
  ) {
    guard let next = waiting.first, !turn.isCancelled else {
      edit(turn.origin) { $0.resuming = nil }
      let given = waiting.map {
        SignedIn.Resumed(command: $0.verb, outcome: .failure(Failure(Interruption.cancelled)))
      }
      let reply = SignedIn(account: account, resumed: done + given)
      return turn.send(RequestSignIn.Reply(.success(reply)))
    }
    next.command.resume(turn) { [weak self] outcome, turn in
      self?.resume(waiting.dropFirst(), done + [outcome], account, turn)
    }
  }

  // MARK: Postponed commands

  /// Postpones a command, if a sign-in is possible.
  private func postpone(_ request: RequestPostpone, _ turn: borrowing Turn) -> Postponement {
    let (command, verb) = (request.command, request.command.verb)
    let (root, isInUnit) = (turn.root, turn.isInUnit)
    func refusal(_ text: String) -> Postponement {
      Postponement(waiting: [], failure: Failure(.account, text))
    }
    let (postponement, isOver) = edit(turn.origin) { session in
      let isOver = session.account != nil && session.account == request.account
      return (decide(&session), isOver)
    }
    if isOver { turn.send(ResponseAccountChange(name: nil)) }
    return postponement

    func decide(_ session: inout Session) -> Postponement {
      if session.account != nil, session.account != request.account {
        return refusal("Another person has signed in meanwhile; '\(verb)' can be typed again.")
      }
      session.endAccount()
      guard session.resuming != root else {
        return refusal("Signed in, and '\(verb)' still wants somebody to sign in.")
      }
      guard hasLastingSessions, !isInUnit else {
        return Postponement(waiting: [], failure: .needsAccount)
      }
      if !session.waiting.contains(command) {
        guard session.waiting.count < Self.mostWaiting else {
          return refusal(
            "Sign in; \(Self.mostWaiting) commands wait for it, and '\(verb)' does not."
          )
        }
        session.waiting.append(command)
      }
      let failure = Failure(.account, "Sign in; '\(verb)' goes on then.")
      return Postponement(waiting: session.waiting.map(\.verb), failure: failure)
    }
  }

  /// Drops the postponed commands when the screen that showed them is gone.
  private func hear(_ change: ResponseScreenChange) {
    let isShown = change.screens.contains { $0.kind.isIdentical(to: SignInFlow.kind) }
    sessions.withLock { sessions in
      guard let session = sessions[change.session] else { return }
      if session.isShown, !isShown { _ = sessions[change.session]?.giveUp() }
      sessions[change.session]?.isShown = isShown
    }
  }
}

extension [PostponedCommand] {
  fileprivate var verbs: String { map(\.verb).joined(separator: ", ") }
}
