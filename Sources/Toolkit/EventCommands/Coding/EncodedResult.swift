public import EventMVVM
import EventValues
public import JSONText

/// A result whose JSON is its encoding: its stored properties, in order.
///
/// Nil properties are left out.
///
/// ```swift
/// struct BadgeView: EncodedResult {
///   let count: Int
///
///   func show(on page: inout Page) {
///     page.write("\(count)")
///     page.endLine()
///   }
/// }
/// ```
public protocol EncodedResult: CommandResult, Encodable {}

extension EncodedResult {
  /// Writes its encoding.
  public func write(to json: inout JSONWriter) {
    guard let text = try? BodyEncoder().value(self), !text.isEmpty else { return json.null() }
    json.value(text: text)
  }
}

/// A response of the view-model layer with a result, for requests whose response needs no own type.
///
/// ```swift
/// typealias ResponseNotes = ResponseView<NotesView>
/// ```
public struct ResponseView<View: CommandResult>: ViewModelEvent, Response {
  /// The result, or why there is none.
  public let result: Result<View, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<View, Failure>) {
    self.result = result
  }
}
