import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import JSONText
import ProcessTesting
import RecordCommands
import SQLiteEngine
import Testing
import TodoModels
import TodoStores

/// Stores that the programs of earlier days have written: every schema that todos had before they
/// were records, and that of records whose ranked values were stored as their ranks.
@Suite(.hangLimit) struct MigrationTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Stores").path
  private let place: Workplace
  private var path: String { place.folder.path + "/todos.sqlite" }
  private let test = TestContext()

  init() throws { place = try Workplace() }

  /// A store of a schema, as the program of its day wrote it.
  private func restore(_ schema: Int) throws {
    let file = "\(Self.folder)/schema-\(schema).sql"
    let outcome = try place.start(#"exec sqlite3 "$1" <"$2""#, [path, file]).outcome()
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private func open() {
    let database = RecordDatabase(of: "todostream", after: .todos, path: path)
    test.add(RecordServer(database, [Todo.self], watchesExternalChanges: false, tellsViews: false))
  }

  private func ask<R: Request>(_ request: R) throws -> R.Reply.Value
  where R.Reply.Problem == Failure {
    defer { test.skip() }
    return try #require(try test.request(request)?.get()).result.get()
  }

  private static let everything = Query<Todo>().sorted(by: \.createdAt, descending: true)
    .newestFirst()

  private func list() throws -> JSON {
    var json = JSONWriter()
    let todos = try ask(RequestReadTodos(Self.everything))
    try json.array { json in for todo in todos { try RecordView(todo).write(to: &json) } }
    return try JSON(parsing: json.bytes)
  }

  /// The schema whose program told what is in a store: the sixth is the fourth, converted.
  private static func told(_ schema: Int) -> Int { min(schema, 4) }

  private static func recorded(_ name: String) throws -> [JSON] {
    let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
  }

  @Test(arguments: [1, 2, 3, 4, 6])
  func `a store of an earlier schema has all its todos`(_ schema: Int) throws {
    try restore(schema)
    open()
    #expect(try list() == Self.recorded("schema-\(Self.told(schema)).list.json").first)
  }

  @Test(arguments: [1, 2, 3, 4, 6])
  func `it is sound behind its first write, and a copy of the file stays`(_ schema: Int) throws {
    try restore(schema)
    let before = try Data(contentsOf: URL(filePath: path))
    open()
    var todo = Todo(uuid: .random(), createdAt: Instant(milliseconds: 1000))
    todo.title = "Milk"
    _ = try ask(RequestWriteTodo([.add(todo)]))
    var json = JSONWriter()
    try ask(RequestDoctor()).write(to: &json)
    #expect(!String(decoding: json.bytes, as: UTF8.self).contains(#""level":"error""#))
    let place = try Workplace()
    let table = schema < 5 ? "todo" : "record_todo"
    let count = "SELECT count(*), (SELECT count(*) FROM change) FROM \(table)"
    let copy =
      try place.start(#"exec sqlite3 "$1" "$2""#, ["\(path).schema-\(schema)", count])
      .outcome()
    try before.write(to: URL(filePath: path + ".before"))
    let original = try place.start(#"exec sqlite3 "$1" "$2""#, [path + ".before", count])
      .outcome()
    #expect(copy.status == 0)
    #expect(copy.output == original.output)
  }

  /// What a step did to a todo, as the earlier program told it.
  private struct Told: Equatable {
    var step: JSON = .null
    var kind: JSON = .null
    var isTakenBack: JSON = .null
    var change: JSON = .null
    /// What was before and after, by the field's name.
    var fields: [String] = []

    init(_ entry: JournalEntry) {
      step = .integer(Int64(entry.step.number))
      kind =
        switch entry.step.kind {
        case .change: "change"
        case .undo: "undo"
        case .redo: "redo"
        }
      isTakenBack = .bool(entry.step.isUndone)
      guard let first = entry.changes.first else { return }
      change = .string(first.kind.rawValue)
      fields = first.fields.map { "\($0.name) \($0.before) \($0.after)" }
    }

    init(_ entry: JSON) {
      (step, kind, isTakenBack) = (entry["step"], entry["kind"], entry["takenBack"])
      guard case .array(let changes) = entry["changes"], let first = changes.first else { return }
      change = first["change"]
      guard case .object(let members) = first["fields"] else { return }
      fields = members.map { "\($0.name) \($0.value["before"]) \($0.value["after"])" }
    }
  }

  @Test(arguments: [3, 4, 6])
  func `its history is what it was`(_ schema: Int) throws {
    try restore(schema)
    open()
    for (index, recorded) in try Self.recorded("schema-\(Self.told(schema)).todos.jsonl")
      .enumerated()
    {
      guard case .array(let entries) = recorded else { continue }
      let number = index + 1
      var told = entries.map(Told.init)
      if number == 22 {
        // An undo changed it while it was not there: nothing became of it.
        #expect(told[0].change == "changed")
        told[0].change = "added"
        told[0].fields = []
      }
      #expect(
        try ask(RequestSubjectJournal(of: "\(number)", limit: 1000)).map(Told.init) == told,
        "#\(number)"
      )
    }
  }

  @Test(arguments: [3, 4, 6])
  func `all of its steps are undone, and redone`(_ schema: Int) throws {
    try restore(schema)
    open()
    let before = try list()
    var undone: [Int] = []
    while let step = try ask(RequestJournal(.newest(1000)))
      .first(where: { $0.step.kind == .change && !$0.step.isUndone })
    {
      _ = try ask(RequestReversal(.number(step.step.number), conflicts: .skip))
      undone.append(step.step.number)
    }
    #expect(undone.count > 20)
    // Something that a partial undo has left was changed about #21: so its addition stays.
    #expect(try ask(RequestReadTodos(Self.everything)).map(\.number) == [21])
    while let step = try ask(RequestJournal(.newest(1000)))
      .first(where: { step in
        if case .undo(let number) = step.step.kind {
          !step.step.isUndone && undone.contains(number)
        } else {
          false
        }
      })
    {
      _ = try ask(RequestReversal(.number(step.step.number), conflicts: .skip))
    }
    #expect(try titles(list()) == titles(before))
  }

  private func titles(_ list: JSON) -> [String] {
    guard case .array(let todos) = list else { return [] }
    return todos.map { todo in
      guard case .object(let members) = todo else { return "" }
      return members.filter { $0.name != "revision" }.map { "\($0.name)=\($0.value)" }
        .joined(separator: " ")
    }
  }
}

extension JSON {
  /// A member of an object; null if there is none.
  fileprivate subscript(name: String) -> JSON {
    guard case .object(let members) = self else { return .null }
    return members.first { $0.name == name }?.value ?? .null
  }
}
