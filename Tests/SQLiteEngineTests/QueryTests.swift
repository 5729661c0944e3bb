import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import Testing
import TodoModels

/// What is asked of todos, as SQLite finds it.
@Suite(.hangLimit) struct QueryTests {
  private func store(_ titles: String...) throws -> FreshStore {
    let store = try FreshStore()
    for (index, title) in titles.enumerated() { try store.add(UInt64(index + 1), title) }
    return store
  }

  // MARK: Flags

  @Test func `S36 done, open, deleted, or all`() throws {
    let store = try store("open", "done", "deleted", "done and deleted")
    for number in [2, 4] {
      try store.change(number) { $0.complete(true, at: Instant(milliseconds: 9000)) }
    }
    for number in [3, 4] { try store.change(number) { $0.deleted = true } }
    #expect(try store.numbers() == [4, 3, 2, 1])
    #expect(try store.numbers(where: .not(.isNil(\.completedAt))) == [4, 2])
    #expect(try store.numbers(where: .isNil(\.completedAt)) == [3, 1])
    #expect(try store.numbers(where: .equals(\.deleted, true)) == [4, 3])
    #expect(try store.numbers(where: .equals(\.deleted, false)) == [2, 1])
    #expect(try store.numbers(where: .isNil(\.completedAt), .equals(\.deleted, false)) == [1])
  }

  // MARK: Words

  @Test func `S36 words must all be there, in title or notes`() throws {
    let store = try FreshStore()
    try store.add(1, "Buy milk") { $0.subtitle = "at the corner" }
    try store.add(2, "Buy bread")
    try store.add(3, "Milk the cow")
    #expect(try store.numbers(where: .contains("milk")) == [3, 1])
    #expect(try store.numbers(where: .contains("milk"), .contains("buy")) == [1])
    #expect(try store.numbers(where: .contains("corner"), .contains("MILK")) == [1])
    #expect(try store.numbers(where: .contains("ilk")) == [3, 1])
    #expect(try store.numbers(where: .contains("milk"), .contains("butter")) == [])
  }

  @Test(
    arguments: [
      ("Äpfel holen", "äPFEL"), ("ÜBERGRÖSSE", "übergrö"), ("Straße", "STRAßE"),
      ("牛乳を買う", "牛乳"), ("Купить МОЛОКО", "молоко"), ("ΓΑΛΑ", "γαλα"), ("100% _sure_", "% _SURE"),
      ("it's \"quoted\"", "'S \"Q"), ("🥛 milk", "🥛"),
    ])
  func `S36 a word is found in any case and script, and literally`(
    title: String,
    word: String
  ) throws {
    let store = try store(title, "something else")
    #expect(try store.numbers(where: .contains(word)) == [1])
  }

  @Test func `S36 an edited todo is found by its new words`() throws {
    let store = try store("Milk")
    try store.change(1) { $0.title = "Bread" }
    #expect(try store.numbers(where: .contains("milk")) == [])
    #expect(try store.numbers(where: .contains("bread")) == [1])
  }

  // MARK: Labels and priority

