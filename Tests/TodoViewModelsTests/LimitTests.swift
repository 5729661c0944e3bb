import RecordCommands
import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import JSONText
import Testing
import TodoModels
import TodoViewModels

/// What users write has limits, and each of them is said.
@Suite(.hangLimit) struct LimitTests {
  private func failure(_ message: String, _ field: String, id: Int? = nil) -> Failure {
    Failure(.validation, message, field: field, id: id)
  }

  private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  private func tags(_ count: Int) -> [Tag] { (0..<count).map { Tag("t\($0)") } }

  // MARK: The length of texts

  @Test func `a title has at most 4096 bytes`() throws {
    let app = try Application()
    app.add(text(4096), String(repeating: "é", count: 2048))
    #expect(try app.stored(1).value.title == text(4096))
    #expect(try app.stored(2).value.title == String(repeating: "é", count: 2048))
    let tooLong = failure("A title has at most 4096 bytes of UTF-8; this one has 4097.", "title")
    #expect(app.failure(RequestAddTodo.add(text(4097))) == tooLong)
    #expect(app.failure(RequestAddTodo.add(String(repeating: "é", count: 2048) + "x")) == tooLong)
    #expect(app.failure(RequestEditTodo.edit(1) { $0.title = .set(text(4097)) }) == tooLong)
    #expect(try app.storedTitles().count == 2)
  }

  @Test func `a subtitle has at most one mebibyte`() throws {
    let app = try Application()
    app.prepare(RequestAddTodo.add("Milk") { $0.subtitle = .set(text(1_048_576)) })
    #expect(try app.stored(1).value.subtitle.utf8.count == 1_048_576)
    let tooLong = failure(
      "A subtitle has at most 1048576 bytes of UTF-8; this one has 1048577.",
      "subtitle"
    )
    let longer = text(1_048_577)
    #expect(app.failure(RequestAddTodo.add("Milk") { $0.subtitle = .set(longer) }) == tooLong)
    #expect(app.failure(RequestEditTodo.edit(1) { $0.subtitle = .set(longer) }) == tooLong)
    #expect(try app.stored(1).revision == 1)
  }

