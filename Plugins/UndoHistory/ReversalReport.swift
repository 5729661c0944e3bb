package import EventCommands
import EventMVVM
package import EventRecords
import EventValues
package import JSONText
import RecordCommands

/// The result of an undo or a redo: a difference in the form for people.
package struct ReversalReport: CommandResult {
  /// The reverted step.
  package let step: Step
  /// The number of changed things.
  package let count: Int
  /// The changes of the first hundred of them.
  package let changes: [SubjectChange]
  /// The fields that were left unchanged, because they were changed again since.
  package let skipped: [JournalConflict]
  /// The number of these fields, the first hundred of which are listed.
  package let skippedCount: Int
  private let verb: String
  /// Whether it was done by what undoes it.
  private let isOwn: Bool
  private let minute: String
  // The form for people: the first few, with the names of fields in words and times of the clock.
  private let shown: [SubjectChange]
  private let shownSkipped: [JournalConflict]

  init(
    _ reversed: ReversedStep,
    skipped: [JournalConflict],
    by verb: String,
    of origin: String,
    at clock: ReaderClock
  ) {
    step = reversed.step
    count = reversed.changes.count
    changes = Array(reversed.changes.prefix(100))
    self.skipped = Array(skipped.prefix(100))
    skippedCount = skipped.count
    self.verb = verb
    isOwn = reversed.step.origin.isIdentical(to: origin)
    minute = clock.said(step.time)
    shown = changes.prefix(20).map { $0.readable(at: clock) }
    shownSkipped = skipped.prefix(20).map { $0.readable(at: clock) }
  }

  package func show(on page: inout Page) {
    page.confirm { page in
      page.write(verb == "undo" ? "Undid " : "Redid ")
      if isOwn {
        page.write("your last command, \(minute):")
      } else {
        page.write("what ")
        page.write(user: step.origin, .bold)
        page.write(verb == "undo" ? " did, \(minute):" : " undid, \(minute):")
      }
      page.endLine()
      for change in shown { page.write(change, indent: "  ") }
      if count > shown.count {
        page.write("  … and \(count - shown.count) more", .dim)
        page.endLine()
      }
      if count == 0 {
        page.write("  nothing was left of it", .dim)
        page.endLine()
      }
      for conflict in shownSkipped {
        page.write("  left alone: ", .yellow)
        page.write("#\(conflict.id) ", .dim)
        page.write(
          user: conflict.reason ?? "\(conflict.field.name) is \(conflict.current.quotedText)"
        )
        page.endLine()
      }
      if skippedCount > shownSkipped.count {
        page.write("  … and \(skippedCount - shownSkipped.count) more", .dim)
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
