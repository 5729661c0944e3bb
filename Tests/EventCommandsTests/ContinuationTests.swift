import EventMVVMTesting
import EventValues
import Testing

@testable import EventCommands

/// What a prompt asks for more of.
@Suite(.hangLimit) struct ContinuationTests {
  /// After each line, whether more is wanted.
  private func states(_ lines: [String]) -> [Bool] {
    var continuation = Continuation()
    return lines.map { line in
      continuation.take(line.utf8)
      return continuation.isOpen
    }
  }

  @Test func `a quote is open until it is closed`() {
    #expect(states(["add 'a\n", "b\n", "c' d\n", "list\n"]) == [true, true, false, false])
    #expect(states(["add \"a\n", "\\\"\n", "\\\\\"\n"]) == [true, true, false])
    #expect(states(["add 'a\n", "' 'b\n", "'\"c\n", "\"\n"]) == [true, true, true, false])
  }

  @Test func `a text is open until its name stands alone on a line`() {
    #expect(
      states(["add <<A <<B\n", "B\n", "A\n", "A \n", "B\r\n", "x\n"]) == [
        true, true, true, true, false, false,
      ]
    )
    #expect(
      states(["add <<A 'x\n", "y' # <<B\n", "' \" <<C\n", "A"]) == [true, true, true, false]
    )
  }

  @Test func `what only looks like a text or a quote is none`() {
    #expect(
      states(["add '<<A'\n", "<<1\n", "<< A\n", "a<<A\n", "# don't\n", "\\'\n", "#1' \n"]) == [
        false, false, false, false, false, false, false,
      ]
    )
  }

  @Test func `it agrees with the tokenizer on every beginning of every script`() {
    var generator = Chance(7)
    let alphabet = Array("  \n\n\r'\"\\#<<EEF1\t".utf8) + [0xEF, 0xBB, 0xBF, 0]
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...30, using: &generator))
        .map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
      var tokenizer = Tokenizer(SourceText(name: "test", bytes: bytes))
      while tokenizer.next() != nil {}
      #expect(Tokenizer.isIncomplete(bytes) == (tokenizer.openEnds > 0), "\(bytes)")
    }
  }
}

/// Texts that are made to take long.
@Suite(.hangLimit) struct LongSourceTests {
  private func source(_ text: String) -> SourceText {
    SourceText(name: "test", bytes: Array(text.utf8))
  }

  @Test func `positions are the same in whatever order they are asked for`() {
    let text = source("one\ntwo\n\nthrée x\nfive")
    let expected = (0...text.bytes.count)
      .map {
        SourceText(name: "", bytes: text.bytes).position(atByte: $0)
      }
    #expect(
      expected.map(\.line) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5]
    )
    let offsets = Array(expected.indices)
    for order in [offsets, offsets.reversed(), [7, 0, 22, 3, 22, 1, 9, 8, 100, -5]] {
      for offset in order {
        #expect(text.position(atByte: offset) == expected[min(max(offset, 0), 22)])
      }
    }
  }

  @Test func `a hundred thousand errors have their lines in one pass`() {
    let text = source(String(repeating: "\\\n", count: 100_000))
    let errors = Tokenizer.lines(text).errors
    let lines = errors.map { text.position(atByte: $0.offset).line }
    #expect(lines == Array(1...100_000))
  }

  @Test(arguments: [0x00, 0x80, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xF5, 0xFF] as [UInt8])
  func `a byte that is refused is refused wherever it stands`(byte: UInt8) {
    let script = Array("add 'é 漢' \"a\\n\" b\\ c # 😀\n#1 x <<E\ntext\nE\n\n\r\n".utf8)
    for place in script.indices {
      let bytes = Array(script[..<place]) + [byte] + Array(script[place...])
      let errors = Tokenizer.lines(SourceText(name: "test", bytes: bytes)).errors
      // Inside of a character it is the beginning or the rest of the character that is wrong.
      let first = errors.first { $0.message.contains("NUL") || $0.message.contains("UTF-8") }
      #expect((place - 3...place + 3).contains(first?.offset ?? -1), "at \(place)")
    }
  }

  @Test func `of quotes that are never closed the third takes the rest`() {
    // Each line ends the escape that the one before would begin, and opens a quote of its own.
    let text = source(String(repeating: "a \\\r\\\"\n", count: 50_000))
    #expect(Tokenizer.lines(text).errors.map(\.offset) == [3, 10, 17])
    #expect(Tokenizer.isIncomplete(text.bytes))
  }

  @Test func `a text of many lines is followed in one pass`() {
    var continuation = Continuation()
    continuation.take("add x --subtitle <<EOF\n".utf8)
    for _ in 0..<200_000 { continuation.take("word\n".utf8) }
    #expect(continuation.isOpen)
    continuation.take("EOF\n".utf8)
    #expect(!continuation.isOpen)
  }

  @Test func `of a character with endless marks an excerpt shows nothing`() {
    let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
    let text = Diagnostic(message: "no", at: 0, in: source("ad e\(marks) x")).rendered()
    #expect(text == "test:1:1: error: no\n  ad …\n  ^")
    let behind = Diagnostic(message: "no", at: 5 + marks.utf8.count, in: source("ad e\(marks) x"))
    #expect(behind.rendered() == "test:1:6: error: no\n  … x\n    ^")
  }

  @Test func `a message quotes forty characters, and of a character some marks`() {
    #expect("milk".quotable == "milk")
    #expect(String(repeating: "é", count: 40).quotable == String(repeating: "é", count: 40))
    #expect(String(repeating: "é", count: 41).quotable == String(repeating: "é", count: 39) + "…")
    let family = "👨‍👩‍👧"
    #expect(String(repeating: family, count: 20).quotable == String(repeating: family, count: 20))
    let marked = "e" + String(repeating: "\u{301}", count: 100_000)
    #expect(marked.quotable == "e" + String(repeating: "\u{301}", count: 159) + "…")
  }
}
