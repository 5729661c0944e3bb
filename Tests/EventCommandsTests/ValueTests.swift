import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing

@testable import EventCommands

/// Dates as people say them.
@Suite(.hangLimit) struct WhenTests {
  /// Thursday, 2025-11-20T10:00:00Z.
  private let now = Instant(milliseconds: 1_763_632_800_000)

  private func day(_ word: String, in zone: ZoneRule = .utc) throws -> String? {
    try When(word: word).resolved(at: now, in: zone)?.text
  }

  @Test(
    arguments: [
      ("2026-12-01", "2026-12-01"), ("2026-12-01T09:30", "2026-12-01T09:30"),
      ("2026-12-01T09:30:59", "2026-12-01T09:30"), ("2026-12-01T09:30:59.999", "2026-12-01T09:30"),
      ("2028-02-29", "2028-02-29"), ("today", "2025-11-20"), ("tomorrow", "2025-11-21"),
      ("Tomorrow", "2025-11-21"), ("+0d", "2025-11-20"), ("+3d", "2025-11-23"),
      ("+2w", "2025-12-04"), ("+1W", "2025-11-27"), ("friday", "2025-11-21"),
      ("fri", "2025-11-21"), ("SAT", "2025-11-22"), ("monday", "2025-11-24"),
      ("wednesday", "2025-11-26"), ("thursday", "2025-11-27"),
    ])
  func `every form means a day or a minute`(_ word: String, _ expected: String) throws {
    #expect(try day(word) == expected)
  }

  @Test(
    arguments: [
      ("2026-12-01T09:30Z", "2026-12-01T09:30"), ("2026-12-01T09:30+02:00", "2026-12-01T07:30"),
      ("2026-12-01T00:30:00.000+02:00", "2026-11-30T22:30"),
      ("2026-12-01T23:30-01:00", "2026-12-02T00:30"),
    ])
  func `an offset is converted on entry`(_ word: String, _ expected: String) throws {
    #expect(try day(word) == expected)
  }

  @Test func `words count in the user's zone`() throws {
    let east = ZoneRule.fixed(seconds: 14 * 3600)
    let west = ZoneRule.fixed(seconds: -11 * 3600)
    #expect(try day("today", in: east) == "2025-11-21")
    #expect(try day("friday", in: east) == "2025-11-28")
    #expect(try day("today", in: west) == "2025-11-19")
    #expect(try day("thursday", in: west) == "2025-11-20")
    #expect(try day("+1d", in: west) == "2025-11-20")
    #expect(try day("2026-12-01T09:30Z", in: east) == "2026-12-01T23:30")
    #expect(try day("2026-12-01T09:30", in: east) == "2026-12-01T09:30")
  }

  @Test(
    arguments: [
      "", "soon", "26-12-01", "-2026-12-01", "+d", "+w", "+3", "+-3d", "++3d", "+３d", "mo", "mond",
      "2026-12-01T09:30+", "2026-12-01T09:30+24:00", "2026-12-01T09:30+99:99", "２０２６-12-01",
      "2026\u{2212}12\u{2212}01", "toda\u{301}y", "\u{202E}today",
    ])
  func `anything else is no date`(_ word: String) throws {
    let error = try #require(throws: ValueError.self) { try When(word: word) }
    #expect(error.message.hasPrefix("'\(word)' is no date"))
  }

  @Test(arguments: ["+4000000d", "+4000001d", "+999999999d", "+99999999999999999999w"])
  func `so many days lead out of the calendar`(_ word: String) throws {
    #expect(try day(word) == nil)
  }

