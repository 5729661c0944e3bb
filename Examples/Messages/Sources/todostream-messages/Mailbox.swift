import EventMVVM

/// Where messages come from (S100): the one service of this domain that lies outside of it.
protocol Mailbox: Sendable {
  /// All that is in it.
  ///
  /// - Returns: The mail, in the order in which it is to be listed.
  /// - Throws: A ``Failure`` that a person can read; then nothing of it is lost.
  func fetch() async throws -> [Mail]
  /// Sends a letter.
  ///
  /// - Parameters:
  ///   - letter: The letter.
  ///   - id: What no other letter has, ever.
  /// - Throws: A ``Failure`` that a person can read; then nothing was sent.
  func deliver(_ letter: Letter, as id: UniqueID) async throws
}

/// A piece of mail.
struct Mail: Sendable, Equatable, Codable {
  /// What the mailbox calls it; no other has this name, ever.
  let name: String
  let from: String
  let subject: String
  let text: String
}
