public import EventMVVM

/// The account that a session acts for, as a service has confirmed it, without any secret.
///
/// ```swift
/// return Account(name, until: expires, id: id)
/// ```
public struct Account: Sendable, Equatable, Codable {
  /// Its name.
  public let name: String
  /// When it expires; nil if only the service can tell.
  public let expires: Instant?
  /// The service's identifier of this sign-in among others of the same name, if it needs one;
  /// recordings contain it, so it must grant no access.
  public let id: String?

  /// Creates an account.
  public init(_ name: String, until expires: Instant? = nil, id: String? = nil) {
    self.name = name
    self.expires = expires
    self.id = id
  }
}

/// A service that authenticates a person.
///
/// ```swift
/// services.add((any Authenticator).self, needs: FolderAccounts.self) { $0 }
/// ```
public protocol Authenticator: Sendable {
  /// Confirms a person's identity.
  ///
  /// A secret is no word of a command, as words are stored in histories and recordings. The command
  /// has the name of a file instead, and only the service reads it.
  ///
  /// - Parameters:
  ///   - name: The name of the account.
  ///   - secret: The path of the file that the secret is in.
  ///   - time: The time, by the stream's clock.
  /// - Returns: The account.
  /// - Throws: An ``EventMVVM/Failure`` that a person can read, without any part of the secret.
  func account(named name: String, secret: String, at time: Instant) async throws -> Account
}

extension Failure.Kind {
  /// A sign-in is needed.
  public static let account = Failure.Kind("account")
}

extension Failure {
  /// The failure of a service that needs an account, or whose account has expired; see
  /// `Authentication`.
  public static let needsAccount = Failure(
    .account,
    "Sign in first: a line 'sign-in NAME FILE' before this one does."
  )
}