  @Test func `a tag and a project have at most 256 bytes`() throws {
    let app = try Application()
    let project = try Project(word: text(256))
    app.prepare(
      RequestAddTodo.add("Milk") {
        $0.tags = [Tag(text(256))]
        $0.project = .set(project)
      }
    )
    #expect(try app.stored(1).value.tags == [text(256)])
    let long = Tag(text(257))
    let longProject = try Project(word: text(257))
    let tag = "A tag has at most 256 bytes of UTF-8; this one has 257."
    let name = "A project's name has at most 256 bytes of UTF-8; this one has 257."
    #expect(app.failure(RequestAddTodo.add("X") { $0.tags = [long] }) == failure(tag, "tags"))
    #expect(
      app.failure(RequestEditTodo.edit(1) { $0.tags = [long] }) == failure(tag, "tags")
    )
    // What is too long to be a name is none.
    #expect(app.failure(RequestTodoViewModels.list(["tags": [.string(text(257))]])) == nil)
    #expect(
      app.failure(RequestAddTodo.add("X") { $0.project = .set(longProject) })
        == failure(name, "project")
    )
    #expect(
      app.failure(RequestEditTodo.edit(1) { $0.project = .set(longProject) })
        == failure(name, "project")
    )
    #expect(
      app.failure(RequestTodoViewModels.list(["project": .string(text(257))])) == nil
    )
  }

  @Test func `a name of the session has at most 256 bytes, and neither blanks nor controls`() throws
  {
    let app = try Application()
    #expect(app.failure(RequestAddTodo.add("Milk") { $0.alias = text(256) }) == nil)
    #expect(
      app.failure(RequestAddTodo.add("Milk") { $0.alias = text(257) })
        == failure("A todo's name has at most 256 bytes of UTF-8; this one has 257.", "alias")
    )
    for name in ["", "a b", "a\tb", "a\nb", "\u{1B}[31m", "a\u{202E}", "a\u{A0}b", "\u{85}"] {
      #expect(
        app.failure(RequestAddTodo.add("Milk") { $0.alias = name })
          == failure(
            "A todo's name is not empty, and has no blanks and no control characters.",
            "alias"
          )
      )
    }
    for name in ["milk", "Milch-2", "牛乳", "a.b", "@x", "e\u{301}"] {
      #expect(app.failure(RequestAddTodo.add("Milk") { $0.alias = name }) == nil)
    }
    #expect(
      throws: ValueError("'@\(text(39))…' is no name: names have at most 256 bytes")
    ) { try RecordReference(word: "@" + text(257)) }
  }

  // MARK: How many

  @Test func `a todo has at most 100 tags`() throws {
    let app = try Application()
    app.prepare(RequestAddTodo.add("Milk") { $0.tags = tags(100) + tags(100) })
    #expect(try app.stored(1).value.tags.count == 100)
    let tooMany = failure("A todo has at most 100 tags; 101 were given.", "tags")
    #expect(app.failure(RequestAddTodo.add("Milk") { $0.tags = tags(101) }) == tooMany)
    #expect(app.failure(RequestEditTodo.edit(1) { $0.tags = tags(101) }) == tooMany)
  }

  @Test func `tags that are added to those a todo has must not be too many`() throws {
    let app = try Application()
    app.prepare(RequestAddTodo.add("Milk") { $0.tags = tags(99) })
    let tooMany = failure("#1 would have 101 tags; a todo has at most 100.", "tags", id: 1)
    #expect(
      app.failure(RequestEditTodo.edit(1) { $0.tags = [Tag("a"), Tag("b")] }) == tooMany
    )
    #expect(try app.stored(1).value.tags.count == 99)
    app.prepare(
      RequestEditTodo.edit(1) {
        $0.tags = [Tag("a"), Tag("b")]
        $0.untags = [Tag("t0")]
      }
    )
    #expect(try app.stored(1).value.tags.count == 100)
  }

  @Test func `a search has at most 100 words and 100 tags, and long words are too long`() throws {
    let app = try Application()
    app.add("x")
    let words = (0..<100).map { _ in "x" }
    #expect(app.failure(RequestTodoViewModels.list(["words": .strings(words)])) == nil)
    #expect(
      app.failure(RequestTodoViewModels.list(["tags": .strings(tags(100).map(\Tag.text))])) == nil
    )
    #expect(app.failure(RequestTodoViewModels.list(["words": [.string(text(4096))]])) == nil)
    #expect(
      app.failure(RequestTodoViewModels.list(["words": .strings(words + ["x"])]))
        == failure("A search has at most 100 words; 101 were given.", "words")
    )
    #expect(
      app.failure(RequestTodoViewModels.list(["tags": .strings(tags(101).map(\Tag.text))]))
        == failure("A search has at most 100 values; 101 were given.", "tags")
    )
    #expect(
      app.failure(RequestTodoViewModels.list(["words": [.string(text(4097))]]))
        == failure(
          "A search has at most 4096 bytes of UTF-8; 4097 were given.",
          "words"
        )
    )
    #expect(
      app.failure(RequestTodoViewModels.list(["words": .strings([text(4000), text(97)])]))
        == failure("A search has at most 4096 bytes of UTF-8; 4097 were given.", "words")
    )
  }

  @Test func `a million references to one todo are one reference`() throws {
    let app = try Application()
    app.add("Milk")
    var references = Target<Todo>()
    for _ in 0..<1_000_000 { references.references.append(.number(1)) }
    references.isList = true
    let reply = app.reply(RequestCompleteTodo.complete(references))
    #expect(try reply?.get().records.map { $0.number } == [1])
  }

  // MARK: NUL

  @Test func `no text has the character NUL`() throws {
    let app = try Application()
    app.add("Milk")
    let project = try Project(word: "a\0b")
    func refusal(_ subject: String, _ field: String) -> Failure {
      failure("\(subject) can't contain the character NUL (U+0000).", field)
    }
    #expect(app.failure(RequestAddTodo.add("a\0b")) == refusal("A title", "title"))
    #expect(app.failure(RequestAddTodo.add("\0")) == refusal("A title", "title"))
    #expect(
      app.failure(RequestEditTodo.edit(1) { $0.title = .set("\0x") }) == refusal("A title", "title")
    )
    #expect(
      app.failure(RequestEditTodo.edit(1) { $0.subtitle = .set("a\0") })
        == refusal("A subtitle", "subtitle")
    )
    #expect(
      app.failure(RequestEditTodo.edit(1) { $0.tags = [Tag("\0")] })
        == refusal("A tag", "tags")
    )
    #expect(
      app.failure(RequestEditTodo.edit(1) { $0.project = .set(project) })
        == refusal("A project's name", "project")
    )
    #expect(
      app.failure(RequestAddTodo.add("X") { $0.alias = "a\0" })
        == failure(
          "A todo's name is not empty, and has no blanks and no control characters.",
          "alias"
        )
    )
    #expect(
      app.failure(RequestTodoViewModels.list(["words": ["\0"]]))
        == refusal("A search", "words")
    )
    #expect(try app.stored(1).revision == 1)
  }

  // MARK: Blank

  @Test(arguments: ["", " ", "\u{A0}", "\u{3000}\t", "\u{200B}", "\u{FEFF}\u{200D}", "\u{3164}"])
  func `what shows nothing is no title, no tag and no project`(blank: String) throws {
    let app = try Application()
    let project = try Project(word: blank)
    #expect(app.failure(RequestAddTodo.add(blank)) == failure("Please add a title.", "title"))
    #expect(
      app.failure(RequestAddTodo.add("X") { $0.tags = [Tag(blank)] })
        == failure("A tag is one line and not empty.", "tags")
    )
    #expect(
      app.failure(RequestAddTodo.add("X") { $0.project = .set(project) })
        == failure("A project's name is one line and not empty.", "project")
    )
  }

  // MARK: What is written about them

  @Test func `the manual page says the limits`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let page = try String(
      contentsOf: root.appending(path: "Sources/Todo/todostream/todostream.1").standardized,
      encoding: .utf8
    )
    let section = try #require(page.split(separator: ".SH LIMITS\n").dropFirst().first)
    let text = section.split(separator: "\n.SH ")[0].replacing("\n", with: " ")
    for limit in [
      "title has at most 4096 bytes of UTF-8", "subtitle has at most 1048576 bytes",
      "have at most 256 bytes", "at most 100 tags. No text has the character NUL",
      "at most 100 words, of 4096 bytes together, and at most 100 tags",
    ] {
      #expect(text.contains(limit))
    }
  }

  // MARK: The ways in

  @Test func `what comes as JSON keeps to the same rules`() throws {
    let app = try Application()
    let long = JSON.string(text(4097))
    let add = try RequestAddTodo.read(parameters: ["title": long])
    #expect(
      app.failure(add)
        == failure("A title has at most 4096 bytes of UTF-8; this one has 4097.", "title")
    )
    let many = JSON.array((0..<101).map { .string("t\($0)") })
    let tagged = try RequestAddTodo.read(parameters: ["title": "Milk", "tags": many])
    #expect(app.failure(tagged) == failure("A todo has at most 100 tags; 101 were given.", "tags"))
    let named = try RequestAddTodo.read(parameters: ["title": "Milk", "alias": "a b"])
    #expect(app.failure(named)?.field == "alias")
    app.add("Milk")
    let edit = try RequestEditTodo.read(parameters: ["id": 1, "tags": many])
    #expect(app.failure(edit) == failure("A todo has at most 100 tags; 101 were given.", "tags"))
  }

  @Test func `an editor keeps to the same rules, and loses nothing`() throws {
    let app = try Application()
    app.add("Milk")
    let view = app.view()
    view.appear()
    view.select(0)
    for (title, subtitle, message, field) in [
      (
        text(4097), "", "A title has at most 4096 bytes of UTF-8; this one has 4097.", "title"
      ),
      ("a\0", "", "A title can't contain the character NUL (U+0000).", "title"),
      (
        "Milk", text(1_048_577),
        "A subtitle has at most 1048576 bytes of UTF-8; this one has 1048577.", "subtitle"
      ),
      ("Milk", "\0", "A subtitle can't contain the character NUL (U+0000).", "subtitle"),
    ] {
      view.edit {
        $0.title = title
        $0.subtitle = subtitle
      }
      view.save()
      #expect(view.problem == failure(message, field))
      #expect(view.editor?.title == title)
      #expect(view.editor?.subtitle == subtitle)
    }
    #expect(try app.stored(1) == .test(1, number: 1, revision: 1))
    app.test.skip()
  }
}
