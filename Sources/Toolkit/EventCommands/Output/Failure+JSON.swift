public import EventMVVM
public import JSONText

extension Failure {
  /// Writes the members of the failure into an open object.
  public func write(to json: inout JSONWriter) {
    json.member("kind", kind.name)
    json.member("message", message)
    if let field { json.member("field", field) }
    if let id { json.member("id", id) }
    if let expected { json.member("expected", expected.json) }
    if let actual { json.member("actual", actual.json) }
    if isRetryable { json.member("retryable", true) }
  }
}

extension Failure.Value {
  /// The value in JSON.
  package var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .json(let text): (try? JSON(parsing: Array(text.utf8))) ?? .string(text)
    }
  }
}
