public import EventMVVM
public import JSONText

/// A result whose JSON is what it encodes: its stored properties, in their order.
///
/// What is nil is left out.
public protocol EncodedResult: CommandResult, Encodable {}

extension EncodedResult {
  /// Writes what it encodes.
  public func write(to json: inout JSONWriter) {
    guard let text = try? BodyEncoder().value(self), !text.isEmpty else { return json.null() }
    json.value(text: text)
  }
}

/// A reply of the view-model layer that carries a result, where it needs no name of its own.
public struct ResponseView<View: CommandResult>: ViewModelEvent, Response {
  /// The result or why there is none.
  public let result: Result<View, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<View, Failure>) {
    self.result = result
  }
}
