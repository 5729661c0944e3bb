import EventMVVM
import EventMVVMTesting
import EventRecords
import Testing

/// The order that somebody gives a list by hand (S62), on every engine.
@Suite(.hangLimit) struct ManualOrderTests {
  /// Readings in an order by hand.
  private struct List {
    let rig: EngineRig
    let process: AppContext

    init(_ kind: EngineKind, of count: Int) throws {
      rig = try EngineRig(kind)
      process = try rig.process()
      for number in 1...count { try add(number) }
    }

    func add(_ number: Int) throws {
      _ = try write(.add(Reading(title: "Reading \(number)")))
    }

    func write(_ write: RecordWrite<Reading>) throws -> [RecordTransition<Reading>] {
      try process.ask(RequestWriteRecords([write]))
    }

    @discardableResult
    func move(
      _ number: Int,
      _ side: ManualSide,
      _ other: Int
    ) throws -> [RecordTransition<Reading>] {
      try write(.move(.number(number), side, of: .number(other), in: \.place))
    }

    func put(_ place: ManualPlace?, _ numbers: Int...) throws {
      for number in numbers {
        var value = try process.ask(RequestRecords<Reading>([number]))[0].value
        value.place = place
        _ = try write(.put(number, value, seen: nil))
      }
    }

    func kept() throws -> [Kept<Reading>] {
      let query = Query<Reading>().sorted(manuallyBy: \.place, descending: true)
      return try process.ask(RequestRecords<Reading>(query))
    }

    func order() throws -> [Int] { try kept().map(\.number) }
  }

  @Test(arguments: EngineKind.here)
  func `S62 a record is moved before or after another one, and others stay where they are`(
    _ kind: EngineKind
  ) throws {
    let list = try List(kind, of: 5)
    #expect(try list.order() == [5, 4, 3, 2, 1])
    try list.move(1, .before, 4)
    #expect(try list.order() == [5, 1, 4, 3, 2])
    try list.move(5, .after, 2)
    #expect(try list.order() == [1, 4, 3, 2, 5])
    try list.move(3, .before, 1)
    #expect(try list.order() == [3, 1, 4, 2, 5])
    try list.add(6)
    #expect(try list.order() == [6, 3, 1, 4, 2, 5])
    #expect(try list.kept().filter { $0.value.place != nil }.map(\.number) == [3, 1, 5])
  }

  @Test func `S62 one that stands there already does not change`() throws {
    let list = try List(.file, of: 3)
    #expect(try list.move(3, .before, 2).map { $0.before == $0.after } == [true])
    #expect(try list.move(1, .after, 2).map { $0.before == $0.after } == [true])
    #expect(try list.kept().map(\.revision).max() == 3)
  }

  @Test func `S62 what can't be moved is said`() throws {
    let list = try List(.file, of: 2)
    func failure(_ body: () throws -> Void) -> Failure? {
      do {
        try body()
        return nil
      } catch {
        return error as? Failure
      }
    }
    #expect(
      failure { try list.move(1, .after, 1) }
        == Failure(.validation, "#1 can't stand beside itself.", field: "other", id: 1)
    )
    #expect(
      failure { try list.move(1, .after, 9) }
        == Failure(.notFound, "There is no reading #9.", field: "other", id: 9)
    )
    #expect(
      failure { try list.move(9, .after, 1) }
        == Failure(.notFound, "There is no reading #9.", field: "id", id: 9)
    )
  }

  @Test func `S62 a place that somebody else has changed since is a conflict`() throws {
    let list = try List(.file, of: 3)
    try list.move(1, .before, 3)
    #expect {
      _ = try list.write(.move(.number(1), .before, of: .number(2), in: \.place, seen: 1))
    } throws: { error in
      let failure = error as? Failure
      return failure?.field == "place" && failure?.expected == .json("null")
        && failure?.actual == "3.V"
    }
  }

  @Test(arguments: EngineKind.here)
  func `S62 where two share a place, both make room for a third`(_ kind: EngineKind) throws {
    let list = try List(kind, of: 4)
    let shared = try #require(ManualPlace(text: "4.V"))
    try list.put(shared, 1, 2)
    #expect(try list.order() == [2, 1, 4, 3])
    #expect(try list.move(3, .before, 1).map(\.number) == [3, 2])
    #expect(try list.order() == [2, 3, 1, 4])
    try list.put(shared, 1, 2)
    try list.move(4, .after, 2)
    #expect(try list.order().filter { $0 != 3 } == [2, 4, 1])
  }

  @Test func `S62 where no more fits, it is said what has no room`() throws {
    let list = try List(.file, of: 2)
    let full = String(repeating: "0", count: ManualPlace.mostDigits - 1) + "1"
    try list.put(ManualPlace(text: "2." + full), 1)
    #expect {
      try list.add(3)
      try list.move(3, .before, 2)
    } throws: {
      ($0 as? Failure)?.message
        == "Too much was moved there: #2 has no room beside it. Move what stands there elsewhere first."
    }
  }

  @Test func `the greatest place that a store can have is one like others`() throws {
    let list = try List(.file, of: 3)
    try list.put(ManualPlace(text: "9223372036854775807.V"), 2)
    #expect(try list.order() == [2, 3, 1])
    try list.move(1, .before, 2)
    try list.move(3, .after, 2)
    #expect(try list.order() == [1, 2, 3])
  }

  @Test func `S62 a move is undone by itself`() throws {
    let list = try List(.file, of: 3)
    let step = try list.move(1, .before, 3)[0].revision
    var value = try list.process.ask(RequestRecords<Reading>([1]))[0].value
    value.title = "Rye"
    _ = try list.write(.put(1, value, seen: nil))
    _ = try list.process.revert(step, force: false)
    #expect(try list.order() == [3, 2, 1])
    #expect(try list.kept().last?.value.title == "Rye")
  }

  @Test(arguments: 1...20)
  func `S62 whatever is moved where, the list is as a list of its own`(seed: UInt64) throws {
    var chance = Chance(seed)
    let list = try List(.memory, of: 9)
    var order = try list.order()
    for _ in 0..<60 {
      let (moved, other) = (chance.pick(1...9), chance.pick(1...9))
      guard moved != other else { continue }
      let side: ManualSide = chance.below(2) == 0 ? .before : .after
      try list.move(moved, side, other)
      order.removeAll { $0 == moved }
      let index = try #require(order.firstIndex(of: other))
      order.insert(moved, at: side == .before ? index : index + 1)
      #expect(try list.order() == order)
    }
  }
}
