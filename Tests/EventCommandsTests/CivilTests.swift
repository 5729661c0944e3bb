import EventMVVMTesting
import EventValues
import Testing

@testable import EventCommands
@testable import EventMVVM

@Suite(.hangLimit) struct InstantTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"),
    (1_795_168_800_000, "2026-11-20T10:00:00.000Z"),
    (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_123, "2000-02-29T00:00:00.123Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
    (Int64.max, "+292278994-08-17T07:12:55.807Z"),
    (Int64.min, "-292275055-05-16T16:47:04.192Z"),
  ])
  func `an instant is written as ISO 8601 and reads back`(milliseconds: Int64, text: String) {
    #expect(Instant(milliseconds: milliseconds).iso8601 == text)
    #expect(Instant(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    ("2026-11-20T10:00Z", 1_795_168_800_000),
    ("2026-11-20T10:00:01Z", 1_795_168_801_000),
    ("2026-11-20T10:00:00.5Z", 1_795_168_800_500),
    ("2026-11-20T10:00:00.05Z", 1_795_168_800_050),
    ("2026-11-20T10:00:00.123999999999999999999Z", 1_795_168_800_123),
    ("2026-11-20T12:00:00+02:00", 1_795_168_800_000),
    ("2026-11-20T04:30:00-05:30", 1_795_168_800_000),
    ("+002026-11-20T10:00:00Z", 1_795_168_800_000),
  ])
  func `shorter forms and offsets are read`(text: String, milliseconds: Int64) {
    #expect(Instant(iso8601: text)?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T10:00:00", "2026-11-20 10:00:00Z", "2026-11-20T10:00:00Z ",
    "2026-11-20T10:00:00.Z", "2026-11-20T24:00:00Z", "2026-11-20T10:60:00Z",
    "2026-11-20T10:00:60Z", "2026-02-29T10:00:00Z", "2026-13-01T10:00:00Z",
    "2026-00-01T10:00:00Z", "2026-01-00T10:00:00Z", "-000000-01-01T00:00:00Z",
    "+2026-11-20T10:00:00Z", "226-11-20T10:00:00Z", "2026-11-20T10:00:00+0200",
    "2026-11-20T10:00:00+24:00", "+292278994-08-17T07:12:55.808Z",
    "-292275055-05-16T16:47:04.191Z", "+999999999-01-01T00:00:00Z", "２０２６-11-20T10:00:00Z",
  ])
  func `anything else is not an instant`(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  @Test func `a part of a text is read as well`() {
    #expect(Instant(iso8601: "at 1970-01-01T00:00:01Z".dropFirst(3))?.milliseconds == 1000)
  }

  @Test func `adding saturates at both ends`() {
    #expect(Instant(milliseconds: 5).adding(milliseconds: -7) == Instant(milliseconds: -2))
    #expect(Instant(milliseconds: .max).adding(milliseconds: 1) == Instant(milliseconds: .max))
    #expect(Instant(milliseconds: .min).adding(milliseconds: -1) == Instant(milliseconds: .min))
    #expect(Instant(milliseconds: .max).adding(milliseconds: .min) == Instant(milliseconds: -1))
  }

  @Test func `instants are in order of time`() {
    #expect(Instant(milliseconds: -1) < Instant(milliseconds: 0))
    #expect(!(Instant(milliseconds: 0) < Instant(milliseconds: 0)))
  }

  @Test func `now is after this was written`() {
    #expect(Instant.now() > Instant(milliseconds: 1_700_000_000_000))
  }
}

@Suite(.hangLimit) struct CivilDayTests {
  @Test(arguments: [
    (1, 1, 1, -719_162), (1600, 2, 29, -135_081), (1969, 12, 31, -1), (1970, 1, 1, 0),
    (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2026, 12, 1, 20_788), (9999, 12, 31, 2_932_896),
  ])
  func `days count from 1970-01-01`(year: Int, month: Int, day: Int, days: Int) throws {
    let date = try #require(CivilDay(year: year, month: month, day: day))
    #expect(date.daysSinceEpoch == days)
    #expect(CivilDay(daysSinceEpoch: days) == date)
    #expect(date.year == year)
    #expect(date.month == month)
    #expect(date.day == day)
  }

