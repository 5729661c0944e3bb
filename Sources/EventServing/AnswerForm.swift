import EventCommands
import JSONText

/// What the answer to a command is made of.
enum AnswerForm: Sendable {
  /// The result, as `--json` prints it.
  case value
  /// The method that was called, and the result.
  case named(String)
  /// The method that was called, and what a person would read.
  case text(String, Rendering)

  /// Whether it is for people.
  var isText: Bool {
    if case .text = self { true } else { false }
  }

  /// Writes what a command came to.
  func bytes<C: Command>(of value: C.Reply.Value, _ command: C) -> [UInt8] {
    // Room for most results, which would else be moved each time they outgrow it.
    var json = JSONWriter(capacity: 512)
    if case .text(_, let rendering) = self {
      json.value(String(decoding: rendering.bytes(of: value, command), as: UTF8.self))
    } else {
      value.write(to: &json)
    }
    return wrapped(json.bytes)
  }

  /// Puts around a result that has been written what belongs there.
  func wrapped(_ result: [UInt8]) -> [UInt8] {
    switch self {
    case .value: result
    case .named(let method): Self.object(method, "value", result)
    case .text(let method, _): Self.object(method, "text", result)
    }
  }

  private static func object(_ method: String, _ name: String, _ result: [UInt8]) -> [UInt8] {
    var json = JSONWriter()
    json.value(method)
    return Array(#"{"method":"#.utf8) + json.bytes + Array(#","\#(name)":"#.utf8) + result
      + Array("}".utf8)
  }
}
