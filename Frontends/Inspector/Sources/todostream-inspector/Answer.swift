import Foundation
import NIOHTTP1
import RecordingIndex

/// What a request gets.
struct Answer: Sendable {
  /// The contents.
  enum Body: Sendable {
    /// Some bytes.
    case bytes([UInt8])
    /// A file, as it is.
    case file(path: String)
    /// How much is read, a line of JSON at each change, without an end.
    case updates
  }

  var status = HTTPResponseStatus.ok
  var type: String
  var body: Body
  /// More headers.
  var headers: [(String, String)] = []

  static func json(_ bytes: [UInt8]) -> Answer {
    Answer(type: "application/json; charset=utf-8", body: .bytes(bytes))
  }

  static func text(_ text: String, _ status: HTTPResponseStatus) -> Answer {
    Answer(status: status, type: "text/plain; charset=utf-8", body: .bytes(Array(text.utf8)))
  }

  /// A file to be saved under a name.
  func saved(as name: String) -> Answer {
    var answer = self
    let safe = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    answer.headers.append(("Content-Disposition", "attachment; filename=\"\(safe)\""))
    return answer
  }

  /// The head of the response.
  var head: HTTPResponseHead {
    var fields = HTTPHeaders(headers)
    fields.add(name: "Content-Type", value: type)
    for (name, value) in Self.protections { fields.add(name: name, value: value) }
    return HTTPResponseHead(version: .http1_1, status: status, headers: fields)
  }

  /// The page runs nothing but its own modules, makes no element of a text, is shown in no other page, and leaves
  /// nothing in a cache.
  private static let protections = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]
}