  @Test func `every day is the successor of the one before`() {
    var last = CivilDay.first
    var failures = 0
    for days in (CivilDay.first.daysSinceEpoch + 1)...CivilDay.last.daysSinceEpoch {
      let day = CivilDay(daysSinceEpoch: days)
      let isNext = last.day + 1 == day.day && last.month == day.month && last.year == day.year
      let isFirst = day.day == 1 && (last.month % 12) + 1 == day.month
      if day.daysSinceEpoch != days || !(last < day) || !(isNext || isFirst) { failures += 1 }
      last = day
    }
    #expect(failures == 0)
    #expect(last == CivilDay.last)
  }

  @Test(arguments: [
    (0, 1, 1), (10_000, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32),
    (2026, 2, 29), (1900, 2, 29), (2026, 4, 31), (Int.max, Int.max, Int.max),
    (Int.min, Int.min, Int.min),
  ])
  func `a day that is not in the calendar is refused`(year: Int, month: Int, day: Int) {
    #expect(CivilDay(year: year, month: month, day: day) == nil)
  }

  @Test func `days beyond the years 1 to 9999 are clamped`() {
    #expect(CivilDay(daysSinceEpoch: .min).text == "0001-01-01")
    #expect(CivilDay(daysSinceEpoch: .max).text == "9999-12-31")
  }

  @Test func `adding days crosses months and years`() {
    #expect(CivilDay("2024-02-28")?.adding(days: 2)?.text == "2024-03-01")
    #expect(CivilDay("2026-01-01")?.adding(days: -1)?.text == "2025-12-31")
  }

  @Test func `adding days out of range gives nothing`() {
    #expect(CivilDay.last.adding(days: 1) == nil)
    #expect(CivilDay.first.adding(days: -1) == nil)
    #expect(CivilDay.last.adding(days: .max) == nil)
    #expect(CivilDay.first.adding(days: .min) == nil)
  }

  @Test(arguments: [
    ("1970-01-01", Weekday.thursday), ("2026-11-20", .friday), ("2000-02-29", .tuesday),
    ("0001-01-01", .monday), ("9999-12-31", .friday), ("1969-12-28", .sunday),
    ("2024-02-29", .thursday), ("2026-11-21", .saturday), ("2026-11-25", .wednesday),
  ])
  func `the weekday is known`(text: String, weekday: Weekday) {
    #expect(CivilDay(text)?.weekday == weekday)
  }

  @Test func `Monday is day 1 of the week`() {
    #expect(Weekday.monday.rawValue == 1)
    #expect(Weekday.sunday.rawValue == 7)
  }

  @Test(arguments: [
    "", "2026-12-1", "2026-12-011", "26-12-01", "2026/12/01", "2026-02-30", "0000-01-01",
    " 2026-12-01",
  ])
  func `anything else is not a day`(text: String) {
    #expect(CivilDay(text) == nil)
  }

  @Test func `a day is written with leading zeros`() {
    #expect(CivilDay(year: 7, month: 8, day: 9)?.text == "0007-08-09")
  }
}

@Suite(.hangLimit) struct CivilMinuteTests {
  @Test func `a minute is written and read`() throws {
    let day = try #require(CivilDay(year: 2026, month: 12, day: 1))
    let minute = try #require(CivilMinute(day: day, hour: 9, minute: 30))
    #expect(minute.text == "2026-12-01T09:30")
    #expect(CivilMinute("2026-12-01T09:30") == minute)
    #expect(minute.hour == 9)
    #expect(minute.minute == 30)
    #expect(minute.day == day)
    #expect(CivilMinute(startOf: day).text == "2026-12-01T00:00")
  }

