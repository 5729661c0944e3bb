import EventCommands
import EventMVVMTesting
import Testing

@Suite(.hangLimit) struct WidthTableTests {
  /// By UAX #11 and UTS #51, and what wcwidth(3) says of marks with a width of their own.
  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("한", 2), ("\u{1100}\u{1161}\u{11A8}", 2),
    ("ｶ", 1),
    ("Ａ", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2), ("🇩🇪", 2),
    ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2),
    ("की", 2), ("க்ஷி", 3), ("কি", 2), ("กำ", 2), ("ก็", 1), ("か\u{3099}", 2), ("\u{301}", 0), ("\t", 0),
    ("👍🏽 thumbs", 9),
  ])
  func `a character is as wide as terminals show it`(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test(arguments: [
    ("👍🏽", 4), ("👨‍👩‍👧", 6), ("❤️", 2), ("🇩🇪", 2), ("की", 2), ("1️⃣", 2),
  ])
  func `where terminals disagree, the most that one may count is known`(
    _ text: Character,
    _ most: Int
  ) {
    #expect(DisplayWidth.most(text) == most)
  }

  @Test(arguments: ["a", "漢", "👍", "é", "e\u{301}", "ก็", "한"] as [Character])
  func `where they agree, there is nothing to know`(_ character: Character) {
    #expect(DisplayWidth.most(character) == nil)
  }
}
