import RecordCommands
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import Foundation
import JSONText
import Testing
import TodoModels
import TodoViewModels

/// Texts that are meant to do harm: whatever users type is kept as it is, is shown without effect,
/// and is valid JSON.
@Suite(.hangLimit) struct HostileTextTests {
  @Test func `hostile texts are kept, shown without effect, and valid JSON`() throws {
    var generator = HostileText(state: 1)
    let app = try Application()
    var originals: [Original] = []
    for _ in 0..<200 {
      let original = try Original(&generator)
      originals.append(original)
      let add = original.request
      let added = try #require(try app.reply(add)?.get(), "\(original)")
      try check(page { add.show(added, on: &$0) })
      try original.expect(in: [json(added.write)])
      let show = RequestTodoDetailViewModel.show(.number(originals.count))
      let details = try #require(try app.reply(show)?.get())
      try check(page { show.show(details, on: &$0) })
      try original.expect(in: [json(details.write)])
    }
    let list = try #require(try app.reply(RequestTodoViewModels())?.get())
    let text = page { list.show(on: &$0) }
    try check(text)
    // One line a todo: nothing that was typed begins another.
    #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 200)
    let items = try JSON(parsing: json(list.write))
    guard case .array(let todos) = items else { throw Wrong("no array") }
    for (todo, original) in zip(todos.reversed(), originals) {
      try original.expect(in: [todo.description])
    }
  }

  @Test func `hostile texts are found by the whole of them`() throws {
    var generator = HostileText(state: 2)
    let app = try Application()
    for number in 1...100 {
      let original = try Original(&generator)
      app.prepare(original.request)
      let found = app.reply(
        RequestTodoViewModels.list([
          "words": [.string(original.title)], "tags": [.string(original.tag)],
          "project": .string(original.project.text),
        ])
      )
      #expect(try found?.get().rows.map(\.number) == [number])
    }
  }

  @Test func `a failure that quotes hostile text is shown without effect, and valid JSON`() throws {
    var generator = HostileText(state: 3)
    var catalogue = Catalogue()
    catalogue.add(TodoCommands.group, TodoCommands.commands)
    for _ in 0..<300 {
      let text = generator.text(pieces: 1...30)
      for words in [
        [text], ["add", "--" + text], ["add", "x", "--due", text], ["list", "--sort", text],
        ["list", "--limit", text], ["edit", text, "--title", "x"],
        ["add", "x", "--priority", text],
      ] {
        let command = words.enumerated().map { Word(text: $1, offset: $0, isBare: true) }
        guard let failure = mistake(in: command, catalogue) else { continue }
        try check(escapedForTerminal(failure.message))
        let object = json { $0.object { failure.write(to: &$0) } }
        try check(object)
        #expect(try JSON(parsing: object).member("message") == .string(failure.message))
        #expect(failure.message.utf8.count < 2000)
      }
    }
  }

  @Test func `one spelling of a character is not the other, except in names`() throws {
    let app = try Application()
    app.add("caf\u{E9}")
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("cafe\u{301}") })
    #expect(try app.stored(1).value.title.unicodeScalars.count == 5)
    #expect(try app.stored(1).revision == 2)
    app.prepare(RequestEditTodo.edit(1) { $0.tags = [Tag("\u{E9}"), Tag("e\u{301}")] })
    // Names that look alike are one.
    #expect(try app.stored(1).value.tags.map(\.utf8.count) == [2])
    app.prepare(RequestEditTodo.edit(1) { $0.untags = [Tag("e\u{301}")] })
    #expect(try app.stored(1).value.tags == [])
  }

  @Test func `endless marks are compared as fast as anything else`() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 250_000)
    let app = try Application()
    app.prepare(RequestAddTodo.add("Milk") { $0.subtitle = .set("e" + marks) })
    app.prepare(RequestEditTodo.edit(1) { $0.subtitle = .set("ee" + marks) })
    #expect(try app.stored(1).revision == 2)
    app.prepare(
      RequestEditTodo.edit(1) {
        $0.subtitle = .set("o" + marks)
        $0.id.seen = 1
      }
    )
    #expect(try app.stored(1).revision == 2)
    let details = try #require(try app.reply(RequestTodoDetailViewModel.show(.number(1)))?.get())
    #expect(page { details.show(on: &$0) }.utf8.count > 1_000_000)
    #expect(throws: ValueError.self) { try When(word: "+" + marks) }
    #expect(throws: ValueError.self) { try RecordReference(word: "@" + marks) }
    #expect(throws: ValueError.self) { try Priority(word: "h" + marks) }
    #expect(throws: ValueError.self) { try RecordSort<Todo>(word: "-" + marks) }
    #expect(closest(to: "e" + marks, among: ["edit"]) == nil)
  }

  // MARK: Checks

  private func page(_ body: (inout Page) -> Void) -> String {
    var page = Page()
    body(&page)
    return page.text
  }

  private func json(_ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func check(_ text: String) throws {
    if let hazard = HostileText.hazards(in: text).first {
      throw Wrong("U+\(String(hazard.value, radix: 16)) in \(text.debugDescription)")
    }
  }

  private func mistake(in words: [Word], _ catalogue: Catalogue) -> Failure? {
    do {
      _ = try catalogue.read(words)
      return nil
    } catch {
      return error.failure
    }
  }
}

