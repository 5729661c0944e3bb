import EventMVVM
import EventMVVMTesting
import Testing

@testable import EventRecords

/// What other sessions did is found with all fields of its records, in parts of any size.
@Suite(.hangLimit) struct ExternalChangesTests {
  private let table = RecordTable(Reading.self)

  @Test(arguments: EngineKind.here)
  func `a change has all fields of its record as they were, whatever happened since`(
    _ kind: EngineKind
  ) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let processes = try (1...3).map { _ in try rig.process() }
    var chance = Chance(7)
    var numbers: [Int] = []
    for round in 1...60 {
      let process = processes[chance.pick(0...2)]
      let number = numbers.isEmpty ? 0 : numbers[chance.pick(0...(numbers.count - 1))]
      switch chance.pick(0...4) {
      case 0,
        1 where numbers.isEmpty:
        let added = try process.ask(
          RequestWriteRecords<Reading>([.add(Reading(title: "\(round)", tags: ["a", "b"]))])
        )
        numbers.append(added[0].number)
      case 1:
        _ = try? process.ask(RequestWriteRecords<Reading>([.remove(number)]))
      default:
        guard var reading = try? process.ask(RequestRecords<Reading>(number)).first?.value else {
          continue
        }
        reading.title = "\(reading.title) \(round)"
        if chance.once(in: 2) { reading.batch = chance.once(in: 2) ? "\(round)" : nil }
        if chance.once(in: 3) { reading.tags = ["\(round)"] }
        _ = try process.ask(RequestWriteRecords<Reading>([.put(number, reading, seen: nil)]))
      }
    }
    let engine = try rig.opened()
    let log = try #require(
      try engine.read(in: .committed) { try $0.changes(.after(0), limit: .max) }
    )
    let own = try #require(log.first).transaction.root.session
    let expected = try states(log).filter { $0.session != own }
    #expect(expected.count > 10 && expected.count < log.count)
    for limit in [1, 2, 7, 1000] {
      let found = try external(engine, own, limit)
      #expect(found.map(\.revision) == expected.map(\.revision))
      for (change, state) in zip(found, expected) {
        #expect(try fields(change.before).differences(from: state.before) == [], "\(change)")
        #expect(try fields(change.after).differences(from: state.after) == [], "\(change)")
      }
    }
  }

  private typealias State = (
    session: UInt64, revision: Int, before: RecordFields, after: RecordFields
  )

  /// The records before and after each change of a whole log, found forwards.
  private func states(_ log: [LoggedChange]) throws -> [State] {
    var known: [Int: RecordFields] = [:]
    return try log.map { entry in
      let before = known[entry.number] ?? RecordFields()
      var after = before
      after.take(try fields(entry.after))
      if entry.after == nil { after = RecordFields() }
      known[entry.number] = after
      return (entry.transaction.root.session, entry.revision, before, after)
    }
  }

  private func fields(_ text: String?) throws -> RecordFields {
    try RecordFields(text, 0, Reading.kind)
  }

  /// All changes of other sessions, read in parts.
  private func external(
    _ engine: any RecordEngine,
    _ own: UInt64,
    _ limit: Int
  ) throws -> [StoredChange] {
    var (found, revision): ([StoredChange], Int) = ([], 0)
    while true {
      let part = try #require(
        try engine.read(in: .committed) {
          try RecordHistory($0, RecordTypes(of: [table]))
            .external(after: revision, excluding: own, limit: limit)
        }
      )
      found += part.changes.flatMap(\.changes)
      revision = part.last
      if part.isEnd { return found }
    }
  }
}
