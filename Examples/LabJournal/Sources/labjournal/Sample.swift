import EventCommands
import EventMVVM
import EventRecords

/// A sample, as it is kept.
struct Sample: Record {
  /// The batch that it was taken from.
  var batch = ""
  var status = Status.received
  /// What was measured, in the order in which it was.
  var readings: [Double] = []
  /// What was noted, in the order in which it was.
  var notes: [String] = []
  /// When it has to be finished.
  var due: CivilTime?
  var tags: [String] = []

  static let fields = Fields<Self>("sample", several: "samples")
    .field("batch", \.batch, [.indexed, .searched])
    .field("status", \.status, .indexed)
    .field("readings", \.readings)
    .field("notes", \.notes)
    .field("due", \.due, .indexed, "When it has to be finished")
    .set("tags", \.tags, "A label (repeatable)", one: "tag")
    .shown("overdue") { sample, now in sample.isOverdue(at: now) }

  /// How far the work on a sample is; a later status has a higher rank.
  enum Status: String, CommandChoice, RankedValue, FieldOption, Codable {
    case received, started, finished
  }

  /// What the history calls it.
  var title: String { batch }
}

extension Sample {
  /// What may be overdue at a time: what is due then, or was before.
  static func due(at now: CivilMinute) -> Query<Sample> {
    Query().where(.less(\.due, than: .minute(now))).where(.less(\.status, than: .finished))
  }

  /// Whether the time that it was due is over: the day, or the minute.
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

  /// Adds what was measured; the last reading finishes it.
  mutating func add(_ value: Double, isLast: Bool) throws {
    guard status == .started else {
      throw Failure(.validation, "A sample of \(batch) is \(status.rawValue).", field: "id")
    }
    readings.append(value)
    if isLast { status = .finished }
  }

  /// A batch is a line, so that a sample is one in lists and in the ledger.
  static func check(_ change: RecordTransition<Sample>) throws(Failure) {
    guard let batch = change.after?.batch, batch.isEmpty || batch.contains(where: \.isNewline)
    else { return }
    throw Failure(.validation, "A batch is one line and not empty.", field: "batch")
  }
}
