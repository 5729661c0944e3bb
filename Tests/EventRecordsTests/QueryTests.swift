import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import Testing

/// What a domain asks of its records, by their properties.
@Suite(.hangLimit) struct QueryTests {
  private let rig: EngineRig
  private let process: AppContext

  init() throws {
    rig = try EngineRig(.file)
    process = try rig.process()
    let readings = (1...20)
      .map { number in
        var reading = Reading(title: "Reading \(number)", count: number % 4)
        reading.batch = number % 2 == 0 ? "A7" : nil
        reading.due = CivilTime("2026-01-\(30 - number)")
        reading.isOpen = number > 10
        reading.tags = number % 5 == 0 ? ["five"] : []
        return RecordWrite.add(reading)
      }
    _ = try process.ask(RequestWriteRecords<Reading>(readings))
  }

  private func find(_ query: Query<Reading>) throws -> [Int] {
    try process.ask(RequestRecords<Reading>(query)).map(\.number)
  }

  private func find(_ condition: Condition<Reading>) throws -> [Int] {
    try find(Query<Reading>().where(condition))
  }

  @Test func `records are found by their properties, sorted, and in parts`() throws {
    let query =
      Query<Reading>().where(.equals(\.batch, "A7")).sorted(by: \.due).first(10)
    #expect(try find(query) == [20, 18, 16, 14, 12, 10, 8, 6, 4, 2])
    let first = try process.ask(RequestRecords<Reading>(query.first(3)))
    #expect(try find(query.first(3).after(first[2])) == [14, 12, 10])
    #expect(
      try find(Query().sorted(by: \.count, descending: true).sorted(by: \.due).first(3)) == [
        19, 15, 11,
      ]
    )
    #expect(try find(Query().numbered(3...5)) == [3, 4, 5])
    #expect(try find(Query().first(0)) == [])
  }

  @Test func `conditions nest`() throws {
    let condition: Condition<Reading> =
      .all(.equals(\.batch, "A7"), .not(.isNil(\.due)))
    #expect(try find(condition).count == 10)
    #expect(try find(.isNil(\.batch)).count == 10)
    #expect(try find(.equals(\.batch, nil)).count == 10)
    #expect(
      try find(.any(.has(\.tags, "five"), .equals(\.count, 1))) == [1, 5, 9, 10, 13, 15, 17, 20]
    )
    #expect(try find(.contains("READING 1")).count == 11)
    #expect(try find(.all(.atLeast(\.count, 2), .less(\.count, than: 3))) == [2, 6, 10, 14, 18])
    #expect(try find(.all(.greater(\.count, than: 2), .atMost(\.count, 3))) == [3, 7, 11, 15, 19])
    #expect(try find(.isOne(of: ["Reading 3", "Reading 4"], \.title)) == [3, 4])
    #expect(try find(.less(\.due, than: nil)) == [])
    #expect(try find(.equals(\.weight, .nan)) == [])
    #expect(try find(.any()) == [])
  }

  @Test func `records are counted in one moment, and labels listed`() throws {
    let counts = RequestRecordCounts<Reading>([
      .equals(\.isOpen, true), .has(\.tags, "five"), .all(),
    ])
    #expect(try process.ask(counts) == [10, 4, 20])
    #expect(try process.ask(RequestRecordCounts<Reading>()) == [20])
    let labels = RequestRecordLabels<Reading>("tags", prefix: "f")
    #expect(try process.ask(labels).map { "\($0.text) \($0.count)" } == ["five 4"])
    let groups = RequestRecordGroups<Reading>("tags", counting: [.all(), .equals(\.isOpen, true)])
    let counted = try process.ask(groups).map { "\($0.text ?? "none") \($0.counts)" }
    #expect(counted == ["none [16, 8]", "five [4, 2]"])
    #expect(throws: Failure(.usage, "A reading has no field 'none'.", field: "field")) {
      try process.ask(RequestRecordGroups<Reading>("none", counting: []))
    }
    #expect(throws: Failure(.usage, "A reading has no field 'none'.", field: "field")) {
      try process.ask(RequestRecordLabels<Reading>("none"))
    }
  }

  @Test func `a query says which index it uses`() throws {
    func plan(_ query: Query<Reading>) throws -> String {
      try process.ask(RequestRecordPlan<Reading>(query))
    }
    #expect(
      try plan(Query().where(.equals(\.batch, "A7")))
        == "SEARCH record_reading USING INDEX record_reading:batch (batch=?)"
    )
    #expect(
      try plan(Query().sorted(by: \.due).first(10))
        == "SCAN record_reading USING INDEX record_reading:due"
    )
    #expect(
      try plan(Query().where(.equals(\.isOpen, true)).sorted(by: \.due).first(10))
        == "SEARCH record_reading USING INDEX record_reading:isOpen,due (isOpen=?)"
    )
    #expect(try plan(Query().where(.equals(\.count, 1))) == "SCAN record_reading")
  }

  @Test func `a store that is not there yet has none`() throws {
    let rig = try EngineRig(.file)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    #expect(try process.ask(RequestRecordCounts<Reading>()) == [0])
    #expect(try process.ask(RequestRecordLabels<Reading>("tags")) == [])
    #expect(try process.ask(RequestRecords<Reading>(Query().sorted(by: \.due))) == [])
  }

  @Test func `a query outlives a recording`() throws {
    let request = RequestRecords<Reading>(
      Query().where(.not(.any(.has(\.tags, "x"), .contains("É")))).sorted(by: \.due).first(3)
    )
    let text = try BodyEncoder().value(request)
    let told = try BodyDecoder().read(RequestRecords<Reading>.self, from: JSON(parsing: text))
    #expect(told.query == request.query)
  }
}