  @Test(arguments: [
    "2026-12-01T24:00", "2026-12-01T09:60", "2026-12-01T9:30", "2026-12-01 09:30", "2026-12-01",
    "2026-12-01T09:30:00", "2026-02-29T09:30",
  ])
  func `anything else is not a minute`(text: String) {
    #expect(CivilMinute(text) == nil)
  }

  @Test func `minutes out of range are refused`() {
    #expect(CivilMinute(day: .first, hour: -1, minute: 0) == nil)
    #expect(CivilMinute(day: .first, hour: 24, minute: 0) == nil)
    #expect(CivilMinute(day: .first, hour: 0, minute: -1) == nil)
    #expect(CivilMinute(day: .first, hour: 0, minute: 60) == nil)
  }

  @Test(arguments: [
    ("2026-12-01T23:59", "2026-12-02T00:00"), ("2026-12-01T09:30", "2026-12-01T09:31"),
    ("2025-12-31T23:59", "2026-01-01T00:00"),
  ])
  func `minutes are in order of day and time`(earlier: String, later: String) throws {
    let first = try #require(CivilMinute(earlier))
    let second = try #require(CivilMinute(later))
    #expect(first < second)
    #expect(!(second < first))
  }
}

@Suite(.hangLimit) struct ZoneRuleTests {
  /// Central Europe in 2026: summer time from 29 March to 25 October, each time 01:00 UTC.
  private static let berlin = ZoneRule(name: "Europe/Berlin") { instant in
    (1_774_746_000_000..<1_792_890_000_000).contains(instant.milliseconds) ? 7200 : 3600
  }

  /// Samoa, which had no 30 December 2011.
  private static let apia = ZoneRule(name: "Pacific/Apia") { instant in
    instant.milliseconds < 1_325_239_200_000 ? -36_000 : 50_400
  }

  @Test(arguments: [
    ("2026-03-29T01:59", "2026-03-29T00:59:00.000Z"),
    ("2026-03-29T03:00", "2026-03-29T01:00:00.000Z"),
    ("2026-07-01T12:00", "2026-07-01T10:00:00.000Z"),
    ("2026-10-25T01:59", "2026-10-24T23:59:00.000Z"),
    ("2026-10-25T03:00", "2026-10-25T02:00:00.000Z"),
    ("2026-10-26T12:00", "2026-10-26T11:00:00.000Z"),
    ("2026-12-01T09:30", "2026-12-01T08:30:00.000Z"),
  ])
  func `a local minute and its instant convert both ways`(local: String, text: String) throws {
    let minute = try #require(CivilMinute(local))
    let instant = try #require(Instant(iso8601: text))
    #expect(Self.berlin.instant(of: minute) == instant)
    #expect(Self.berlin.civil(at: instant) == minute)
    #expect(Self.berlin.day(at: instant) == minute.day)
  }

  @Test func `a minute the clocks leave out moves forward by the gap`() throws {
    let missing = try #require(CivilMinute("2026-03-29T02:30"))
    let instant = Self.berlin.instant(of: missing)
    #expect(instant.iso8601 == "2026-03-29T01:30:00.000Z")
    #expect(Self.berlin.civil(at: instant).text == "2026-03-29T03:30")
  }

  @Test func `of a minute that comes twice the first is taken`() throws {
    let twice = try #require(CivilMinute("2026-10-25T02:30"))
    let instant = Self.berlin.instant(of: twice)
    #expect(instant.iso8601 == "2026-10-25T00:30:00.000Z")
    #expect(Self.berlin.civil(at: instant) == twice)
    let second = instant.adding(milliseconds: 3_600_000)
    #expect(Self.berlin.civil(at: second) == twice)
  }

  @Test func `a whole day left out moves forward by a day`() throws {
    let missing = try #require(CivilMinute("2011-12-30T12:00"))
    let instant = Self.apia.instant(of: missing)
    #expect(Self.apia.civil(at: instant).text == "2011-12-31T12:00")
  }

