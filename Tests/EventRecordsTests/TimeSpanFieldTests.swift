import EventMVVMTesting
import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText
import RecordCommands
import Testing

/// A task that takes some time.
private struct Task: CommandRecord {
  var title = ""
  var estimate: TimeSpan?

  static let fields = Fields<Self>("task", several: "tasks")
    .field("title", \.title, .searched, "What it is")
    .field("estimate", \.estimate, .indexed, "How long it takes")

  static let commands = RecordCommands<Self>()
}

/// Lengths of time as values of fields.
@Suite(.hangLimit) struct TimeSpanFieldTests {
  @Test(
    arguments: [
      TimeSpan.zero, TimeSpan(minutes: 150), TimeSpan(minutes: -1), TimeSpan(days: -3),
      TimeSpan(months: -1, days: 2, minutes: -3),
      TimeSpan(months: 1_048_575, days: 1_048_575, minutes: 1_048_575),
      TimeSpan(months: -1_048_575, days: -1_048_575, minutes: -1_048_575),
    ])
  func `a span is stored as it is`(_ span: TimeSpan) throws {
    #expect(try TimeSpan(stored: try span.stored) == span)
  }

  @Test func `what is too long is refused, and stops nothing`() throws {
    for span in [TimeSpan(months: 1 << 20), TimeSpan(days: .min), TimeSpan(minutes: .max)] {
      #expect(throws: ValueError.self) { try span.stored }
    }
    let tasks = CommandLineRig<Task>()
    #expect(
      try tasks.said("add Paint --estimate 9999999d").hasPrefix("error: ")
    )
    #expect(try tasks.said("list") == "There are no tasks; 'add TITLE' makes one.\n")
  }

  @Test func `records have one, and are asked for it and sorted by it`() throws {
    let tasks = CommandLineRig<Task>()
    #expect(try tasks.said("add Paint --estimate 3d") == "Added #1 Paint  estimate 3d\n")
    #expect(try tasks.said("add Mow --estimate 2h30") == "Added #2 Mow  estimate 2h30min\n")
    _ = try tasks.said("add Read")
    #expect(
      try tasks.said("list --sort estimate")
        == "#2 Mow  estimate 2h30min\n#1 Paint  estimate 3d\n#3 Read\n"
    )
    #expect(try tasks.said("list --estimate PT150M") == "#2 Mow  estimate 2h30min\n")
    #expect(try tasks.said("count --no-estimate") == "1 task\n")
    #expect(try tasks.json(["show", "2"])["estimate"] == "2h30min")
    #expect(try tasks.said("edit 2 --estimate ''") == "Changed #2: estimate 2h30min → none\n")
    #expect(throws: CommandError.self) { try tasks.said("add Wash --estimate soon") }
  }
}
