import EventCommands
import EventMVVM
import EventMVVMTesting
import JSONText
import SQLiteEngine
import Testing

@testable import EventRecords

/// What is in a store, all of it, as JSON.
private struct Contents: Equatable {
  var rows: [Kept<Reading>] = []
  var changes: [LoggedChange] = []
  var steps: [Step] = []
  var end = LogEnd()

  init(_ engine: any RecordEngine) throws {
    let table = RecordTable(Reading.self)
    _ = try engine.read(in: .committed) { store in
      let rows = try store.rows(RecordQuery(), of: table)
      while let row = try rows.next() { self.rows.append(try Kept(row)) }
      changes = try store.changes(.after(0), limit: .max)
      steps = try store.steps(.newest(.max))
      end = try store.end()
    }
  }
}

/// All that a store has can go to another one, of whatever engine.
@Suite(.hangLimit) struct RecordCopyTests {
  private let types = RecordTypes([Reading.self])

  /// Makes a story with additions, edits, removals, undos and redos.
  private func tell(_ rig: EngineRig, _ count: Int) throws {
    let process = try rig.process()
    var chance = Chance(5)
    for _ in 0..<count {
      let known = try process.ask(RequestRecords<Reading>()).map(\.number)
      switch Int.random(in: 0..<6, using: &chance) {
      case 0 where !known.isEmpty:
        let number = known[Int.random(in: known.indices, using: &chance)]
        _ = try process.ask(RequestWriteRecords<Reading>([.remove(number)]))
      case 1 where !known.isEmpty:
        let number = known[Int.random(in: known.indices, using: &chance)]
        let value = Reading(chance: &chance)
        _ = try process.ask(RequestWriteRecords<Reading>([.put(number, value, seen: nil)]))
      case 2, 3:
        let query: StepQuery = chance.once(in: 2) ? .toUndo(by: nil) : .toRedo(by: nil)
        guard let entry = try process.ask(RequestJournal(query)).first else { continue }
        _ = try process.revert(entry.step.number, force: true)
      default:
        _ = try process.ask(
          RequestWriteRecords<Reading>([
            .add(Reading(chance: &chance)), .add(Reading(chance: &chance)),
          ])
        )
      }
    }
  }

  @Test(arguments: EngineKind.here, EngineKind.here)
  func `a store of any engine can be copied to one of any other`(
    _ kind: EngineKind,
    _ other: EngineKind
  ) throws {
    let (rig, otherRig) = (try EngineRig(kind), try EngineRig(other))
    defer { withExtendedLifetime((rig, otherRig)) {} }
    try tell(rig, 60)
    let (source, target) = (try rig.opened(), try otherRig.opened())
    let before = try Contents(source)
    #expect(before.steps.contains { $0.isUndone })
    let copy = try source.copy(types, to: target)
    #expect(copy == RecordCopy(records: before.rows.count, changes: before.changes.count))
    #expect(try Contents(target) == before)
    // What is there already is not mixed with it.
    #expect(throws: StoreError.self) { try source.copy(types, to: target) }
    #expect(try Contents(target) == before)
    // Numbers and undo go on where they were.
    let process = try otherRig.process()
    let next = try process.ask(RequestWriteRecords<Reading>([.add(Reading(title: "new"))]))[0]
    #expect((next.number, next.revision) == (before.end.number + 1, before.end.revision + 1))
    _ = try process.undo()
    let entry = try #require(try process.ask(RequestJournal(.toUndo(by: nil))).first)
    _ = try process.revert(entry.step.number, force: false)
  }

  @Test(arguments: EngineKind.here)
  func `the image of a store is the store`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let source = try rig.opened()
    #expect(try RecordImage.of(source, types) == nil)
    try tell(rig, 60)
    let image = try #require(try RecordImage.of(source, types))
    let other = try EngineRig(.memory)
    let target = try other.opened()
    try target.write { try RecordImage.restore(image, into: $0, named: target.name, types) }
    let (copied, own) = (try Contents(target), try Contents(source))
    #expect(copied == own)
    #expect(try RecordImage.of(target, types) == image)
  }

  @Test func `an image that is damaged leaves nothing behind`() throws {
    let rig = try EngineRig(.memory)
    try tell(rig, 10)
    let image = try #require(try RecordImage.of(rig.opened(), types))
    let lines = image.split(separator: UInt8(ascii: "\n"))
    func restored(_ image: [UInt8]) throws -> Contents {
      let fresh = try EngineRig(.file)
      defer { withExtendedLifetime(fresh) {} }
      let target = try fresh.opened()
      do {
        try target.write { try RecordImage.restore(image, into: $0, named: target.name, types) }
      } catch is StoreError {}
      return try Contents(target)
    }
    let whole = try Contents(rig.opened())
    #expect(try restored(image) == whole)
    for count in lines.indices {
      let part = Array(lines[..<count].joined(separator: [UInt8(ascii: "\n")]))
      #expect(try restored(part).changes.isEmpty)
    }
    var chance = Chance(9)
    for _ in 0..<40 {
      var bytes = image
      bytes[Int.random(in: bytes.indices, using: &chance)] = UInt8.random(
        in: 0x20...0x7E,
        using: &chance
      )
      let found = try restored(bytes)
      #expect(found.changes.isEmpty || found.changes.count == whole.changes.count)
    }
    #expect(try restored(Array(#"{"records":2}"#.utf8)).changes.isEmpty)
  }

  @Test func `what can't be read, or nobody knows, is not copied in part`() throws {
    let files = try FreshRecords()
    try files.addDamaged()
    let source = files.database()
    let types = RecordTypes([Box.self, Label.self])
    source.open(types.tables)
    let rig = try FreshRecords()
    let target = rig.database()
    target.open(types.tables)
    #expect(throws: RecordError.self) { try source.copy(types, to: target) }
    let unknown = try FreshRecords()
    _ = try unknown.process().write(.add(Box(title: "A")))
    let other = unknown.database()
    let fewer = RecordTypes([Label.self])
    other.open(fewer.tables)
    let stray = RecordError.damaged(
      1,
      kind: "box",
      "this version of the program does not know what that is"
    )
    #expect(throws: stray) { try other.copy(fewer, to: target) }
    let end = try target.read(in: .committed) { try $0.end() }
    #expect(end ?? LogEnd() == LogEnd())
  }
}
