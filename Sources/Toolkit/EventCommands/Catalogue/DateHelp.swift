import EventMVVM
import EventValues

/// The page of help on dates: what can be written, and what it is today.
enum DateHelp {
  static let topic = "dates"

  static let groups: [(heading: String, words: [String])] = [
    ("A day", ["today", "tomorrow", "yesterday", "fri", "this fri", "next fri", "weekend"]),
    ("Of a month or a year", ["15th", "1 dec", "dec 1", "1.12.", "1 dec 2027", "2027-12-01"]),
    ("From today", ["3d", "in 2 weeks", "+1m", "1y", "2 days ago", "-7d"]),
    (
      "Where something begins or ends",
      ["next week", "eow", "eom", "eoq", "eoy", "som", "next month", "end of december"]
    ),
    ("By the calendar", ["W49", "2027-W01-2", "2027-335", "first monday of january"]),
    ("With a time", ["17:30", "tomorrow 9am", "fri at 14:00", "tomorrowT9am", "2h", "tonight"]),
  ]

  static let rules = [
    "A weekday and a day of a month lie ahead where something is planned, and",
    "behind in --since. 'edit 3 --due due+1w' moves a date, none removes it.",
    "1/12 is two days, and refused: [dates] of config.toml has 'order', and 'week',",
    "the day on which weeks begin. 'list --due' asks for days: 'this week', december,",
    "weekend, 1-5 dec, mon..fri, '..next week', -7d..",
  ]

  static func show(on page: inout Page) {
    let clock = page.clock ?? .ofProcess
    page.write("Dates, and what they are now. Case counts for nothing; blanks need quotes.")
    page.endLine()
    for (heading, words) in groups {
      page.endLine()
      page.write(heading, .prominent)
      page.endLine()
      page.columns(words.map { ($0, said($0, clock)) }, width: 24)
    }
    page.endLine()
    for line in rules {
      page.write(line)
      page.endLine()
    }
  }

  private static func said(_ word: String, _ clock: ReaderClock) -> String {
    let now = clock.zone.instant(of: clock.now)
    let date = (try? When(word: word))?.resolved(at: now, in: clock.zone)
    return date?.said(at: clock.now, isWhole: true) ?? ""
  }
}
