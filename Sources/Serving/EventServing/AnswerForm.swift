import EventCommands
import JSONText

/// The form of the answer to a command.
enum AnswerForm: Sendable {
  /// The result, as `--json` prints it.
  case value
  /// The method that was called, and the result.
  case named(String)
  /// The method that was called, and the text for a person.
  case text(String, Rendering)

  /// Whether it is for people.
  var isText: Bool {
    if case .text = self { true } else { false }
  }

  /// Returns the answer for a command's result.
  func bytes<C: Command>(of value: C.Reply.Value, _ command: C) -> [UInt8] {
    // Reserves room for most results, to avoid reallocation.
    var json = JSONWriter(capacity: 512)
    if case .text(_, let rendering) = self {
      json.value(String(decoding: rendering.bytes(of: value, command), as: UTF8.self))
    } else {
      value.write(to: &json)
    }
    return wrapped(json.bytes)
  }

  /// Returns the answer around a written result.
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
