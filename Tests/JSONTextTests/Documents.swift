import JSONText
import Testing

/// A document that must be accepted, and the value it must give.
struct Accepted: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let value: JSON

  init(_ what: String, _ text: String, _ value: JSON) {
    testDescription = what
    bytes = Array(text.utf8)
    self.value = value
  }
}

/// A document that must be refused.
struct Rejected: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]

  init(_ what: String, _ text: String) {
    self.init(what, bytes: Array(text.utf8))
  }

  init(_ what: String, bytes: [UInt8]) {
    testDescription = what
    self.bytes = bytes
  }

  /// An array of one string with these bytes.
  init(_ what: String, inString bytes: [UInt8]) {
    self.init(what, bytes: Array(#"[""#.utf8) + bytes + Array(#""]"#.utf8))
  }
}

/// The place and message with which a document is refused, nil when it is accepted.
func refusal(of bytes: [UInt8], limits: JSONLimits = .default) -> String? {
  do throws(JSONError) {
    _ = try JSON(parsing: bytes, limits: limits)
    return nil
  } catch {
    return error.description
  }
}

func refusal(of text: String, limits: JSONLimits = .default) -> String? {
  refusal(of: Array(text.utf8), limits: limits)
}

/// The text that the calls on a new writer give.
func written(_ body: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  body(&writer)
  return String(decoding: writer.bytes, as: UTF8.self)
}
