#if os(Linux)
  import EventMVVMTesting
  import EventValues
  import Foundation
  import Testing

  @Suite(.hangLimit) struct RecurrenceOracleTests {
    @Test(.enabled(if: DateOracleTests.hasDateutil)) func `dateutil has the same days of a rule`()
      throws
    {
      var chance = Chance(63)
      var rules: [(rule: RecurrenceRule, start: CivilDay)] = []
      while rules.count < 1000 {
        let start = CivilDay(daysSinceEpoch: Int.random(in: 8000...22_000, using: &chance))
        let rule = RecurrenceRule(random: &chance, from: start)
        // What is checked together is refused by RFC 5545; the others are to be read as they are written.
        guard let read = try? RecurrenceRule(rule.text) else { continue }
        #expect(read == rule, "\(rule.text)")
        rules.append((rule, start))
      }
      let script = """
        import sys, itertools, dateutil.rrule
        from datetime import datetime
        from dateutil.rrule import rrulestr
        # What never comes is not looked for until the year 9999.
        dateutil.rrule.datetime.MAXYEAR = 2040
        for line in sys.stdin:
          start, rule = line.split()
          start = datetime.fromisoformat(start)
          rule = rrulestr(rule, dtstart=start)
          rule = rule.replace(until=min(start.replace(year=start.year + 8, day=1), rule._until or datetime.max))
          print("=", *(day.date() for day in itertools.islice(rule, 12)))
        """
      let answers = try DateOracleTests()
        .answers(
          ["/usr/bin/python3", "-W", "ignore", "-c", script],
          rules.map { "\($0.start.text) \($0.rule.text)" }
        )
      #expect(answers.count == rules.count)
      for ((rule, start), answer) in zip(rules, answers) {
        let last = try #require(CivilDay(year: start.year + 8, month: start.month, day: 1))
        let days = rule.days(from: start, 12).filter { $0 <= last }.map(\.text)
        let found = (["="] + days).joined(separator: " ")
        #expect(found == answer, "\(rule.text) from \(start.text)")
      }
    }
  }

  extension RecurrenceRule {
    /// A rule with some parts.
    fileprivate init(random chance: inout Chance, from start: CivilDay) {
      self.init(
        Frequency.allCases.randomElement(using: &chance) ?? .daily,
        interval: Int.random(in: 1...4, using: &chance)
      )
      func some(_ range: ClosedRange<Int>, _ most: Int, _ chance: inout Chance) -> [Int] {
        var all: [Int] = []
        for _ in 0..<Int.random(in: 1...most, using: &chance) {
          let number = Int.random(in: range, using: &chance)
          if number != 0, !all.contains(number) { all.append(number) }
        }
        return all
      }
      func isChosen(_ chance: inout Chance) -> Bool { Int.random(in: 0..<3, using: &chance) == 0 }
      if isChosen(&chance) { months = some(1...12, 4, &chance) }
      if isChosen(&chance), frequency != .weekly { monthDays = some(-31...31, 4, &chance) }
      if isChosen(&chance), frequency == .yearly { yearDays = some(-366...366, 4, &chance) }
      if isChosen(&chance), frequency == .yearly { weeks = some(-53...53, 4, &chance) }
      if isChosen(&chance) {
        let hasOrdinals = isChosen(&chance) && weeks.isEmpty
        for _ in 0..<Int.random(in: 1...3, using: &chance) {
          let weekday = Weekday.allCases.randomElement(using: &chance) ?? .monday
          let isInPeriod = hasOrdinals && (frequency == .monthly || frequency == .yearly)
          // Of days with a number and days without, dateutil finds those that are both.
          var day = Day(weekday)
          if isInPeriod { day.ordinal = [-2, -1, 1, 2, 3].randomElement(using: &chance) ?? 1 }
          if !weekdays.contains(day) { weekdays.append(day) }
        }
      }
      // To dateutil the first week begins with the first day.
      if isChosen(&chance), frequency == .monthly || frequency == .yearly {
        positions = some(-4...4, 2, &chance)
      }
      if isChosen(&chance) { weekStart = Weekday.allCases.randomElement(using: &chance) ?? .monday }
      if isChosen(&chance) {
        count = Int.random(in: 1...8, using: &chance)
      } else if isChosen(&chance) {
        until = start.adding(days: Int.random(in: 0...900, using: &chance)).map { .day($0) }
      }
    }
  }
#endif
