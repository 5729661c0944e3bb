import Foundation
import ProcessTesting
import Testing

/// What a client sends, byte for byte, and what it must get, and how the server must end.
struct ByteCase: Sendable, CustomTestStringConvertible {
  let name: String
  let input: [UInt8]
  let output: String
  let status: Int32

  var testDescription: String { name }

  /// - Parameters:
  ///   - name: What is shown.
  ///   - input: The bytes that are sent.
  ///   - output: The text that comes back.
  ///   - status: The exit status; 1 is that of a client that goes without a word.
  init(_ name: String, _ input: String, _ output: String, status: Int32 = 1) {
    self.init(name, bytes: Array(input.utf8), output, status: status)
  }

  init(_ name: String, bytes: [UInt8], _ output: String, status: Int32 = 1) {
    self.name = name
    input = bytes
    self.output = output
    self.status = status
  }
}

/// Messages, and what must come back, in either framing.
struct MessageCase: Sendable, CustomTestStringConvertible {
  let name: String
  let sent: [String]
  let answers: [String]
  let status: Int32
  let testDescription: String

  init(_ name: String, _ sent: [String], _ answers: [String], status: Int32 = 1) {
    self.name = name
    self.sent = sent
    self.answers = answers
    self.status = status
    testDescription = name
  }
}

/// How messages are told apart.
enum TestFraming: String, CaseIterable, Sendable {
  case headers, lines

  func frame(_ message: String) -> String {
    switch self {
    case .headers: "Content-Length: \(message.utf8.count)\r\n\r\n\(message)"
    case .lines: message + "\n"
    }
  }
}

extension Workplace {
  /// Runs the server on bytes, to its end.
  func serve(_ input: [UInt8], words: String = "serve --stdio") throws -> (String, Int32, String) {
    let file = folder.appending(path: "input-\(UUID().uuidString)")
    try Data(input).write(to: file)
    let job = try start("exec todostream \(words) <\(file.path)")
    let outcome = try job.outcome()
    return (try job.printed(), outcome.status, outcome.errors.joined(separator: "\n"))
  }
}

extension String {
  /// The text without what differs from run to run.
  var settled: String {
    replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "{uuid}")
      .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z/, with: "{time}")
  }

  /// An answer with an error, as it is written.
  static func error(_ id: String, _ code: Int, _ message: String, _ data: String = "") -> String {
    let data = data.isEmpty ? "" : #","data":\#(data)"#
    let error = #"{"code":\#(code),"message":"\#(message)"\#(data)}"#
    return #"{"jsonrpc":"2.0","id":\#(id),"error":\#(error)}"#
  }

  /// An answer with a result, as it is written.
  static func result(_ id: String, _ result: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
  }

  /// A request, as a client writes it.
  static func call(_ id: String, _ method: String, _ params: String = "") -> String {
    let params = params.isEmpty ? "" : #","params":\#(params)"#
    return #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"\#(params)}"#
  }

  /// A notification, as a client writes it.
  static func tell(_ method: String, _ params: String = "") -> String {
    let params = params.isEmpty ? "" : #","params":\#(params)"#
    return #"{"jsonrpc":"2.0","method":"\#(method)"\#(params)}"#
  }
}
