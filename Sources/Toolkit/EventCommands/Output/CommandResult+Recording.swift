public import EventMVVM
import JSONText

extension Response where Value: CommandResult, Problem: Encodable {
  /// Writes the result in the form for programs.
  public func _record(to encoder: any Encoder) throws -> Bool {
    try result.map(ResultJSON.init).encode(to: encoder)
    return true
  }
}

extension Response where Value: CommandResult, Value: Encodable, Problem: Encodable {
  /// Writes the result itself.
  public func _record(to encoder: any Encoder) throws -> Bool {
    try result.encode(to: encoder)
    return true
  }
}

/// A result in the form for programs.
private struct ResultJSON<Value: CommandResult>: Encodable {
  let value: Value

  func encode(to encoder: any Encoder) throws {
    var json = JSONWriter()
    value.write(to: &json)
    try encoder.embed(json.bytes)
  }
}
