import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import SQLiteEngine
import Testing

/// Something that the world tells from others.
private struct Specimen: Record {
  var uuid = UniqueID.none
  var title = ""
  var code: String?
  var made = Instant(milliseconds: 0)

  static let fields = Fields<Self>("specimen")
    .identity("uuid", \.uuid)
    .field("title", \.title)
    .field("code", \.code, .unique)
    .field("made", \.made, .fixed)
}

/// Something that no two have, and that has a value from the start.
private struct Seat: Record {
  var place = "A"
  var title: String { "Seat" }
  static let fields = Fields<Self>("seat").field("place", \.place, .unique)
}

/// UUIDs and what begins them, values that no two records have, and values that stay.
@Suite(.hangLimit)
struct IdentityTests {
  private let file: FreshRecords
  private let process: AppContext

  init() throws {
    file = try FreshRecords()
    // Numbers that can be told: 00000001-…, 00000002-….
    let count = Locked(0)
    var environment = Environment()
    environment.makeID = {
      count.withLock {
        $0 += 1
        return UniqueID(high: UInt64($0) << 32 | 0xABCD_4000, low: 0x8000_0000_0000_0000)
      }
    }
    process = AppContext(environment: environment)
    process.add(
      RecordServer(file.database(), [Specimen.self, Seat.self], watchesExternalChanges: false)
    )
  }

  @discardableResult
  private func write(_ writes: RecordWrite<Specimen>...) throws -> [RecordTransition<Specimen>] {
    try process.ask(RequestWriteRecords(writes))
  }

  private func numbers(_ word: String) throws -> [Int] {
    try process.ask(RequestRecords<Specimen>(RecordReference(word: word))).map(\.number)
  }

  @Test func `a new record gets an identity, and keeps it`() throws {
    let uuid = try #require(try write(.add(Specimen(title: "A")))[0].after).uuid
    #expect(uuid.text == "00000001-abcd-4000-8000-000000000000")
    let own = UniqueID(high: 7, low: 7)
    #expect(try write(.add(Specimen(uuid: own, title: "B")))[0].after?.uuid == own)
    let changed = try write(.put(1, Specimen(uuid: own, title: "C"), seen: nil))[0].after
    #expect(changed == Specimen(uuid: uuid, title: "C"))
  }

