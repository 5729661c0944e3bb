package import EventCommands
import EventMVVM
package import EventRecords
package import JSONText

/// What an undo or a redo has done: a difference that a person can read.
package struct ReversalReport: CommandResult {
  /// The step that was undone.
  package let step: Step
  /// How many things have changed.
  package private(set) var count = 0
  /// The changes of the first hundred of them.
  package private(set) var changes: [SubjectChange] = []
  /// The fields that were left as they are, because they were changed again since.
  package var skipped: [JournalConflict] = []
  /// How many fields that are, the first hundred of which are named.
  package var skippedCount = 0
  private let verb: String
  private let minute: String

  init(of step: Step, by verb: String, in zone: ZoneRule) {
    self.step = step
    self.verb = verb
    minute = step.time.minuteText(in: zone)
  }

  /// Takes in what a part of the step has come to.
  mutating func add(_ more: [SubjectChange]) {
    count += more.count
    changes += more.prefix(max(0, 100 - changes.count))
  }

  package func show(on page: inout Page) {
    page.confirm { page in
      page.write(verb == "undo" ? "Undid what " : "Redid what ")
      page.write(user: step.origin, .bold)
      page.write(verb == "undo" ? " did on \(minute):" : " undid on \(minute):")
      page.endLine()
      for change in changes.prefix(20) { page.write(change, indent: "  ") }
      if count > 20 {
        page.write("  … and \(count - 20) more", .dim)
        page.endLine()
      }
      if count == 0 {
        page.write("  nothing was left of it", .dim)
        page.endLine()
      }
      for conflict in skipped.prefix(20) {
        page.write("  left alone: ", .yellow)
        page.write("#\(conflict.id) ", .dim)
        page.write(user: "\(conflict.field.name) is \(conflict.current.quotedText)")
        page.endLine()
      }
      if skippedCount > 20 {
        page.write("  … and \(skippedCount - 20) more", .dim)
        page.endLine()
      }
    }
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("step", step.number)
      json.member("origin", step.origin)
      json.member("time", step.time.iso8601)
      json.member("count", count)
      json.key("changes")
      json.array { json in
        for change in changes { change.write(to: &json) }
      }
      json.member("skippedCount", skippedCount)
      json.key("skipped")
      json.array { json in
        for conflict in skipped {
          json.object {
            $0.member("id", conflict.id)
            $0.member("field", conflict.field.name)
            $0.member("before", conflict.field.before)
            $0.member("after", conflict.field.after)
            $0.member("current", conflict.current)
          }
        }
      }
    }
  }
}

extension Instant {
  /// Day and minute as a clock on the wall shows them.
  func minuteText(in zone: ZoneRule) -> String {
    let civil = zone.civil(at: self)
    return String(civil.text.map { $0 == "T" ? " " : $0 })
  }
}
