import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import EventValues
import JSONText
import SQLiteEngine
import Testing

enum Energy: String, Choice, RankedValue, FieldOption { case low, high }

/// Something to do, of which views get to see more than is stored, and less.
private struct Task: Record {
  var title = ""
  var energy = Energy.low
  var due: CivilTime?
  var token: String?
  var tags: [String] = []
  var revision = 7

  static let fields = Fields<Self>("task")
    .field("title", \.title)
    .field("energy", \.energy, .indexed)
    .field("due", \.due)
    .shown("overdue") { task, now in task.due.map { $0.day < now.day } ?? false }
    .field("token", \.token, .hidden)
    .set("tags", \.tags)
    .field("revision", \.revision)
    .shown("length") { $0.title.count }
}

/// What views get to see of records, and values that have a rank.
@Suite(.hangLimit)
struct RecordViewTests {
  private struct Tasks: EncodedResult {
    let tasks: [RecordView<Task>]
    func show(on page: inout Page) {}
  }

  private struct RequestTasks: ViewModelEvent, Request {
    typealias Reply = ResponseView<Tasks>
  }

  private final class Server: Plugin {
    let name = "tasks"

    func join(_ stream: EventStream) {
      let query = Query<Task>().sorted(by: \.energy)
      stream.bridge(RequestTasks.self, owner: self) { _, _, _ in
        RequestRecords(query)
      } reply: { _, _, tasks, turn in
        Tasks(tasks: tasks.map { RecordView($0, turn) })
      }
    }
  }

  private let file: FreshRecords
  private let process: AppContext

  init() throws {
    file = try FreshRecords()
    var environment = Environment()
    environment.now = { Instant(milliseconds: 1_800_000_000_000) }
    environment.zone = .fixed(seconds: 9 * 3600)
    process = AppContext(environment: environment)
    process.add(RecordServer(file.database(), [Task.self], watchesExternalChanges: false), Server())
  }

  @Test func `a view is the fields, what is shown besides, and what everyone has`() throws {
    let writes: [RecordWrite<Task>] = [
      .add(Task(title: "A \u{1B}", energy: .high, due: CivilTime("2027-01-15"), token: "x")),
      // In this zone it is the 15th still only for those to the west.
      .add(Task(title: "B", due: CivilTime("2027-01-14"), tags: ["b", "a"])),
    ]
    _ = try process.ask(RequestWriteRecords(writes))
    var json = JSONWriter()
    try process.ask(RequestTasks()).write(to: &json)
    #expect(
      String(decoding: json.bytes, as: UTF8.self) == #"{"tasks":["#
        + #"{"id":2,"title":"B","energy":"low","due":"2027-01-14","overdue":true,"#
        + #""tags":["b","a"],"length":1,"revision":2},"#
        + #"{"id":1,"title":"A \u001b","energy":"high","due":"2027-01-15","overdue":false,"#
        + #""tags":[],"length":3,"revision":1}]}"#
    )
    _ = try process.ask(RequestWriteRecords<Task>([.remove(1), .put(2, Task(), seen: nil)]))
    let empty = try JSON(parsing: BodyEncoder().value(process.ask(RequestTasks())))["tasks"]
    #expect(
      empty == [
        [
          "id": 2, "title": "", "energy": "low", "due": nil, "overdue": false, "tags": [],
          "length": 0, "revision": 4,
        ]
      ]
    )
  }

  @Test func `a name is stored and told, and a rank is compared`() throws {
    #expect(try Energy.high.stored == .text("high"))
    #expect(Energy.high.compared == .integer(1))
    #expect(try Energy(stored: .text("low")) == .low)
    #expect(throws: ValueError("'lowest' is no value of it")) {
      try Energy(stored: .text("lowest"))
    }
    #expect(Energy.storedType == .text)
    #expect(try JSON(parsing: BodyEncoder().value(Task(energy: .high)))["energy"] == "high")
    let both: [RecordWrite<Task>] = [.add(Task(energy: .high)), .add(Task(energy: .low))]
    _ = try process.ask(RequestWriteRecords(both))
    let found = try process.ask(
      RequestRecords(Query<Task>().where(.atLeast(\.energy, .high)))
    )
    #expect(found.map(\.number) == [1])
  }
}
