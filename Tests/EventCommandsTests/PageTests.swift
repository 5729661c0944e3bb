import EventMVVM
import EventMVVMTesting
import JSONText
import Testing

@testable import EventCommands

/// What a person gets to read.
@Suite(.hangLimit) struct PageTests {
  @Test func `what a user typed is escaped, the program's own words are not`() {
    var page = Page()
    page.write("own\u{1B}|")
    page.write(user: "a\u{1B}[31m\n\t\u{7F}\u{9B}\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}z")
    #expect(
      page.text == "own\u{1B}|a\\u{1B}[31m\\u{A}\\u{9}\\u{7F}\\u{9B}\\u{202E}\\u{2066}\\u{200F}"
        + "\\u{61C}\\u{2028}z"
    )
  }

  @Test func `what people write in their languages is left alone`() {
    var page = Page()
    page.write(user: "Füße 買い物 قهوة 👨‍👩‍👧 e\u{301} می\u{200C}خواهم")
    #expect(page.text == "Füße 買い物 قهوة 👨‍👩‍👧 e\u{301} می\u{200C}خواهم")
  }

  @Test func `the line breaks of a text are kept, and each line is indented and escaped`() {
    var page = Page()
    page.write(userLines: "one\n\n\ttwo\r\n", indent: "  ")
    #expect(page.text == "  one\n  \n  \\u{9}two\n  \n")
    page = Page()
    page.write(userLines: "a\rb\r\r\n\r\nc\r", indent: "")
    #expect(page.text == "a\\u{D}b\\u{D}\n\nc\\u{D}\n")
    page = Page()
    let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
    page.write(userLines: "e\(marks)\nb", indent: "")
    #expect(page.bytes == Array("e\(marks)\nb\n".utf8))
  }

  @Test func `what a user typed is cut to the room that is left, between characters`() {
    for (width, text, expected) in [
      (nil, "a rather long title", "a rather long title"), (20, "short", "short"),
      (20, "a rather long title", "a rather lo…"), (5, "a rather long title", "a rather …"),
      (20, "買い物買い物買い物", "買い物買い…"), (20, "\u{1B}[31m red red", "\\u{1B}[31m …"),
      (20, "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧…"),
    ] {
      var page = Page(width: width)
      page.write(user: text) { 8 }
      #expect(page.text == expected)
    }
  }

  @Test func `styles are escape sequences where colour is on, and nothing where it is off`() {
    for (hasColor, expected) in [
      (true, "\u{1B}[1mbold\u{1B}[0m \u{1B}[31m\\u{1B}\u{1B}[0m"), (false, "bold \\u{1B}"),
    ] {
      var page = Page(hasColor: hasColor)
      page.write("bold", .bold)
      page.write(" ")
      page.write(user: "\u{1B}", .red)
      #expect(page.text == expected)
    }
  }

  @Test func `each style has its number`() {
    let styles: [Page.Style] = [.bold, .dim, .red, .green, .yellow, .cyan]
    #expect(styles.map(\.rawValue) == ["1", "2", "31", "32", "33", "36"])
  }

  @Test func `a quiet page leaves confirmations out, and nothing else`() {
    for (isQuiet, expected) in [(false, "Added.\nresult\n"), (true, "result\n")] {
      var page = Page(isQuiet: isQuiet)
      page.confirm {
        $0.write("Added.")
        $0.endLine()
      }
      page.write("result")
      page.endLine()
      #expect(page.text == expected)
    }
  }

  @Test func `a failure writes what it knows, under the standard names`() {
    func text(_ failure: Failure) -> String {
      var json = JSONWriter()
      json.object { failure.write(to: &$0) }
      return String(decoding: json.bytes, as: UTF8.self)
    }
    #expect(text(Failure(.usage, "a \"b\"")) == #"{"kind":"usage","message":"a \"b\""}"#)
    #expect(
      text(Failure(.conflict, "m", field: "f", id: 3, expected: "", actual: "b"))
        == #"{"kind":"conflict","message":"m","field":"f","id":3,"expected":"","actual":"b"}"#
    )
    #expect(
      text(Failure(.conflict, "m", expected: .json("null"), actual: .json("[1]")))
        == #"{"kind":"conflict","message":"m","expected":null,"actual":[1]}"#
    )
  }
}
