import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import GRDB
import Testing
import TodoModels

@testable import EventRecords
@testable import SQLiteEngine

/// The rows of todos: what is written is read again, and what is damaged is named.
@Suite(.hangLimit) struct RecordTests {
  private let due = CivilTime("2026-12-01T09:30")

  // MARK: Both ways

  @Test func `S34 a todo survives the file whole`() throws {
    let store = try FreshStore()
    let todo = Todo.test(1, "Milk 牛乳 🥛") {
      $0.subtitle = "two\nlines \"quoted\""
      $0.priority = .high
      $0.completedAt = Instant(milliseconds: 4001)
      $0.due = due
      $0.tags = ["b", "a", "ä \\ \""]
      $0.project = "errands"
      $0.place = ManualPlace(text: "42.V")
    }
    try store.write(.add(todo))
    #expect(try store.other().read() == [Kept(1, todo, revision: 1)])
  }

  @Test func `S34 the row is keyed by number, and by the model's id`() throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.priority = .high
      $0.due = due
      $0.tags = ["home", "shop"]
    }
    #expect(
      try store.rows("SELECT * FROM record_todo") == [
        "1 | 1 | 'milk\n' | '00000000-0000-4000-8000-000000000001' | 'Milk' | '' | 'high' | NULL | "
          + "1000 | 0 | '2026-12-01T09:30' | '[\"home\",\"shop\"]' | NULL | NULL | NULL | NULL | NULL | NULL"
      ]
    )
    #expect(
      try store.rows("SELECT name FROM pragma_table_info('record_todo') WHERE pk")
        == ["'_number'"]
    )
    #expect(try store.rows("SELECT * FROM \"record_todo.tags\"") == ["'home' | 1", "'shop' | 1"])
  }

  @Test(
    arguments: [
      [""], ["a", ""], ["", "a"], [",", "]", "["], ["\",\""], ["a\\"], ["ä", "🥛", "e\u{301}"],
    ])
  func `S34 tags survive the file, whatever is in them`(tags: [String]) throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = tags }
    #expect(try store.todo(1).value.tags.map { Array($0.utf8) } == tags.map { Array($0.utf8) })
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
    try store.execute("UPDATE record_todo SET tags = '\(list)' WHERE _number = 1")
    #expect(try store.todo(1).value.tags == tags)
    #expect(try store.database.labels("tags") == tags)
  }

  @Test func `S34 a text with a NUL in it is read whole`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.execute("UPDATE record_todo SET title = 'a' || char(0) || 'b' WHERE _number = 1")
    #expect(try store.todo(1).value.title == "a\0b")
  }

  @Test func `S34 an id is in a store once`() throws {
    let store = try FreshStore()
    let todo = try store.add(1).value
    #expect(
      recordError { try store.add(1, "Bread") }
        == .taken(1, kind: "todo", field: "uuid", value: "\"\(todo.uuid.text)\"")
    )
    #expect(try store.database.read() == [Kept(1, todo, revision: 1)])
  }

  // MARK: Damage

  @Test(
    arguments: [
      ("uuid = 'nonsense'", "'uuid': 'nonsense' is no identity"),
      ("priority = 7", "'priority': '7' is no value of it"),
      ("priority = 'higher'", "'priority': 'higher' is no value of it"),
      ("due = 'garbage'", "'due': 'garbage' is no date"), ("due = ''", "'due': '' is no date"),
      ("due = '2026-02-30'", "'due': '2026-02-30' is no date"),
      ("tags = 'x'", "'tags': 'x' is no JSON"), ("tags = ''", "'tags': '' is no JSON"),
      ("tags = '{}'", "'tags': expected an array, found an object"),
      ("tags = '[1]'", "'tags': expected a string, found an integer"),
      ("tags = '[\"a\"'", "'tags': '[\"a\"' is no JSON"),
      ("tags = '[\"a\",\"'", "'tags': '[\"a\",\"' is no JSON"),
      ("tags = '[\"a\"]x'", "'tags': '[\"a\"]x' is no JSON"),
      ("tags = '[\"a\",1]'", "'tags': expected a string, found an integer"),
      ("tags = '[\"' || char(10) || '\"]'", "'tags': '[\"\n\"]' is no JSON"),
    ])
  func `S72 a damaged column is named, and nothing traps`(
    damage: String,
    message: String
  ) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2, "Bread")
    try store.execute("UPDATE record_todo SET \(damage) WHERE _number = 1")
    try expectDamage(store, message)
    #expect(try store.change(2) { $0.title = "Rye bread" }.revision == 3)
  }

  @Test(
    arguments: [
      ("uuid = x'FF'", "'uuid': its bytes are of no type that is stored"),
      ("createdAt = 'soon'", "'createdAt': expected an integer, found a text"),
      ("title = x'FF'", "'title': its bytes are of no type that is stored"),
      ("title = CAST(x'FF' AS TEXT)", "'title': its bytes are no text"),
      ("subtitle = 3", "'subtitle': expected a text, found an integer"),
      ("priority = 1.5", "'priority': expected a text, found a number"),
      ("deleted = 'no'", "'deleted': expected 0 or 1, found a text"),
      ("deleted = 2", "'deleted': expected 0 or 1, found an integer"),
      ("tags = x'00'", "'tags': its bytes are of no type that is stored"),
      ("due = x'FF00'", "'due': its bytes are of no type that is stored"),
      ("completedAt = 'soon'", "'completedAt': expected an integer, found a text"),
      ("completedAt = x''", "'completedAt': its bytes are of no type that is stored"),
      ("project = x'FF'", "'project': its bytes are of no type that is stored"),
      ("place = 1", "'place': expected a text, found an integer"),
      ("place = '3.V'", "'place': '3.V' is no place"),
    ])
  func `S72 a column that holds what it can't is named, and nothing traps`(
    damage: String,
    message: String
  ) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2, "Bread")
    try store.loosen("record_todo", "_number INTEGER PRIMARY KEY")
    try store.execute("UPDATE record_todo SET \(damage) WHERE _number = 1")
    try expectDamage(store, message)
  }

  /// Expects the first of two todos to be damaged, and the second to be read.
  private func expectDamage(_ store: FreshStore, _ message: String) throws {
    let part = try store.database.part(.newest, in: .committed)
    #expect(part.records.map(\.value.title) == ["Bread"])
    let trouble = try #require(part.trouble?.failure)
    #expect(trouble.message.hasPrefix("1 of 2 records can't be read and is left out: todo #1."))
    #expect(trouble.message.contains("Of #1: \(message)"))
    guard case .damaged(1, "todo", let why) = recordError({ _ = try store.todo(1) }) else {
      Issue.record("#1 is not damaged")
      return
    }
    #expect(why == message)
    #expect(try store.todo(2).value.title == "Bread")
  }

  @Test func `a column that was never written is as in a new todo`() throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.priority = .high
      $0.tags = ["home"]
    }
    try store.execute("UPDATE record_todo SET title = NULL, priority = NULL, tags = NULL")
    #expect(try store.todo(1).value == .test(1, ""))
  }

  @Test func `S72 the server answers with the damage, and keeps serving`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2, "Bread")
    try store.execute("UPDATE record_todo SET priority = 7 WHERE _number = 1")
    let process = store.process()
    #expect(throws: Failure.self) { try process.ask(RequestReadTodos(1)) }
    #expect(try process.ask(RequestReadTodos(2)).map(\.value.title) == ["Bread"])
    #expect(try process.ask(RequestReadTodos()).map(\.number) == [2])
  }

  @Test(arguments: ["x", "[]", "{\"title\":1}", "{\"due\":\"garbage\"}", "{\"priority\":\"low\"}"])
  func `S72 a damaged change log is named, and nothing traps`(damage: String) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.title = "Oat milk" }
    try store.execute("UPDATE change SET before = '\(damage)' WHERE revision = 2")
    let changed = Todo.test(1) { $0.subtitle = "two" }
    guard
      case .damaged(1, "todo", _) = recordError({ try store.write(.put(1, changed, seen: 1)) })
    else {
      Issue.record("the log is not damaged")
      return
    }
    #expect(try store.todo(1).value == .test(1, "Oat milk"))
    #expect(try store.change(1, seen: 2) { $0.subtitle = "two" }.value.subtitle == "two")
  }

  @Test(
    arguments: [
      "record = NULL", "kind = x'FF'", "before = 1", "after = x'FF'", "session = 'x'", "root = 'x'",
      "origin = x'FF'", "at = NULL",
    ])
  func `S72 a damaged row of the change log is named to who listens`(damage: String) throws {
    let store = try FreshStore()
    try store.add(1)
    try store.loosen("change", "revision INTEGER PRIMARY KEY")
    try store.execute("UPDATE change SET \(damage)")
    let message = storeMessage(store) {
      _ = try store.database.records.read(in: .committed) {
        try RecordHistory($0, RecordTypes(of: [TodoDatabase.table]))
          .external(after: 0, excluding: 1, limit: 10)
      }
    }
    #expect(message == "the change log is damaged")
  }
}
