public import EventMVVM

/// Why the store can't be opened, read or written.
public struct StoreError: Error, Sendable, Equatable, Codable {
  /// The file.
  public let path: String
  /// The cause, and what to do about it.
  public let cause: String
  /// Whether the same may succeed a moment later.
  public let isRetryable: Bool
  /// True if a file was named that nothing may be written to; recordings of before have nothing.
  private var isRefusedFile: Bool?

  /// Names a failure.
  public init(path: String, _ cause: String, isRetryable: Bool = false) {
    self.path = path
    self.cause = cause
    self.isRetryable = isRetryable
  }

  /// Refuses a file that was named to write to, such as one that is there already.
  package static func refused(_ path: String, _ cause: String) -> StoreError {
    var error = StoreError(path: path, cause)
    error.isRefusedFile = true
    return error
  }

  /// What sort of failure it is: ``EventMVVM/Failure/Kind-swift.struct/usage`` if the file that was
  /// named is at fault.
  public var kind: Failure.Kind { isRefusedFile == true ? .usage : .store }
  /// What a person should read.
  public var message: String { path.isEmpty ? cause : "\(path): \(cause)" }
}

extension StoreError: CustomStringConvertible {
  /// What a person should read, wherever no more is known than that it is an error.
  public var description: String { message }
}
