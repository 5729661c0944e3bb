import EventMVVMTesting
import EventRecords
import Foundation
import Testing

/// Letters and their marks, in one piece and in two.
@Suite(.hangLimit) struct ComposedTests {
  @Test func `what Unicode takes apart is put together again`() {
    var wrong: [String] = []
    for value in (0xA0...0x1FFFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let apart = String(scalar).decomposedStringWithCanonicalMapping
      guard apart.unicodeScalars.count > 1 else { continue }
      let together = apart.precomposedStringWithCanonicalMapping
      if !apart.composed.utf8.elementsEqual(together.utf8) { wrong.append("\(scalar)") }
    }
    #expect(wrong == [])
  }

  @Test(
    arguments: [
      ("", ""), ("Milk", "Milk"), ("caf\u{E9}", "caf\u{E9}"), ("cafe\u{301}", "caf\u{E9}"),
      ("\u{301}", "\u{301}"), ("\u{301}e", "\u{301}e"), ("e\u{301}\u{301}", "\u{E9}\u{301}"),
      ("e\u{323}\u{302}", "\u{1EC7}"), ("e\u{345}\u{301}x", "e\u{345}\u{301}x"),
      ("q\u{323}\u{301}", "q\u{323}\u{301}"), ("か\u{3099}", "が"), ("漢字", "漢字"),
      ("\u{1112}\u{1161}\u{11AB}", "한"), ("\u{1112}\u{1161}\u{301}\u{11AB}", "하\u{301}\u{11AB}"),
      ("👨‍👩‍👧", "👨‍👩‍👧"),
    ]
  )
  func `letters are joined with the marks behind them`(text: String, expected: String) {
    #expect(text.composed.utf8.elementsEqual(expected.utf8))
  }

  @Test func `endless marks take no longer than anything else`() {
    let marks = String(repeating: "\u{301}\u{323}", count: 100_000)
    #expect(("e" + marks).composed.utf8.count == 400_000)
    let jamo = String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 100_000)
    #expect(jamo.composed.unicodeScalars.count == 100_000)
  }

  @Test(arguments: [
    ("ΣΊΣΥΦΟΣ", "Σίσυφος"), ("STRASSE", "Straße"), ("istanbul", "İstanbul"), ("apfel", "Äpfel"),
    ("E\u{301}clair", "éclair"), ("Łódź", "lodz"), ("smørrebrød", "SMORREBROD"), ("Ærø", "aero"),
    ("ﬁn", "FIN"), ("ñandú", "Nandu"), ("ё", "Е"), ("Ǆ", "ǆ"),
  ])
  func `a search ignores case and the marks of letters`(_ one: String, _ other: String) {
    #expect(one.searchForm == other.searchForm)
    #expect(one.searchForm.searchForm.utf8.elementsEqual(one.searchForm.utf8))
  }

  @Test(arguments: [("\u{301}", ""), ("が", "か"), ("각", "가"), ("क", "ख"), ("م", "ن"), ("ا", "ع")])
  func `other scripts keep their letters, and marks alone are no empty search`(
    _ one: String,
    _ other: String
  ) {
    #expect(one.searchForm != other.searchForm)
  }
}
