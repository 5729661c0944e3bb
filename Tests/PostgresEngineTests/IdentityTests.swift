import EventMVVM
import EventMVVMTesting
import EventRecords
import PostgresEngine
import ProcessTesting
import Testing

/// Something that the world tells from others.
private struct Specimen: Record {
  var uuid = UniqueID.none
  var title = ""

  static let fields = Fields<Self>("specimen")
    .identity("uuid", \.uuid)
    .field("title", \.title)
}

/// Nobody waits to learn that a new identity is new, and yet no two records have one.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct IdentityTests {
  private let list: List
  private let engine: PostgresEngine
  private let process = AppContext()
  private let known = UniqueID(high: 0xABCD_4000, low: 0x8000_0000_0000_0000)

  init() throws {
    list = try List()
    var store = StoreConfiguration(of: "test", path: list.address())
    store.makesSchema = true
    engine = PostgresEngine(store)
    process.add(RecordServer(engine, [Specimen.self], watchesExternalChanges: false))
    _ = try process.ask(RequestWriteRecords<Specimen>([.add(Specimen(uuid: known, title: "A"))]))
  }

  private func titles() throws -> [String] {
    try process.ask(RequestRecords<Specimen>()).map(\.value.title)
  }

  @Test func `a record of a known identity is refused, and the other one named`() throws {
    for titles in [["B"], ["B", "C"]] {
      let failure = try #require(throws: Failure.self) {
        _ = try process.ask(
          RequestWriteRecords<Specimen>(titles.map { .add(Specimen(uuid: known, title: $0)) })
        )
      }
      #expect(failure.kind == .conflict)
      #expect(failure.field == "uuid")
    }
    #expect(try titles() == ["A"])
    #expect(try list.rows("SELECT revision, number FROM counter") == ["1|1"])
  }

  @Test func `a unit with such a record is not committed`() throws {
    try engine.beginUnit()
    _ = try process.ask(RequestWriteRecords<Specimen>([.add(Specimen(uuid: known, title: "B"))]))
    let refused = try #require(throws: StoreError.self) { try engine.commitUnit() }
    #expect(refused.cause == "has a record of the same identity already; nothing was stored.")
    #expect(try titles() == ["A"])
    #expect(try list.rows("SELECT revision, number FROM counter") == ["1|1"])
  }
}
