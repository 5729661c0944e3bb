package import EventCommands
import EventMVVM
import EventRecords
import EventValues
package import JSONText

/// The days of a report, and the kind of its rows.
struct ReportPeriod: Sendable, Equatable {
  /// Consecutive days since 1970.
  let days: Range<Int>
  let rows: ReportRows

  /// The most days with rows in a report: more than a person reads.
  static let mostDays = 3660

  init(_ request: RequestReport, _ statistics: Statistics, _ turn: borrowing Turn) throws(Failure) {
    let today = turn.zone.day(at: turn.time).daysSinceEpoch
    rows = request.by ?? .day
    var first = today - 13
    if rows == .week { first = Self.firstDayOfWeek(of: today) - 7 * 7 }
    if let since = request.since {
      guard let time = since.resolved(at: turn.time, in: turn.zone, .behind) else {
        throw Failure(.validation, "The date is outside the years 1 to 9999.", field: "since")
      }
      first = time.day.daysSinceEpoch
    }
    guard first <= today else {
      throw Failure(.validation, "--since is in the future.", field: "since")
    }
    // Before the first day with a number there is nothing to see, however long ago that is.
    if request.since != nil, let known = statistics.firstDay {
      first = max(first, min(known, today))
    }
    days = max(first, today - Self.mostDays + 1)..<today + 1
  }

  /// The periods of the rows, and the first day of each: days, or weeks that begin as `[dates]` says.
  ///
  /// The first week and the last one have only those of their days that are in the report.
  var periods: [(first: Int, days: Range<Int>)] {
    guard rows == .week else { return days.map { ($0, $0..<$0 + 1) } }
    return stride(from: Self.firstDayOfWeek(of: days.lowerBound), to: days.upperBound, by: 7)
      .map { ($0, max($0, days.lowerBound)..<min($0 + 7, days.upperBound)) }
  }

  /// Returns the first day of the week of a day, both since 1970.
  private static func firstDayOfWeek(of day: Int) -> Int {
    let isFirst = DateRules.current.firstWeekday
    return (0..<7).map { day - $0 }
      .first { CivilDay(daysSinceEpoch: $0).weekday == isFirst } ?? day
  }
}