  @Test func `a UUID names its record, and so does what it begins with`() throws {
    for title in ["A", "B"] { try write(.add(Specimen(title: title))) }
    #expect(try numbers("#2") == [2])
    #expect(try numbers("00000002a") == [2])
    #expect(try numbers("00000001-ABCD") == [1])
    let both = Failure(
      .ambiguous,
      "000000 could be #1, #2; give more of the UUID, or the number.",
      field: "id"
    )
    // Digits alone are a number.
    #expect(throws: Failure(.notFound, "There is no specimen #0.", field: "id", id: 0)) {
      try numbers("000000")
    }
    #expect(throws: both) {
      try process.ask(RequestRecords<Specimen>(RecordReference.identity("000000")))
    }
    #expect(throws: Failure(.notFound, "There is no specimen beef.", field: "id")) {
      try numbers("beef")
    }
    #expect(throws: Failure(.notFound, "There is no specimen beef.", field: "id")) {
      try write(.remove(.identity("beef")))
    }
    // One that is named twice is there once, and removed once.
    let names = [RecordReference(1), .identity("00000001-a"), .identity("00000002-a")]
    #expect(try process.ask(RequestRecords<Specimen>(names)).map(\.number) == [1, 2])
    let more = names + [.number(1)]
    let gone = try process.ask(RequestWriteRecords<Specimen>(more.map { .remove($0) }))
    #expect(gone.map(\.number) == [1, 2])
    let unknown = Failure(.notFound, "There is no specimen #1.", field: "id", id: 1)
    #expect(throws: unknown) { try write(.remove(1)) }
  }

  @Test func `words that name nothing are refused where they are read`() throws {
    for word in ["milk", "#", "", "0-", "-", String(repeating: "a", count: 33), "1.5"] {
      #expect(throws: ValueError.self) { try RecordReference(word: word) }
    }
    #expect(throws: ValueError("'abc' is too short; give at least four characters of a UUID")) {
      try RecordReference(word: "abc")
    }
    let digits = String(repeating: "1", count: 32)
    #expect(
      try RecordReference(word: digits) == .identity("11111111-1111-1111-1111-111111111111")
    )
    for reference in [
      RecordReference(3), .identity("beef"), .identity("1234"), .identity("12345678"),
      try RecordReference(word: digits),
    ] {
      let json = try BodyEncoder().value(reference)
      let read = try BodyDecoder().read(RecordReference.self, from: JSON(parsing: json))
      #expect(read == reference)
    }
  }

  @Test func `numbers and UUIDs are completed, and told by the history`() throws {
    for title in ["A", "B"] { try write(.add(Specimen(title: title))) }
    let candidates = try process.ask(RequestSubjectCandidates(prefix: "00000002-a"))
    #expect(candidates.map(\.summary) == ["B"])
    let named = try process.ask(RequestSubjectJournal(of: "00000002-a", limit: 10))
    #expect(named.flatMap(\.changes).map(\.id) == [2])
    #expect(throws: Failure(.notFound, "There is no beef, and never was.", field: "id")) {
      try process.ask(RequestSubjectJournal(of: "beef", limit: 10))
    }
  }

  @Test func `no two records have a value of their own`() throws {
    try write(.add(Specimen(title: "A", code: "A7")), .add(Specimen(title: "B")), .add(Specimen()))
    let taken = Failure(
      .conflict,
      "The specimen #1 has the code \"A7\" already.",
      field: "code",
      id: 1,
      actual: .json("\"A7\"")
    )
    #expect(throws: taken) { try write(.add(Specimen(title: "C", code: "A7"))) }
    #expect(throws: taken) { try write(.put(2, Specimen(title: "B", code: "A7"), seen: nil)) }
    #expect(throws: taken) {
      try write(.put(2, Specimen(code: "B"), seen: nil), .put(2, Specimen(code: "A7"), seen: nil))
    }
    try write(.put(1, Specimen(title: "A2", code: "A7"), seen: nil))
    try write(.remove(1), .put(2, Specimen(title: "B", code: "A7"), seen: nil))
    #expect(try process.ask(RequestRecords<Specimen>()).map(\.value.code) == ["A7", nil])
  }

  @Test func `a value that can't be read is checked, also where it becomes the default`() throws {
    _ = try process.ask(
      RequestWriteRecords<Seat>([.add(Seat(place: "A")), .add(Seat(place: "B"))])
    )
    try file.execute("UPDATE record_seat SET place = CAST(x'FF' AS TEXT) WHERE _number = 2")
    #expect {
      try process.ask(RequestWriteRecords<Seat>([.put(2, Seat(place: "A"), seen: nil)]))
    } throws: {
      ($0 as? Failure)?.message == #"The seat #1 has the place "A" already."#
    }
    let mended = try process.ask(RequestWriteRecords<Seat>([.put(2, Seat(place: "C"), seen: nil)]))
    #expect(mended.map(\.after) == [Seat(place: "C")])
  }

  @Test func `what somebody else has taken since is not undone`() throws {
    try write(.add(Specimen(title: "A", code: "A7")), .add(Specimen(title: "B")))
    let removed = try write(.remove(1))[0].revision
    let renamed = try write(.put(2, Specimen(title: "B", code: "A7"), seen: nil))[0].revision
    let step = try #require(try process.ask(RequestJournal(.number(removed))).first).step
    let refused = try process.revert(step.number, force: false)
    #expect(refused.conflicts.map(\.field.name) == ["code"])
    #expect(refused.changes.isEmpty)
    // Who insists hears who has it.
    let taken = #"The specimen #2 has the code "A7" already."#
    #expect {
      try process.revert(step.number, force: true)
    } throws: {
      ($0 as? Failure)?.message == taken
    }
    // Without it nothing is in the way.
    _ = try process.revert(renamed, force: false)
    let part = try process.revert(step.number, force: false)
    #expect(part.conflicts.isEmpty)
    #expect(try numbers("1") == [1])
  }

  @Test func `of a change that is undone, all comes back but what is taken`() throws {
    try write(.add(Specimen(title: "A", code: "A7")), .add(Specimen(title: "B")))
    let first = try write(.put(1, Specimen(title: "A2", code: nil), seen: nil))[0].revision
    try write(.put(2, Specimen(title: "B", code: "A7"), seen: nil))
    let part = try process.revert(first, force: false)
    #expect(part.conflicts.map(\.field.name) == ["code"])
    let known = try process.ask(RequestRecords<Specimen>(1))[0].value
    #expect((known.title, known.code) == ("A", nil))
  }

  /// Undoes, redoes and undoes a step again; returns the codes after each.
  private func backAndForth() throws -> [[String?]] {
    var codes: [[String?]] = []
    for _ in 0..<3 {
      let latest = try #require(try process.ask(RequestJournal(.toUndo(by: nil))).first).step
      let part = try process.revert(latest.number, force: false)
      #expect(part.conflicts.isEmpty)
      codes.append(try process.ask(RequestRecords<Specimen>()).map(\.value.code))
      let redo = try process.ask(RequestJournal(.toRedo(by: nil))).first
      guard let redo else { continue }
      _ = try process.revert(redo.step.number, force: false)
      codes.append(try process.ask(RequestRecords<Specimen>()).map(\.value.code))
    }
    return codes
  }

  @Test func `a value that a step hands on comes back to whoever had it`() throws {
    try write(.add(Specimen(title: "A", code: "A7")), .add(Specimen(title: "B")))
    try write(.remove(1), .put(2, Specimen(title: "B", code: "A7"), seen: nil))
    let codes = try backAndForth()
    #expect(codes.first == ["A7", nil])
    #expect(codes.dropFirst().first == ["A7"])
  }

  @Test func `values that two have exchanged come back`() throws {
    try write(.add(Specimen(code: "A")), .add(Specimen(code: "B")), .add(Specimen(code: "C")))
    try write(
      .put(1, Specimen(code: nil), seen: nil),
      .put(2, Specimen(code: "A"), seen: nil),
      .put(3, Specimen(code: "B"), seen: nil),
      .put(1, Specimen(code: "C"), seen: nil)
    )
    let codes = try backAndForth()
    #expect(codes.prefix(2) == [["A", "B", "C"], ["C", "A", "B"]])
  }

  @Test func `who can't have back what was his keeps others from theirs`() throws {
    try write(.add(Specimen(code: "A")), .add(Specimen(code: "B")), .add(Specimen(code: "C")))
    let step = try write(
      .put(1, Specimen(code: "X"), seen: nil),
      .put(2, Specimen(code: "A"), seen: nil),
      .put(3, Specimen(title: "third", code: "B"), seen: nil)
    )[0]
    .revision
    try write(.add(Specimen(code: "C")))
    let part = try process.revert(step, force: false)
    // C is taken, so B stays with the third, and A with the second.
    #expect(part.conflicts.map(\.id) == [3, 2, 1])
    #expect(
      try process.ask(RequestRecords<Specimen>()).map(\.value.code) == ["X", "A", "B", "C"]
    )
    #expect(try process.ask(RequestRecords<Specimen>(3))[0].value.title == "")
  }

  @Test func `a fixed value stays that of the addition`() throws {
    let made = Instant(milliseconds: 7)
    try write(.add(Specimen(title: "A", made: made)))
    let after = try write(.put(1, Specimen(title: "B", made: Instant(milliseconds: 9)), seen: 1))[0]
    #expect(after.after?.made == made)
    // Also where others have changed the record since.
    let later = Specimen(title: "A", code: "C", made: Instant(milliseconds: 9))
    #expect(
      try write(.put(1, later, seen: 1))[0].after
        == Specimen(
          uuid: try #require(after.after).uuid,
          title: "B",
          code: "C",
          made: made
        )
    )
    // Nothing but that: no change.
    let known = try process.ask(RequestRecords<Specimen>(1))[0]
    var other = known.value
    other.made = Instant(milliseconds: 11)
    #expect(try write(.put(1, other, seen: nil))[0].revision == known.revision)
  }
}
