import EventMVVMTesting
import Testing

@testable import EventRPC

/// Under which id a request is refused that can't be read.
@Suite(.hangLimit) struct IDScannerTests {
  private func id(_ text: String) -> String? {
    IDScanner.id(in: Array(text.utf8)).map { String(decoding: $0.text, as: UTF8.self) }
  }

  @Test(arguments: [
    #"{"id":7,"params":{"title":"a\u{0}b"}}"#, #"{"id":7,"params":{"title":"\ud800"}}"#,
    #"{"id":7,"method":"a","method":"b"}"#, #"{"id":7,"params":[9223372036854775808]}"#,
    #"{"id":7,"params":[1e400]}"#, #"{"params":{"title":"\u0000"},"id":7}"#,
    #" { "\u0069d" : 7 , "params":}"#, #"{"id":7,"#, #"{"id":7,"method":"to"#,
    #"{"id":7,"params":{"title":"a"#, #"{"id":7,"params":[1}}"#, #"{"id":7,"id":7}"#,
    #"{"x":{"id":1},"y":[{"id":2}],"id":7,"x":1}"#, #"{"x":"\"id\":1","id":7,"x":1}"#,
  ])
  func `it is that of the request, wherever it stands before brackets or quotes go wrong`(
    text: String
  ) {
    // What a raw string can't hold.
    #expect(id(text.replacing(#"\u{0}"#, with: "\u{0}")) == "7")
  }

  @Test func `a text is an id, too`() {
    #expect(id(#"{"id":"a\u00e4","params":["\u0000"]}"#) == #""aä""#)
  }

  @Test(arguments: [
    #"{"id":1,"id":2}"#, #"{"id":1,"method":"a"}{"id":2,"method":"b"}"#, #"{"id":1"#, #"{"id":"a"#,
    #"{"id":1e}"#, #"{"id":01}"#, #"{"id":[1],"x":}"#, #"{"id":"\x"}"#,
    #"{"params":{"id":1},"x":}"#,
    #"{"params":{"title":"a"b","id":1}}"#, #"[{"id":1},]"#, #"{"id"}"#, "{", "", "x", #"{"x":"\"#,
  ])
  func `there is none where it could be another one, or none`(text: String) {
    #expect(id(text) == nil)
  }

  @Test(arguments: [
    #""a\u0000b""#, #""\ud800""#, "1e400", "-99999999999999999999", "1.50E+999", #""\"\\\/é""#,
  ])
  func `it may be what nothing else may be`(_ written: String) {
    #expect(id(#"{"id":\#(written)}"#) == written || written.contains("é"))
  }
}
