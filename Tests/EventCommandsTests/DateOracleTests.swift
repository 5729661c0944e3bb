import EventValues

#if os(Linux)
  import EventMVVM
  import EventMVVMTesting
  import Foundation
  import Testing

  @testable import EventCommands

  /// Dates as GNU `date` and Python's dateutil have them, where they mean the same.
  ///
  /// GNU `date` adds months as a number of days where a month is too short, so those are dateutil's.
  @Suite(.hangLimit) struct DateOracleTests {
    private static let months = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// A clock, what is typed at it, and what an oracle is asked.
    private struct Case {
      let now: CivilMinute
      let typed: String
      let asked: String

      /// What it is read as.
      func read() throws -> String {
        try When(word: typed, DateRules()).date(at: ZoneRule.utc.instant(of: now), in: .utc).text
      }
    }

    private func minute(_ chance: inout Chance) throws -> CivilMinute {
      let day = CivilDay(daysSinceEpoch: Int.random(in: 400...47_000, using: &chance))
      let (hour, minute) = (
        Int.random(in: 0...23, using: &chance), Int.random(in: 0...59, using: &chance)
      )
      return try #require(CivilMinute(day: day, hour: hour, minute: minute))
    }

    /// The lines that a program prints for these.
    func answers(_ program: [String], _ lines: [String]) throws -> [String] {
      let process = Process()
      let (input, output) = (Pipe(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["LC_ALL=C"] + program
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      let text = Data(lines.map { $0 + "\n" }.joined().utf8)
      Thread.detachNewThread {
        try? input.fileHandleForWriting.write(contentsOf: text)
        try? input.fileHandleForWriting.close()
      }
      let answer = String(
        decoding: output.fileHandleForReading.readDataToEndOfFile(),
        as: UTF8.self
      )
      try waitUntil("the oracle has ended") { !process.isRunning }
      #expect(process.terminationStatus == 0)
      return answer.split(separator: "\n").map(String.init)
    }

    @Test func `GNU date has the same`() throws {
      var chance = Chance(50)
      var cases: [Case] = []
      for _ in 0..<500 {
        let (now, other) = (try minute(&chance), try minute(&chance))
        let base = now.text.replacing("T", with: " ") + " UTC"
        let count = Int.random(in: 0...4000, using: &chance)
        let date = "\(other.day.day) \(Self.months[other.day.month - 1]) \(other.day.year)"
        let offset = ["Z", "+02:00", "-09:30", "+0545"][Int.random(in: 0...3, using: &chance)]
        cases += [
          Case(now: now, typed: "\(count) days ago", asked: "\(base) \(count) days ago"),
          Case(now: now, typed: "+\(count)d", asked: "\(base) \(count) days"),
          Case(now: now, typed: "in \(count) weeks", asked: "\(base) \(count) weeks"),
          Case(now: now, typed: "\(count)h", asked: "\(base) \(count) hours"),
          Case(now: now, typed: "\(count) minutes ago", asked: "\(base) \(count) minutes ago"),
          Case(now: now, typed: date, asked: date),
          Case(now: now, typed: "\(date) \(other.clockText)", asked: "\(date) \(other.clockText)"),
          Case(now: now, typed: other.text + offset, asked: other.text + offset),
          Case(now: now, typed: other.day.text, asked: other.day.text),
        ]
      }
      let answers = try answers(["date", "-u", "-f", "-", "+%FT%H:%M"], cases.map(\.asked))
      #expect(answers.count == cases.count)
      for (one, answer) in zip(cases, answers) {
        let read = try one.read()
        #expect(answer.hasPrefix(read), "\(one.typed) at \(one.now.text)")
      }
    }

    @Test(.enabled(if: hasDateutil)) func `dateutil has the same months and years`() throws {
      var chance = Chance(51)
      var cases: [Case] = []
      for _ in 0..<2000 {
        let now = try minute(&chance)
        let (months, days) = (
          Int.random(in: 0...900, using: &chance), Int.random(in: 0...60, using: &chance)
        )
        let sign = Bool.random(using: &chance) ? 1 : -1
        cases += [
          Case(
            now: now,
            typed: "\(sign < 0 ? "-" : "+")\(months)mo",
            asked: "\(now.day.text) \(sign * months) 0"
          ),
          Case(
            now: now,
            typed: "\(months / 12)y \(days)d",
            asked: "\(now.day.text) \(months / 12 * 12) \(days)"
          ),
          Case(
            now: now,
            typed: "\(months) months and \(days) days ago",
            asked: "\(now.day.text) \(-months) \(-days)"
          ),
        ]
      }
      let script = """
        import sys
        from datetime import date
        from dateutil.relativedelta import relativedelta
        for line in sys.stdin:
          day, months, days = line.split()
          print(date.fromisoformat(day) + relativedelta(months=int(months), days=int(days)))
        """
      let answers = try answers(["/usr/bin/python3", "-c", script], cases.map(\.asked))
      for (one, answer) in zip(cases, answers) {
        #expect(try one.read() == answer, "\(one.typed) at \(one.now.text)")
      }
      #expect(answers.count == cases.count)
    }

    /// Whether dateutil is installed; true if `$CI` is set, so that the test is not skipped there.
    static let hasDateutil =
      ProcessInfo.processInfo.environment["CI"] != nil
      || FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dateutil")
  }
#endif
