public import EventMVVM
public import JSONText

extension Failure {
  /// Writes its members into an object that has been begun.
  public func write(to json: inout JSONWriter) {
    json.member("kind", kind.name)
    json.member("message", message)
    if let field { json.member("field", field) }
    if let id { json.member("id", id) }
    if let expected { json.member("expected", expected) }
    if let actual { json.member("actual", actual) }
  }
}
