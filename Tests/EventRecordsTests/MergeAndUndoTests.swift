import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import RecordCommands
import SQLiteEngine
import Testing

/// What is decided above the engines holds on each of them: merging and taking back, by many random
/// stories.
@Suite(.hangLimit) struct MergeAndUndoTests {
  /// How many stories: an engine that is started for it is slower.
  private func rounds(_ kind: EngineKind) -> Int { kind.isPostgres ? 10 : 40 }

  /// Changes some fields of a reading.
  private func changed(_ reading: Reading, _ chance: inout Chance) -> Reading {
    let other = Reading(chance: &chance)
    var result = reading
    if chance.once(in: 3) { result.title = other.title }
    if chance.once(in: 3) { result.batch = other.batch }
    if chance.once(in: 3) { result.count = other.count }
    if chance.once(in: 3) { result.weight = other.weight }
    if chance.once(in: 3) { result.due = other.due }
    if chance.once(in: 3) { result.tags = other.tags }
    if chance.once(in: 3) { result.place = other.place }
    return result
  }

  @Test(arguments: EngineKind.here)
  func `S71 what two have made of one record is merged, or a conflict that names both`(
    _ kind: EngineKind
  ) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    var chance = Chance(71)
    var conflicts = 0
    for round in 0..<rounds(kind) {
      let base = Reading(chance: &chance)
      let added = try process.ask(RequestWriteRecords<Reading>([.add(base)]))[0]
      let theirs = changed(base, &chance)
      let mine = changed(base, &chance)
      func put(_ value: Reading) throws -> Reading? {
        try
          process.ask(
            RequestWriteRecords<Reading>([.put(added.number, value, seen: added.revision)])
          )[0]
          .after
      }
      _ = try put(theirs)
      var wanted = theirs
      var conflict: String?
      func merge<Value: FieldValue>(_ name: String, _ path: WritableKeyPath<Reading, Value>) {
        let (old, new, now) = (base[keyPath: path], mine[keyPath: path], theirs[keyPath: path])
        if new.isIdenticalField(to: old) || new.isIdenticalField(to: now) { return }
        if now.isIdenticalField(to: old) { return wanted[keyPath: path] = new }
        conflict = conflict ?? name
      }
      merge("title", \.title)
      merge("batch", \.batch)
      merge("count", \.count)
      merge("weight", \.weight)
      merge("due", \.due)
      merge("place", \.place)
      let gone = base.tags.filter { !mine.tags.contains($0) }
      let come = mine.tags.filter { !base.tags.contains($0) && !theirs.tags.contains($0) }
      if mine.tags != base.tags, mine.tags != theirs.tags {
        wanted.tags =
          theirs.tags == base.tags ? mine.tags : theirs.tags.filter { !gone.contains($0) } + come
      }
      do {
        let merged = try put(mine)
        #expect(conflict == nil, "round \(round)")
        #expect(merged == wanted, "round \(round)")
      } catch let failure as Failure {
        conflicts += 1
        #expect(failure.kind == .conflict)
        #expect(failure.field == conflict, "round \(round)")
        wanted = theirs
      }
      let now = try process.ask(RequestRecords<Reading>([added.number]))[0].value
      #expect(now == wanted, "round \(round)")
    }
    #expect(conflicts > 0)
  }

  @Test(arguments: EngineKind.here)
  func `each step is taken back to what was there before, and done again`(
    _ kind: EngineKind
  ) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    func state() throws -> [Kept<Reading>.Content] {
      try process.ask(RequestRecords<Reading>()).map { .init(number: $0.number, value: $0.value) }
    }
    func revert(_ query: StepQuery) throws -> Bool {
      guard let entry = try process.ask(RequestJournal(query)).first else { return false }
      let part = try process.revert(entry.step.number, force: false)
      #expect(part.conflicts == [])
      return true
    }
    var chance = Chance(15)
    var states = [try state()]
    for _ in 0..<rounds(kind) {
      let known = try process.ask(RequestRecords<Reading>())
      var writes: [RecordWrite<Reading>] = []
      for _ in 0...chance.below(3) {
        if known.isEmpty || chance.once(in: 3) {
          writes.append(.add(Reading(chance: &chance)))
        } else {
          let record = known[chance.below(known.count)]
          let isFree = !writes.contains { write in
            if case .remove(.number(record.number)) = write { true } else { false }
          }
          guard isFree else { continue }
          writes.append(
            chance.once(in: 4)
              ? .remove(record.number)
              : .put(record.number, changed(record.value, &chance), seen: nil)
          )
        }
      }
      _ = try process.ask(RequestWriteRecords(writes))
      let now = try state()
      if now != states.last { states.append(now) }
      if chance.once(in: 5), states.count > 1 {
        #expect(try revert(.toUndo(by: nil)))
        #expect(try state() == states[states.count - 2])
        #expect(try revert(.toRedo(by: nil)))
        #expect(try state() == states.last)
      }
    }
    while states.count > 1 {
      states.removeLast()
      #expect(try revert(.toUndo(by: nil)))
      #expect(try state() == states.last)
    }
    #expect(try !revert(.toUndo(by: nil)))
    #expect(try process.ask(RequestDoctor()).exitStatus == .success)
  }

  @Test(arguments: EngineKind.shared)
  func `processes that write at once lose nothing, and every number is one record's`(
    _ kind: EngineKind
  ) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    let engines = try (0..<3).map { _ in try rig.engine() }
    _ = try process.ask(RequestWriteRecords<Reading>([.add(Reading(title: "shared"))]))
    let failures = Locked<[String]>([])
    let left = Locked(engines.count)
    for (index, engine) in engines.enumerated() {
      Thread.detachNewThread {
        let process = AppContext()
        process.add(RecordServer(engine, [Reading.self], watchesExternalChanges: false))
        for turn in 0..<20 {
          do {
            _ = try process.ask(RequestWriteRecords<Reading>([.add(Reading(count: index))]))
            let shared = try process.ask(RequestRecords<Reading>([1]))[0]
            var value = shared.value
            value.tags.append("\(index)-\(turn)")
            _ = try process.ask(
              RequestWriteRecords<Reading>([.put(1, value, seen: shared.revision)])
            )
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
        left.withLock { $0 -= 1 }
      }
    }
    try waitUntil("all have written") { left.withLock { $0 } == 0 }
    #expect(failures.withLock { $0 } == [])
    let records = try process.ask(RequestRecords<Reading>())
    #expect(records.count == 61)
    #expect(records[0].value.tags.count == 60)
    #expect(Set(records.map(\.number)).count == 61)
    #expect(try process.ask(RequestDoctor()).exitStatus == .success)
  }
}

extension Kept<Reading> {
  /// What is kept, whatever the revision.
  fileprivate struct Content: Equatable {
    let number: Int
    let value: Reading
  }
}