/// The statistics of a period.
package struct Report: CommandResult, Codable {
  /// A line of statistics: a day, a week, a tag or a project; of what has no project, the name is empty.
  struct Row: Sendable, Equatable, Codable {
    let name: String
    /// A number for each kind.
    let numbers: [Int]

    /// Its name for a person: that of what has no project is `(none)`.
    var shownName: String { name.isEmpty ? "(none)" : name }
  }

  /// The first day, and the last one.
  let first: CivilDay
  let last: CivilDay
  let rowKind: ReportRows
  /// The counted kinds.
  let kinds: [Measure.Kind]
  /// For each kind: the sum, or the level at the end.
  let totals: [Int]
  /// For each kind, a number for each day or week.
  let series: [[Int]]
  /// The names of the days or weeks.
  let periodNames: [String]
  let rows: [Row]
  let gauges: [Gauge]
  /// The usage of the store in processes with more than one command.
  private(set) var usage: Usage
  /// The day since which the usage is counted.
  let usageSince: CivilDay
  /// The usage of all stores together, before each was counted separately.
  private(set) var earlier: Usage
  /// The outcome of posting it; nil where that was not requested.
  private(set) var posting: Posting.Outcome?

  init(
    _ period: ReportPeriod,
    _ statistics: Statistics,
    _ gauges: [Gauge],
    _ said: StatisticsFile.StoreUsage,
    earlier: Usage,
    _ zone: ZoneRule
  ) {
    let kinds = statistics.kinds
    let periods = period.periods
    let all = [period.days]
    first = CivilDay(daysSinceEpoch: period.days.lowerBound)
    last = CivilDay(daysSinceEpoch: period.days.upperBound - 1)
    rowKind = period.rows
    self.kinds = kinds
    let totals = kinds.map { statistics.series($0, over: all)[0] }
    self.totals = totals
    let series = kinds.map { statistics.series($0, over: periods.map(\.days)) }
    self.series = series
    let names = periods.map { CivilDay(daysSinceEpoch: $0.first).text }
    periodNames = names
    if period.rows.isPeriod {
      rows = names.indices.map { index in Row(name: names[index], numbers: series.map { $0[index] })
      }
    } else {
      let dimension = period.rows.rawValue
      var labelled = statistics.values(of: dimension)
        .map { value in
          let label = Measure.Dimension(dimension, value)
          return Row(
            name: value,
            numbers: kinds.map { statistics.series($0, of: label, over: all)[0] }
          )
        }
      if period.rows == .project {
        // A thing has one project or none, so what no row has is without one.
        let rest = kinds.indices.map { kind in
          labelled.reduce(totals[kind]) { $0 - $1.numbers[kind] }
        }
        labelled.append(Row(name: "", numbers: rest))
      }
      rows = labelled.filter { $0.numbers.contains { $0 != 0 } }
    }
    // A measure of the history is not shown twice.
    self.gauges = gauges.filter { gauge in !kinds.contains { $0.name.isIdentical(to: gauge.name) } }
    usage = said.usage
    usageSince = zone.day(at: said.since)
    self.earlier = earlier
  }

  /// The exit status: a report that was not posted is a failure of the command.
  package var exitStatus: ExitStatus { posting?.isComplete != false ? .success : .failed }

  /// The scope of the measures.
  static let scope = "in this store"
  /// The scope of the usage.
  var commandScope: String { "commands since \(usageSince.text), \(Self.scope)" }
  /// The number of commands that were counted before stores were distinguished; nil for none.
  var earlierText: String? {
    let count = earlier.commands.values.reduce(0) { $0 + $1.values.reduce(0, +) }
    return count == 0 ? nil : "before, in all stores together: \(count)"
  }

  /// The verbs that were timed, the most frequent first.
  var verbs: [(name: String, times: Histogram)] {
    usage.times.map { ($0.key, $0.value) }
      .sorted { ($1.1.count, $0.0) < ($0.1.count, $1.0) }
      .map { (name: $0.0, times: $0.1) }
  }

  /// The report for a person who did not ask how often commands were given and how long they took.
  var withoutCommands: Report {
    var report = self
    (report.usage, report.earlier) = (Usage(), Usage())
    return report
  }

  /// Returns the report with the outcome of posting it.
  func posted(_ outcome: Posting.Outcome) -> Report {
    var report = self
    report.posting = outcome
    return report
  }

  // MARK: JSON

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("since", first.text)
      json.member("until", last.text)
      json.member("by", rowKind.rawValue)
      json.key("totals")
      writeNumbers(totals, to: &json)
      json.key("now")
      json.object { json in
        for gauge in gauges { json.member(JSONName(gauge.name), gauge.value) }
      }
      json.key("rows")
      json.array { json in
        for row in rows {
          json.object { json in
            json.member(JSONName(rowKind.rawValue), row.name.isEmpty ? nil : row.name)
            writeMembers(row.numbers, to: &json)
          }
        }
      }
      json.member("commandsSince", usageSince.text)
      writeUsage(to: &json)
      if !earlier.isEmpty {
        json.key("allStoresBefore")
        earlier.write(to: &json)
      }
      if let posting { write(posting, to: &json) }
    }
  }

  private func write(_ posting: Posting.Outcome, to json: inout JSONWriter) {
    json.key("posting")
    json.object { json in
      json.member("to", posting.target)
      json.member("posted", posting.posted)
      json.member("waiting", posting.waiting)
      json.member("dropped", posting.dropped)
      json.member("refused", posting.refused ?? 0)
      json.member("problem", posting.problem ?? posting.refusal)
    }
  }

  private func writeNumbers(_ numbers: [Int], to json: inout JSONWriter) {
    json.object { writeMembers(numbers, to: &$0) }
  }

  private func writeMembers(_ numbers: [Int], to json: inout JSONWriter) {
    for (kind, number) in zip(kinds, numbers) { json.member(JSONName(kind.name), number) }
  }

  private func writeUsage(to json: inout JSONWriter) {
    json.key("commands")
    json.array { json in
      for (verb, times) in verbs {
        json.object { json in
          json.member("command", verb)
          json.member("count", times.count)
          json.key("origins")
          (usage.commands[verb] ?? [:]).write(to: &json)
          json.member("medianMilliseconds", times.percentile(0.5))
          json.member("p95Milliseconds", times.percentile(0.95))
          json.member("p99Milliseconds", times.percentile(0.99))
        }
      }
    }
    json.key("failures")
    usage.failures.write(to: &json)
    json.key("events")
    usage.events.write(to: &json)
  }
}
