import RecordCommands
import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing
import TodoModels
@testable import TodoViewModels

@Suite(.hangLimit) struct ReferenceTests {
  private func problem(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ValueError)?.message
    }
  }

  // MARK: Reading

  @Test(
    arguments: [
      ("42", .number(42)), ("#42", .number(42)), ("0042", .number(42)),
      ("123456", .number(123_456)),
      ("6f1c", .identity("6f1c")), ("6F1C", .identity("6f1c")),
      ("12345678-9", .identity("12345678-9")),
      ("6f1c0000-ab", .identity("6f1c0000-ab")),
      ("6f1c0000ab", .identity("6f1c0000-ab")),
      (
        "00000000-0000-4000-8000-000000000001",
        .identity(UniqueID(high: 0x4000, low: 0x8000_0000_0000_0001).text)
      ),
      (
        "00000000000040008000000000000001",
        .identity(UniqueID(high: 0x4000, low: 0x8000_0000_0000_0001).text)
      ),
      ("@last", .last), ("@milk", .named("milk")), ("@42", .named("42")), ("@Last", .named("Last")),
    ] as [(String, RecordReference)]
  )
  func `a reference is a number, a UUID, its beginning, or a name`(
    word: String,
    reference: RecordReference
  ) throws {
    #expect(try RecordReference(word: word) == reference)
    #expect(try RecordReference(json: .string(word)) == reference)
  }

  @Test(
    arguments: [
      ("", "'' is no todo; write its number, as lists show it"),
      ("6f1", "'6f1' is too short; give at least four characters of a UUID"),
      ("#", "'#' is no todo; write its number, as lists show it"),
      ("milk", "'milk' is no todo; write its number, as lists show it"),
      ("４２", "'４２' is no todo; write its number, as lists show it"),
      ("@", "'@' is followed by a name"),
      ("99999999999999999999", "there is no number 99999999999999999999"),
      (
        "000000000000400080000000000000011",
        "there is no number 000000000000400080000000000000011"
      ),
      (
        "6f1c00000000400080000000000000011",
        "'6f1c00000000400080000000000000011' is no todo; write its number, as lists show it"
      ),
    ])
  func `what is no reference is told what would be one`(word: String, message: String) {
    var target = Target<Todo>()
    #expect(problem { try target.take(word: word) } == message)
  }

  @Test func `a reference in JSON is an integer or a string`() throws {
    #expect(try RecordReference(json: 42) == .number(42))
    #expect(
      problem { _ = try RecordReference(json: true) }
        == "expected a whole number or a string, found a boolean"
    )
  }

  @Test func `the names of a session end with it, and not those of others`() throws {
    let app = try Application()
    let (first, second) = (app.test.app.port(named: "editor"), app.test.app.port(named: "editor"))
    for port in [first, second] {
      _ = app.reply(RequestAddTodo.add("Milk") { $0.alias = "milk" }, in: port)
    }
    first.end()
    app.test.skip()
    func title(_ name: String, _ port: ViewPort) throws -> String? {
      var references = Target<Todo>()
      try references.take(word: name)
      return try app.reply(RequestTodoDetailViewModel.show(references), in: port)?.get().details
        .first?
        .title
    }
    for name in ["@last", "@milk"] {
      #expect(throws: Failure.self) { try title(name, first) }
      #expect(try title(name, second) == "Milk")
    }
  }

  @Test func `one word is one todo, several are a list, ids always are`() throws {
    var words = Target<Todo>()
    try words.take(word: "1")
    #expect(words.isList == false)
    try words.take(word: "2")
    #expect(words == .numbers(1, 2))
    var one = Target<Todo>()
    try one.take(json: 7, named: "id")
    #expect(one == .number(7))
    var list = Target<Todo>()
    try list.take(json: [7], named: "ids")
    #expect(list == .numbers(7))
    #expect(problem { try list.take(json: [], named: "ids") } == "expected at least one todo")
  }

  // MARK: Earlier versions

  @Test(
    arguments: [
      (
        #"{"id":{"list":[{"todo":{"_0":3}},{"last":{}},{"named":{"_0":"milk"}}],"isList":true},"#
          + #""expectedRevision":7,"shown":null,"todo":{}}"#,
        #"{"id":{"references":[3,"@last","@milk"],"isList":true,"seen":7},"todo":{}}"#
      ),
      (
        #"{"id":{"list":[{"todo":{"_0":"6f1c-"}},{"todo":{"_0":"1-3"}}],"isList":false},"#
          + #""expectedRevision":null}"#,
        #"{"id":{"references":["6f1c-","1-3"]}}"#
      ),
      (
        #"{"id":{"list":[{"todo":{"_0":3}}],"isList":false},"shown":{"number":3}}"#,
        #"{"id":{"references":[3],"shown":{"number":3}}}"#
      ),
    ]
  )
  func `a request of version 2 is read with its references in one value`(
    old: String,
    new: String
  ) throws {
    #expect(try JSON(parsing: old).withTarget == JSON(parsing: new))
  }

  @Test func `a move of version 2 is read with plain references`() throws {
    let old = #"{"id":{"last":{}},"side":"before","other":{"todo":{"_0":5}}}"#
    let new = #"{"id":"@last","side":"before","other":5}"#
    #expect(try JSON(parsing: old).withPlainReferences == JSON(parsing: new))
  }

  // MARK: Resolving

  @Test func `a todo is found by number, UUID and a prefix that fits one`() throws {
    let app = try Application()
    app.add("Milk", "Bread")
    func title(_ word: String) throws -> String? {
      let references = Target<Todo>(try RecordReference(word: word))
      return try app.reply(RequestTodoDetailViewModel.show(references))?.get().details[0].title
    }
    #expect(try title("2") == "Bread")
    #expect(try title("00000000-0000-4000-8000-000000000001") == "Milk")
    #expect(try title("00000000000040008000000000000002") == "Bread")
    #expect(throws: Failure.self) { try title("00000000-") }
    #expect(
      app.failure(
        RequestTodoDetailViewModel.show(Target<Todo>(try RecordReference(word: "00000000-0000-4")))
      )
        == Failure(
          .ambiguous,
          "00000000-0000-4 could be #1, #2; give more of the UUID, or the number.",
          field: "id"
        )
    )
  }

  // MARK: Names

  private let named = Target<Todo>(.named("milk"))
  private let last = Target<Todo>(.last)

  @Test func `@last is what the session added or changed last`() throws {
    let app = try Application()
    let port = app.test.app.port(named: "cli")
    func number() throws -> Int? {
      try app.reply(RequestTodoDetailViewModel.show(last), in: port)?.get().details[0].number
    }
    _ = app.reply(RequestAddTodo.add("Milk"), in: port)
    _ = app.reply(RequestAddTodo.add("Bread"), in: port)
    #expect(try number() == 2)
    _ = app.reply(RequestCompleteTodo.complete(.number(1)), in: port)
    #expect(try number() == 1)
    _ = app.reply(RequestDeleteTodoViewModel.delete(.numbers(1, 2)), in: port)
    #expect(try number() == 2)
    _ = app.reply(RequestTodoDetailViewModel.show(.number(1)), in: port)
    #expect(try number() == 2)
  }

  @Test func `@last is also what an editor saved`() throws {
    let app = try Application()
    let port = app.test.app.port(named: "view")
    var detail = TodoDetailViewModel(.test(1))
    detail.title = "Milk"
    _ = app.reply(RequestUpdateDetailViewModel(detail), in: port)
    #expect(
      try app.reply(RequestTodoDetailViewModel.show(last), in: port)?.get().details[0].title
        == "Milk"
    )
  }

  @Test func `a name stays with its todo, whatever is added after it`() throws {
    let app = try Application()
    let port = app.test.app.port(named: "cli")
    _ = app.reply(RequestAddTodo.add("Milk") { $0.alias = "milk" }, in: port)
    _ = app.reply(RequestAddTodo.add("Bread"), in: port)
    _ = app.reply(RequestCompleteTodo.complete(named), in: port)
    #expect(try app.stored(1).value.complete)
    #expect(try app.stored(2).value.complete == false)
  }

  @Test func `a name belongs to the session that gave it, even among sessions of one kind`() throws
  {
    let app = try Application()
    let (mine, other) = (app.test.app.port(named: "cli"), app.test.app.port(named: "cli"))
    _ = app.reply(RequestAddTodo.add("Milk") { $0.alias = "milk" }, in: mine)
    #expect(
      app.reply(RequestTodoDetailViewModel.show(named), in: other)
        == .failure(
          Failure(
            .notFound,
            "@milk: this session has given no todo that name; 'as @milk' does, at the end of a "
              + "command that adds one.",
            field: "id"
          )
        )
    )
    #expect(
      app.reply(RequestTodoDetailViewModel.show(last), in: other)
        == .failure(
          Failure(
            .notFound,
            "@last: this session has not added or changed a todo yet.",
            field: "id"
          )
        )
    )
    #expect(
      try app.reply(RequestTodoDetailViewModel.show(named), in: mine)?.get().details[0].number == 1
    )
  }

  @Test func `what failed gets no name`() throws {
    let app = try Application()
    let port = app.test.app.port(named: "cli")
    _ = app.reply(RequestAddTodo.add("") { $0.alias = "milk" }, in: port)
    for reference in [named, last] {
      #expect(throws: Failure.self) {
        try app.reply(RequestTodoDetailViewModel.show(reference), in: port)?.get()
      }
    }
  }

  // MARK: Completion

  @Test func `numbers of todos are completed with their titles, the deleted left out`() throws {
    let app = try Application()
    app.add("Milk", "Bread", "Rye")
    app.prepare(RequestDeleteTodoViewModel.delete(.number(2)))
    #expect(
      app.reply(RequestSubjectCandidates(prefix: ""))
        == .success([Candidate("3", "Rye"), Candidate("1", "Milk")])
    )
    #expect(app.reply(RequestSubjectCandidates(prefix: "1")) == .success([Candidate("1", "Milk")]))
  }

  @Test func `a command offers the todos for which it is`() throws {
    let app = try Application()
    app.add("Milk the cow", "Weekly report", "Rye, weekly")
    app.prepare(RequestCompleteTodo.complete(.number(2)))
    app.prepare(RequestDeleteTodoViewModel.delete(.number(1)))
    func offered(_ line: String, _ prefix: String) throws -> [Candidate]? {
      var catalogue = Catalogue()
      catalogue.add(TodoCommands.group, TodoCommands.commands)
      let completion = catalogue.completion(of: TypedLine(line + prefix))
      let live = try #require(completion.live as? RequestOfferedRecords)
      return try app.reply(live)?.get()
    }
    let (report, rye) = (Candidate("2", "Weekly report"), Candidate("3", "Rye, weekly"))
    #expect(try offered("done ", "") == [rye])
    #expect(try offered("reopen ", "") == [report])
    #expect(try offered("restore ", "") == [Candidate("1", "Milk the cow")])
    #expect(try offered("edit ", "") == [rye, report])
    #expect(try offered("edit ", "Week") == [rye, report])
    #expect(try offered("reopen ", "WEEKLY") == [report])
    #expect(try offered("edit ", "eekly") == [])
  }

  @Test func `labels are completed from those in use`() throws {
    let app = try Application()
    let project = try Project(word: "house")
    app.prepare(
      RequestAddTodo.add("Milk") {
        $0.tags = [Tag("home"), Tag("work")]
        $0.project = .set(project)
      }
    )
    #expect(
      app.reply(RequestFieldCandidates("todo", "tags", prefix: "ho"))
        == .success([Candidate("home")])
    )
    #expect(
      app.reply(RequestFieldCandidates("todo", "project", prefix: "ho"))
        == .success([Candidate("house")])
    )
  }
}
