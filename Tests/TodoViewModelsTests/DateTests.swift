import RecordCommands
import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing
import TodoModels
import TodoViewModels

/// The clock shows 2025-11-20T10:00:00Z, a Thursday.
@Suite(.hangLimit) struct DateTests {
  private func due(_ word: String, zone hours: Int) throws -> String? {
    let app = try Application(zone: .fixed(seconds: hours * 3600))
    let when = try When(word: word)
    app.prepare(RequestAddTodo.add("Milk") { $0.due = .set(when) })
    return try app.stored(1).value.due?.text
  }

  @Test(
    arguments: [
      ("2026-12-01", "2026-12-01"), ("2026-12-01T09:30", "2026-12-01T09:30"),
      ("today", "2025-11-20"), ("tomorrow", "2025-11-21"), ("friday", "2025-11-21"),
      ("thursday", "2025-11-27"), ("wed", "2025-11-26"), ("+0d", "2025-11-20"),
      ("+3d", "2025-11-23"), ("+2w", "2025-12-04"),
      ("2026-12-01T09:30Z", "2026-12-01T09:30"), ("2026-12-01T09:30+02:00", "2026-12-01T07:30"),
    ])
  func `a date is resolved by the context's clock`(word: String, text: String) throws {
    #expect(try due(word, zone: 0) == text)
  }

  @Test(
    arguments: [
      ("today", "2025-11-21"), ("tomorrow", "2025-11-22"), ("friday", "2025-11-28"),
      ("thursday", "2025-11-27"), ("2026-12-01T09:30", "2026-12-01T09:30"),
      ("2026-12-01T09:30Z", "2026-12-01T23:30"), ("2026-12-01T20:30Z", "2026-12-02T10:30"),
    ])
  func `a date is resolved in the user's zone`(word: String, text: String) throws {
    #expect(try due(word, zone: 14) == text)
  }

  @Test func `an edit resolves its date, too`() throws {
    let app = try Application(zone: .fixed(seconds: 14 * 3600))
    app.add("Milk")
    app.prepare(RequestEditTodo.edit(1) { $0.due = .set(.inDays(1)) })
    #expect(try app.stored(1).value.due?.text == "2025-11-22")
  }

  @Test func `a list is asked for with the dates that are meant`() throws {
    let app = try Application(zone: .fixed(seconds: 14 * 3600))
    for days in 0...3 {
      app.prepare(RequestAddTodo.add("in \(days)") { $0.due = .set(.inDays(days)) })
    }
    let before = try app.reply(RequestTodoViewModels.list(["dueBefore": "+2d"]))?.get()
    #expect(before?.rows.map(\.title) == ["in 1", "in 0"])
    let after = try app.reply(RequestTodoViewModels.list(["dueAfter": "+1d"]))?.get()
    #expect(after?.rows.map(\.title) == ["in 3", "in 2"])
  }

  @Test(
    arguments: [
      (-1, "1969-12-31T23:59:59.999Z"), (-2_177_452_800_000, "1901-01-01T00:00:00.000Z"),
      (4_417_977_600_000, "2110-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
      (.max, "+292278994-08-17T07:12:55.807Z"), (.min, "-292275055-05-16T16:47:04.192Z"),
    ] as [(Int64, String)]
  )
  func `whatever the clock shows is kept, and written as ISO 8601`(
    clock: Int64,
    text: String
  ) throws {
    let app = try Application()
    app.test.now = Instant(milliseconds: clock)
    app.add("Milk")
    app.prepare(RequestCompleteTodo.complete(.number(1)))
    #expect(try app.stored(1).value.createdAt == app.test.now)
    #expect(try app.stored(1).value.completedAt == app.test.now)
    let list = try #require(try app.reply(RequestTodoViewModels())?.get())
    var json = JSONWriter()
    list.write(to: &json)
    guard case .array(let todos) = try JSON(parsing: json.bytes),
      case .object(let members) = try #require(todos.first)
    else { throw NoTodo() }
    for name in ["createdAt", "completedAt"] {
      #expect(members.first { $0.name == name }?.value == .string(text))
    }
    #expect(Instant(iso8601: text) == app.test.now)
    let details = try #require(try app.reply(RequestTodoDetailViewModel.show(.number(1)))?.get())
    var page = Page()
    details.show(on: &page)
    #expect(page.text.contains("\n  completed  \(text)\n  created    \(text)\n"))
  }

  private struct NoTodo: Error {}

  @Test(arguments: [253_402_300_800_000, -62_135_596_800_001, .max, .min] as [Int64])
  func `a clock outside of the calendar is said to be wrong, and stops nothing else`(
    clock: Int64
  ) throws {
    let app = try Application()
    app.test.now = Instant(milliseconds: clock)
    let wrong = Failure(
      .validation,
      "The clock is outside the years 1 to 9999; set it, or write a date with its year.",
      field: "due"
    )
    for word in ["today", "tomorrow", "+3d", "friday"] {
      let when = try When(word: word)
      #expect(app.failure(RequestAddTodo.add("Milk") { $0.due = .set(when) }) == wrong)
    }
    let dated = try When(word: "2026-12-01")
    #expect(app.failure(RequestAddTodo.add("Milk") { $0.due = .set(dated) }) == nil)
    #expect(try app.stored(1).value.due?.text == "2026-12-01")
  }

  @Test func `a clock that is put back leaves the newest first by what it showed`() throws {
    let app = try Application()
    for (title, clock) in [("late", 4_417_977_600_000), ("early", -1), ("now", 0)]
      as [(String, Int64)]
    {
      app.test.now = Instant(milliseconds: clock)
      app.add(title)
    }
    #expect(try app.storedTitles() == ["late", "now", "early"])
  }

  @Test func `a todo is made and completed when the context's clock says so`() throws {
    let app = try Application()
    app.test.now = Instant(milliseconds: 1000)
    app.add("Milk")
    app.test.now = Instant(milliseconds: 2000)
    app.prepare(RequestCompleteTodo.complete(.number(1)))
    #expect(try app.stored(1).value.createdAt == Instant(milliseconds: 1000))
    #expect(try app.stored(1).value.completedAt == Instant(milliseconds: 2000))
  }
}
