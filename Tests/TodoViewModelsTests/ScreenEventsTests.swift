import EventMVVMTesting
import EventPatterns
import EventCommands
import EventMVVM
import Testing
import TodoModels

@testable import TodoViewModels

/// What the domain shows on a screen besides results.
@Suite(.hangLimit) struct ScreenEventsTests {
  private func text(of announcement: any Announcement) -> String {
    var page = Page()
    announcement.announce(on: &page)
    return page.text
  }

  @Test func `S45 what was added, changed and removed is told apart, and whose it was`() {
    let bread = Todo.test(2, "Bread", number: 2)
    let news = ResponseChangedTodoViewModels(
      [
        WrittenTodo(.test(1, "Milk", number: 1), .added), WrittenTodo(bread, .changed),
        WrittenTodo(bread, nil), WrittenTodo(.test(3, "Rye", number: 3), .removed),
      ],
      by: "cli"
    )
    #expect(text(of: news) == "cli + #1 [ ] Milk\ncli ~ #2 [ ] Bread\ncli - #3 [ ] Rye\n")
  }

  @Test func `of many news three are shown, and the others counted`() {
    let many = (1...5).map { WrittenTodo(.test(1, "Milk", number: $0), .added) }
    #expect(
      text(of: ResponseChangedTodoViewModels(many)).hasSuffix("#3 [ ] Milk\n  … and 2 more\n")
    )
  }

  @Test func `what the store can't do is announced as an error`() {
    let trouble = ResponseStoreTrouble(Failure(.store, "/a: is \u{1B}damaged"))
    #expect(text(of: trouble) == "error: /a: is \\u{1B}damaged\n")
  }

  @Test func `what a change means is told by what was there before`() {
    var deleted = Todo.test(1)
    deleted.deleted = true
    var withdrawn = Todo.test(1)
    withdrawn.withdrawn = true
    #expect(TodoNovelty(from: nil, to: .test(1)) == .added)
    #expect(TodoNovelty(from: .test(1), to: .test(1, "Rye")) == .changed)
    #expect(TodoNovelty(from: .test(1), to: deleted) == .removed)
    #expect(TodoNovelty(from: deleted, to: .test(1)) == .added)
    #expect(TodoNovelty(from: deleted, to: withdrawn) == .changed)
    #expect(TodoNovelty(from: .test(1), to: withdrawn) == .removed)
  }

  @Test func `the status counts what is open, and what of it was due before today`() throws {
    let app = try Application()
    app.add("Milk", "Bread", "Rye", "Oats")
    app.prepare(RequestCompleteTodo.todo(4))
    app.prepare(RequestEditTodo.due(1, "2025-11-19"))
    app.prepare(RequestEditTodo.due(2, "2025-11-20"))
    app.prepare(RequestEditTodo.due(4, "2025-11-19"))
    #expect(app.reply(RequestTodoStatus()) == .success(StatusText(open: 3, overdue: 1)))
    #expect(StatusText(open: 3, overdue: 0).pieces.map(\.text) == ["3 open"])
    #expect(StatusText(open: 3, overdue: 1).pieces.map(\.text) == ["3 open", ", ", "1 overdue"])
  }

  @Test func `a store that is not there has nothing open`() throws {
    #expect(
      try Application().reply(RequestTodoStatus()) == .success(StatusText(open: 0, overdue: 0))
    )
  }
}

extension RequestCompleteTodo {
  fileprivate static func todo(_ number: Int) -> Self {
    var request = Self()
    request.id = References(.todo(.number(number)))
    return request
  }
}

extension RequestEditTodo {
  fileprivate static func due(_ number: Int, _ date: String) -> Self {
    var request = Self()
    request.id = References(.todo(.number(number)))
    request.due = (try? When(word: date)).map { .set($0) } ?? .keep
    return request
  }
}
