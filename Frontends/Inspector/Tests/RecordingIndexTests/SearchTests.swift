import EventMVVMTesting
import Foundation
import JSONText
import Testing

@testable import RecordingIndex

/// What is searched for fast is what is found by looking at each event and each byte.
@Suite(.timeLimit(.minutes(5))) struct SearchTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `any bytes are found where they are first, in any case if wanted`(_ seed: UInt64) {
    var chance = Chance(seed)
    func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in "aAbB[{@`é".utf8.randomElement(using: &chance) ?? 0 }
    }
    for _ in 0..<2000 {
      let all = bytes(Int.random(in: 0...300, using: &chance))
      let ignoresCase = Bool.random(using: &chance)
      let wanted = bytes(Int.random(in: 1...9, using: &chance)).map { ignoresCase ? $0.lower : $0 }
      let start = Int.random(in: 0...all.count, using: &chance)
      let end = Int.random(in: start...all.count, using: &chance)
      let plain = (start..<end)
        .first { index in
          index + wanted.count <= end
            && all[index..<(index + wanted.count)].map { ignoresCase ? $0.lower : $0 } == wanted
        }
      let needle = Needle(wanted, ignoresCase: ignoresCase, in: bytes(20))
      let fast = all.withUnsafeBytes { needle.place(in: $0, start..<end) }
      #expect(fast == plain, "\(wanted) from \(start) to \(end) in \(all)")
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `any filter finds the events that fit when each is looked at`(_ seed: UInt64) throws {
    var chance = Chance(seed)
    let events = (1...4500).map { PlainEvent($0, &chance) }
    let asked = try Asked(
      WrittenRecording.facts + events.map(\.line) + [WrittenRecording.end(events.count)]
    )
    var found = 0
    for _ in 0..<40 {
      let text = (0..<Int.random(in: 1...3, using: &chance))
        .map { _ in
          (Int.random(in: 0..<4, using: &chance) == 0 ? "-" : "")
            + (PlainEvent.words.randomElement(using: &chance) ?? "")
        }
        .joined(separator: " ")
      let filter = try Filter(text, hidesHousekeeping: Bool.random(using: &chance))
      let plain = events.filter { event in filter.words.allSatisfy(event.fits) }.map(\.sequence)
      let selection = Selection(filter, asked.answers.index)
      try waitUntil("all is searched") {
        selection.result(wanted: .max, waiting: 1).0.tested == events.count
      }
      let result = selection.result(wanted: .max, waiting: 0).0
      let contents = asked.answers.index.contents
      let fast = (0..<result.count)
        .map { Int(contents.event(at: result.position($0)).sequence) }
      #expect(fast == plain, "\(text), seed \(seed)")
      found += plain.isEmpty ? 0 : 1
    }
    // Otherwise it would show little.
    #expect(found > 12)
  }

  @Test(
    arguments: [
      ("milk", "milk"), ("/y/", "/y/"), ("mi?lk", "lk"), ("mil+k", "mil"), ("a.milk$", "milk"),
      ("\\\"milk\\\"", "\"milk\""), ("m\\d{2}ilk", "ilk"), ("milk{2}s", "mil"), ("(a|b)oat", "oat"),
      ("(?:a(b)c)oat", "oat"), ("[^]a]oat", "oat"), ("é*ös", "ös"), ("oat(x|y)*", "oat"),
    ] as [(String, String)]
  )
  func `an expression has a text that is searched for first`(_ expression: String, _ text: String) {
    #expect(Pattern.literals(of: expression, ignoresCase: false) == [Array(text.utf8)])
  }

  @Test(arguments: [
    "milk|[ab]", "milk|", "a|b|c|d|e", "(?i)milk", "(?!milk)oat", "(*UCP)milk", "\\x41milk",
    "\\Qmilk\\E", "{a|b}milk", "[[:alpha:]]milk", "m?", "\\d+", "",
  ])
  func `an expression of which not enough is known has none`(_ expression: String) {
    #expect(Pattern.literals(of: expression, ignoresCase: false) == [])
  }

  @Test func `letters that other characters fit in any case are not searched for`() {
    // The Kelvin sign fits a K, and the long s an S.
    #expect(Pattern.literals(of: "Milk Task", ignoresCase: true) == [Array("mil".utf8)])
    #expect(Pattern.literals(of: "ÉOat", ignoresCase: true) == [Array("oat".utf8)])
  }

  @Test func `each alternative of an expression has its text`() {
    #expect(
      Pattern.literals(of: "milk\\d|o(at|x)tail", ignoresCase: false)
        == ["milk", "tail"].map { Array($0.utf8) }
    )
  }
}

/// An event of a random recording, and what a filter asks of it in the plainest way.
private struct PlainEvent {
  let sequence: Int
  let type: String
  let root: String
  let origin: String
  let isInput: Bool
  let isHousekeeping: Bool
  let body: String?

