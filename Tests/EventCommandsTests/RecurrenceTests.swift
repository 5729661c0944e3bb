import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing

/// Rules by which something comes again: their days, and how people say them.
@Suite(.hangLimit) struct RecurrenceTests {
  private func day(_ text: String) throws -> CivilDay { try #require(CivilDay(text)) }

  private func time(_ text: String) throws -> CivilTime { try #require(CivilTime(text)) }

  // MARK: Days

  /// The examples of RFC 5545, §3.8.5.3 and §3.3.10, that are about days.
  @Test(arguments: [
    (
      "FREQ=DAILY;COUNT=10", "1997-09-02",
      "09-02 09-03 09-04 09-05 09-06 09-07 09-08 09-09 09-10 09-11"
    ),
    ("FREQ=DAILY;INTERVAL=10;COUNT=5", "1997-09-02", "09-02 09-12 09-22 10-02 10-12"),
    ("FREQ=DAILY;BYMONTH=1", "1998-01-30", "01-30 01-31 1999-01-01"),
    (
      "FREQ=WEEKLY;COUNT=10", "1997-09-02",
      "09-02 09-09 09-16 09-23 09-30 10-07 10-14 10-21 10-28 11-04"
    ),
    ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "1997-09-02", "09-02 09-16 09-30 10-14 10-28 11-11 11-25"),
    (
      "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", "1997-09-02",
      "09-02 09-04 09-09 09-11 09-16 09-18 09-23 09-25 09-30 10-02"
    ),
    (
      "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971223T000000Z;WKST=SU;BYDAY=MO,WE,FR", "1997-09-01",
      "09-01 09-03 09-05 09-15 09-17 09-19 09-29 10-01 10-03 10-13 10-15 10-17 10-27 10-29 10-31 11-10 11-12 11-14 11-24 11-26 11-28 12-08 12-10 12-12 12-22"
    ),
    (
      "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", "1997-09-02",
      "09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16"
    ),
    (
      "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "1997-09-05",
      "09-05 10-03 11-07 12-05 1998-01-02 02-06 03-06 04-03 05-01 06-05"
    ),
    (
      "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "1997-09-07",
      "09-07 09-28 11-02 11-30 1998-01-04 01-25 03-01 03-29 05-03 05-31"
    ),
    ("FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "1997-09-22", "09-22 10-20 11-17 12-22 1998-01-19 02-16"),
    ("FREQ=MONTHLY;BYMONTHDAY=-3", "1997-09-28", "09-28 10-29 11-28 12-29 1998-01-29 02-26"),
    (
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", "1997-09-02",
      "09-02 09-15 10-02 10-15 11-02 11-15 12-02 12-15 1998-01-02 01-15"
    ),
    (
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "1997-09-30",
      "09-30 10-01 10-31 11-01 11-30 12-01 12-31 1998-01-01 01-31 02-01"
    ),
    (
      "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "1997-09-10",
      "09-10 09-11 09-12 09-13 09-14 09-15 1999-03-10 03-11 03-12 03-13"
    ),
    (
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", "1997-09-02",
      "09-02 09-09 09-16 09-23 09-30 11-04 11-11 11-18 11-25 1998-01-06"
    ),
    (
      "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "1997-06-10",
      "06-10 07-10 1998-06-10 07-10 1999-06-10 07-10 2000-06-10 07-10 2001-06-10 07-10"
    ),
    (
      "FREQ=YEARLY;INTERVAL=2;COUNT=7;BYMONTH=1,2,3", "1997-03-10",
      "03-10 1999-01-10 02-10 03-10 2001-01-10 02-10 03-10"
    ),
    (
      "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", "1997-01-01",
      "01-01 04-10 07-19 2000-01-01 04-09 07-18 2003-01-01 04-10 07-19 2006-01-01"
    ),
    ("FREQ=YEARLY;BYDAY=20MO", "1997-05-19", "05-19 1998-05-18 1999-05-17"),
    ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "1997-05-12", "05-12 1998-05-11 1999-05-17"),
    (
      "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "1997-03-13",
      "03-13 03-20 03-27 1998-03-05 03-12 03-19 03-26"
    ),
    ("FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", "1997-08-21", "08-21 08-28 1998-06-04 06-11"),
    (
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "1997-09-02",
      "1998-02-13 03-13 11-13 1999-08-13 2000-10-13"
    ),
    (
      "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "1997-09-13",
      "09-13 10-11 11-08 12-13 1998-01-10 02-07"
    ),
    (
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "1996-11-05",
      "11-05 2000-11-07 2004-11-02"
    ),
    ("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04", "09-04 10-07 11-06"),
    (
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "1997-09-29",
      "09-29 10-30 11-27 12-30 1998-01-29"
    ),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "1997-08-05", "08-05 08-10 08-19 08-24"),
    ("FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "1997-08-05", "08-05 08-17 08-19 08-31"),
    ("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01-15", "01-15 01-30 02-15 03-15 03-30"),
  ])
  func `the days of RFC 5545`(rule: String, start: String, expected: String) throws {
    let start = try day(start)
    let words = expected.split(separator: " ")
    var year = ""
    let found = try RecurrenceRule(rule)
      .days(from: start, words.count + (rule.contains("COUNT") || rule.contains("UNTIL") ? 1 : 0))
      .map { day in
        defer { year = String(day.text.prefix(4)) }
        return day.text.prefix(4) == (year.isEmpty ? start.text.prefix(4) : year[...])
          ? String(day.text.dropFirst(5)) : day.text
      }
    #expect(found.joined(separator: " ") == expected)
  }

  @Test(arguments: [
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11",
    "FREQ=YEARLY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=29", "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1",
    "FREQ=WEEKLY;BYDAY=MO;UNTIL=20200101",
  ])
  func `what never comes has an end`(rule: String) throws {
    #expect(try RecurrenceRule(rule).next(after: day("2026-11-29")) == nil)
  }

  @Test func `the calendar ends`() throws {
    #expect(RecurrenceRule(.daily).next(after: .last) == nil)
    #expect(try RecurrenceRule(words: "year").next(after: day("9999-06-01")) == nil)
    let last = try day("9999-12-30")
    #expect(RecurrenceRule(.daily).days(from: last, 9).count == 2)
    #expect(
      RecurrenceRule(.weekly).days(from: .first, 2).map(\.text) == ["0001-01-01", "0001-01-08"]
    )
  }

