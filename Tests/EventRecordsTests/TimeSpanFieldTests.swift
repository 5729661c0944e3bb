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
    var json = JSONWriter()
    span.writeField(to: &json)
    #expect(try TimeSpan(field: JSON(parsing: json.bytes)) == span)
  }

  @Test(arguments: ["-", "3", "3x", "2h!", "min", "99999999999999999999d", "1099511627777d"])
  func `what is no span in the log is an error`(_ text: String) {
    #expect(throws: ValueError.self) { try TimeSpan(field: .string(text)) }
  }

  @Test func `an undo and a redo bring a span back, and the log is as the record`() throws {
    let store = try FreshRecords()
    let process = AppContext()
    process.add(RecordServer(store.database(), [Task.self], watchesExternalChanges: false))
    func spans() throws -> [TimeSpan?] {
      try process.ask(RequestRecords<Task>()).map(\.value.estimate)
    }
    func write(_ writes: RecordWrite<Task>...) throws {
      _ = try process.ask(RequestWriteRecords(writes))
    }
    try write(.add(Task(title: "A", estimate: TimeSpan(minutes: 150))))
    try write(.put(1, Task(title: "A", estimate: TimeSpan(months: -1, days: 2)), seen: 1))
    _ = try process.undo()
    #expect(try spans() == [TimeSpan(minutes: 150)])
    try write(.remove(1))
    _ = try process.undo()
    #expect(try spans() == [TimeSpan(minutes: 150)])
    #expect(try process.ask(RequestDoctor()).exitStatus == .success)
    #expect(try process.ask(RequestJournal(.newest(1)))[0].changes.first?.title == "A")
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