  init(_ sequence: Int, _ chance: inout Chance) {
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &chance)]
    }
    self.sequence = sequence * 3
    type = pick(["RequestAdd", "ResponseAdd", "RequestWriteRecords<Note>", "ResponseState<Int>"])
    root = pick([String(sequence / 7), "\"a-\(sequence % 5)\""])
    origin = pick(["1", "2"])
    isInput = pick([true, false])
    isHousekeeping = Int.random(in: 0..<9, using: &chance) == 0
    var title = (0..<Int.random(in: 0..<4, using: &chance)).map { _ in pick(Self.texts) }.joined()
    if sequence % 500 == 0 { title = String(repeating: title, count: 200) }
    body = pick([
      nil, "{}", #"{"title":"\#(title)"}"#, #"{"title":"\#(title)","number":\#(sequence % 130)}"#,
      #"{"failure":{"text":"\#(title)","id":[1,\#(sequence % 13)]}}"#,
    ])
  }

  private static let texts = [
    "milk", "Milk", "MILK", "mask", "mas\u{212A}", "mi\u{17F}k", "oat", #"a\"b"#, "é", "É", " ",
    "two words", "12", #"\"number\":1,"#,
  ]

  /// Words of filters, some of which fit.
  static let words = [
    "milk", "mIl", "ask", "é", "x", "\"two words\"", "\"a\\\"b\"", "12", "00000000", "\"\"",
    "failure", "Request", "seq", "},", "check", "title=milk", "number=1", "number=12",
    "title=\"a\\\"b\"", "id=1",
    "title=", "/milk/", "/m[ia]lk/", "/MILK/i", "/ask/i", "/mask|oat/", "/mi?lk/", "/(milk|oat)1/",
    "/milk\\d{2}/", "/o.t/i", "/É/i", "/^\\{\"t/", "/[0-9]{3}/", "type:Request*", "type:*Note>",
    "type:RequestAdd,ResponseState<Int>", "layer:model", "layer:none,viewModel", "kind:fact",
    "kind:request,response", "origin:batch", "origin:repl,x", "root:3", "root:3,90,a-1", "root:a-2",
    "root:9223372036854775808", "seq:5-900", "seq:9000-12999", "seq:42", "is:input", "is:failed",
    "is:housekeeping", "is:failed,input",
  ]

  /// What texts are searched for in.
  private var text: String {
    #""\#(type)""# + (isInput ? #","input":true"# : "")
      + (isHousekeeping ? #","housekeeping":true"# : "") + (body.map { #","body":"# + $0 } ?? "")
  }

  var line: String {
    #"{"seq":\#(sequence),"root":\#(root),"origin":\#(origin),"time":1000,"type":"#
      + text + #","check":"00000000"}"#
  }

  func fits(_ word: Filter.Word) -> Bool { fits(word.test) != word.isInverse }

  private func fits(_ test: Filter.Test) -> Bool {
    switch test {
    case .text(let wanted): return text.utf8.map(\.lower).contains(wanted)
    case .member(let forms):
      return forms.contains { form in
        Array((body ?? "").utf8).places(of: form)
          .contains { place, before, after in
            before != UInt8(ascii: "\\") && (after == nil || after == 44 || after == 125)
          }
      }
    case .pattern(let expression, let ignoresCase):
      guard let pattern = try? Pattern(expression, ignoresCase: ignoresCase), let body else {
        return false
      }
      return Array(body.utf8).withUnsafeBytes { pattern.matches($0) }
    case .types(let names):
      return names.contains { name in
        name.hasSuffix("*")
          ? type.hasPrefix(name.dropLast())
          : name.hasPrefix("*") ? type.hasSuffix(name.dropFirst()) : name == type
      }
    case .layers(let layers):
      return layers.contains(type.contains("Records") ? "model" : "viewModel")
    case .kinds(let kinds):
      let kind: EventType.Kind =
        type.hasPrefix("Request") ? .request : type == "ResponseAdd" ? .response : .fact
      return kinds.contains(kind)
    case .origins(let names): return names.contains(origin == "1" ? "batch" : "repl")
    case .roots(let names): return names.contains(root.replacing("\"", with: ""))
    case .sequences(let range): return range.contains(UInt64(sequence))
    case .marks(let marks):
      return marks.contains { mark in
        mark == .input
          ? isInput
          : mark == .housekeeping ? isHousekeeping : body?.hasPrefix(#"{"failure":{"#) == true
      }
    }
  }
}

extension [UInt8] {
  /// Whether bytes are among them, looked for at each place.
  fileprivate func contains(_ wanted: [UInt8]) -> Bool {
    wanted.isEmpty || !places(of: wanted).isEmpty
  }

  /// Each place of some bytes, with the bytes before and after it.
  fileprivate func places(of wanted: [UInt8]) -> [(place: Int, before: UInt8?, after: UInt8?)] {
    guard let first = wanted.first, count >= wanted.count else { return [] }
    return (0...(count - wanted.count))
      .filter { self[$0] == first && self[$0..<($0 + wanted.count)].elementsEqual(wanted) }
      .map { place in
        let end = place + wanted.count
        return (place, place > 0 ? self[place - 1] : nil, end < count ? self[end] : nil)
      }
  }
}

extension UInt8 {
  /// It, with an ASCII letter in lower case.
  fileprivate var lower: UInt8 { self &- 65 < 26 ? self | 32 : self }
}
