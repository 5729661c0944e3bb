public import EventMVVM

/// Why a command can't be read: a usage error, with the word that it is about.
public struct CommandError: Error, Sendable, Equatable {
  /// What is wrong and what to do about it.
  public let message: String
  /// Where the word stands: a byte offset in a script, an index among arguments; nil for all of it.
  public var offset: Int?
  /// The property that it is about, by its name in JSON.
  public var field: String?
  /// Where in JSON parameters it is: a JSON pointer (RFC 6901).
  public var path: String?

  /// Creates an error.
  public init(
    _ message: String,
    offset: Int? = nil,
    field: String? = nil,
    path: String? = nil
  ) {
    self.message = message
    self.offset = offset
    self.field = field
    self.path = path
  }

  /// The same as a failure, for frontends that answer in JSON.
  public var failure: Failure {
    Failure(.usage, message, field: field)
  }
}
