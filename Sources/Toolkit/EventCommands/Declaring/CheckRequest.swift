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

extension Command {
  /// Checks whether the command can be carried out, if it has a check.
  ///
  /// - Parameters:
  ///   - port: The port that sends the check.
  ///   - then: Called once, with the failure if there is one: at once where there is no check, else
  ///     on the home thread.
  package func check(through port: ViewPort, then: @escaping (Result<Bool, Failure>) -> Void) {
    guard let check else { return then(.success(true)) }
    Self.send(check, port, then)
  }

  private static func send<R: CheckRequest>(
    _ check: R,
    _ port: ViewPort,
    _ then: @escaping (Result<Bool, Failure>) -> Void
  ) {
    port.request(check, isHousekeeping: true) { result, _ in
      then(result.mapError { Failure($0) }.flatMap { $0.result })
    }
  }
}
