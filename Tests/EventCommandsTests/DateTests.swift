import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import Testing

@testable import EventCommands

/// Dates as people type them: `dates.tsv` has a clock, what is typed, and what it is.
@Suite(.hangLimit) struct DateTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// What is meant: a date that is planned, days that are asked for, or a date of the past.
    enum Use { case plan, filter, past }

    let use: Use
    let now: CivilMinute
    let typed: String
    let expected: String
    var testDescription: String { "\(now.text) \(typed)" }
  }

  static let rows: [Row] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "dates.tsv")
    let lines = (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    var use = Row.Use.plan
    return lines.compactMap { line in
      if line.hasPrefix("# As the value of a date in a filter") { use = .filter }
      if line.hasPrefix("# Where one looks back") { use = .past }
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, let now = CivilMinute(parts[0]) else { return nil }
      return Row(use: use, now: now, typed: parts[1], expected: parts[2])
    }
  }()

  private func text(_ row: Row, _ typed: String) throws -> String {
    switch row.use {
    case .plan: return try text(typed, at: row.now)
    case .past: return try text(typed, at: row.now, DateRules(), .behind)
    case .filter: return try days(typed, at: row.now)
    }
  }

  private func days(_ typed: String, at now: CivilMinute) throws -> String {
    let now = ZoneRule.utc.instant(of: now)
    let days = try DateRange(word: typed, DateRules()).resolved(at: now, in: .utc)
    return "\(days.first?.text ?? "")..\(days.last?.text ?? "")"
  }

  private func text(
    _ word: String,
    at now: CivilMinute,
    _ rules: DateRules = DateRules(),
    _ direction: DateDirection = .ahead
  ) throws -> String {
    try When(word: word, rules).date(at: ZoneRule.utc.instant(of: now), in: .utc, direction).text
  }

  @Test func `the table is there`() { #expect(Self.rows.count > 230) }

  @Test(arguments: rows) func `what is typed is read as it is meant`(row: Row) {
    let read = Result { try text(row, row.typed) }
    if row.expected.hasPrefix("refused") || row.expected == "(clears)" {
      #expect(throws: (any Error).self) { try read.get() }
      return
    }
    #expect((try? read.get()) == row.expected, "\(read)")
  }

  @Test(arguments: rows) func `case and blanks count for nothing`(row: Row) {
    let plain = try? text(row, row.typed)
    #expect((try? text(row, "  " + row.typed.uppercased() + "\t")) == plain)
  }

  @Test(
    arguments: [
      ("later", "it names no day"), ("someday", "it names no day"), ("never", "it names no day"),
      ("1/12", "it is two days: write '1 dec' or '12 jan', or set 'order' in [dates]"),
      ("12-01", "it is two days: write '12 jan' or '1 dec', or set 'order' in [dates]"),
      ("this week", "it is all of a week"), ("2026-12", "it is all of a month"),
      ("december", "it is all of a month"), ("dec 2026", "it is all of a month"),
      ("week", "it is no day by itself; write 'next week', or eow for its end"),
      ("month", "it is no day by itself; write 'next month', or eom for its end"),
      ("+3", "a unit is missing; write +3d or +3w"), ("2026", "it is a year"),
      ("weekdays", "it is more than one day"), ("every monday", "it is more than one day"),
      ("2026-02-30", "there is no such day"), ("2026-11-31", "there is no such day"),
      ("31 nov", "there is no such day"), ("32", "there is no such day"),
      ("tomorrow 9", "9 alone is no time; write 9:00 or 9am"),
      ("fri 17", "17 alone is no time; write 17:00 or 5pm"),
      ("tomorrow midnight", "a day has two; write 00:00 for its beginning, or 23:59 for its end"),
      ("1.12", "write '1 dec' for the day, or 1:12 for the time"),
      ("17.30", "write 17:30 for the time"), ("fri 1400", "write 14:00 for the time"),
      ("tomorrow 930", "write 9:30 for the time"),
      ("1730", "it is a time or a year: write 17:30 for the time"),
      ("due+30m", "it is minutes or months: write '30min' or '30mo'"),
      ("1 dec 2359", "2359 is a time or a year: write 23:59, or the date as 2359-12-01"),
      ("30m", "it is minutes or months: write '30min' or '30mo'"),
      ("in 90m", "it is minutes or months: write '90min' or '90mo'"),
      ("1 dec 1400", "1400 is a time or a year: write 14:00, or the date as 1400-12-01"),
      ("1 dec 0930", "0930 is a time or a year: write 9:30"),
      ("1-5 dec", "it is several days; write one of them, such as '1 dec'"),
      ("0000-12", "the years are 1 to 9999"), ("2026-13", "there is no such day"),
      ("2026-W54", "there is no such day"), ("2026-366", "there is no such day"),
      ("0/5", "there is no such day"), ("10/0", "there is no such day"),
      ("0-1", "there is no such day"), ("0/0", "there is no such day"),
      ("31/31", "there is no such day"), ("0000-01-01", "the years are 1 to 9999"),
      ("10000-01-01", "the years are 1 to 9999"), ("2026-12-01T24:00", "there is no such time"),
      ("17:60", "there is no such time"), ("13pm", "there is no such time"),
      ("fri 2026-12-05", "5 December 2026 is a Saturday"),
      ("1", "a number is no day by itself; write '1 dec' for a day, or '1d' for that many days"),
    ]
  )
  func `what is refused is told why`(word: String, why: String) throws {
    let error = try #require(throws: ValueError.self) { try When(word: word, DateRules()) }
    #expect(error.message.hasPrefix("'\(word)' is no date: \(why)"), "\(error.message)")
  }

  @Test(
    arguments: [
      ("tomorow", "'tomorrow' or 'today'"), ("fridya 14:00", "'friday 14:00'"),
      ("1 decembre", "'1 december'"), ("nxet week", "'next week'"),
      ("in 3 dyas", "'in 3 days'"), ("wendesday", "'wednesday'"),
    ]
  )
  func `what is mistyped gets what is right and near`(word: String, meant: String) throws {
    let error = try #require(throws: ValueError.self) { try When(word: word, DateRules()) }
    let start = "'\(word)' is no date; did you mean \(meant)"
    #expect(error.message.hasPrefix(start), "\(error.message)")
  }

  @Test func `anything else gets examples`() {
    #expect(
      throws: ValueError(
        "'xyzzy' is no date; write for example tomorrow, fri 14:00, 1 dec, +3d, or 2026-12-01"
      )
    ) { try When(word: "xyzzy", DateRules()) }
  }

  @Test func `the order of day and month decides`() throws {
    let now = try #require(CivilMinute("2026-11-27T00:30"))
    let (day, month) = (DateRules(order: .dayMonth), DateRules(order: .monthDay))
    for word in ["1/12", "1-12", "01/12/2026"] {
      #expect(try text(word, at: now, day) == "2026-12-01")
      #expect(try text(word, at: now, month).hasSuffix("-01-12"))
    }
    // These are one day in any order.
    #expect(try text("25/12", at: now) == "2026-12-25")
    #expect(try text("12/25", at: now) == "2026-12-25")
    #expect(try text("5/5", at: now) == "2027-05-05")
  }

  @Test func `a week begins where the rules say`() throws {
    let now = try #require(CivilMinute("2026-11-29T00:30"))
    let sunday = DateRules(firstWeekday: .sunday)
    #expect(try text("sow", at: now, sunday) == "2026-11-29")
    #expect(try text("eow", at: now, sunday) == "2026-12-05")
    #expect(try text("next week", at: now, sunday) == "2026-12-06")
    #expect(try text("sow", at: now) == "2026-11-23")
    #expect(try text("this friday", at: now, sunday) == "2026-12-04")
    #expect(try text("this friday", at: now) == "2026-11-27")
  }

  @Test(
    arguments: [
      ("mon", "2026-11-23"), ("fri", "2026-11-20"), ("sat", "2026-11-21"), ("15th", "2026-11-15"),
      ("27th", "2026-11-27"), ("31st", "2026-10-31"), ("1 dec", "2025-12-01"),
      ("27 nov", "2026-11-27"), ("17:30", "2026-11-26T17:30"), ("00:15", "2026-11-27T00:15"),
      ("W49", "2025-12-01"), ("weekend", "2026-11-21"), ("yesterday", "2026-11-26"),
      ("first monday of january", "2026-01-05"), ("end of december", "2025-12-31"),
      ("2026-12-01", "2026-12-01"), ("3 days ago", "2026-11-24"),
    ]
  )
  func `what is done since lies behind`(word: String, expected: String) throws {
    let now = try #require(CivilMinute("2026-11-27T00:30"))
    #expect(try text(word, at: now, DateRules(), .behind) == expected)
  }

  @Test(
    arguments: [
      ("fri 4 dec", "2026-12-04"), ("Fri 4 Dec 2026", "2026-12-04"), ("last friday", "2026-11-20"),
      ("9am tomorrow", "2026-11-28T09:00"), ("17:30 on fri", "2026-12-04T17:30"),
      ("in 3 days at 9am", "2026-11-30T09:00"), ("31st", "2026-12-31"),
      ("29 feb", "2028-02-29"), ("next quarter", "2027-01-01"), ("last week", "2026-11-16"),
      ("start of next month", "2026-12-01"), ("P1Y2M3D", "2028-01-30"), ("P2W", "2026-12-11"),
      ("PT90M", "2026-11-27T02:00"), ("12 hours ago", "2026-11-26T12:30"),
      ("3 days from now", "2026-11-30"), ("1st of january 2028", "2028-01-01"),
      ("day after tomorrow", "2026-11-29"), ("next weekend", "2026-12-05"),
      ("on friday", "2026-12-04"), ("by the 15th", "2026-12-15"), ("eod", "2026-11-27"),
      ("the day before yesterday", "2026-11-25"),
      ("day after tomorrow 5.30pm", "2026-11-29T17:30"), ("3dT9am", "2026-11-30T09:00"),
      ("2wT14:00", "2026-12-11T14:00"), ("2h30m", "2026-11-27T03:00"),
      ("1h5m", "2026-11-27T01:35"), ("P1DT2H", "2026-11-28T02:30"), ("12m", "2027-11-27"),
      ("5th monday of feb", "2044-02-29"), ("W49-5", "2026-12-04"), ("2026W495", "2026-12-04"),
      ("satT9", "2026-11-28T09:00"),
      ("1decT14:00", "2026-12-01T14:00"), ("eomT23:59", "2026-11-30T23:59"),
    ]
  )
  func `more of what people type`(word: String, expected: String) throws {
    let now = try #require(CivilMinute("2026-11-27T00:30"))
    #expect(try text(word, at: now) == expected)
  }

  @Test func `a weekday is checked when the year is known`() throws {
    let now = try #require(CivilMinute("2026-11-27T00:30"))
    let failure = try #require(throws: Failure.self) { try text("fri 5 dec", at: now) }
    #expect(failure.message == "That is no such weekday: 5 December 2026 is a Saturday.")
  }

  @Test(
    arguments: [
      ("20 nov..30 nov", "2026-11-20..2026-11-30"), ("1 nov..today", "2026-11-01..2026-11-27"),
      ("1 dec..24 dec", "2026-12-01..2026-12-24"), ("nov..dec", "2026-11-01..2026-12-31"),
      ("dec..feb", "2026-12-01..2027-02-28"), ("mon..eow", "2026-11-23..2026-11-29"),
      ("2026-11..2026-12", "2026-11-01..2026-12-31"), ("..next week", "..2026-12-06"),
      ("this week..next week", "2026-11-23..2026-12-06"), ("W48..W49", "2026-11-23..2026-12-06"),
      ("today..eow", "2026-11-27..2026-11-29"), ("weekend", "2026-11-28..2026-11-29"),
      ("this weekend", "2026-11-28..2026-11-29"), ("1-5 dec", "2026-12-01..2026-12-05"),
      ("20-30 nov", "2026-11-20..2026-11-30"), ("1-5 dec 2027", "2027-12-01..2027-12-05"),
      ("2026-12-10..fri", "2026-12-10..2026-12-11"), ("25th..5th", "2026-12-25..2027-01-05"),
      ("29 feb..1 mar", "2028-02-29..2028-03-01"),
    ]
  )
  func `days are read from one to another`(typed: String, expected: String) throws {
    let now = try #require(CivilMinute("2026-11-27T00:30"))
    #expect(try days(typed, at: now) == expected)
  }

  @Test func `the weekend that is there is meant until it is over`() throws {
    #expect(
      try days("weekend", at: #require(CivilMinute("2026-11-29T20:00"))) == "2026-11-28..2026-11-29"
    )
  }

  @Test(
    arguments: [
      ("due+1w", "'due+1w' moves a date that is there; write days, such as today or +1w"),
      ("2026-W54", "'2026-W54' is no date: there is no such day"),
      ("0000-12", "'0000-12' is no date: the years are 1 to 9999"),
      ("5-1 dec", "'5-1 dec' runs backwards; write 1-5 dec"),
      ("1-32 dec", "'1-32 dec' is no date: there is no such day"),
      ("mon-fri", "'mon-fri' is no day; write 'mon..fri' for all from one to the other"),
      (
        "1 dec to 5 dec",
        "'1 dec to 5 dec' is no day; write '1 dec..5 dec' for all from one to the other"
      ),
      ("today...eow", "'today...eow' is no day; write 'today..eow' for all from one to the other"),
      ("..", "'..' needs a date before it, after it, or both"),
    ]
  )
  func `what is no range is told why`(typed: String, why: String) throws {
    #expect(throws: ValueError(why)) { try DateRange(word: typed, DateRules()) }
  }

  @Test func `no text traps`() {
    var random = Chance(7)
    let parts = [
      "today", "next", "of", "mon", "t", "T", "3", "03", "2026", "99999999999999999999", "-", "+",
      "/", ".", ":", ",", " ", "d", "mo", "pt", "p", "h", "last", "w", "z", "in", "ago", "first",
      "dec", "eom", "week", "at", "due", "\u{301}", "é",
    ]
    let instants = [
      Instant(milliseconds: .min), Instant(milliseconds: 0), Instant(milliseconds: .max),
    ]
    for _ in 0..<20_000 {
      var word = ""
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        word += parts[Int.random(in: 0..<parts.count, using: &random)]
      }
      if let days = try? DateRange(word: word, DateRules()) {
        for instant in instants { _ = try? days.resolved(at: instant, in: .utc) }
      }
      guard let when = try? When(word: word, DateRules()) else { continue }
      for instant in instants { _ = when.resolved(at: instant, in: .utc) }
    }
  }

  @Test func `what is recorded reads back`() throws {
    for row in Self.rows {
      guard let when = try? When(word: row.typed, DateRules()) else { continue }
      let data = try JSONEncoder().encode(when)
      #expect(try JSONDecoder().decode(When.self, from: data) == when)
    }
  }

  @Test(
    arguments: [
      ("2h30", 150), ("90min", 90), ("PT2H", 120), ("1h", 60), ("2 hours 5 minutes", 125),
      ("-30min", -30), ("an hour", 60), ("2h30m", 150), ("1h5m", 65),
    ]
  )
  func `a length of time is a value`(word: String, minutes: Int) throws {
    #expect(try TimeSpan(word: word) == TimeSpan(minutes: minutes))
  }

  @Test func `minutes and months are told apart`() throws {
    #expect(throws: ValueError("'30m' is minutes or months: write 'min' or 'mo'")) {
      try TimeSpan(word: "30m")
    }
    #expect(try TimeSpan(word: "1y2mo").text == "1y2mo")
    #expect(try TimeSpan(word: "10d").text == "1w3d")
    #expect(try TimeSpan(word: "150min").text == "2h30min")
    #expect(TimeSpan.zero.text == "0min")
  }

  @Test(
    arguments: [
      ("2026-11-27", "today"), ("2026-11-28T09:00", "tomorrow 09:00"), ("2026-11-26", "yesterday"),
      ("2026-12-04", "Fri 4 Dec"), ("2027-01-04T14:00", "Mon 4 Jan 2027 14:00"),
    ]
  )
  func `a date is said`(date: String, said: String) throws {
    let now = try #require(CivilMinute("2026-11-27T00:30"))
    let time = try #require(CivilTime(date))
    #expect(time.said(at: now, DateRules()) == said)
  }

  @Test func `a date is said in the person's order, and whole`() throws {
    let now = try #require(CivilMinute("2026-11-27T00:30"))
    let time = try #require(CivilTime("2026-11-28T09:00"))
    #expect(time.said(at: now, isWhole: true, DateRules()) == "tomorrow, Sat 28 Nov 09:00")
    let american = DateRules(order: .monthDay)
    #expect(time.said(at: now, isWhole: true, american) == "tomorrow, Sat Nov 28 09:00")
  }
}