  @Test func `UTC is no offset`() throws {
    let instant = try #require(Instant(iso8601: "2026-12-01T09:30:59.999Z"))
    #expect(ZoneRule.utc.name == "UTC")
    #expect(ZoneRule.utc.offsetSeconds(at: instant) == 0)
    #expect(ZoneRule.utc.civil(at: instant).text == "2026-12-01T09:30")
  }

  @Test(arguments: [
    (7200, "+02:00", "2026-12-01T01:00"), (-18_000, "-05:00", "2026-11-30T18:00"),
    (20_700, "+05:45", "2026-12-01T04:45"), (30, "+00:00:30", "2026-11-30T23:00"),
    (0, "+00:00", "2026-11-30T23:00"), (Int.max, "+23:59:59", "2026-12-01T22:59"),
    (Int.min, "-23:59:59", "2026-11-29T23:00"),
  ])
  func `a fixed zone is always the same`(seconds: Int, name: String, local: String) throws {
    let zone = ZoneRule.fixed(seconds: seconds)
    let instant = try #require(Instant(iso8601: "2026-11-30T23:00:00Z"))
    #expect(zone.name == name)
    #expect(zone.civil(at: instant).text == local)
  }

  @Test(arguments: [ZoneRule.utc, .fixed(seconds: 86_399), .fixed(seconds: -86_399), .current])
  func `no instant and no minute traps`(zone: ZoneRule) throws {
    let nearLast = try #require(CivilDay.last.adding(days: -1))
    #expect(zone.civil(at: Instant(milliseconds: .max)).day >= nearLast)
    #expect(zone.civil(at: Instant(milliseconds: .min)).day.year == 1)
    let last = try #require(CivilMinute(day: .last, hour: 23, minute: 59))
    #expect(zone.instant(of: last) > zone.instant(of: CivilMinute(startOf: .first)))
  }

  @Test func `the current zone has a name and an offset below a day`() {
    #expect(!ZoneRule.current.name.isEmpty)
    #expect(abs(ZoneRule.current.offsetSeconds(at: Instant(milliseconds: 0))) < 86_400)
  }

  @Test func `a wild rule is clamped`() {
    let zone = ZoneRule(name: "wild") { _ in .max }
    #expect(zone.offsetSeconds(at: Instant(milliseconds: 0)) == 86_399)
  }
}

@Suite(.hangLimit) struct UniqueIDTests {
  @Test func `an identifier is written in lower case and read in any`() throws {
    let id = UniqueID(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_CDEF)
    #expect(id.text == "01234567-89ab-4def-8123-456789abcdef")
    #expect(UniqueID("01234567-89ab-4def-8123-456789abcdef") == id)
    #expect(UniqueID("01234567-89AB-4DEF-8123-456789aBcDeF") == id)
  }

  @Test(arguments: [
    "", "01234567-89ab-4def-8123-456789abcde", "01234567-89ab-4def-8123-456789abcdef0",
    "0123456789ab4def8123456789abcdef", "01234567-89ab-4def-8123_456789abcdef",
    "g1234567-89ab-4def-8123-456789abcdef", "{01234567-89ab-4def-8123-456789abcdef}",
  ])
  func `anything else is not an identifier`(text: String) {
    #expect(UniqueID(text) == nil)
  }

  @Test func `a random identifier carries version 4 and its variant`() {
    for _ in 0..<100 {
      let text = Array(UniqueID.random().text)
      #expect(text[14] == "4")
      #expect("89ab".contains(text[19]))
    }
  }

  @Test func `two random identifiers differ`() {
    #expect(UniqueID.random() != UniqueID.random())
  }

  @Test func `identifiers are in the order of their texts`() {
    let small = UniqueID(high: 1, low: .max)
    let large = UniqueID(high: 0x8000_0000_0000_0000, low: 0)
    #expect(small < large)
    #expect(small.text < large.text)
    #expect(UniqueID(high: 1, low: 1) < UniqueID(high: 1, low: 2))
    #expect(!(large < large))
  }
}
