import EventMVVM
import EventPatterns

/// Where messages come from (S100): a service that lies outside of this domain.
///
/// One that wants to know whom it works for fails with `Failure.needsAccount` until it does (S60).
protocol Mailbox: Sendable {
  /// All that is in it.
  ///
  /// - Parameter account: The account that is signed in; nil if none is.
  /// - Returns: The mail, in the order of the list, and what can't be read of it.
  /// - Throws: A ``Failure`` that a person can read; then nothing of it is lost.
  func fetch(for account: Account?) async throws -> Fetched
  /// Sends a letter.
  ///
  /// - Parameters:
  ///   - letter: The letter.
  ///   - id: What no other letter has, ever.
  ///   - account: The account that is signed in; nil if none is.
  /// - Throws: A ``Failure`` that a person can read; then nothing was sent.
  func deliver(_ letter: Letter, as id: UniqueID, for account: Account?) async throws
}

/// What is in a mailbox.
struct Fetched: Sendable, Equatable, Codable {
  let mail: [Mail]
  /// What is no message, which does not hold up the rest: a line for a person each, with its place.
  var skipped: [String] = []
}

/// A piece of mail.
struct Mail: Sendable, Equatable, Codable {
  /// What the mailbox calls it; no other has this name, ever.
  let name: String
  let from: String
  let subject: String
  let text: String
}
