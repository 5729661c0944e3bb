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

/// The response to the requests of the view-model layer that are answered by a result.
///
/// ```swift
/// typealias ResponseCart = ResponseView<CartView>
/// ```
public struct ResponseView<View: Sendable>: Sendable {
  // A requirement here would be looked up among all conformances at every start of a program.
  /// The result, or why there is none.
  public let result: Result<View, Failure>
}

extension ResponseView: Equatable where View: Equatable {}

// A response that is sent from another thread is an input of a recording, which reads it.
extension ResponseView: Decodable where View: CommandResult & Decodable {}

extension ResponseView: StreamEntry, Event, ViewModelEvent, Response where View: CommandResult {
  /// The name of the result; else that of the type with its result's.
  public static var name: String { View.responseName ?? _typeName(Self.self, qualified: false) }
  /// The version of what the result writes.
  public static var version: Int { View.responseVersion }
  /// What the result is about; of a failure, the record that it names.
  public var subject: String? {
    switch result {
    case .success(let view): view.subject
    case .failure(let failure): failure.id.map { "#\($0)" }
    }
  }

  /// Wraps an outcome.
  public init(_ result: Result<View, Failure>) {
    self.result = result
  }
}
