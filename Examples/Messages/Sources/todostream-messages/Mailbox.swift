import EventMVVM
import EventPatterns

/// The source of messages (S100): a service outside this domain.
///
/// A mailbox that needs an account fails with `Failure.needsAccount` without one (S60).
protocol Mailbox: Sendable {
  /// Returns all of its messages.
  ///
  /// - Parameter account: The account that is signed in; nil if none is.
  /// - Returns: The mail, in the order of the list, and the messages that can't be read.
  /// - Throws: A ``Failure`` for a person; then nothing is lost in the mailbox.
  func fetch(for account: Account?) async throws -> Fetched
  /// Sends a letter.
  ///
  /// - Parameters:
  ///   - letter: The letter.
  ///   - id: An id that is different for each letter.
  ///   - account: The account that is signed in; nil if none is.
  /// - Throws: A ``Failure`` for a person; then nothing was sent.
  func deliver(_ letter: Letter, as id: UniqueID, for account: Account?) async throws
}

/// The contents of a mailbox.
struct Fetched: Sendable, Equatable, Codable {
  let mail: [Mail]
  /// The files that are not messages, which are skipped: a line for a person each, with the file's
  /// name.
  var skipped: [String] = []
}

/// A piece of mail.
struct Mail: Sendable, Equatable, Codable {
  /// The mailbox's name of it, which is different for each.
  let name: String
  let from: String
  let subject: String
  let text: String
}
