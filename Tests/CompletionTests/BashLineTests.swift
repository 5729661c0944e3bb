import EventMVVMTesting
import Testing

@testable import Completion

/// How a line of bash is taken apart, and a word put in its place.
@Suite(.hangLimit) struct BashLineTests {
  private static let breaks = " \t\n\"'@><=;|&(:"

  @Test(
    arguments: [
      ("todostream ", ["todostream"], ""),
      ("todostream", [], "todostream"),
      ("todostream list --tag two\\ w", ["todostream", "list", "--tag"], "two w"),
      (
        "todostream add 'it''s' \"a \\\"b\\\" \\c\" x",
        ["todostream", "add", "its", "a \"b\" \\c"], "x"
      ),
      ("todostream add '' ", ["todostream", "add", ""], ""),
      ("todostream list --tag 'two w", ["todostream", "list", "--tag"], "two w"),
      ("todostream list \"a 'b", ["todostream", "list"], "a 'b"),
      ("todostream list 日本\\ 語", ["todostream", "list"], "日本 語"),
      ("todostream list \\", ["todostream", "list"], ""),
      ("", [], ""),
    ])
  func `words are what bash hands to a program`(
    _ line: String,
    _ words: [String],
    _ begun: String
  ) {
    let line = BashLine(line, breaks: Self.breaks)
    #expect(line.words == words)
    #expect(line.begun == begun)
  }

  @Test(
    arguments: [
      ("show ", "#42", "\\#42"),
      ("list --tag t", "two words", "two\\ words"),
      ("list --tag 't", "two words", "two words"),
      ("list --tag 't", "that's", "that'\\''s"),
      ("list --tag \"t", "the \"$`\\", "the \\\"\\$\\`\\\\"),
      ("list --tag a@b", "a@b c", "@b\\ c"),
      ("list --tag a:b", "a:b c", "b\\ c"),
      ("list --tag 'a:b", "a:b c", "a:b c"),
      ("list --tag 'it'\\''", "it's", "s"),
      ("list --tag 'two'\\ w", "two words", "two\\ words"),
      ("list --tag 日", "日本 語", "日本\\ 語"),
    ])
  func `a word is written as what bash replaces needs it`(
    _ line: String,
    _ word: String,
    _ written: String
  ) {
    #expect(BashLine(line, breaks: Self.breaks).written(word) == written)
  }
}
