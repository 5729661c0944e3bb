import Completing
import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

/// A stored sample.
struct Sample: CommandRecord {
  /// The batch that it was taken from.
  var batch = ""
  var status = Status.received
  /// The readings, in their order.
  var readings: [Double] = []
  /// The notes, in their order.
  var notes: [String] = []
  /// The time by which it has to be finished.
  var due: CivilTime?
  var tags: [String] = []

  static let fields = Fields<Self>("sample", several: "samples")
    .field("batch", \.batch, [.indexed, .searched], "What it was taken from")
    .field("status", \.status, .indexed, "How far the work on it is")
    .field("readings", \.readings)
    .field("notes", \.notes)
    .field("due", \.due, .indexed, "When it has to be finished")
    .set("tags", \.tags, "A label (repeatable)", one: "tag")
    .role(.title, \.batch)
    .role(.completion, \.status)
    .role(.due, \.due)
    .role(.labels, \.tags)
    .shown("overdue") { sample, now in sample.isOverdue(at: now) }

  /// The commands that follow from the fields; a sample is received, and changed by what is done with it.
  static let commands = RecordCommands<Self>()
    .without(.add, .edit, .delete)
    .with(
      Completing(.init("finish", "Finishes samples without a reading.", says: "Finished"))
    )
    .ordered { $0.newestFirst() }
    .drawing { sample, _, page in sample.showFields(on: &page) }
    .verb(
      "start",
      "Begins the work on samples.",
      "Started",
      as: Start.self,
      for: Sample.waiting,
      examples: ["start 1", "start 2-5"]
    ) { sample, _ in
      try sample.start()
    }

  /// The verb `start`.
  enum Start: VerbName {}

  /// The progress of the work on a sample; a later status has a higher rank.
  enum Status: String, Choice, RankedValue, FieldOption, Codable {
    case received, started, finished
  }

  /// The title in the history.
  var title: String { batch }
}

extension Sample.Status: CompletionValue {
  static var open: Self { .started }
  static var done: [Self] { [.finished] }
}

extension Sample {
  /// The samples on which no work has begun.
  static var waiting: Condition<Sample> { .equals(\.status, .received) }

  /// Returns the samples that may be overdue at a time: those due then, or before.
  static func due(at now: CivilMinute) -> Query<Sample> {
    Query().where(.less(\.due, than: .minute(now))).where(.less(\.status, than: .finished))
  }

  /// Whether the day or the minute at which it was due is over.
  func isOverdue(at now: CivilMinute) -> Bool {
    guard status != .finished else { return false }
    switch due {
    case nil: return false
    case .day(let day): return day < now.day
    case .minute(let minute): return minute < now
    }
  }

  /// Begins the work on it.
  mutating func start() throws {
    guard status == .received else {
      throw Failure(.validation, "A sample of \(batch) is \(status.rawValue) already.", field: "id")
    }
    status = .started
  }

  /// Adds a reading; the last one finishes it.
  mutating func add(_ value: Double, isLast: Bool) throws {
    guard status == .started else {
      throw Failure(.validation, "A sample of \(batch) is \(status.rawValue).", field: "id")
    }
    readings.append(value)
    if isLast { status = .finished }
  }

  /// A batch has one line, so that a sample has one in lists and in the ledger.
  static func check(_ change: RecordTransition<Sample>) throws(Failure) {
    guard let batch = change.after?.batch, batch.isEmpty || batch.contains(where: \.isNewline)
    else { return }
    throw Failure(.validation, "A batch is one line and not empty.", field: "batch")
  }
}
