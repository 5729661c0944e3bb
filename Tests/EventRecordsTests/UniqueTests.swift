import RecordCommands
import EventCommands
import EventMVVM
import EventMVVMTesting
import Foundation
import Testing

@testable import EventRecords

/// A seat in a hall, as the first version had it.
private struct PlainSeat: Record {
  var row = ""
  var place = 0
  var guest: String?
  var left: Int?
  var isGone = false
  var title: String { "\(row)\(place)" }

  static let fields = Fields<Self>("seat", several: "seats")
    .field("row", \.row)
    .field("place", \.place)
    .field("guest", \.guest)
    .field("left", \.left)
    .field("isGone", \.isGone, .marksDeletion)
}

/// The version with rules: a place in a row is there once, and a guest has one seat at a time.
private struct Seat: Record {
  var row = ""
  var place = 0
  var guest: String?
  var left: Int?
  var isGone = false
  var title: String { "\(row)\(place)" }

  static let fields = Fields<Self>("seat", several: "seats")
    .field("row", \.row)
    .field("place", \.place)
    .field("guest", \.guest)
    .field("left", \.left)
    .field("isGone", \.isGone, .marksDeletion)
    .unique(\.row, \.place)
    .unique(\.guest, where: .isNil(\.left)) { "\($0.guest ?? "") has a seat already." }
}

/// The version that has one of them no longer.
private struct LooseSeat: Record {
  var row = ""
  var place = 0
  var guest: String?
  var title: String { "\(row)\(place)" }

  static let fields = Fields<Self>("seat", several: "seats")
    .field("row", \.row)
    .field("place", \.place)
    .field("guest", \.guest)
    .removed("left", "isGone")
    .unique(\.guest)
}

/// Rules that the store keeps: what no two records have.
@Suite(.hangLimit) struct UniqueTests {
  private static let kinds = EngineKind.here.filter { $0 == .file || $0 == .postgres }

  private func process<R: Record>(of type: R.Type, _ rig: EngineRig) throws -> AppContext {
    let context = AppContext()
    context.add(RecordServer(try rig.engine(), [type], watchesExternalChanges: false))
    return context
  }

  @discardableResult
  private func write(
    _ process: AppContext,
    _ writes: RecordWrite<Seat>...
  ) throws -> [RecordTransition<Seat>] {
    try process.ask(RequestWriteRecords(writes))
  }

  private func refusal(_ process: AppContext, _ write: RecordWrite<Seat>) -> String? {
    #expect(throws: Failure.self) { try process.ask(RequestWriteRecords<Seat>([write])) }?.message
  }

  @Test(arguments: kinds)
  func `no two records have the same values, and a person is told`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    let process = try process(of: Seat.self, rig)
    try write(process, .add(Seat(row: "A", place: 1, guest: "Ann")), .add(Seat(row: "A", place: 2)))
    try write(process, .add(Seat(row: "B", place: 1)), .add(Seat(row: "B", place: 2)))
    #expect(
      refusal(process, .add(Seat(row: "A", place: 2)))
        == "The seat #2 has the same row and place already."
    )
    #expect(
      refusal(process, .put(3, Seat(row: "B", place: 1, guest: "Ann"), seen: nil))
        == "Ann has a seat already."
    )
    // Who has left does not count.
    try write(process, .put(1, Seat(row: "A", place: 1, guest: "Ann", left: 9), seen: nil))
    try write(process, .put(3, Seat(row: "B", place: 1, guest: "Ann"), seen: nil))
    #expect(
      refusal(process, .put(1, Seat(row: "A", place: 1, guest: "Ann"), seen: nil))
        == "Ann has a seat already."
    )
    #expect(try process.ask(RequestDoctor()).exitStatus == .success)
  }

  @Test(arguments: kinds)
  func `what is deleted does not count, and is not restored into a duplicate`(
    _ kind: EngineKind
  ) throws {
    let rig = try EngineRig(kind)
    let process = try process(of: Seat.self, rig)
    try write(process, .add(Seat(row: "A", place: 1)))
    let deletion = try write(process, .put(1, Seat(row: "A", place: 1, isGone: true), seen: nil))
    try write(process, .add(Seat(row: "A", place: 1)))
    #expect(
      refusal(process, .put(1, Seat(row: "A", place: 1), seen: nil))
        == "The seat #2 has the same row and place already."
    )
    let undone = try process.revert(deletion[0].revision, force: false)
    #expect(undone.conflicts.map(\.field.name) == ["isGone"])
    #expect(try process.ask(RequestRecords<Seat>()).map(\.value.isGone) == [true, false])
    try write(process, .put(2, Seat(row: "A", place: 2), seen: nil))
    try write(process, .put(1, Seat(row: "A", place: 1), seen: nil))
  }

  @Test(arguments: kinds)
  func `an undo exchanges what was exchanged`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    let process = try process(of: Seat.self, rig)
    let seats = [Seat(row: "A", place: 1, guest: "Ann"), Seat(row: "A", place: 2, guest: "Bob")]
    try write(process, .add(seats[0]), .add(seats[1]))
    let step = try write(
      process,
      .put(1, Seat(row: "A", place: 3), seen: nil),
      .put(2, Seat(row: "A", place: 1, guest: "Ann"), seen: nil),
      .put(1, Seat(row: "A", place: 2, guest: "Bob"), seen: nil)
    )
    let undone = try process.revert(step[0].revision, force: false)
    #expect(undone.conflicts == [])
    #expect(try process.ask(RequestRecords<Seat>()).map(\.value) == seats)
    #expect(try process.ask(RequestDoctor()).exitStatus == .success)
  }

  @Test(arguments: kinds)
  func `a rule that is added later names the duplicates`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    let first = try process(of: PlainSeat.self, rig)
    let seats = [
      PlainSeat(row: "A", place: 1), PlainSeat(row: "B", place: 1, isGone: true),
      PlainSeat(row: "B", place: 1), PlainSeat(row: "A", place: 1),
    ]
    _ = try first.ask(RequestWriteRecords(seats.map { .add($0) }))
    let refused = #expect(throws: Failure.self) {
      try process(of: Seat.self, rig).ask(RequestRecords<Seat>())
    }
    #expect(
      refused?.message
        .hasSuffix(
          "can't be used by this version of the program: the seat #1 and the seat #4 have the same 'row' and 'place', "
            + "which no two may have now. Nothing was changed; change one of them with the version before"
        ) == true
    )
    _ = try first.ask(RequestWriteRecords<PlainSeat>([.remove(4)]))
    let later = try process(of: Seat.self, rig)
    #expect(try later.ask(RequestRecords<Seat>()).map(\.number) == [1, 2, 3])
    // An earlier version does not know the rule, but the store does.
    let stored = #expect(throws: Failure.self) {
      try first.ask(RequestWriteRecords<PlainSeat>([.add(PlainSeat(row: "A", place: 1))]))
    }
    #expect(
      stored?.message
        .hasSuffix(
          "has a record with these values already, which a version of the program allows once; nothing was stored"
        ) == true
    )
    #expect(try first.ask(RequestRecords<PlainSeat>()).count == 3)
    // A version without the rule removes its index.
    let loose = try process(of: LooseSeat.self, rig)
    _ = try loose.ask(RequestWriteRecords<LooseSeat>([.add(LooseSeat(row: "A", place: 1))]))
    #expect(try loose.ask(RequestRecords<LooseSeat>()).count == 4)
    let report = try process(of: Seat.self, rig).ask(RequestDoctor())
    #expect(
      report.report.findings.contains {
        $0.text == "seat #5 and #1 have the same 'row' and 'place', which no two may have"
      }
    )
  }
}
