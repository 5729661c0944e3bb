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

  /// How results are shown.
  var rendering: Rendering {
    if case .text(_, let rendering) = self { return rendering }
    var rendering = Rendering(isJSON: true)
    rendering.endsLines = false
    return rendering
  }

  /// Returns the answer around a written result.
  func wrapped(_ result: [UInt8]) -> [UInt8] {
    switch self {
    case .value: result
    case .named(let method): Self.object(method, "value", result)
    case .text(let method, _):
      Self.object(method, "text", JSONWriter.text(of: String(decoding: result, as: UTF8.self)))
    }
  }

  private static func object(_ method: String, _ name: String, _ result: [UInt8]) -> [UInt8] {
    Array(#"{"method":"#.utf8) + JSONWriter.text(of: method) + Array(#","\#(name)":"#.utf8) + result
      + Array("}".utf8)
  }
}

extension JSONWriter {
  /// Returns a string as JSON.
  fileprivate static func text(of string: String) -> [UInt8] {
    var json = JSONWriter()
    json.value(string)
    return json.takeBytes()
  }
}