  @Test(
    arguments: [
      (-1, "1969-12-31", "1970-01-01", "1970-01-02"),
      (-2_208_988_800_000, "1900-01-01", "1900-01-02", "1900-01-05"),
      (-62_135_596_800_000, "0001-01-01", "0001-01-02", "0001-01-05"),
      (4_417_977_600_000, "2110-01-01", "2110-01-02", "2110-01-03"),
      (253_402_214_400_000, "9999-12-31", nil, nil), (253_402_300_799_999, "9999-12-31", nil, nil),
      (253_402_300_800_000, nil, nil, nil), (-62_135_596_800_001, nil, nil, nil),
      (.max, nil, nil, nil), (.min, nil, nil, nil),
    ] as [(Int64, String?, String?, String?)]
  )
  func `words count from any clock, and mean nothing where the calendar ends`(
    clock: Int64,
    today: String?,
    tomorrow: String?,
    friday: String?
  ) throws {
    let now = Instant(milliseconds: clock)
    #expect(try When(word: "today").resolved(at: now, in: .utc)?.text == today)
    #expect(try When(word: "tomorrow").resolved(at: now, in: .utc)?.text == tomorrow)
    #expect(try When(word: "friday").resolved(at: now, in: .utc)?.text == friday)
  }

  @Test func `the calendar ends where the user is`() throws {
    let east = ZoneRule.fixed(seconds: 14 * 3600)
    let last = Instant(milliseconds: 253_402_300_799_999)
    #expect(try When(word: "today").resolved(at: last, in: east) == nil)
    let west = ZoneRule.fixed(seconds: -12 * 3600)
    #expect(try When(word: "today").resolved(at: last, in: west)?.text == "9999-12-31")
    #expect(try When(word: "today").resolved(at: last.adding(milliseconds: 1), in: west) != nil)
  }

  @Test(
    arguments: [
      ("2026-03-29T00:59Z", "2026-03-29T01:59"), ("2026-03-29T01:00Z", "2026-03-29T03:00"),
      ("2026-10-25T00:30Z", "2026-10-25T02:30"), ("2026-10-25T01:30Z", "2026-10-25T02:30"),
    ])
  func `an offset is converted by the clocks of its day`(_ word: String, _ local: String) throws {
    let berlin = ZoneRule(name: "Europe/Berlin") { instant in
      (1_774_746_000_000..<1_792_890_000_000).contains(instant.milliseconds) ? 7200 : 3600
    }
    #expect(try day(word, in: berlin) == local)
  }

  @Test func `a local minute that the clocks leave out stays as it was written`() throws {
    let berlin = ZoneRule(name: "Europe/Berlin") { instant in
      instant.milliseconds >= 1_774_746_000_000 ? 7200 : 3600
    }
    #expect(try day("2026-03-29T02:30", in: berlin) == "2026-03-29T02:30")
  }

  @Test func `dates are of the years 1 to 9999`() throws {
    #expect(try day("0001-01-01") == "0001-01-01")
    #expect(try day("9999-12-31T23:59") == "9999-12-31T23:59")
    #expect(try day("+4000000d") == nil)
    #expect(try day("+2912484d") == "9999-12-31")
    #expect(try day("+2912485d") == nil)
  }

  @Test func `it stays symbolic until it is resolved`() throws {
    let tomorrow = try When(word: "tomorrow")
    #expect(tomorrow == .inDays(1))
    #expect(tomorrow.resolved(at: Instant(milliseconds: 0), in: .utc)?.text == "1970-01-02")
    #expect(try When(word: "+2w") == .inDays(14))
    #expect(try When(word: "sun") == .next(.sunday))
  }
}

