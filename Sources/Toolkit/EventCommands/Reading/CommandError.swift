public import EventMVVM

/// A usage error: why a command can't be read, with the word that it is about.
///
/// ```swift
/// guard given.alarm?.number != 0 else { throw CommandError("--alarm: at least a second") }
/// ```
public struct CommandError: Error, Sendable, Equatable {
  /// What is wrong and what to do about it.
  public let message: String
  /// The word's position: a byte offset in a script, an index among arguments; nil for all of it.
  public var offset: Int?
  /// The property that it is about, by its name in JSON.
  public var field: String?
  /// The position in JSON parameters: a JSON pointer (RFC 6901).
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

  /// The error as a failure, for frontends that answer in JSON.
  public var failure: Failure {
    Failure(.usage, message, field: field)
  }
}
