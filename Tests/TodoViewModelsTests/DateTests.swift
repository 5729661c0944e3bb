import EventCommands
import EventMVVM
import EventMVVMTesting
import Testing
import TodoModels
import TodoViewModels

/// The clock shows 2025-11-20T10:00:00Z, a Thursday.
@Suite struct DateTests {
  private func due(_ word: String, zone hours: Int) throws -> String? {
    let app = try Application(zone: .fixed(seconds: hours * 3600))
    let when = try When(word: word)
    app.prepare(RequestAddTodo.add("Milk") { $0.due = .set(when) })
    return try app.stored(1).due?.text
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
    #expect(try app.stored(1).due?.text == "2025-11-22")
  }

  @Test func `a list is asked for with the dates that are meant`() throws {
    let app = try Application(zone: .fixed(seconds: 14 * 3600))
    for days in 0...3 {
      app.prepare(RequestAddTodo.add("in \(days)") { $0.due = .set(.inDays(days)) })
    }
    let before = try app.reply(RequestTodoViewModels.list { $0.dueBefore = .inDays(2) })?.get()
    #expect(before?.rows.map(\.title) == ["in 1", "in 0"])
    let after = try app.reply(RequestTodoViewModels.list { $0.dueAfter = .inDays(1) })?.get()
    #expect(after?.rows.map(\.title) == ["in 3", "in 2"])
  }

  @Test func `a todo is made and completed when the context's clock says so`() throws {
    let app = try Application()
    app.test.now = Instant(milliseconds: 1000)
    app.add("Milk")
    app.test.now = Instant(milliseconds: 2000)
    app.prepare(RequestCompleteTodo.complete(.number(1)))
    #expect(try app.stored(1).createdAt == Instant(milliseconds: 1000))
    #expect(try app.stored(1).completedAt == Instant(milliseconds: 2000))
  }
}
