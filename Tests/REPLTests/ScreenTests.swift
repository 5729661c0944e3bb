import EventMVVMTesting
import ProcessTesting
import Testing

/// The emulator that the others look at.
@Suite(.hangLimit) struct ScreenTests {
  private func screen(_ text: String, columns: Int = 6, height: Int = 3) -> Screen {
    var screen = Screen(columns: columns, height: height)
    screen.feed(text.utf8)
    return screen
  }

  @Test func `what comes to the last column stays in the row until more comes`() {
    #expect(screen("abcdef").cursor == (0, 5))
    #expect(screen("abcdef\r").cursor == (0, 0))
    #expect(screen("abcdefg").lines == ["abcdef", "g"])
  }

  @Test func `a wide character takes two columns, and is not cut`() {
    #expect(screen("漢字漢").cursor == (0, 5))
    #expect(screen("a漢字漢").lines == ["a漢字", "漢"])
    #expect(screen("e\u{301}x").cursor == (0, 2))
    #expect(screen("👨‍👩‍👧x").cursor == (0, 3))
  }

  @Test func `the screen scrolls, and what leaves it is kept`() {
    let screen = screen("1\r\n2\r\n3\r\n4")
    #expect(screen.lines == ["2", "3", "4"])
    #expect(screen.allLines == ["1", "2", "3", "4"])
  }

  @Test func `the cursor is moved, and what is behind it is erased`() {
    #expect(screen("abc\r\ndef\u{1B}[A\u{1B}[D\u{1B}[K").lines == ["ab", "def"])
    #expect(screen("abc\r\ndef\u{1B}[A\r\u{1B}[J").lines == [])
    #expect(screen("abc\u{1B}[H\u{1B}[2Jx").lines == ["x"])
  }

  @Test func `styles are marked, and sequences may come in pieces`() {
    var screen = screen("a\u{1B}[3")
    screen.feed("1mb\u{1B}[0mc".utf8)
    #expect(screen.styledLines == ["a⟨31:b⟩c"])
  }

  @Test func `a narrower screen breaks lines, and a wider one joins them`() {
    var screen = screen("abcdef\r\nxy", height: 4)
    screen.resize(columns: 4, height: 4)
    #expect(screen.lines == ["abcd", "ef", "xy"])
    #expect(screen.cursor == (2, 2))
    screen.resize(columns: 8, height: 4)
    #expect(screen.lines == ["abcdef", "xy"])
    #expect(screen.cursor == (1, 2))
  }

  @Test func `what it does not know it says`() {
    #expect(screen("\u{1B}[5n\u{1B}c").unknown == ["[5n", "c"])
  }
}