  /// A rule whose days are said is the same from each of them on: that is why a series has no more than its present day.
  @Test func `a series needs no more than its present day`() throws {
    for words in [
      "month", "2 weeks on mon,thu", "3 months", "year on 29 feb", "month on the last weekday",
      "2 weeks", "5 days", "quarter on the 31st", "2 years on the 4th thu of november",
    ] {
      let start = try day("2028-01-31")
      let rule = try RecurrenceRule(words: words).bound(to: start)
      let days = rule.days(from: start, 20)
      var present = start
      var following: [CivilDay] = days.first == start ? [start] : []
      while following.count < days.count {
        present = try #require(rule.next(after: present))
        following.append(present)
      }
      #expect(following == days, "\(words)")
    }
  }

  // MARK: In words

  @Test(arguments: [
    ("day", "FREQ=DAILY", "every day"),
    ("daily", "FREQ=DAILY", "every day"),
    ("Every Day", "FREQ=DAILY", "every day"),
    ("3d", "FREQ=DAILY;INTERVAL=3", "every 3 days"),
    ("every other day", "FREQ=DAILY;INTERVAL=2", "every 2 days"),
    ("daily 9:00", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "every day at 09:00"),
    ("day at 9am", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "every day at 09:00"),
    ("day at noon", "FREQ=DAILY;BYHOUR=12;BYMINUTE=0", "every day at 12:00"),
    ("weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
    ("weekend", "FREQ=WEEKLY;BYDAY=SA,SU", "every week on Saturday and Sunday"),
    ("mon", "FREQ=WEEKLY;BYDAY=MO", "every week on Monday"),
    ("mondays", "FREQ=WEEKLY;BYDAY=MO", "every week on Monday"),
    (
      "mon,thu 18:30", "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=18;BYMINUTE=30",
      "every week on Monday and Thursday at 18:30"
    ),
    (
      "tue, wed and fri", "FREQ=WEEKLY;BYDAY=TU,WE,FR",
      "every week on Tuesday, Wednesday and Friday"
    ),
    (
      "2 weeks on mon,thu", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH",
      "every 2 weeks on Monday and Thursday"
    ),
    ("fortnight", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
    ("2w", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
    ("two weeks", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
    ("month", "FREQ=MONTHLY", "every month"),
    ("1mo", "FREQ=MONTHLY", "every month"),
    ("quarterly", "FREQ=MONTHLY;INTERVAL=3", "every 3 months"),
    ("month on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"),
    (
      "month on the 31st", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
      "every month on the 31st, or its last day"
    ),
    (
      "31st", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
      "every month on the 31st, or its last day"
    ),
    (
      "1st and 15th of the month", "FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"
    ),
    (
      "1st and 30th", "FREQ=MONTHLY;BYMONTHDAY=1,28,29,30;BYSETPOS=1,-1",
      "every month on the 1st and 30th, or its last day"
    ),
    ("month on the last day", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
    ("last day of the month", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
    ("2nd last day of each month", "FREQ=MONTHLY;BYMONTHDAY=-2", "every month on the 2nd last day"),
    ("last fri of the month", "FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Friday"),
    ("month on the 2nd tue", "FREQ=MONTHLY;BYDAY=2TU", "every month on the 2nd Tuesday"),
    ("first monday", "FREQ=MONTHLY;BYDAY=1MO", "every month on the 1st Monday"),
    (
      "2 months on the first mon and the third mon", "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,3MO",
      "every 2 months on the 1st Monday and 3rd Monday"
    ),
    (
      "last weekday of the month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "every month on the last weekday"
    ),
    ("year", "FREQ=YEARLY", "every year"),
    ("24 dec", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "every year on 24 December"),
    ("year on dec 24th", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "every year on 24 December"),
    (
      "29 feb", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1",
      "every year on 29 February, or its last day"
    ),
    (
      "4th thu of november", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH",
      "every year on the 4th Thursday of November"
    ),
    ("every 3rd day", "FREQ=DAILY;INTERVAL=3", "every 3 days"),
    ("every third day", "FREQ=DAILY;INTERVAL=3", "every 3 days"),
    ("every second day", "FREQ=DAILY;INTERVAL=2", "every 2 days"),
    ("every 2nd week", "FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
    ("3rd day of the month", "FREQ=MONTHLY;BYMONTHDAY=3", "every month on the 3rd"),
    ("every other mon", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "every 2 weeks on Monday"),
    (
      "every other monday 9:00", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;BYHOUR=9;BYMINUTE=0",
      "every 2 weeks on Monday at 09:00"
    ),
    ("mon-fri", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
    (
      "fri to mon", "FREQ=WEEKLY;BYDAY=FR,SA,SU,MO",
      "every week on Friday, Saturday, Sunday and Monday"
    ),
    ("mon wed fri", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "every week on Monday, Wednesday and Friday"),
    ("on mondays", "FREQ=WEEKLY;BYDAY=MO", "every week on Monday"),
    ("mon, at 9:00", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0", "every week on Monday at 09:00"),
    ("mon, for 3 times", "FREQ=WEEKLY;COUNT=3;BYDAY=MO", "every week on Monday, 3 times"),
    ("9:30", "FREQ=DAILY;BYHOUR=9;BYMINUTE=30", "every day at 09:30"),
    ("8am", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0", "every day at 08:00"),
    (
      "9:30 every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9;BYMINUTE=30",
      "every weekday at 09:30"
    ),
    ("working day", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
    (
      "last working day of the month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "every month on the last weekday"
    ),
    (
      "month on 31", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
      "every month on the 31st, or its last day"
    ),
    (
      "monthly on the 1st and 15th at 8:00", "FREQ=MONTHLY;BYMONTHDAY=1,15;BYHOUR=8;BYMINUTE=0",
      "every month on the 1st and 15th at 08:00"
    ),
    ("month on 1, 15", "FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"),
    (
      "1st and 3rd mon", "FREQ=MONTHLY;BYDAY=1MO,3MO",
      "every month on the 1st Monday and 3rd Monday"
    ),
    (
      "month on the 1st, ten times", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1",
      "every month on the 1st, 10 times"
    ),
    ("end of month", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
    ("eom", "FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
    (
      "quarter on the last day", "FREQ=MONTHLY;BYMONTH=3,6,9,12;BYMONTHDAY=-1",
      "in the last month of every quarter on the last day"
    ),
    (
      "last weekday of the quarter",
      "FREQ=MONTHLY;BYMONTH=3,6,9,12;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "in the last month of every quarter on the last weekday"
    ),
    (
      "first day of the quarter", "FREQ=MONTHLY;BYMONTH=1,4,7,10;BYMONTHDAY=1",
      "in the first month of every quarter on the 1st"
    ),
    ("half year", "FREQ=MONTHLY;INTERVAL=6", "every 6 months"),
    (
      "last day of february", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
      "every year on the last day of February"
    ),
    ("day 10x", "FREQ=DAILY;COUNT=10", "every day, 10 times"),
    ("day, until 2027-01-31", "FREQ=DAILY;UNTIL=20270131", "every day, until 2027-01-31"),
    ("day, 10 times", "FREQ=DAILY;COUNT=10", "every day, 10 times"),
    ("mon for 3 times", "FREQ=WEEKLY;COUNT=3;BYDAY=MO", "every week on Monday, 3 times"),
    ("day until 2027-01-31", "FREQ=DAILY;UNTIL=20270131", "every day, until 2027-01-31"),
    ("RRULE:FREQ=weekly;byday=mo", "FREQ=WEEKLY;BYDAY=MO", "every week on Monday"),
    (
      "FREQ=YEARLY;BYYEARDAY=100", "FREQ=YEARLY;BYYEARDAY=100",
      "by the rule FREQ=YEARLY;BYYEARDAY=100"
    ),
  ])
  func `rules are read and said in words`(words: String, text: String, said: String) throws {
    let rule = try RecurrenceRule(words: words)
    #expect(rule.text == text)
    #expect(rule.words == said)
    #expect(try RecurrenceRule(rule.text).text == text)
  }

  @Test func `a bare month has the day from which it begins, or the last one`() throws {
    let rule = try RecurrenceRule(words: "month").bound(to: day("2027-01-31"))
    #expect(rule.words == "every month on the 31st, or its last day")
    #expect(
      rule.days(from: try day("2027-01-31"), 4).map(\.text) == [
        "2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30",
      ]
    )
    // By RFC 5545 there is no 31 February.
    #expect(
      try RecurrenceRule("FREQ=MONTHLY").days(from: day("2027-01-31"), 2).map(\.text) == [
        "2027-01-31", "2027-03-31",
      ]
    )
  }

  @Test(arguments: [
    ("fortnite", "'fortnite' does not say how often"), ("", "'' does not say how often"),
    ("4h", "'4h' does not say how often"), ("0 days", "'0 days' does not say how often"),
    ("99999 days", "does not say how often"), ("month on the 32nd", "does not say how often"),
    ("30 feb", "does not say how often"), ("week on the 3rd", "does not say how often"),
    ("day 10", "10 alone is no time"),
    ("day at 25:00", "there is no such time"), ("day 3 times until 2027-01-01", "not both"),
    ("day until nowhere", "'nowhere'"), ("day until fri", "depends on the clock"),
    ("24 dec 2026", "does not say how often"), ("mont", "does not say how often"),
    ("2 mon", "does not say how often"), ("second", "does not say how often"),
    ("3 days after done", "given by --after"), ("FREQ=DAILY;BYMINUTE=30", "go together"),
    ("ΑΒΓ", "does not say how often"), ("FREQ=HOURLY", "what comes within a day is not supported"),
    ("FREQ=DAILY;BYHOUR=9,10", "'9,10' can't be BYHOUR"),
    ("FREQ=DAILY;COUNT=1;COUNT=2", "COUNT is said twice"), ("FREQ=DAILY;COUNT=0", "can't be COUNT"),
    ("FREQ=DAILY;COUNT=3;UNTIL=20270101", "COUNT or UNTIL, not both"),
    ("FREQ=DAILY;X-NAME=1", "X-NAME is no part of a rule"), ("FREQ=DAILY;", "no part of a rule"),
    ("FREQ=WEEKLY;BYDAY=1MO", "FREQ=MONTHLY or FREQ=YEARLY"),
    ("RRULE:BYDAY=MO", "a rule says its FREQ"),
    ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS goes with"),
    ("FREQ=DAILY;INTERVAL=99999999999999999999", "can't be INTERVAL"),
    ("FREQ=WEEKLY;BYDAY=XX", "no weekday"), ("FREQ=DAILY;UNTIL=20270230", "can't be UNTIL"),
  ])
  func `what is no rule is refused with what can be written`(words: String, message: String) {
    #expect {
      try RecurrenceRule(words: words)
    } throws: {
      ($0 as? ValueError)?.message.contains(message) ?? false
    }
  }

  @Test func `no text traps`() {
    var chance = Chance(631)
    let pieces = [
      "every", "day", "week", "month", "on", "the", "31st", "last", "of", "mon", ",", "and", "9:00",
      "until", "3", "times", "-", "2027-01-01", "FREQ=", "MONTHLY", ";", "BYDAY=", "-53", "MO", "é",
      "0", "999999", "weekday", "feb", "29", "nov", "other", "at", ":", "T", "BYSETPOS=", "COUNT=",
    ]
    for _ in 0..<5000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...6, using: &chance) {
        text +=
          (pieces.randomElement(using: &chance) ?? "") + (Bool.random(using: &chance) ? " " : "")
      }
      guard let rule = try? RecurrenceRule(words: text) else { continue }
      #expect((try? RecurrenceRule(rule.text))?.text == rule.text, "\(text)")
      _ = rule.words
    }
  }

  // MARK: What comes next

  @Test(arguments: [
    // Missed days are left out, but not the present one.
    ("day", "2026-11-20", "2026-11-20", "2026-11-29T10:00", "2026-11-29"),
    ("day", "2026-11-29", "2026-11-29", "2026-11-29T10:00", "2026-11-30"),
    ("mon,thu", "2026-11-26", "2026-11-26", "2026-12-08T10:00", "2026-12-10"),
    // Done early, and moved to another day.
    ("wed", "2026-12-02", "2026-12-02", "2026-12-01T10:00", "2026-12-09"),
    ("wed", "2026-12-02", "2026-12-01", "2026-12-01T10:00", "2026-12-09"),
    ("wed", "2026-12-02", "2026-12-10", "2026-12-10T10:00", "2026-12-16"),
    ("day", "2026-12-01", "2026-12-04", "2026-12-04T10:00", "2026-12-05"),
    // A time of day that is over today.
    ("day", "2026-11-28T09:00", "2026-11-28T09:00", "2026-11-29T10:00", "2026-11-30T09:00"),
    ("day", "2026-11-28T11:00", "2026-11-28T11:00", "2026-11-29T10:00", "2026-11-29T11:00"),
    ("daily 8:00", "2026-11-28T11:00", "2026-11-28T11:00", "2026-11-29T10:00", "2026-11-30T08:00"),
    ("month", "2027-01-31", "2027-01-31", "2027-01-31T10:00", "2027-02-28"),
    ("2 weeks", "2026-11-02", "2026-11-02", "2026-11-29T10:00", "2026-11-30"),
    ("year", "9999-01-01", "9999-01-01", "9999-01-01T10:00", "nothing"),
    ("day until 2026-11-30", "2026-11-30", "2026-11-30", "2026-11-29T10:00", "nothing"),
    (
      "FREQ=DAILY;UNTIL=20261130T080000", "2026-11-29T09:00", "2026-11-29T09:00",
      "2026-11-29T10:00", "nothing"
    ),
  ])
  func `the next one of a rule`(
    rule: String,
    from: String,
    due: String,
    now: String,
    next: String
  ) throws {
    let present = Recurrence(
      .every(try RecurrenceRule(words: rule).bound(to: time(from).day)),
      from: try time(from)
    )
    let now = try #require(CivilMinute(now))
    let found = present.next(after: try time(due), at: now)
    #expect(found?.time.text ?? "nothing" == next)
    #expect(found?.recurrence.from == found?.time)
  }

  @Test func `days that pile up come one after the other`() throws {
    var present = Recurrence(
      .every(try RecurrenceRule(words: "day")),
      from: try time("2026-11-20"),
      piles: true
    )
    let now = try #require(CivilMinute("2026-11-29T10:00"))
    var days: [String] = []
    for _ in 0..<3 {
      let next = try #require(present.next(after: present.from, at: now))
      days.append(next.time.text)
      present = next.recurrence
    }
    #expect(days == ["2026-11-21", "2026-11-22", "2026-11-23"])
  }

  @Test func `of a number of times those count that come`() throws {
    let rule = try RecurrenceRule(words: "day 3 times")
    var present = Recurrence(.every(rule), from: try time("2026-11-20"))
    var days: [String] = []
    let now = try #require(CivilMinute("2026-11-23T10:00"))
    while let next = present.next(after: present.from, at: now) {
      days.append(next.time.text)
      present = next.recurrence
    }
    #expect(days == ["2026-11-23", "2026-11-24"])
  }

  @Test(arguments: [
    ("3d", "2026-11-20", "2026-11-29T10:00", "2026-12-02"),
    ("3d", "2026-11-20T08:30", "2026-11-29T10:00", "2026-12-02T08:30"),
    ("1 month", "2026-11-20", "2027-01-31T10:00", "2027-02-28"),
    ("4h", "2026-11-20", "2026-11-29T22:00", "2026-11-30T02:00"),
    ("1y", "9999-01-01", "9999-01-01T10:00", "nothing"),
  ])
  func `some time after it is done`(span: String, due: String, now: String, next: String) throws {
    let recurrence = try Recurrence(json: .string("after \(span)"))
    let now = try #require(CivilMinute(now))
    #expect(recurrence.next(after: try time(due), at: now)?.time.text ?? "nothing" == next)
  }

  @Test(arguments: ["-3d", "0d", "30m", "later", ""])
  func `nothing comes again after no time`(span: String) {
    #expect(throws: ValueError.self) { try Recurrence(json: .string("after \(span)")) }
  }

  // MARK: JSON

  @Test(arguments: [
    #"{"every":"FREQ=DAILY","from":"2026-11-29"}"#,
    #"{"every":"FREQ=WEEKLY;BYDAY=MO","pile":true}"#,
    #"{"after":"3d"}"#,
  ])
  func `recurrences as JSON`(text: String) throws {
    let recurrence = try Recurrence(json: JSON(parsing: text))
    #expect(try Recurrence(json: JSON(parsing: text)) == recurrence)
    #expect(recurrence != Recurrence(.after(TimeSpan(days: 9))))
  }

  @Test(arguments: [
    #"{"every":"day","after":"3d"}"#, #"{"pile":true}"#, #"{"after":"3d","pile":true}"#, "3", "{}",
    #"{"every":3}"#, #"{"every":"day","from":"x"}"#, #"{"every":"day","other":1}"#,
  ])
  func `other JSON is refused`(text: String) {
    #expect(throws: ValueError.self) { try Recurrence(json: JSON(parsing: text)) }
  }

  // MARK: Identities

  /// The example of RFC 9562, appendix A.4, and SHA-1 by RFC 3174, §7.3.
  @Test func `an identity follows from a name`() throws {
    let dns = try #require(UniqueID("6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
    #expect(
      UniqueID(in: dns, name: "www.example.com").text == "2ed6657d-e927-568b-95e1-2665a8aea6a2"
    )
  }
}
