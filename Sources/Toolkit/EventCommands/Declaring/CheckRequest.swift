public import EventMVVM

/// A request that checks whether a command can be carried out, before a person is asked about it,
/// so that no person agrees to a command that fails.
public protocol CheckRequest: Request, ViewModelEvent where Reply == ResponseCheck {}

/// The reply to a check.
public struct ResponseCheck: ViewModelEvent, Response, Decodable {
  /// True, or the failure that the command would have.
  public let result: Result<Bool, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<Bool, Failure>) {
    self.result = result
  }
}
