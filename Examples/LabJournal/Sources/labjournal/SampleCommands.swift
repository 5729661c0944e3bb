import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

// The commands on samples.

/// Receives a sample.
struct RequestReceive: Command, Codable {
  typealias Reply = ResponseView<SampleView>
  var batch = Batch()
  var sample = RecordEdits<Sample>()
  var alias: String?
  static let command = CommandSpec<Self>("receive", "Takes a sample in.")
    .word(\.batch, "What it was taken from")
    .options(of: \.sample)
    .alias(\.alias, "What to call it from now on")
}

/// Begins the work on samples.
struct RequestStart: Command, Codable {
  typealias Reply = ResponseView<SamplesView>
  var id = RecordReferences()
  static let command = CommandSpec<Self>("start", "Begins the work on samples.")
    .word(\.id, "Which", offering: Sample.waiting)
    .example("start 1", "start 2-5")
}

/// Receives one more sample of the batch of another.
struct RequestAgain: Command, Codable {
  typealias Reply = ResponseView<SampleView>
  var id = RecordReference(0)
  static let command = CommandSpec<Self>("again", "Takes another sample of the same batch in.")
    .word(\.id, "Like which")
}

/// Adds a reading.
struct RequestReading: Command, Codable {
  typealias Reply = ResponseView<SampleView>
  var id = RecordReference(0)
  var value = 0.0
  var last = false
  static let command = CommandSpec<Self>("reading", "Adds what was measured.")
    .word(\.id, "Of which sample")
    .word(\.value, "What was measured")
    .option(\.last, "It is the last reading: the sample is finished")
}

/// Adds a note.
struct RequestNote: Command, Codable {
  typealias Reply = ResponseView<SampleView>
  var id = RecordReference(0)
  var text = ""
  static let command = CommandSpec<Self>("note", "Adds a note to a sample.")
    .word(\.id, "To which")
    .text(\.text, "What it says")
}

/// Asks for the samples.
struct RequestSamples: Command, Codable {
  typealias Reply = ResponseView<SamplesView>
  static let writes = false
  var batch: Batch?
  var status: Sample.Status?
  var dueBefore: When?
  var limit: Count?
  static let command = CommandSpec<Self>("list", "Shows samples, the newest first.")
    .option(\.batch, "Only those of a batch")
    .option(\.status, "Only those with a status")
    .option(\.dueBefore, "Only those due strictly before")
    .option(\.limit, "How many at most")

  /// Returns the query of the options.
  func query(_ turn: borrowing Turn) throws -> Query<Sample> {
    var query = Query<Sample>().newestFirst()
    if let batch { query = query.where(.equals(\.batch, batch.name)) }
    if let status { query = query.where(.equals(\.status, status)) }
    if let date = try dueBefore?.date(of: "dueBefore", at: turn.time, in: turn.zone) {
      query = query.where(.less(\.due, than: date))
    }
    return limit.map { query.first($0.number) } ?? query
  }
}

/// Asks for a sample.
struct RequestSample: Command, Codable {
  typealias Reply = ResponseView<SampleView>
  static let writes = false
  var id = RecordReference(0)
  static let command = CommandSpec<Self>("show", "Shows all of a sample.").word(\.id, "Which")
}

/// The name of a batch: completion suggests those of stored samples.
struct Batch: CommandValue, Codable {
  var name = ""

  static var shape: ValueShape {
    ValueShape("BATCH") { RequestFieldCandidates("sample", "batch", prefix: $0) }
  }

  init() {}
  init(word: String) { name = word }
}
