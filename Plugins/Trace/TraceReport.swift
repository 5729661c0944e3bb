package import EventCommands
import EventMVVM
import EventValues
package import JSONText

/// The last roots of a process, for display; the latest comes last.
package struct TraceReport: CommandResult {
  /// An event.
  struct Event: Sendable, Equatable {
    let sequence: UInt64
    let cause: UInt64?
    let type: String
    /// The milliseconds since the root began.
    let at: Int64
    /// The milliseconds from a request to its reply, or from the begin of a unit to its end.
    fileprivate(set) var took: Int64?
    let subject: String?
  }

  /// A root and its consequences.
  struct Intent: Sendable, Equatable {
    let root: Root
    let origin: String
    let at: Instant
    /// The events, in order.
    let events: [Event]
    /// How many were not stored, after the first ``TraceLog/mostEntries``.
    let missed: Int
  }

  private let intents: [Intent]

  init(_ intents: [Intent]) {
    self.intents = intents
  }

  package func show(on page: inout Page) {
    guard !intents.isEmpty else {
      page.write("Nothing was asked for before this.")
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
  /// Creates the display form of a stored root.
  ///
  /// - Parameters:
  ///   - intent: The stored root.
  ///   - name: Returns the name of an origin.
  init(_ intent: TraceLog.Intent, _ name: (Origin) -> String) {
    let entries = intent.entries
    let start = entries.first?.time ?? Instant(milliseconds: 0)
    root = intent.root
    origin = name(intent.origin)
    at = start
    events = entries.answered(entries.map { TraceReport.Event($0, since: start) })
    missed = intent.missed
  }

  // MARK: For programs

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("root", root.description)
      json.member("origin", origin)
      json.member("at", at.iso8601)
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
    page.write("  \(at.iso8601)  \(root)", .dim)
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

  /// The events, each beneath its cause; beneath the root where that was not stored.
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

  /// The indentation, which is limited so that a long chain stays readable.
  var indent: String { String(repeating: "  ", count: min(depth, 16)) }
  var time: String { "\(event.at) ms" }

  func show(on page: inout Page, _ columns: Columns) {
    page.write(indent)
    page.write(event.type)
    page.write(columns.padding(columns.name - indent.count - event.type.count + 2))
    page.write(columns.padding(columns.time - time.count))
    page.write(time, .dim)
    if let subject = event.subject {
      page.write("  ")
      page.write(user: subject, .cyan)
    }
    page.endLine()
  }
}

/// The widths of the columns of a root.
private struct Columns {
  let name: Int
  let time: Int

  init(_ lines: [Line]) {
    name = lines.map { $0.indent.count + $0.event.type.count }.max() ?? 0
    time = lines.map(\.time.count).max() ?? 0
  }

  func padding(_ columns: Int) -> String { String(repeating: " ", count: max(0, columns)) }
}

extension [TraceLog.Entry] {
  /// Returns the events, with the times of answered ones: a reply answers the nearest request
  /// of its kind among its causes that is still unanswered (promise 6).
  fileprivate func answered(_ events: [TraceReport.Event]) -> [TraceReport.Event] {
    var events = events
    let places = Dictionary(uniqueKeysWithValues: zip(map(\.sequence), indices))
    for (index, entry) in enumerated() {
      let reply = StreamKey(entry.type)
      var place = places[entry.cause]
      while let request = place {
        guard self[request].reply == reply, events[request].took == nil else {
          place = places[self[request].cause]
          continue
        }
        events[request].took = events[index].at - events[request].at
        place = nil
      }
    }
    return events
  }
}

extension TraceLog.Entry {
  /// The event that ends it, if that is another one.
  fileprivate var reply: StreamKey? {
    type == RequestUnit.self ? StreamKey(ResponseUnit.self) : type._reply
  }
}

extension TraceReport.Event {
  fileprivate init(_ entry: TraceLog.Entry, since start: Instant) {
    sequence = entry.sequence
    cause = entry.cause == 0 ? nil : entry.cause
    type = entry.type.name
    at = entry.time.milliseconds.subtractingReportingOverflow(start.milliseconds).partialValue
    subject = entry.subject
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("seq", Int64(sequence))
      json.member("cause", cause.map { Int64($0) })
      json.member("type", type)
      json.member("subject", subject)
      json.member("at", at)
      json.member("took", took)
    }
  }
}
