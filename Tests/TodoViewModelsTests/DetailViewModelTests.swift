import RecordCommands
import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import Foundation
import JSONText
import Testing
import TodoModels
import TodoViewModels

@Suite(.hangLimit) struct DetailViewModelTests {
  private let todo = Todo.test(1, "Milk", number: 7, revision: 3) {
    $0.subtitle = "two"
    $0.priority = .high
    $0.tags = ["home"]
  }

  @Test func `S46 a detail has five properties of its todo`() {
    let detail = TodoDetailViewModel(todo)
    #expect(detail.title == "Milk")
    #expect(detail.subtitle == "two")
    #expect(detail.priority == .high)
    #expect(detail.completed == false)
    #expect(detail.deleted == false)
    let other = TodoDetailViewModel(
      .test(1) {
        $0.completedAt = .start
        $0.deleted = true
      }
    )
    #expect(other.priority == .normal)
    #expect(other.completed)
    #expect(other.deleted)
  }

  @Test func `S46 priority, completion and deletion go to and fro`() {
    var detail = TodoDetailViewModel(todo)
    detail.togglePriority()
    #expect(detail.priority == .normal)
    detail.togglePriority()
    #expect(detail.priority == .high)
    detail.toggleCompleted()
    #expect(detail.completed)
    detail.toggleCompleted()
    #expect(!detail.completed)
    detail.toggleDeleted()
    #expect(detail.deleted)
    detail.toggleDeleted()
    #expect(!detail.deleted)
  }

  @Test func `S47 what a detail reads as`() {
    var detail = TodoDetailViewModel(todo)
    #expect(detail.completedText == "Incomplete")
    #expect(detail.deleteActionTitle == "Delete")
    #expect(detail.priorityText == "HIGH")
    detail.toggleCompleted()
    detail.toggleDeleted()
    detail.togglePriority()
    #expect(detail.completedText == "Complete")
    #expect(detail.deleteActionTitle == "Restore")
    #expect(detail.priorityText == "NORMAL")
  }

  @Test(
    arguments: [
      (0, "0 seconds ago"), (999, "0 seconds ago"), (1000, "1 second ago"),
      (1999, "1 second ago"), (2000, "2 seconds ago"), (5000, "5 seconds ago"),
      (86_400_000, "86400 seconds ago"),
    ] as [(Int64, String)]
  )
  func `S47 how long ago it was made, in whole seconds`(age: Int64, text: String) {
    let now = Instant.start.adding(milliseconds: age)
    #expect(TodoDetailViewModel(todo).createdText(at: now) == text)
  }

  @Test(arguments: [-1, -1000, -5000] as [Int64])
  func `S70 a clock that was put back makes no negative age`(age: Int64) {
    let now = Instant.start.adding(milliseconds: age)
    #expect(TodoDetailViewModel(todo).createdText(at: now) == "0 seconds ago")
  }