/// Why a text is not as it should be.
private struct Wrong: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// The texts of a todo, as Foundation reads them.
private struct Texts: Decodable {
  let title: String
  let subtitle: String
  let tags: [String]
  let project: String
}

/// A todo of hostile texts, as it was typed.
private struct Original {
  let title: String
  let subtitle: String
  let tag: String
  let project: Project

  init(_ generator: inout HostileText) throws {
    title = ("t" + generator.line(pieces: 1...40)).withoutBlanksAround
    subtitle = generator.text(pieces: 0...80)
    tag = Self.name("a" + generator.line(pieces: 1...8))
    project = try Project(word: Self.name("p" + generator.line(pieces: 1...8)))
  }

  /// Returns a text as a name keeps it: composed, without what shows nothing, which is refused.
  private static func name(_ text: String) -> String {
    var text = text
    while let hidden = text.invisibleCharacter { text.unicodeScalars.removeAll { $0 == hidden } }
    return text.composed
  }

  var request: RequestAddTodo {
    .add(title) {
      $0.subtitle = .set(subtitle)
      $0.tags = [Tag(tag)]
      $0.project = .set(project)
    }
  }

  /// Both parsers read what was typed, and nothing in the text has an effect on a terminal.
  func expect(in documents: [String]) throws {
    for document in documents {
      if let hazard = HostileText.hazards(in: document).first { throw Wrong("\(hazard) in JSON") }
      let ours = try JSON(parsing: document)
      let theirs = try JSONDecoder().decode(Texts.self, from: Data(document.utf8))
      _ = try JSONSerialization.jsonObject(with: Data(document.utf8))
      for (name, text, other) in [
        ("title", title, theirs.title), ("subtitle", subtitle, theirs.subtitle),
        ("project", project.text, theirs.project),
      ] {
        let isSame = ours.member(name) == .string(text) && other.utf8.elementsEqual(text.utf8)
        guard isSame else { throw Wrong("\(name): \(document)") }
      }
      let isSame =
        ours.member("tags") == [.string(tag)] && theirs.tags[0].utf8.elementsEqual(tag.utf8)
      guard isSame else { throw Wrong("tags: \(document)") }
    }
  }
}

extension JSON {
  fileprivate func member(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}

/// Texts of everything that is known to hurt, the same ones each time.
private struct HostileText {
  var state: UInt64

  private static let pieces: [String] =
    (1...0x1F).map { String(Unicode.Scalar($0 as UInt8)) }
    + (0x7F...0x9F).map { String(Unicode.Scalar($0 as UInt8)) }
    + [
      "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202B}", "\u{202C}",
      "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{1B}[31m",
      "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{1B}]52;c;cm0gLXJm\u{1B}\\", "\u{9B}2J",
      "\u{1B}P$q\u{9C}",
      "\u{1B}c", "\r\n", "\"", "\\", "'", "\\u001b", "\\n", "</script>", "{", "}", "[", "]", ",",
      "#",
      "@", "--", "<<EOF", "$(reboot)", "`", "%s%n", "e\u{301}", "\u{E9}", "\u{301}\u{323}",
      String(repeating: "\u{301}\u{323}", count: 20), "\u{200D}", "\u{200B}", "\u{FEFF}", "\u{AD}",
      "👨‍👩‍👧", "🇩🇪🇫", "\u{1F1E6}", "\u{1100}\u{1161}\u{11A8}", "漢", "قهوة", "שלום", "ß", "İ", "ǅ",
      "\u{FFFD}",
      "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}", "\u{E0001}", "\u{FFF9}", "\u{206A}", "\u{2065}",
      "\u{A0}",
      "\u{3000}", " ", "  ", "a", "Milk", "0", "-1", "null",
    ]

  mutating func next(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(count))
  }

  /// A text of so many pieces.
  mutating func text(pieces: ClosedRange<Int>) -> String {
    let count = pieces.lowerBound + next(pieces.count)
    return (0..<count).map { _ in Self.pieces[next(Self.pieces.count)] }.joined()
  }

  /// One without anything that ends a line.
  mutating func line(pieces: ClosedRange<Int>) -> String {
    var line = ""
    for scalar in text(pieces: pieces).unicodeScalars where !Self.newlines.contains(scalar) {
      line.unicodeScalars.append(scalar)
    }
    return line
  }

  private static let newlines: Set<Unicode.Scalar> = [
    "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}",
  ]

  /// What must not reach a terminal, by the list and not by the program's own rule.
  static func hazards(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0x00...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }
}
