package import EventCommands
import EventMVVM
package import JSONText

/// The last intents of a process, as they are shown; the latest comes last.
package struct TraceReport: CommandResult {
  /// An event.
  struct Event: Sendable, Equatable {
    let sequence: UInt64
    let cause: UInt64?
    let name: String
    let origin: String
    /// The milliseconds since the intent began.
    let time: Int64
    let subject: String?
  }

  /// An intent, and what followed from it.
  struct Intent: Sendable, Equatable {
    let root: Root
    let origin: String
    let time: Instant
    /// In their order.
    let events: [Event]
    /// How many were not kept, after the first ``TraceLog/mostEntries``.
    let missed: Int
  }

  private let intents: [Intent]

  init(_ intents: [Intent]) {
    self.intents = intents
  }

  package func show(on page: inout Page) {
    guard !intents.isEmpty else {
      page.write("This process has handled nothing before this.")
      return page.endLine()
    }
    for (index, intent) in intents.enumerated() {
      if index > 0 { page.endLine() }
      intent.show(on: &page)
    }
  }

  package func write(to json: inout JSONWriter) {
    json.array { json in
      for intent in intents { intent.write(to: &json) }
    }
  }
}

extension TraceReport.Intent {
  /// Shows what was kept.
  ///
  /// - Parameters:
  ///   - intent: What was kept.
  ///   - name: The name of an origin.
  init(_ intent: TraceLog.Intent, _ name: (Origin) -> String) {
    let entries = intent.entries
    let start = entries.first?.time ?? Instant(milliseconds: 0)
    root = intent.root
    origin = entries.first.map { name($0.origin) } ?? ""
    time = start
    events = entries.map { TraceReport.Event($0, since: start, name($0.origin)) }
    missed = intent.missed
  }

  // MARK: For programs

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("root", root.description)
      json.member("origin", origin)
      json.member("time", time.iso8601)
      json.key("events")
      json.array { json in
        for event in events { event.write(to: &json) }
      }
      json.member("missed", missed)
    }
  }

  // MARK: For people

  fileprivate func show(on page: inout Page) {
    page.write(user: origin, .bold)
    page.write("  \(time.iso8601)  \(root)", .dim)
    page.endLine()
    let lines = lines
    let columns = Columns(lines)
    var isGapShown = false
    for line in lines {
      if !isGapShown, isAfterGap(line.index) {
        isGapShown = true
        page.write("  … \(missed) more, which were not kept …", .dim)
        page.endLine()
      }
      line.show(on: &page, columns)
    }
  }

  private func isAfterGap(_ index: Int) -> Bool { missed > 0 && index >= TraceLog.mostEntries }

  /// The events, each beneath its cause; beneath the root where that was not kept.
  private var lines: [Line] {
    let places = Dictionary(uniqueKeysWithValues: zip(events.map(\.sequence), events.indices))
    var effects: [Int: [Int]] = [:]
    var open: [Line] = []
    for (index, event) in events.enumerated() {
      if let cause = event.cause.flatMap({ places[$0] }) {
        effects[cause, default: []].append(index)
      } else if isAfterGap(index) {
        effects[0, default: []].append(index)
      } else {
        open.append(Line(index: index, depth: 1, event: event))
      }
    }
    var lines: [Line] = []
    open.reverse()
    while let line = open.popLast() {
      lines.append(line)
      for index in effects[line.index, default: []].reversed() {
        open.append(Line(index: index, depth: line.depth + 1, event: events[index]))
      }
    }
    return lines
  }
}

/// An event as a line of text.
private struct Line {
  let index: Int
  let depth: Int
  let event: TraceReport.Event

  /// A long chain stays readable: from some depth on it is not moved in any more.
  var indent: String { String(repeating: "  ", count: min(depth, 16)) }
  var time: String { "\(event.time) ms" }

  func show(on page: inout Page, _ columns: Columns) {
    page.write(indent)
    page.write(event.name)
    page.write(columns.padding(columns.name - indent.count - event.name.count + 2))
    page.write(user: event.origin, .dim)
    page.write(columns.padding(columns.origin - columns.width(of: event.origin) + 2))
    page.write(columns.padding(columns.time - time.count))
    page.write(time, .dim)
    if let subject = event.subject {
      page.write("  ")
      page.write(user: subject, .cyan)
    }
    page.endLine()
  }
}

/// How wide the columns of an intent are.
private struct Columns {
  let name: Int
  let origin: Int
  let time: Int

  init(_ lines: [Line]) {
    name = lines.map { $0.indent.count + $0.event.name.count }.max() ?? 0
    time = lines.map(\.time.count).max() ?? 0
    origin = Set(lines.map(\.event.origin)).map(Self.width).max() ?? 0
  }

  /// The columns that a text takes that users may have typed.
  func width(of text: String) -> Int { Self.width(text) }

  func padding(_ columns: Int) -> String { String(repeating: " ", count: max(0, columns)) }

  private static func width(_ text: String) -> Int { DisplayWidth.of(escapedForTerminal(text)) }
}

extension TraceReport.Event {
  fileprivate init(_ entry: TraceLog.Entry, since start: Instant, _ origin: String) {
    sequence = entry.sequence
    cause = entry.cause == 0 ? nil : entry.cause
    name = entry.type.name
    self.origin = origin
    time = entry.time.milliseconds.subtractingReportingOverflow(start.milliseconds).partialValue
    subject = entry.subject
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("seq", Int64(sequence))
      json.member("cause", cause.map { Int64($0) })
      json.member("name", name)
      json.member("origin", origin)
      json.member("at", time)
      json.member("subject", subject)
    }
  }
}
