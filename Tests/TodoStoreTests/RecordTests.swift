import EventMVVMTesting
import EventPatterns
import EventMVVM
import Foundation
import GRDB
import Testing
import TodoModels

@testable import TodoStore

@Suite(.hangLimit) struct RecordTests {
  private let due = CivilTime("2026-12-01T09:30")

  // MARK: Both ways

  @Test func `S34 a todo survives the file whole`() throws {
    let store = try FreshStore()
    var todo = Todo.test(1, "Milk 牛乳 🥛")
    todo.subtitle = "two\nlines \"quoted\""
    todo.priority = .high
    todo.completedAt = Instant(milliseconds: 4001)
    todo.due = due
    todo.tags = ["b", "a", "ä \\ \""]
    todo.project = "errands"
    try store.write(.add(todo))
    todo.number = 1
    todo.revision = 1
    #expect(try store.other().read(TodoQuery(), in: .committed) == [todo])
  }

  @Test func `S34 the row is keyed by number, and by the model's id`() throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.priority = .high
      $0.due = due
      $0.tags = ["home", "shop"]
    }
    #expect(
      try store.rows("SELECT * FROM todo") == [
        "1 | '00000000-0000-4000-8000-000000000001' | 1000 | 'Milk' | '' | 1 | NULL | 0 | "
          + "'2026-12-01T09:30' | '[\"home\",\"shop\"]' | NULL | 1 | 'milk\n' | NULL"
      ]
    )
    #expect(try store.rows("SELECT name FROM pragma_table_info('todo') WHERE pk") == ["'number'"])
    #expect(try store.rows("SELECT * FROM tag") == ["'home' | 1", "'shop' | 1"])
  }

  @Test(
    arguments: [
      [""], ["a", ""], ["", "a"], [",", "]", "["], ["\",\""], ["a\\"], ["ä", "🥛", "e\u{301}"],
    ])
  func `S34 tags survive the file, whatever is in them`(tags: [String]) throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = tags }
    #expect(try store.todo(1).tags.map { Array($0.utf8) } == tags.map { Array($0.utf8) })
  }

  @Test(
    arguments: [
      (#"[ "a" , "b" ]"#, ["a", "b"]), (#"["a", "b"]"#, ["a", "b"]), (#"["\u0061"]"#, ["a"]),
      (#"[ ]"#, []),
    ])
  func `S34 tags are read however another program has written the list`(
    list: String,
    tags: [String]
  ) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.execute("UPDATE todo SET tags = '\(list)' WHERE number = 1")
    #expect(try store.todo(1).tags == tags)
  }

  @Test func `S34 a text with a NUL in it is read whole`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.execute("UPDATE todo SET title = 'a' || char(0) || 'b' WHERE number = 1")
    #expect(try store.todo(1).title == "a\0b")
  }

  @Test func `S34 an id is in a store once`() throws {
    let store = try FreshStore()
    try store.add(1)
    #expect(throws: DatabaseError.self) {
      try store.execute(
        """
        INSERT INTO todo
        SELECT 2, uuid, 0, '', '', 0, NULL, 0, NULL, '[]', NULL, 2, '' FROM todo
        """
      )
    }
  }

  // MARK: Damage

  @Test(
    arguments: [
      ("uuid = 'nonsense'", "todo #1 is damaged: its uuid can't be read"),
      ("priority = 7", "todo #1 is damaged: its priority can't be read"),
      ("priority = -1", "todo #1 is damaged: its priority can't be read"),
      ("due = 'garbage'", "todo #1 is damaged: its due date can't be read"),
      ("due = ''", "todo #1 is damaged: its due date can't be read"),
      ("due = '2026-02-30'", "todo #1 is damaged: its due date can't be read"),
      ("tags = 'x'", "todo #1 is damaged: its list of tags can't be read"),
      ("tags = ''", "todo #1 is damaged: its list of tags can't be read"),
      ("tags = '{}'", "todo #1 is damaged: its list of tags can't be read"),
      ("tags = '[1]'", "todo #1 is damaged: its list of tags can't be read"),
      ("tags = '[\"a\"'", "todo #1 is damaged: its list of tags can't be read"),
      ("tags = '[\"a\",\"'", "todo #1 is damaged: its list of tags can't be read"),
      ("tags = '[\"a\"]x'", "todo #1 is damaged: its list of tags can't be read"),
      ("tags = '[\"a\",1]'", "todo #1 is damaged: its list of tags can't be read"),
      ("tags = '[\"' || char(10) || '\"]'", "todo #1 is damaged: its list of tags can't be read"),
    ])
  func `S72 a damaged column is named, and nothing traps`(
    damage: String,
    message: String
  ) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2, "Bread")
    try store.execute("UPDATE todo SET \(damage) WHERE number = 1")
    #expect(storeMessage(store) { _ = try store.numbers() } == message)
    #expect(try store.todo(2).title == "Bread")
    #expect(try store.change(2) { $0.title = "Rye bread" }.revision == 3)
  }

  @Test(
    arguments: [
      ("uuid = NULL", "uuid"), ("createdAt = NULL", "creation date"), ("title = NULL", "title"),
      ("subtitle = NULL", "subtitle"), ("priority = NULL", "priority"),
      ("deleted = NULL", "deletion"), ("tags = NULL", "list of tags"),
      ("revision = NULL", "revision"), ("due = x'FF00'", "due date"),
    ])
  func `S72 a column that holds what it can't is named, and nothing traps`(
    damage: String,
    name: String
  ) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2, "Bread")
    try store.loosen("todo", "number INTEGER PRIMARY KEY")
    try store.execute("UPDATE todo SET \(damage) WHERE number = 1")
    let message = storeMessage(store) { _ = try store.numbers() }
    #expect(message == "todo #1 is damaged: its \(name) can't be read")
    #expect(try store.todo(2).title == "Bread")
  }

  @Test(
    arguments: [
      ("title = x'FF'", "title"), ("completedAt = 'soon'", "completion date"),
      ("completedAt = x''", "completion date"), ("due = x'FF'", "due date"),
      ("project = x'FF'", "project"),
    ])
  func `S72 so it is where one todo is asked for`(damage: String, name: String) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.loosen("todo", "number INTEGER PRIMARY KEY")
    try store.execute("UPDATE todo SET \(damage) WHERE number = 1")
    let message = storeMessage(store) { _ = try store.todo(1) }
    #expect(message == "todo #1 is damaged: its \(name) can't be read")
  }

  @Test func `S72 the server answers with the damage, and keeps serving`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2, "Bread")
    try store.execute("UPDATE todo SET priority = 7 WHERE number = 1")
    let context = AppContext()
    context.add(ModelServer(store.database))
    var answers: [Result<[String], ModelError>] = []
    for query in [TodoQuery(), TodoQuery([.number(2)])] {
      context.stream.request(RequestReadTodos(query)) { result, _ in
        if let response = try? result.get() {
          answers.append(response.result.map { $0.map(\.title) })
        }
      }
    }
    let damage = StoreError(path: "", "todo #1 is damaged: its priority can't be read")
    #expect(answers == [.failure(.store(damage)), .success(["Bread"])])
  }

  @Test func `S72 a damaged change log is named, and nothing traps`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.title = "Oat milk" }
    for damage in ["x", "[]", "{\"title\":1}", "{\"due\":\"garbage\"}", "{\"priority\":\"low\"}"] {
      try store.execute("UPDATE change SET before = '\(damage)' WHERE revision = 2")
      let message = storeMessage(store) { try store.change(1, seen: 1) { $0.subtitle = "two" } }
      #expect(message == "the change log of todo #1 is damaged")
    }
    #expect(try store.change(1, seen: 2) { $0.subtitle = "two" }.subtitle == "two")
  }

  @Test(
    arguments: [
      ("todo = NULL", "change 1 is damaged: its todo can't be read"),
      ("todo = 9", "change 1 is damaged: there is no todo #9"),
      ("session = 'x'", "change 1 is damaged: its session can't be read"),
      ("root = 'x'", "change 1 is damaged: its root can't be read"),
      ("origin = x'FF'", "change 1 is damaged: its origin can't be read"),
      ("at = NULL", "change 1 is damaged: its time can't be read"),
    ])
  func `S72 a damaged row of the change log is named to who listens`(
    damage: String,
    message: String
  ) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.loosen("change", "revision INTEGER PRIMARY KEY")
    try store.execute("UPDATE change SET \(damage)")
    let found = storeMessage(store) {
      _ = try store.connection()
        .inDatabase { database in
          try ChangeLog(database).changes(after: 0, besides: 1, limit: 10)
        }
    }
    #expect(found == message)
  }
}
