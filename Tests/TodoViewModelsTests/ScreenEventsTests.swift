import RecordCommands
import EventMVVMTesting
import EventRecords
import Completing
import EventCommands
import EventMVVM
import EventValues
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
        Todo.test(1, "Milk", number: 1).written(), bread.written(from: .test(2, number: 2)),
        bread.written(from: bread),
        RecordTransition(3, from: Todo.test(3, "Rye").value, to: nil, revision: 1),
      ],
      by: "cli"
    )
    #expect(
      text(of: news) == "cli + #1 [ ] Milk\ncli ~ #2 [ ] Bread\ncli - #3 [ ] Rye  (deleted)\n"
    )
  }

  @Test func `of many news three are shown, and the others counted`() {
    let many = (1...5).map { Todo.test(1, "Milk", number: $0).written() }
    #expect(
      text(of: ResponseChangedTodoViewModels(many)).hasSuffix("#3 [ ] Milk\n  … and 2 more\n")
    )
  }

  @Test func `what the store can't do is announced as an error`() {
    let trouble = ResponseStoreTrouble(Failure(.store, "/a: is \u{1B}damaged"))
    #expect(text(of: trouble) == "error: /a: is \\u{1B}damaged\n")
  }

  @Test func `what a change means is told by what was there before`() {
    func novelty(_ before: Kept<Todo>?, _ after: Kept<Todo>?) -> String? {
      let transition = RecordTransition(1, from: before?.value, to: after?.value, revision: 2)
      return ResponseChangedTodoViewModels([transition]).items.first?.change.rawValue
    }
    let deleted = Todo.test(1) { $0.deleted = true }
    #expect(novelty(nil, .test(1)) == "added")
    #expect(novelty(.test(1), .test(1, "Rye")) == "changed")
    #expect(novelty(.test(1), .test(1)) == nil)
    #expect(novelty(.test(1), deleted) == "removed")
    #expect(novelty(deleted, .test(1)) == "added")
    #expect(novelty(deleted, nil) == "changed")
    #expect(novelty(.test(1), nil) == "removed")
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
    request.id = Target(.number(number))
    return request
  }
}

extension RequestEditTodo {
  fileprivate static func due(_ number: Int, _ date: String) -> Self {
    var request = Self()
    request.id = Target(.number(number))
    request.due = (try? When(word: date)).map { .set($0) } ?? .keep
    return request
  }
}