  @Test func `S36 tags must all be there`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home", "shop"] }
    try store.add(2) { $0.tags = ["home"] }
    try store.add(3)
    #expect(try store.numbers(where: .has(\.tags, "home")) == [2, 1])
    #expect(try store.numbers(where: .has(\.tags, "shop"), .has(\.tags, "home")) == [1])
    #expect(try store.numbers(where: .has(\.tags, "Home")) == [])
    try store.change(1) { $0.tags = ["shop"] }
    #expect(try store.numbers(where: .has(\.tags, "home")) == [2])
  }

  @Test func `S36 of a project, of a priority`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.project = "errands" }
    try store.add(2) { $0.project = "errand" }
    try store.add(3) { $0.priority = .high }
    #expect(try store.numbers(where: .equals(\.project, "errands")) == [1])
    #expect(try store.numbers(where: .equals(\.priority, .high)) == [3])
    #expect(try store.numbers(where: .equals(\.priority, .normal)) == [2, 1])
  }

  @Test func `labels in use are listed by prefix, in order, each once`() throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.tags = ["work", "home"]
      $0.project = "house"
    }
    try store.add(2) {
      $0.tags = ["holiday", "home"]
      $0.project = "house"
    }
    try store.add(3) { $0.project = "ähre" }
    #expect(try store.database.labels("tags") == ["holiday", "home", "work"])
    #expect(try store.database.labels("tags", prefix: "ho") == ["holiday", "home"])
    #expect(try store.database.labels("tags", prefix: "hom") == ["home"])
    #expect(try store.database.labels("project") == ["house", "ähre"])
    #expect(try store.database.labels("project", prefix: "ä") == ["ähre"])
  }

  // MARK: Dates

  private func dated() throws -> FreshStore {
    let store = try FreshStore()
    for (index, due) in ["2026-11-30", "2026-12-01", "2026-12-01T09:30", "2026-12-02", nil]
      .enumerated()
    {
      try store.add(UInt64(index + 1)) { $0.due = due.flatMap { CivilTime($0) } }
    }
    return store
  }

  @Test(
    arguments: [
      ("2026-11-30", []), ("2026-12-01", [1]), ("2026-12-02", [3, 2, 1]),
      ("2026-12-01T09:30", [1]), ("2026-12-01T09:31", [3, 1]), ("2026-12-02T00:00", [3, 2, 1]),
      ("2026-12-03", [4, 3, 2, 1]),
    ])
  func `S36 due before is strict, and a day lasts until its end`(
    date: String,
    numbers: [Int]
  ) throws {
    let store = try dated()
    #expect(try store.numbers(where: .less(\.due, than: CivilTime(date))) == numbers)
  }

  @Test(
    arguments: [
      ("2026-11-29", [4, 3, 2, 1]), ("2026-11-30", [4, 3, 2]), ("2026-12-01", [4]),
      ("2026-12-01T09:29", [4, 3, 2]), ("2026-12-01T09:30", [4, 2]), ("2026-12-02", []),
    ])
  func `S36 due after is strict, and the minutes of a day are a part of it`(
    date: String,
    numbers: [Int]
  ) throws {
    let store = try dated()
    #expect(try store.numbers(where: .greater(\.due, than: CivilTime(date))) == numbers)
  }

  @Test(
    arguments: [
      ("2026-11-30", [1], [4, 3, 2, 1]), ("2026-12-01", [3, 2, 1], [4, 3, 2]),
      ("2026-12-01T09:30", [3, 1], [4, 3, 2]), ("2026-12-01T09:31", [3, 1], [4, 2]),
      ("2026-12-02", [4, 3, 2, 1], [4]),
    ])
  func `due at most, and at least, are the contrary of after and before`(
    date: String,
    most: [Int],
    least: [Int]
  ) throws {
    let store = try dated()
    let date = CivilTime(date)
    #expect(try store.numbers(where: .atMost(\.due, date)) == most)
    #expect(try store.numbers(where: .atLeast(\.due, date)) == least)
    #expect(try store.numbers(where: .not(.greater(\.due, than: date))) == [5] + most)
    #expect(try store.numbers(where: .not(.less(\.due, than: date))) == [5] + least)
  }

  @Test func `S36 between two dates`() throws {
    let store = try dated()
    let numbers = try store.numbers(
      where: .greater(\.due, than: CivilTime("2026-11-30")),
      .less(\.due, than: CivilTime("2026-12-02"))
    )
    #expect(numbers == [3, 2])
  }

  // MARK: Order

  @Test func `S36 by creation, ties by number, newest first`() throws {
    let store = try FreshStore()
    for (id, seconds) in [2, 1, 2, 3].enumerated() {
      try store.add(UInt64(id + 1)) { $0.createdAt = Instant(milliseconds: Int64(seconds) * 1000) }
    }
    #expect(try store.numbers() == [4, 3, 1, 2])
    #expect(try store.numbers(Query().sorted(by: \.createdAt).newestFirst()) == [2, 3, 1, 4])
  }

  @Test func `S36 by due date, those without last in either direction`() throws {
    let store = try dated()
    try store.add(6) { $0.due = CivilTime("2026-12-01") }
    try store.add(7)
    #expect(
      try store.numbers(Query().sorted(by: \.due).newestFirst()) == [1, 6, 2, 3, 4, 7, 5]
    )
    #expect(
      try store.numbers(Query().sorted(by: \.due, descending: true).newestFirst())
        == [4, 3, 6, 2, 1, 7, 5]
    )
  }

  @Test func `S36 by priority, ties by number, newest first`() throws {
    let store = try FreshStore()
    for id in 1...4 { try store.add(UInt64(id)) { $0.priority = id % 2 == 0 ? .high : .normal } }
    #expect(
      try store.numbers(Query().sorted(by: \.priority, descending: true).newestFirst())
        == [4, 2, 3, 1]
    )
    #expect(try store.numbers(Query().sorted(by: \.priority).newestFirst()) == [3, 1, 4, 2])
  }

  @Test func `S36 by title in any case, ties by number whatever the notes`() throws {
    let store = try FreshStore()
    try store.add(1, "bread") { $0.subtitle = "a" }
    try store.add(2, "Apples")
    try store.add(3, "Bread") { $0.subtitle = "b" }
    try store.add(4, "bread rolls")
    let query = Query<Todo>().sorted(alphabeticallyBy: \.title).newestFirst()
    #expect(try store.numbers(query) == [2, 3, 1, 4])
    let reversed = Query<Todo>().sorted(alphabeticallyBy: \.title, descending: true).newestFirst()
    #expect(try store.numbers(reversed) == [4, 3, 1, 2])
  }

  @Test func `by title as in a dictionary, whatever the letters carry`() throws {
    let store = try store(
      "Zoo",
      "Äpfel",
      "Birne",
      "Ärzte",
      "Éclair",
      "apfel",
      "øre",
      "Straße",
      "STRASSE a"
    )
    #expect(
      try store.numbers(Query().sorted(alphabeticallyBy: \.title)) == [2, 6, 4, 3, 5, 7, 8, 9, 1]
    )
  }

  @Test func `texts in the form of an earlier version are adapted at the first write`() throws {
    let store = try store("Äpfel", "Straße")
    let table = RecordTable(Todo.self)
    #expect(table.signature != table.columnSignature)
    try store.execute(
      "UPDATE declaration SET signature = \(table.columnSignature) WHERE signature = \(table.signature)"
    )
    try store.execute("UPDATE record_todo SET _text = lower(title)")
    let later = store.other()
    #expect(try later.read(Query().where(.contains("strasse"))).map(\.number) == [2])
    #expect(try later.read(Query().where(.contains("apfel"))).map(\.number) == [1])
  }

  @Test func `S36 a limit counts after filter and order`() throws {
    let store = try store("c", "b", "a", "x")
    try store.change(4) { $0.deleted = true }
    func numbers(_ limit: Int) throws -> [Int] {
      try store.numbers(
        Query().where(.equals(\.deleted, false)).sorted(alphabeticallyBy: \.title).first(limit)
      )
    }
    #expect(try numbers(0) == [])
    #expect(try numbers(2) == [3, 2])
    #expect(try numbers(9) == [3, 2, 1])
  }
}
