/// Why the store can't be opened, read or written.
public struct StoreError: Error, Sendable, Equatable, Codable {
  /// The file.
  public let path: String
  /// The cause, and what to do about it.
  public let cause: String
  /// Whether the same may succeed a moment later.
  public let isRetryable: Bool

  /// Names a failure.
  public init(path: String, _ cause: String, isRetryable: Bool = false) {
    self.path = path
    self.cause = cause
    self.isRetryable = isRetryable
  }

  /// What a person should read.
  public var message: String { path.isEmpty ? cause : "\(path): \(cause)" }
}

extension StoreError: CustomStringConvertible {
  /// What a person should read, wherever no more is known than that it is an error.
  public var description: String { message }
}
