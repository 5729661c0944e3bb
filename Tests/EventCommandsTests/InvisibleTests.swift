import EventCommands
import EventMVVMTesting
import EventValues
import Testing

@Suite(.hangLimit) struct InvisibleTests {
  @Test(arguments: [
    "\u{200B}", "\u{2060}", "\u{2061}", "\u{2064}", "\u{2065}", "\u{FEFF}", "\u{AD}", "\u{34F}",
    "\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}", "\u{180E}", "\u{FE0F}", "\u{E0061}",
    "\u{E0001}",
    "\u{200C}", "\u{200D}", "\u{206A}", "\u{FFF9}", "\u{1D173}", "\u{E0100}", "\u{17B4}",
  ])
  func `what shows nothing between letters is found, and shown`(_ hidden: String) throws {
    let scalar = try #require(hidden.unicodeScalars.first)
    let text = "ho\(hidden)me"
    #expect(text.invisibleCharacter == scalar)
    let code = String(scalar.value, radix: 16, uppercase: true)
    #expect(escapedForTerminal(text) == "ho\\u{\(code)}me")
  }

  @Test(arguments: [
    "home", "Äpfel", "e\u{301}", "👨‍👩‍👧", "👩🏽‍🔬", "❤️‍🔥", "❤️", "1️⃣", "#️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🇩🇪", "©️",
    "می\u{200C}خواهم", "क्\u{200D}ष", "क्\u{200D}", "ക്\u{200C}ഷ", "葛\u{E0100}", "\u{1820}\u{180B}",
    "∩\u{FE00}", "✓\u{FE0E}", "ه\u{200D}", "한글", "日本 語", "a b",
  ])
  func `what joins or varies stays`(_ text: String) {
    #expect(text.invisibleCharacter == nil)
    #expect(escapedForTerminal(text) == text)
  }
}