  @Test func `S48 a detail without a title can't be stored; any other can, as it is`() {
    var detail = TodoDetailViewModel(todo)
    #expect(detail.validate() == .success(detail))
    detail.title = ""
    #expect(
      detail.validate()
        == .failure(Failure(.validation, "Please add a title.", field: "title"))
    )
    detail.title = "a\nb"
    #expect(
      detail.validate()
        == .failure(
          Failure(
            .validation,
            "A title is one line; put the rest into the subtitle.",
            field: "title"
          )
        )
    )
  }

  @Test func `S49 a detail is not to be saved until the server says so`() {
    let detail = TodoDetailViewModel(todo)
    #expect(detail.shouldSave == false)
    #expect((try? detail.validate().get())?.shouldSave == false)
  }

  @Test func `S49 the updated todo has the edits, and the rest as it was`() {
    var detail = TodoDetailViewModel(todo)
    #expect(detail.updatedTodo(at: .start) == todo.value)
    detail.title = "Oat milk"
    detail.subtitle = ""
    detail.togglePriority()
    detail.toggleCompleted()
    detail.toggleDeleted()
    #expect(
      detail.updatedTodo(at: .start)
        == .test(1, "Oat milk", number: 7, revision: 3) {
          $0.completedAt = .start
          $0.deleted = true
          $0.tags = ["home"]
        }
        .value
    )
  }

  @Test func `S69 a todo that was complete keeps its time, unless it is opened`() {
    let early = Instant(milliseconds: 5000)
    var detail = TodoDetailViewModel(.test(1) { $0.completedAt = early })
    #expect(detail.updatedTodo(at: .start).completedAt == early)
    detail.toggleCompleted()
    detail.toggleCompleted()
    #expect(detail.updatedTodo(at: .start).completedAt == early)
    detail.toggleCompleted()
    #expect(detail.updatedTodo(at: .start).completedAt == nil)
  }

  @Test func `S65 details that differ in any one thing are unequal`() {
    let edits: [(inout TodoDetailViewModel) -> Void] = [
      { $0.title = "Bread" }, { $0.subtitle = "" }, { $0.togglePriority() },
      { $0.toggleCompleted() }, { $0.toggleDeleted() },
    ]
    for edit in edits {
      var detail = TodoDetailViewModel(todo)
      edit(&detail)
      #expect(detail != TodoDetailViewModel(todo))
    }
    let newer = Kept(7, todo.value, revision: 4)
    #expect(TodoDetailViewModel(newer) != TodoDetailViewModel(todo))
    #expect(TodoDetailViewModel(todo) == TodoDetailViewModel(todo))
  }

  @Test func `S51 a view model is a value of its model, and vends others`() {
    let list = TodoListViewModel([todo.viewModel])
    let group = TodoDetailGroup(TodoDetailViewModel(todo))
    var detail = group.details[0]
    detail.title = "Oat milk"
    detail.toggleCompleted()
    #expect(detail.updatedTodo(at: .start).title == "Oat milk")
    #expect(list.rows[0].title == "Milk")
    #expect(group.details[0].title == "Milk")
    for model in [list, group, detail, list.rows[0]] as [any Sendable] {
      #expect(Mirror(reflecting: model).displayStyle == .struct)
    }
  }

  @Test(
    arguments: [
      "TodoViewModel", "TodoListViewModel", "TodoDetailViewModel",
    ])
  func `S51 a view model does nothing asynchronous, and has nothing to send by`(
    _ name: String
  ) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Todo/TodoViewModels/ViewModels").standardizedFileURL
    let code = try String(contentsOf: folder.appending(path: "\(name).swift"), encoding: .utf8)
      .split(separator: "\n")
      .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
    #expect(code.contains { $0.hasPrefix("public typealias \(name)") })
    let words = Set(code.joined(separator: " ").split { !$0.isLetter }.map(String.init))
    let hidden: Set = [
      "async", "await", "Task", "EventStream", "ViewPort", "AsyncTurn", "State", "send", "request",
      "perform", "hold", "class", "weak",
    ]
    #expect(words.intersection(hidden) == [])
  }

  @Test func `S52 a detail knows which todo it is of, whatever it shows`() {
    var detail = TodoDetailViewModel(todo)
    detail.title = "Bread"
    #expect(detail != TodoDetailViewModel(todo))
    #expect(detail.uuid == todo.value.uuid)
    #expect(detail.number == 7)
    #expect(!detail.isNew)
    #expect(TodoDetailViewModel(.test(1)).isNew)
  }

  @Test func `a detail is shown with its notes, and written as its todo`() {
    var page = Page()
    var json = JSONWriter()
    var shown = todo
    shown.value.subtitle = "two\nlines"
    shown.value.completedAt = .start
    TodoDetailViewModel(shown).show(on: &page)
    TodoDetailViewModel(shown).write(to: &json)
    #expect(
      page.text == """
        #7 [x] Milk
          subtitle
            two
            lines
          priority   high
          tags       home
          completed  2025-11-20T10:00:00.000Z
          created    2025-11-20T10:00:00.000Z
          uuid       00000000-0000-4000-8000-000000000001

        """
    )
    var row = JSONWriter()
    shown.viewModel.writeItem(to: &row)
    #expect(json.bytes == row.bytes)
  }
}
