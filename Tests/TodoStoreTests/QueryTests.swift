import EventMVVMTesting
import EventPatterns
import EventMVVM
import Testing
import TodoModels
import TodoStore

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
      try store.change(number) { $0.completion = .complete(Instant(milliseconds: 9000)) }
    }
    for number in [3, 4] { try store.change(number) { $0.deleted = true } }
    #expect(try store.numbers() == [4, 3, 2, 1])
    #expect(try store.numbers { $0.predicate.complete = true } == [4, 2])
    #expect(try store.numbers { $0.predicate.complete = false } == [3, 1])
    #expect(try store.numbers { $0.predicate.deleted = true } == [4, 3])
    #expect(try store.numbers { $0.predicate.deleted = false } == [2, 1])
    let openAndThere = try store.numbers {
      $0.predicate.complete = false
      $0.predicate.deleted = false
    }
    #expect(openAndThere == [1])
  }

  // MARK: Words

  @Test func `S36 words must all be there, in title or notes`() throws {
    let store = try FreshStore()
    try store.add(1, "Buy milk") { $0.subtitle = "at the corner" }
    try store.add(2, "Buy bread")
    try store.add(3, "Milk the cow")
    #expect(try store.numbers { $0.predicate.words = ["milk"] } == [3, 1])
    #expect(try store.numbers { $0.predicate.words = ["milk", "buy"] } == [1])
    #expect(try store.numbers { $0.predicate.words = ["corner", "MILK"] } == [1])
    #expect(try store.numbers { $0.predicate.words = ["ilk"] } == [3, 1])
    #expect(try store.numbers { $0.predicate.words = ["milk", "butter"] } == [])
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
    #expect(try store.numbers { $0.predicate.words = [word] } == [1])
  }

  @Test func `S36 an edited todo is found by its new words`() throws {
    let store = try store("Milk")
    try store.change(1) { $0.title = "Bread" }
    #expect(try store.numbers { $0.predicate.words = ["milk"] } == [])
    #expect(try store.numbers { $0.predicate.words = ["bread"] } == [1])
  }

  // MARK: Labels and priority

  @Test func `S36 tags must all be there`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home", "shop"] }
    try store.add(2) { $0.tags = ["home"] }
    try store.add(3)
    #expect(try store.numbers { $0.predicate.tags = ["home"] } == [2, 1])
    #expect(try store.numbers { $0.predicate.tags = ["shop", "home"] } == [1])
    #expect(try store.numbers { $0.predicate.tags = ["Home"] } == [])
    try store.change(1) { $0.tags = .adjust(add: [], remove: ["home"]) }
    #expect(try store.numbers { $0.predicate.tags = ["home"] } == [2])
  }

  @Test func `S36 of a project, of a priority`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.project = "errands" }
    try store.add(2) { $0.project = "errand" }
    try store.add(3) { $0.priority = .high }
    #expect(try store.numbers { $0.predicate.project = "errands" } == [1])
    #expect(try store.numbers { $0.predicate.priority = .high } == [3])
    #expect(try store.numbers { $0.predicate.priority = .normal } == [2, 1])
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
    #expect(
      try store.database.labels(.tags, prefix: "", in: .committed) == ["holiday", "home", "work"]
    )
    #expect(try store.database.labels(.tags, prefix: "ho", in: .committed) == ["holiday", "home"])
    #expect(try store.database.labels(.tags, prefix: "hom", in: .committed) == ["home"])
    #expect(try store.database.labels(.projects, prefix: "", in: .committed) == ["house", "ähre"])
    #expect(try store.database.labels(.projects, prefix: "ä", in: .committed) == ["ähre"])
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
      ("2026-12-01T09:30", [2, 1]), ("2026-12-01T09:31", [3, 2, 1]),
      ("2026-12-03", [4, 3, 2, 1]),
    ])
  func `S36 due before is strict, and a day is before its minutes`(
    date: String,
    numbers: [Int]
  ) throws {
    let store = try dated()
    #expect(try store.numbers { $0.predicate.dueBefore = CivilTime(date) } == numbers)
  }

  @Test(
    arguments: [
      ("2026-11-29", [4, 3, 2, 1]), ("2026-11-30", [4, 3, 2]), ("2026-12-01", [4]),
      ("2026-12-01T09:29", [4, 3]), ("2026-12-01T09:30", [4]), ("2026-12-02", []),
    ])
  func `S36 due after is strict, and after a day is after all of its minutes`(
    date: String,
    numbers: [Int]
  ) throws {
    let store = try dated()
    #expect(try store.numbers { $0.predicate.dueAfter = CivilTime(date) } == numbers)
  }

  @Test func `S36 between two dates`() throws {
    let store = try dated()
    let numbers = try store.numbers {
      $0.predicate.dueAfter = CivilTime("2026-11-30")
      $0.predicate.dueBefore = CivilTime("2026-12-02")
    }
    #expect(numbers == [3, 2])
  }

  // MARK: Order

  private func numbers(
    _ store: FreshStore,
    _ key: TodoQuery.Key,
    _ isReversed: Bool
  ) throws
    -> [Int]
  {
    try store.numbers { $0.sort = .init(key, isReversed: isReversed) }
  }

  @Test func `S36 by creation, ties by number, newest first`() throws {
    let store = try FreshStore()
    for seconds in [2, 1, 2, 3] {
      try store.write(
        .add(Todo(uuid: .random(), createdAt: Instant(milliseconds: Int64(seconds) * 1000)))
      )
    }
    #expect(try numbers(store, .created, false) == [4, 3, 1, 2])
    #expect(try numbers(store, .created, true) == [2, 3, 1, 4])
  }

  @Test func `S36 by due date, those without last in either direction`() throws {
    let store = try dated()
    try store.add(6) { $0.due = CivilTime("2026-12-01") }
    try store.add(7)
    #expect(try numbers(store, .due, false) == [1, 6, 2, 3, 4, 7, 5])
    #expect(try numbers(store, .due, true) == [4, 3, 6, 2, 1, 7, 5])
  }

  @Test func `S36 by priority, ties by number, newest first`() throws {
    let store = try FreshStore()
    for id in 1...4 { try store.add(UInt64(id)) { $0.priority = id % 2 == 0 ? .high : .normal } }
    #expect(try numbers(store, .priority, false) == [4, 2, 3, 1])
    #expect(try numbers(store, .priority, true) == [3, 1, 4, 2])
  }

  @Test func `S36 by title in any case, ties by number whatever the notes`() throws {
    let store = try FreshStore()
    try store.add(1, "bread") { $0.subtitle = "a" }
    try store.add(2, "Apples")
    try store.add(3, "Bread") { $0.subtitle = "b" }
    try store.add(4, "bread rolls")
    #expect(try numbers(store, .title, false) == [2, 3, 1, 4])
    #expect(try numbers(store, .title, true) == [4, 3, 1, 2])
  }

  @Test func `S36 a limit counts after filter and order`() throws {
    let store = try store("c", "b", "a", "x")
    func numbers(_ limit: Int) throws -> [Int] {
      try store.numbers {
        $0.sort = .init(.title)
        $0.predicate.words = []
        $0.predicate.references = nil
        $0.limit = limit
      }
    }
    #expect(try numbers(0) == [])
    #expect(try numbers(2) == [3, 2])
    #expect(try numbers(9) == [3, 2, 1, 4])
  }
}
