import EventMVVM
import EventMVVMTesting
@testable import EventRecords
import EventValues
import Testing

/// Records as they were.
@Suite(.hangLimit) struct PastTests {
  private let table = RecordTable(Reading.self)

  /// What a store had after a revision.
  private struct Moment {
    let revision: Int
    let records: [Kept<Reading>]
  }

  private func write(_ writes: [RecordWrite<Reading>], _ process: AppContext) throws {
    _ = try process.ask(RequestWriteRecords(writes))
  }

  private func change(_ process: AppContext, _ chance: inout Chance) throws {
    let known = try process.ask(RequestRecords<Reading>())
    switch chance.below(8) {
    case 0, 1, 2: try write([.add(Reading(chance: &chance))], process)
    case 3 where !known.isEmpty:
      try write([.remove(known[chance.below(known.count)].number)], process)
    case 4, 5:
      let query: StepQuery = chance.once(in: 2) ? .toUndo(by: nil) : .toRedo(by: nil)
      guard let step = try process.ask(RequestJournal(query)).first?.step.number else { return }
      _ = try process.revert(step, force: true)
    default:
      // Several of one transaction.
      let writes: [RecordWrite<Reading>] = known.prefix(1 + chance.below(3))
        .map { .put($0.number, Reading(chance: &chance), seen: nil) }
      try write(writes + [.add(Reading(chance: &chance))], process)
    }
  }

  /// At any revision, whatever is asked for is what a store that stopped there would have found.
  @Test(arguments: EngineKind.here)
  func `at each moment of its past a store is what it was`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    let types = RecordTypes(of: [table])
    let engine = kind == .memory ? try rig.engine() : try rig.opened()
    var chance = Chance(61)
    var moments = [Moment(revision: 0, records: [])]
    for _ in 0..<(kind.isPostgres ? 60 : 150) {
      try change(process, &chance)
      let end = try engine.read(in: .committed) { try $0.end().revision } ?? 0
      moments.append(Moment(revision: end, records: try process.ask(RequestRecords<Reading>())))
    }
    for round in 0..<(kind.isPostgres ? 60 : 600) {
      let moment = moments[chance.below(moments.count)]
      var query = RecordQuery()
      query.condition = RecordCondition(chance: &chance, depth: 2)
      query.order = (0..<chance.below(3)).map { _ in RecordOrder(chance: &chance) }
      query.isNewestFirst = [nil, false, true][chance.below(3)]
      query.limit = [nil, 1, 7][chance.below(3)]
      let wanted = try moment.records.filter { try query.condition.holds(for: $0) }
        .sorted { query.isBefore($0, $1) }
      try engine.read(in: .committed) { store throws in
        let past = try store.at(.revision(moment.revision), types)
        let place = "round \(round), revision \(moment.revision): \(query)"
        var found: [Kept<Reading>] = []
        let rows = try past.rows(query, of: table)
        while let row = try rows.next() { try Reading._read(row, Reading._table, into: &found) }
        #expect(found.map(\.number) == wanted.prefix(query.limit ?? .max).map(\.number), "\(place)")
        #expect(found == Array(wanted.prefix(query.limit ?? .max)), "\(place)")
        #expect(try past.count(query.condition, of: table) == wanted.count, "\(place)")
        if let cut = found.dropLast().last {
          query.start = RecordCursor(
            query.order.map { $0.key(cut.value.stored($0.field), cut.number) },
            number: cut.number
          )
          let rest = try past.rows(query, of: table)
          #expect(try rest.next()?.number == found.last?.number, "\(place)")
        }
        let names = Set(moment.records.flatMap(\.value.tags))
        let index = try #require(table.index(of: "tags"))
        let labels = try past.labels(index, prefix: "", limit: .max, of: table)
        #expect(Set(labels.map(\.text)) == names)
        #expect(
          labels.allSatisfy { label in
            label.count == moment.records.count { $0.value.tags.contains(label.text) }
          }
        )
        let number = 1 + chance.below(40)
        #expect(
          try (past.row(number, of: table) != nil)
            == moment.records.contains { $0.number == number }
        )
        #expect(try past.end().revision == moment.revision)
        #expect(try (past.changes(.after(0), limit: .max).last?.revision ?? 0) == moment.revision)
      }
    }
  }

  @Test(arguments: EngineKind.here)
  func `a request asks for records as they were`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    #expect(try process.ask(RequestRecords<Reading>().asOf(.revision(0))) == [])
    try write([.add(Reading(title: "A"))], process)
    try write([.add(Reading(title: "B"))], process)
    try write([.put(1, Reading(title: "C"), seen: nil)], process)
    try write([.remove(2)], process)
    func titles(_ moment: PastMoment?) throws -> [String] {
      try process.ask(RequestRecords(Query<Reading>().sorted(by: \.title)).asOf(moment))
        .map(\.value.title)
    }
    #expect(try titles(.revision(0)) == [])
    #expect(try titles(.revision(2)) == ["A", "B"])
    #expect(try titles(.revision(3)) == ["B", "C"])
    #expect(try titles(.revision(4)) == ["C"])
    #expect(try titles(nil) == ["C"])
    #expect(try titles(.time(Instant(milliseconds: .min))) == [])
    #expect(try titles(.time(Instant(milliseconds: .max))) == ["C"])
    let then = RequestRecords(Query<Reading>()).asOf(.revision(3))
    #expect(try process.ask(then).map(\.value.title) == ["C", "B"])
    let parts = RequestRecords(Query<Reading>(), inPartsOf: 1).asOf(.revision(2))
    #expect(try process.ask(parts).map(\.value.title) == ["A", "B"])
    let counts = RequestRecordCounts<Reading>([.contains("b"), .all()])
    #expect(try process.ask(counts.asOf(.revision(3))) == [1, 2])
    let shown = try process.ask(RequestRecords<Reading>([2, 1]).asOf(.revision(2)))
    #expect(shown.map(\.value.title) == ["B", "A"])
    #expect(shown.map(\.revision) == [2, 1])
    let none = Failure(.notFound, "There was no reading #2 then.", field: "id", id: 2)
    #expect(throws: none) {
      try process.ask(RequestRecords<Reading>([2]).asOf(.revision(1)))
    }
    #expect(
      throws: Failure(.usage, "There is no change 9 yet; the last one is 4.", field: "asOf")
    ) {
      try titles(.revision(9))
    }
  }
}