/// Numbers, choices, changes.
@Suite(.hangLimit) struct ValueTests {
  @Test func `a count is a whole number from 0`() throws {
    #expect(try Count(word: "0").number == 0)
    #expect(try Count(word: "42").number == 42)
    for word in ["-1", "1.5", "", "one", "9223372036854775808"] {
      #expect(throws: ValueError("'\(word)' is not a whole number from 0")) {
        try Count(word: word)
      }
    }
  }

  @Test func `a count in JSON is an integer from 0`() throws {
    #expect(try Count(json: 3).number == 3)
    #expect(throws: ValueError("expected an integer from 0, found -1")) { try Count(json: -1) }
    #expect(throws: ValueError(#"expected an integer from 0, found "3""#)) { try Count(json: "3") }
    #expect(throws: ValueError("expected an integer from 0, found null")) { try Count(json: .null) }
  }

  @Test func `a choice is one of its words, as they are written`() throws {
    #expect(try Size(word: "large") == .large)
    for word in ["Large", "", "larg", "huge"] {
      #expect(throws: ValueError("'\(word)' is not one of small, large")) { try Size(word: word) }
    }
    #expect(throws: ValueError("expected a string, found an integer")) { try Size(json: 3) }
  }

  @Test func `a number is written as in JSON, whole or not`() throws {
    #expect(try Double(word: "-2.5e3") == -2500)
    #expect(try Double(word: "-18446744073709551616") == -0x1p64)
    #expect(try Double(json: 7) == 7)
    for word in ["", "1,5", "nan", "1e999", "0x1", "\"1\""] {
      #expect(throws: ValueError.self) { try Double(word: word) }
    }
    #expect(throws: ValueError("'true' is not a number")) { try Double(json: true) }
  }

  @Test func `a number is a whole one, with a sign if need be`() throws {
    #expect(try Int(word: "-7") == -7)
    #expect(try Int(word: "+7") == 7)
    #expect(throws: ValueError("'7.0' is not a whole number")) { try Int(word: "7.0") }
    #expect(throws: ValueError("expected an integer, found 7.5")) { try Int(json: 7.5) }
  }

  @Test func `a whole number of another size has its range`() throws {
    #expect(try UInt8(word: "255") == 255)
    #expect(try Int64(json: -7) == -7)
    #expect(try UInt64(word: "18446744073709551615") == .max)
    #expect(throws: ValueError("'256' is not a whole number from 0 to 255")) {
      try UInt8(word: "256")
    }
    #expect(throws: ValueError("'-1' is not a whole number from 0")) { try UInt(word: "-1") }
    #expect(throws: ValueError("expected an integer from -128 to 127, found 128")) {
      try Int8(json: 128)
    }
    #expect(Int16.shape.schema == ["type": "integer"])
    #expect(UInt.shape.schema == ["type": "integer", "minimum": 0])
  }

  @Test func `a number of single precision is in its range`() throws {
    #expect(try Float(word: "-2.5e3") == -2500)
    #expect(throws: ValueError("'1e+300' is not a number")) { try Float(word: "1e300") }
  }

  @Test func `a UUID, a time and a day are written as elsewhere`() throws {
    let id = UniqueID(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_CDEF)
    #expect(try UniqueID(word: "01234567-89AB-4def-8123-456789abcdef") == id)
    #expect(try UniqueID(json: "0123456789ab4def8123456789abcdef") == id)
    #expect(throws: ValueError("'0123' is not a UUID")) { try UniqueID(word: "0123") }
    #expect(throws: ValueError("'1' is not a UUID")) { try UniqueID(word: "1") }
    #expect(try Instant(word: "1970-01-01T01:00:00+01:00") == Instant(milliseconds: 0))
    #expect(
      throws: ValueError("'noon' is not a time with its zone, such as 2026-12-01T09:30:00Z")
    ) { try Instant(word: "noon") }
    #expect(try CivilDay(word: "2026-12-01") == CivilDay(year: 2026, month: 12, day: 1))
    #expect(throws: ValueError("'2026-02-30' is not a day, such as 2026-12-01")) {
      try CivilDay(word: "2026-02-30")
    }
  }

  @Test func `a decimal number is written as in JSON`() throws {
    #expect(try Double(word: "-7.5") == -7.5)
    #expect(try Double(word: "3") == 3)
    #expect(try Double(json: 2) == 2)
    #expect(try Double(json: 0.25) == 0.25)
    for word in ["x", "", "true", "nan"] {
      #expect(throws: ValueError("'\(word)' is not a number")) { try Double(word: word) }
    }
    #expect(throws: ValueError("'null' is not a number")) { try Double(json: .null) }
  }

  @Test func `an empty word clears, any other sets`() throws {
    var change = Change<Int>.keep
    try change.take(word: "")
    #expect(change == .clear)
    try change.take(word: "3")
    #expect(change == .set(3))
    #expect(throws: ValueError("'x' is not a whole number")) { try change.take(word: "x") }
    #expect(change == .set(3))
  }
}
