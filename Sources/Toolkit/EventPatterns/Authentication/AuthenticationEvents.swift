public import EventCommands
public import EventMVVM
import EventValues
public import JSONText

// The commands of signing in.

/// Signs a session in: `sign-in ann ann.secret`.
public struct RequestSignIn: Command, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseView<SignedIn>

  /// The name of the account.
  public var name = ""
  /// The file that the secret is in; the secret itself is never sent.
  public var secret = ""

  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "sign-in",
    "Signs in, and goes on with what waits for that."
  )
  .word(\.name, "Who", placeholder: "NAME")
  .word(\.secret, "The file that the secret is in", placeholder: "FILE")

  /// Creates the request with its default values.
  public init() {}
}

/// Signs a session out.
public struct RequestSignOut: Command, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseView<Message>
  /// It changes only the session.
  public static let writes = false
  /// Its name, options and help.
  public static let command = CommandSpec<Self>("sign-out", "Signs out.")

  /// Creates the request with its default values.
  public init() {}
}

/// Drops the commands that wait for a sign-in.
public struct RequestCancelSignIn: Command, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseView<Message>
  /// It changes only the session.
  public static let writes = false
  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "cancel",
    "Signs nobody in, and gives up what waits."
  )

  /// Creates the request with its default values.
  public init() {}
}

/// An account that has signed in, and the outcomes of the commands that had waited for it.
public struct SignedIn: CommandResult {
  /// A command that had waited, and its outcome.
  public struct Resumed: Sendable {
    /// Its name.
    public let command: String
    /// Its outcome.
    public let outcome: Result<any CommandResult, Failure>
  }

  /// The account that the session acts for now.
  public let account: Account
  /// The outcomes of the commands that had waited, in their order.
  public let resumed: [Resumed]

  /// Writes the account and the outcome of each command, for a person.
  public func show(on page: inout Page) {
    page.confirm { page in
      page.write("Signed in as ")
      page.write(user: account.name, .bold)
      page.endLine()
    }
    for item in resumed {
      switch item.outcome {
      case .success(let result): result.show(on: &page)
      case .failure(let failure):
        page.write("error: ", .red)
        page.write(user: "\(item.command): \(failure.message)")
        page.endLine()
      }
    }
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("account", account.name)
      if let expires = account.expires { json.member("expires", expires.iso8601) }
      json.key("resumed")
      json.array { json in
        for item in resumed {
          json.object { json in
            json.member("command", item.command)
            switch item.outcome {
            case .success(let result):
              json.key("result")
              result.write(to: &json)
            case .failure(let failure):
              json.key("error")
              json.object { failure.write(to: &$0) }
            }
          }
        }
      }
    }
  }

  /// The status of the first command that failed.
  public var exitStatus: ExitStatus {
    let all = resumed.map { item in
      switch item.outcome {
      case .success(let result): result.exitStatus
      case .failure: ExitStatus.failed
      }
    }
    return all.first { $0 != .success } ?? .success
  }

  /// Whether both have the same JSON.
  public static func == (first: Self, second: Self) -> Bool { first.bytes == second.bytes }

  private var bytes: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }
}

/// States the account of a session from now on: a person has signed in or out, or the account has
/// expired.
public struct ResponseAccountChange: ViewModelEvent, Fact, Codable {
  /// The name of the account; nil if there is none.
  public let name: String?
}

// MARK: Internal events

/// Requests the account of the session of the turn; an expired account is a failure.
struct RequestAccount: ModelEvent, Request, Codable {
  typealias Reply = ResponseAccount
  static let writes = false
}

struct ResponseAccount: ModelEvent, Response {
  let result: Result<Account?, Failure>
  init(_ result: Result<Account?, Failure>) { self.result = result }
}

/// Requests that the service authenticate a person.
struct RequestProof: ModelEvent, Request, Codable {
  typealias Reply = ResponseProof
  static let writes = false
  let name: String
  let secret: String
}

/// The service's answer: an input, so a recording contains it.
struct ResponseProof: ModelEvent, Response, Decodable {
  let result: Result<Account, Failure>
  init(_ result: Result<Account, Failure>) { self.result = result }
}

/// Requests to postpone a command until a sign-in.
struct RequestPostpone: ModelEvent, Request {
  typealias Reply = ResponsePostpone
  static let writes = false
  let command: PostponedCommand
  /// The account that it was tried for.
  let account: Account?
}

/// The answer to the postponed command meanwhile.
struct ResponsePostpone: ModelEvent, Response {
  let result: Result<Postponement, Failure>
  init(_ result: Result<Postponement, Failure>) { self.result = result }
}

/// States that the session has no postponed commands any more: they continue, or were dropped.
struct ResponsePostponeEnd: ModelEvent, Fact, Codable {}

struct Postponement: Sendable, Equatable, Encodable {
  /// The postponed commands, in order; none if this one is not postponed.
  let waiting: [String]
  /// The failure that answers the command.
  let failure: Failure
}

/// A postponed command.
struct PostponedCommand: Sendable, Equatable {
  let command: any Command
  var verb: String { type(of: command).verb }

  static func == (first: Self, second: Self) -> Bool { first.command.isSame(as: second.command) }
}

extension Command {
  fileprivate func isSame(as other: any Command) -> Bool { (other as? Self) == self }

  /// Sends it again, and passes on its outcome.
  func resume(
    _ turn: borrowing Turn,
    then: @escaping (SignedIn.Resumed, borrowing Turn) -> Void
  ) {
    turn.request(self) { result, turn in
      let value = result.mapError(Failure.init).flatMap(\.result)
      let outcome = value.map { Shown(command: self, value: $0) as any CommandResult }
      then(SignedIn.Resumed(command: Self.verb, outcome: outcome), turn)
    }
  }
}

/// A result that its command shows.
private struct Shown<C: Command>: CommandResult {
  let command: C
  let value: C.Reply.Value

  func show(on page: inout Page) { command.show(value, on: &page) }
  func write(to json: inout JSONWriter) { value.write(to: &json) }
  var exitStatus: ExitStatus { value.exitStatus }
}
