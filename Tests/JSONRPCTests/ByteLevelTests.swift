import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// The built server, byte for byte: what is sent, what must come back, and how it ends.
@Suite(.hangLimit) struct ByteLevelTests {
  @Test(arguments: ByteCase.framing)
  func `the server answers these bytes with those`(_ test: ByteCase) throws {
    let place = try Workplace()
    let (output, status, errors) = try place.serve(test.input)
    #expect(output == test.output)
    #expect(status == test.status)
    #expect(errors == "")
  }

  @Test(arguments: MessageCase.all, TestFraming.allCases)
  func `the server answers these messages with those, in either framing`(
    _ test: MessageCase,
    _ framing: TestFraming
  ) throws {
    let place = try Workplace()
    // The very first byte says how messages are framed, whatever else is wrong with them.
    let (output, status, errors) = try place.serve(
      Array(test.sent.map(framing.frame).joined().utf8)
    )
    #expect(Self.messages(output, framing) == test.answers)
    #expect(status == test.status)
    #expect(errors == "")
  }

  @Test func `there are at least eighty cases`() {
    #expect(ByteCase.framing.count + MessageCase.all.count * TestFraming.allCases.count >= 80)
    #expect(Set(MessageCase.all.map(\.name)).count == MessageCase.all.count)
  }

  /// The messages in what was written, with a word for what is not looked at here.
  private static func messages(_ output: String, _ framing: TestFraming) -> [String] {
    var messages: [String] = []
    var rest = Array(output.utf8)[...]
    while !rest.isEmpty {
      switch framing {
      case .lines:
        let line = rest.prefix { $0 != 0x0A }
        messages.append(String(decoding: line, as: UTF8.self))
        rest = rest.dropFirst(line.count + 1)
      case .headers:
        let header = String(decoding: rest.prefix { $0 != 0x0A }, as: UTF8.self)
        let digits = header.dropFirst("Content-Length: ".count).dropLast()
        guard header.hasPrefix("Content-Length: "), let length = Int(digits) else {
          return messages + ["no header: \(header)"]
        }
        rest = rest.dropFirst(header.utf8.count + "\n\r\n".utf8.count)
        messages.append(String(decoding: rest.prefix(length), as: UTF8.self))
        rest = rest.dropFirst(length)
      }
    }
    return messages.map(\.withoutWelcome)
  }
}

extension String {
  /// The text with a word for the answer to `initialize`.
  fileprivate var withoutWelcome: String {
    let welcome =
      /\{"jsonrpc":"2.0","id":"hello","result":\{"capabilities".*?"serverInfo":\{[^}]*\}\}\}/
    return replacing(welcome, with: "{welcome}")
  }
}
