public import EventMVVM

/// Whom a session acts for: what a service has confirmed, without any secret.
public struct Account: Sendable, Equatable, Codable {
  /// What it is called.
  public let name: String
  /// When it is over; nil if only the service knows.
  public let expires: Instant?
  /// By which the service knows this signing in from others of the same name, if it wants to;
  /// recordings have it, and so it opens nothing.
  public let id: String?

  /// Describes an account.
  public init(_ name: String, until expires: Instant? = nil, id: String? = nil) {
    self.name = name
    self.expires = expires
    self.id = id
  }
}

/// A service that authenticates a person.
public protocol Authenticator: Sendable {
  /// Confirms a person's identity.
  ///
  /// A secret is no word of a command: words are kept in histories and recordings. So the command
  /// has the name of a file, and the service alone reads it.
  ///
  /// - Parameters:
  ///   - name: The name of the account.
  ///   - secret: The path of the file that the secret is in.
  ///   - time: When that is, by the stream's clock.
  /// - Returns: The account.
  /// - Throws: An ``EventMVVM/Failure`` that a person can read, and that holds nothing of the secret.
  func account(named name: String, secret: String, at time: Instant) async throws -> Account
}

extension Failure.Kind {
  /// A sign-in is needed.
  public static let account = Failure.Kind("account")
}

extension Failure {
  /// What a service answers that needs an account, or whose account is over; see
  /// `Authentication`.
  public static let needsAccount = Failure(
    .account,
    "Sign in first: a line 'sign-in NAME FILE' before this one does."
  )
}
