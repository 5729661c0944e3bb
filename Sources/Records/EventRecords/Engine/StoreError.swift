public import EventMVVM

/// Why the store can't be opened, read or written.
public struct StoreError: Error, Sendable, Equatable, Codable {
  /// The file.
  public let path: String
  /// The cause, and what to do about it.
  public let cause: String
  /// Whether a retry may succeed a moment later.
  public let isRetryable: Bool
  /// True if a given file must not be written to; absent in older recordings.
  private var isRefusedFile: Bool?

  /// Creates an error.
  public init(path: String, _ cause: String, isRetryable: Bool = false) {
    self.path = path
    self.cause = cause
    self.isRetryable = isRetryable
  }

  /// Returns the error of a file that must not be written to, such as an existing one.
  package static func refused(_ path: String, _ cause: String) -> StoreError {
    var error = StoreError(path: path, cause)
    error.isRefusedFile = true
    return error
  }

  /// The kind of the failure: ``EventMVVM/Failure/Kind-swift.struct/usage`` if the given file is at
  /// fault.
  public var kind: Failure.Kind { isRefusedFile == true ? .usage : .store }
  /// The message for a person.
  public var message: String { path.isEmpty ? cause : "\(path): \(cause)" }
}

extension StoreError: CustomStringConvertible {
  /// The message for a person, where the error's type is unknown.
  public var description: String { message }
}
