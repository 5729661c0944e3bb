import JSONText
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import RecordCommands
import SQLiteEngine
import Testing

extension Role<Int> {
  fileprivate static var amount: Self { Role("amount") }
}

/// A box whose size is an amount, and one of whose texts is a note.
private struct Crate: CommandRecord {
  var title = ""
  var size = 3
  var note: String?
  var due: CivilTime?
  var count = 0

  static let fields = Fields<Self>("crate", several: "crates")
    .field("title", \.title, "What")
    .field("size", \.size, "How large")
    .field("note", \.note)
    .field("due", \.due)
    .field("count", \.count)
    .role(.amount, \.size)
    .role(.notes, \.note)
    .role(.due, \.due)
  static let commands = RecordCommands<Self>()
    .joining { stream in
      stream.onWrite(of: Crate.self) { change, store in
        guard let crate = change.after, crate.count == (change.before?.count ?? 0) else { return }
        _ = try store.change(store.record(change.number, of: Crate.self, field: "id")) {
          $0.count += 1
        }
      }
    }
}

@Suite(.hangLimit) struct RoleTests {
  @Test func `a field is found by what it means, read and set`() throws {
    let amount = try #require(Crate.field(with: .amount))
    let notes = try #require(Crate.field(with: .notes))
    #expect(Crate.field(with: .project)?.name == nil)
    #expect((amount.name, notes.name) == ("size", "note"))
    var crate = Crate()
    #expect((amount.value(of: crate), notes.value(of: crate)) == (3, nil))
    amount.set(7, in: &crate)
    notes.set("fragile", in: &crate)
    #expect((crate.size, crate.note) == (7, "fragile"))
    // Without a value it is that of a new record, or none.
    amount.set(nil, in: &crate)
    notes.set(nil, in: &crate)
    #expect((crate.size, crate.note) == (3, nil))
  }

  @Test func `conditions on a role are those of the field`() throws {
    let amount = try #require(Crate.field(with: .amount))
    let notes = try #require(Crate.field(with: .notes))
    let due = try #require(Crate.field(with: .due))
    let day = try #require(CivilDay("2026-11-27"))
    #expect(amount.equals(2).stored == Condition<Crate>.equals(\.size, 2).stored)
    #expect(amount.atLeast(2).stored == Condition<Crate>.atLeast(\.size, 2).stored)
    #expect(amount.less(than: 2).stored == Condition<Crate>.less(\.size, than: 2).stored)
    #expect(notes.isNil.stored == Condition<Crate>.isNil(\.note).stored)
    #expect(notes.equals("a").stored == Condition<Crate>.equals(\.note, "a").stored)
    #expect(
      due.isOn(day).stored
        == Condition<Crate>
        .all(
          .atLeast(\.due, .day(day)),
          .less(\.due, than: .day(try #require(day.adding(days: 1))))
        )
        .stored
    )
  }

  @Test func `what belongs to each write by the declaration is done once`() throws {
    let crates = CommandLineRig<Crate>()
    #expect(try crates.said("add Pears --size 2") == "Added #1 Pears  size 2\n")
    #expect(try crates.json(["show", "1"])["count"] == 1)
    _ = try crates.said("edit 1 --size 4")
    #expect(try crates.json(["show", "1"])["count"] == 2)
  }
}
