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
    .option(of: \.sample, \.due)
    .option(of: \.sample, \.tags)
    .alias(\.alias, "What to call it from now on")

  func record(_ turn: borrowing Turn) throws -> Sample {
    var sample = try Sample(sample, turn)
    sample.batch = batch.name
    return sample
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

/// The name of a batch: completion suggests those of stored samples.
struct Batch: CommandValue, Codable {
  var name = ""

  static var shape: ValueShape {
    ValueShape("BATCH") { RequestFieldCandidates("sample", "batch", prefix: $0) }
  }

  init() {}
  init(word: String) { name = word }
}
