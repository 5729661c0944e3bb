import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

// The commands on samples.

/// Receives a sample.
struct RequestReceive: RecordAdd, Codable {
  typealias Reply = ResponseView<SampleView>
  var batch = Batch()
  var sample = RecordEdits<Sample>()
  var alias: String?
  static let command = CommandSpec<Self>("receive", "Takes a sample in.")
    .word(\.batch, "What it was taken from")
    .options(of: \.sample)
    .alias(\.alias, "What to call it from now on")

  func record(_ turn: borrowing Turn) throws -> Sample {
    var sample = try Sample(sample, turn)
    sample.batch = batch.name
    return sample
  }
}

/// Begins the work on samples.
struct RequestStart: RecordEdit, Codable {
  typealias Reply = ResponseView<SamplesView>
  var id = Target<Sample>()
  static let offered: Condition<Sample>? = Sample.waiting
  static let command = CommandSpec<Self>("start", "Begins the work on samples.")
    .records(\.id, "Which")
    .example("start 1", "start 2-5")

  func change(_ sample: inout Sample, seen: Sample, _ turn: borrowing Turn) throws {
    try sample.start()
  }
}

/// Receives one more sample of the batch of another.
struct RequestAgain: Command, Codable {
  typealias Reply = ResponseView<SampleView>
  var id = RecordReference(0)
  static let command = CommandSpec<Self>("again", "Takes another sample of the same batch in.")
    .word(\.id, "Like which")
}

/// Adds a reading.
struct RequestReading: RecordEdit, Codable {
  typealias Reply = ResponseView<SampleView>
  var id = Target<Sample>()
  var value = 0.0
  var last = false
  static let command = CommandSpec<Self>("reading", "Adds what was measured.")
    .record(\.id, "Of which sample")
    .word(\.value, "What was measured")
    .option(\.last, "It is the last reading: the sample is finished")

  func change(_ sample: inout Sample, seen: Sample, _ turn: borrowing Turn) throws {
    try sample.add(value, isLast: last)
  }
}

/// Adds a note.
struct RequestNote: RecordEdit, Codable {
  typealias Reply = ResponseView<SampleView>
  var id = Target<Sample>()
  var text = ""
  static let command = CommandSpec<Self>("note", "Adds a note to a sample.")
    .record(\.id, "To which")
    .text(\.text, "What it says")

  func change(_ sample: inout Sample, seen: Sample, _ turn: borrowing Turn) {
    sample.notes.append(text)
  }
}

/// Asks for the samples.
struct RequestSamples: RecordList, Codable {
  typealias View = SamplesView
  var batch: Batch?
  var status: Sample.Status?
  var dueBefore: When?
  var limit: Count?
  var extent = ListExtent<Sample>.all
  static let command = CommandSpec<Self>("list", "Shows samples, the newest first.")
    .option(\.batch, "Only those of a batch")
    .option(\.status, "Only those with a status")
    .option(\.dueBefore, "Only those due strictly before")
    .option(\.limit, "How many at most")
    .unlisted(\.extent)

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
struct RequestSample: RecordShow, Codable {
  typealias Reply = ResponseView<SampleView>
  var id = Target<Sample>()
  static let command = CommandSpec<Self>("show", "Shows all of a sample.").records(\.id, "Which")
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
