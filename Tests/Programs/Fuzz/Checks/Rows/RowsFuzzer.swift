import EventCommands
import EventMVVM
import EventRecords
import SQLiteEngine
import TodoModels

/// Rows of any content through the store, the servers and the view models.
func checkRows(_ bytes: [UInt8]) {
  do {
    var choices = Choices(bytes)
    try store.fill([
      "record_todo": [todo(1, &choices), todo(2, &choices)],
      "change": [change(2, &choices), change(3, &choices)],
      "record_todo.tags": [tag(1, &choices), tag(2, &choices)],
    ])
  } catch {
    fatalError("the rows can't be stored: \(error)")
  }
  let session = Session(store.database, World.of(bytes))
  checkReading(session)
  for line in lines { check(line, session) }
}

private let store: LooseStore = {
  do { return try LooseStore() } catch { fatalError("no store: \(error)") }
}()

/// Demands that a failure of the store says what is damaged.
private func requireDamage(_ message: String, _ what: String) {
  let isNamed =
    message.contains("can't be read") && message.contains(" #")
    || message.contains("the change log is damaged") || message.contains("is damaged: ")
  require(isNamed, "\(what) fails with: \(message)")
}

// MARK: - Reading

/// What is read in parts, and what watchers of other processes read.
private func checkReading(_ session: Session) {
  if let failure = session.readInParts() { requireDamage(failure.message, "reading in parts") }
  do {
    _ = try store.database.readCommitted { reader in
      try RecordHistory(reader, RecordTypes(of: [RecordTable(Todo.self)]))
        .external(after: 0, excluding: 9, limit: 500)
    }
  } catch {
    requireDamage("\(error)", "watching")
  }
}

// MARK: - Commands

/// Reads and writes; the stale edits have the change log read.
private let lines = [
  "doctor", "list", "list --all --sort=-due", "list --tag=home --project=errands milk",
  "list --limit=1", "show 1", "show 0000", "edit 1 --title=Bread --expected-revision=1",
  "done 1 2", "edit 2 --tag=x --due=today --expected-revision=2", "list --sort=title",
]

/// A command shows todos, or fails with what is damaged, or as it does on sound todos.
private func check(_ line: String, _ session: Session) {
  let words = line.split(separator: " ").enumerated()
    .map { Word(text: String($1), offset: $0, isBare: true) }
  do {
    let command = try Session.catalogue.read(words)
    if case .failure(let failure) = session.answer(command), failure.kind == .store {
      requireDamage(failure.message, "'\(line)'")
    }
  } catch {
    fatalError("'\(line)' can't be read: \(error.message)")
  }
}

// MARK: - Rows

private func todo(_ number: Int64, _ choices: inout Choices) -> [String: Column] {
  let uuid: Column =
    number == 1
    ? "00000000-0000-4000-8000-000000000001" : "00000000-0000-4000-8000-000000000002"
  return [
    "_number": number == 1 ? 1 : Column([2], &choices).key,
    "uuid": Column([uuid], &choices),
    "createdAt": Column([1000, 0, -1], &choices),
    "title": Column(["Milk", "Buy\u{1B}[31m milk", "\u{202E}"], &choices),
    "subtitle": Column(["", "two\nlines"], &choices),
    "priority": Column([0, 1], &choices),
    "completedAt": Column([.null, 2000], &choices),
    "deleted": Column([0, 0, 0, 1], &choices),
    "due": Column([.null, "2026-12-01", "2026-12-01T09:30", "9999-12-31"], &choices),
    "tags": Column(["[]", #"["home"]"#, #"["a","b"]"#], &choices),
    "project": Column([.null, "errands"], &choices),
    "_revision": Column([3, 1], &choices),
    "_text": Column(["milk\n", "milk"], &choices),
    "place": Column([.null, "0000000000000000002V"], &choices),
  ]
}

private func change(_ revision: Int64, _ choices: inout Choices) -> [String: Column] {
  let fields: [Column] = [
    #"{"title":"Milk"}"#, .null, #"{"due":null,"completedAt":2000,"deleted":false}"#,
    #"{"tags":["a"],"project":"errands","priority":"high","subtitle":"x","due":"2026-12-01"}"#,
  ]
  return [
    "revision": .integer(revision),
    "record": Column([1, 2], &choices),
    "kind": Column(["todo"], &choices),
    "part": Column([0], &choices),
    "before": Column(fields, &choices),
    "after": Column(fields, &choices),
    "session": Column([1], &choices),
    "root": Column([1], &choices),
    "origin": Column(["fuzz"], &choices),
    "at": Column([1000], &choices),
  ]
}

private func tag(_ todo: Int64, _ choices: inout Choices) -> [String: Column] {
  ["name": Column(["home", "a"], &choices), "number": Column([.integer(todo)], &choices)]
}

extension Column {
  /// A key that SQLite takes, other than 1.
  fileprivate var key: Column {
    guard case .integer(let number) = self, number != 1 else { return 2 }
    return self
  }
}
