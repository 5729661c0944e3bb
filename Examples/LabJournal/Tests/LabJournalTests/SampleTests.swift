import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventRecordsTesting
import EventValues
import JSONText
import RecordCommands
import Testing

@testable import labjournal

/// What can be said of samples, on the real engine in memory.
@Suite(.hangLimit) struct SampleTests {
  private let test = TestContext.withRecords(Sample.self)

  init() { test.stream.answer(LabJournal.commands + Sample.commands.types) }

  private func receive(_ batch: String, due: CivilTime? = nil) throws -> Sample {
    var request = RequestReceive()
    request.batch = Batch(word: batch)
    try request.sample.set(\.due, to: due)
    return try test.value(of: request).records[0].value
  }

  private func list(_ parameters: JSON) throws -> [Int] {
    let request = try RequestList<Sample>.read(parameters: parameters)
    return try test.value(of: request).records.map(\.number)
  }

  @Test func `a sample is received with what is said of it`() throws {
    var request = RequestReceive()
    request.batch = Batch(word: "A7")
    try request.sample.set(\.tags, to: ["blood"])
    try request.sample.set(\.due, to: CivilTime("2025-12-01"))
    let sample = try test.value(of: request).records[0]
    #expect(sample.number == 1)
    #expect(sample.value == Sample(batch: "A7", due: CivilTime("2025-12-01"), tags: ["blood"]))
  }

  @Test func `a batch is one line and not empty`() {
    let failure = Failure(.validation, "A batch is one line and not empty.", field: "batch")
    #expect(throws: failure) { try receive("") }
    #expect(throws: failure) { try receive("A\nB") }
  }

  @Test func `work on a sample begins once, and ends with its last reading`() throws {
    _ = try receive("A7")
    #expect(throws: Failure(.validation, "A sample of A7 is received.", field: "id")) {
      try test.value(of: RequestReading(id: Target(.number(1)), value: 4.5))
    }
    let start = RequestVerb<Sample, Sample.Start>(Target(.number(1)))
    #expect(try test.value(of: start).records.map(\.value.status) == [.started])
    #expect(throws: Failure(.validation, "A sample of A7 is started already.", field: "id")) {
      try test.value(of: start)
    }
    try test.value(of: RequestReading(id: Target(.number(1)), value: 4.5))
    let last = RequestReading(id: Target(.number(1)), value: -2, last: true)
    let sample = try test.value(of: last).records[0].value
    #expect(sample.readings == [4.5, -2])
    #expect(sample.status == .finished)
  }

  @Test func `notes are kept in their order, and shown`() throws {
    _ = try receive("A7")
    try test.value(of: RequestNote(id: Target(.number(1)), text: "cloudy"))
    try test.value(of: RequestNote(id: Target(.number(1)), text: "clear again"))
    let shown = try test.value(of: RequestShow<Sample>(Target(.number(1)))).details[0]
    #expect(shown.draft.notes == ["cloudy", "clear again"])
  }

  @Test func `samples are listed by batch, status and due date, the newest first`() throws {
    _ = try receive("A7", due: CivilTime("2025-12-01"))
    _ = try receive("B2", due: CivilTime("2025-12-03"))
    _ = try receive("A7")
    try test.value(of: RequestVerb<Sample, Sample.Start>(Target(.number(2))))
    #expect(try list([:]) == [3, 2, 1])
    #expect(try list(["words": ["a7"]]) == [3, 1])
    #expect(try list(["status": "started"]) == [2])
    #expect(try list(["dueBefore": "2025-12-03"]) == [1])
    #expect(try list(["limit": 2]) == [3, 2])
  }

  @Test func `what earlier versions stored can be read`() throws {
    try RecordLaws.check(
      in: "Stored",
      Sample(batch: "B2"),
      Sample(
        batch: "A7",
        status: .finished,
        readings: [4.5, -2],
        notes: ["cloudy"],
        due: CivilTime("2025-12-01T09:30"),
        tags: ["blood", "urgent"]
      )
    )
  }
}
