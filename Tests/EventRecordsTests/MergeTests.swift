import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

@testable import EventRecords

/// A record with a field of each sort that is merged in a way of its own.
private struct Chore: Record {
  var uuid = UniqueID.none
  var title = ""
  var notes = ""
  var urgency = Urgency.normal
  var completedAt: Instant?
  var due: CivilTime?
  var tags: [String] = []
  var project: String?

  static let fields = Fields<Self>("chore")
    .identity("uuid", \.uuid)
    .field("title", \.title)
    .field("notes", \.notes)
    .field("urgency", \.urgency)
    .field("completedAt", \.completedAt, .stamp)
    .field("due", \.due)
    .set("tags", \.tags)
    .field("project", \.project)

  var complete: Bool { completedAt != nil }

  mutating func complete(_ isComplete: Bool, at time: Instant) {
    completedAt = isComplete ? completedAt ?? time : nil
  }

  /// A chore whose identity ends in a number.
  static func test(
    _ id: UInt64,
    _ title: String = "Milk",
    _ edit: (inout Chore) -> Void = { _ in }
  ) -> Chore {
    var chore = Chore(uuid: UniqueID(high: 0x4000, low: 0x8000_0000_0000_0000 | id), title: title)
    edit(&chore)
    return chore
  }
}

private enum Urgency: String, Choice, RankedValue, FieldOption {
  case normal, high
}

/// Chores in a file: an engine, and the shared layer on it.
private final class ChoreStore {
  private static let table = RecordTable(Chore.self)
  private static let types = RecordTypes(of: [table])
  private let files: FreshRecords
  private let engine: RecordDatabase
  private var count = 0

  init() throws {
    files = try FreshRecords()
    engine = files.database()
    engine.open([Self.table])
  }

  /// Another process on the same file, with a stream.
  func process() -> AppContext {
    let context = AppContext()
    context.add(RecordServer(files.database(), [Chore.self], watchesExternalChanges: false))
    return context
  }

  private func transaction<T>(_ body: (inout RecordTransaction) throws -> T) throws -> T {
    count += 1
    let author = Author(
      root: Root(session: 7, number: 3),
      origin: "tests",
      time: Instant(milliseconds: 5000)
    )
    return try engine.write { store in
      var transaction = try RecordTransaction(store, Self.types, by: author, ordinal: count)
      return try body(&transaction)
    }
  }

  @discardableResult
  func write(_ writes: RecordWrite<Chore>...) throws -> [RecordTransition<Chore>] {
    try transaction { try $0.write(writes) }
  }

  @discardableResult
  func add(
    _ id: UInt64,
    _ title: String = "Milk",
    _ edit: (inout Chore) -> Void = { _ in }
  ) throws -> Kept<Chore> {
    try #require(try write(.add(.test(id, title, edit)))[0].kept)
  }

  /// Changes chores as they are or, if a revision was seen, as they were then.
  @discardableResult
  func changes(
    _ numbers: Int...,
    seen: Int? = nil,
    _ edit: (inout Chore) -> Void
  ) throws -> [RecordTransition<Chore>] {
    try transaction { transaction in
      let history = RecordHistory(transaction.store, Self.types)
      let writes = try numbers.map { number in
        let fields = try history.fields(of: number, Self.table, at: seen ?? .max)
        var chore = try fields.map { try Chore($0, number) } ?? Chore()
        edit(&chore)
        return RecordWrite.put(number, chore, seen: seen)
      }
      return try transaction.write(writes)
    }
  }

  @discardableResult
  func change(_ number: Int, seen: Int? = nil, _ edit: (inout Chore) -> Void) throws -> Kept<Chore>
  {
    try #require(try changes(number, seen: seen, edit)[0].kept)
  }

  /// The chore of a number, as committed.
  func chore(_ number: Int) throws -> Kept<Chore> {
    let row = try engine.read(in: .committed) { try $0.row(number, of: Self.table) } ?? nil
    return try Kept<Chore>(try #require(row))
  }

  /// The tags in use.
  func tags() throws -> [String] {
    let column = try #require(Self.table.index(of: "tags"))
    return try engine.read(in: .committed) {
      try $0.labels(column, prefix: "", limit: 100, counted: false, of: Self.table).map(\.text)
    } ?? []
  }
}

/// Two writers who have seen the same revision.
@Suite(.hangLimit) struct MergeTests {
  @Test func `S71 changes of different fields are both kept`() throws {
    let store = try ChoreStore()
    try store.add(1)
    try store.change(1, seen: 1) { $0.title = "Oat milk" }
    let merged = try store.change(1, seen: 1) {
      $0.urgency = .high
      $0.due = .test
    }
    #expect(merged.revision == 3)
    let wanted = Chore.test(1, "Oat milk") {
      $0.urgency = .high
      $0.due = .test
    }
    #expect(merged.value == wanted)
    #expect(try store.chore(1).value == wanted)
  }

  @Test(
    arguments: [
      ("title", "Milk", "Oat milk", "Soy milk"), ("notes", "two", "three", "four"),
      ("due", "2026-12-01", "2026-12-02", "2026-12-03"), ("due", "2026-12-01", nil, "2026-12-03"),
      ("due", "2026-12-01", "2026-12-02", nil), ("project", "home", "work", "garden"),
      ("project", "home", nil, "garden"), ("project", "home", "work", nil),
    ] as [(String, JSON, JSON?, JSON?)]
  )
  func `S71 changes of one field to different values are a conflict that names both`(
    field: String,
    expected: JSON,
    actual: JSON?,
    mine: JSON?
  ) throws {
    let store = try ChoreStore()
    try store.add(1) {
      $0.notes = "two"
      $0.completedAt = Instant(milliseconds: 4000)
      $0.due = .test
      $0.project = "home"
    }
    try store.change(1, seen: 1) { $0.take(field, actual ?? .null) }
    let theirs = try store.chore(1)
    #expect(
      recordError { try store.change(1, seen: 1) { $0.take(field, mine ?? .null) } }
        == .conflict(1, field, expected: expected, actual: actual ?? .null)
    )
    #expect(try store.chore(1) == theirs)
    #expect(theirs.revision == 2)
  }

  @Test func `S71 the same change by both is no conflict and no second revision`() throws {
    let store = try ChoreStore()
    try store.add(1)
    try store.change(1, seen: 1) { $0.title = "Oat milk" }
    let written = try store.changes(1, seen: 1) { $0.title = "Oat milk" }
    #expect(written.map(\.isChange) == [false])
    #expect(written.map(\.revision) == [2])
  }

  @Test func `S71 there and back again is no conflict`() throws {
    let store = try ChoreStore()
    try store.add(1)
    try store.change(1) { $0.title = "Oat milk" }
    try store.change(1) { $0.title = "Milk" }
    #expect(try store.change(1, seen: 1) { $0.title = "Soy milk" }.value.title == "Soy milk")
  }

  @Test func `S71 a conflict names what was seen then, not what was before that`() throws {
    let store = try ChoreStore()
    try store.add(1, "A")
    try store.change(1) { $0.title = "B" }
    try store.change(1) { $0.title = "C" }
    try store.change(1) { $0.title = "D" }
    #expect(
      recordError { try store.change(1, seen: 2) { $0.title = "E" } }
        == .conflict(1, "title", expected: "B", actual: "D")
    )
  }

  @Test(arguments: [-1, 0, 1, 3, 9, Int.max])
  func `S71 what nobody can have seen is a conflict: before the record, and beyond the end`(
    revision: Int
  ) throws {
    let store = try ChoreStore()
    try store.add(1)
    try store.add(2)
    #expect(
      recordError { try store.write(.put(2, .test(2, "Lost"), seen: revision)) }
        == .unseen(2, revision: revision)
    )
    #expect(try store.chore(2).value.title == "Milk")
    #expect(try store.change(1, seen: 2) { $0.title = "Rye" }.value.title == "Rye")
  }

  @Test func `S71 whoever has seen nothing overwrites`() throws {
    let store = try ChoreStore()
    try store.add(1)
    try store.change(1) { $0.title = "Oat milk" }
    try store.write(.put(1, .test(1, "Soy milk"), seen: nil))
    #expect(try store.chore(1).value.title == "Soy milk")
  }

  @Test func `S71 one conflict among several writes nothing`() throws {
    let store = try ChoreStore()
    try store.add(1)
    try store.add(2)
    try store.change(2) { $0.title = "Rye" }
    #expect(
      recordError {
        try store.changes(1, 2, seen: 2) { $0.title = "Both" }
      } == .conflict(2, "title", expected: "Milk", actual: "Rye")
    )
    #expect(try store.chore(1).value.title == "Milk")
  }

  // MARK: Tags

  @Test func `S71 tags merge as added and removed ones`() throws {
    let store = try ChoreStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1, seen: 1) { $0.tags = ["b", "c"] }
    let merged = try store.change(1, seen: 1) { $0.tags = ["a", "d"] }
    #expect(merged.value.tags == ["c", "d"])
    #expect(try store.tags() == ["c", "d"])
  }

  @Test func `S71 replacing tags replaces what was seen, and keeps what was added since`() throws {
    let store = try ChoreStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1, seen: 1) { $0.tags = ["b", "c"] }
    #expect(try store.change(1, seen: 1) { $0.tags = ["a", "x"] }.value.tags == ["c", "x"])
  }

  @Test func `S71 replacing tags without having seen any replaces them all`() throws {
    let store = try ChoreStore()
    try store.add(1) { $0.tags = ["a", "b"] }
    try store.change(1) { $0.tags = ["a", "b", "c"] }
    try store.write(.put(1, .test(1) { $0.tags = ["x", "b"] }, seen: nil))
    #expect(try store.chore(1).value.tags == ["x", "b"])
    #expect(try store.tags() == ["b", "x"])
  }
}

// MARK: - Completion

/// Completes a chore or opens it again; what was seen decides if it is to be the other of the two.
private struct RequestCompletion: RecordEdit {
  typealias Reply = ResponseView<Message>
  var isComplete: Bool?
  var time = Instant(milliseconds: 0)
  var id = Target<Chore>(.number(1))
  static let command = CommandSpec<Self>("complete", "Completes chores.").records(\.id)
    .revision(of: \.id)

  func change(_ chore: inout Chore, seen: Chore, _ turn: borrowing Turn) {
    chore.complete(isComplete ?? !seen.complete, at: time)
  }

  func result(_ written: [RecordTransition<Chore>], _ turn: borrowing Turn) -> Message {
    Message(written.map { $0.isChange ? "changed" : "not changed" }.joined(separator: ", "))
  }
}

/// Two writers who complete one record, by what a view-model server uses.
@Suite(.hangLimit) struct CompletionMergeTests {
  private let store: ChoreStore
  private let process: AppContext
  private let noon = Instant(milliseconds: 43_200_000)
  private let one = Instant(milliseconds: 46_800_000)

  init() throws {
    store = try ChoreStore()
    process = store.process()
    process.stream.answer([RequestCompletion.self])
  }

  private func ask(_ request: RequestCompletion) throws -> String { try process.ask(request).text }

  private func completion() throws -> Instant? { try store.chore(1).value.completedAt }

  @Test func `S71 both complete: the first time stays, and there is no conflict`() throws {
    try store.add(1)
    #expect(
      try ask(RequestCompletion(isComplete: true, time: noon, id: Target(.number(1), seen: 1)))
        == "changed"
    )
    #expect(
      try ask(RequestCompletion(isComplete: true, time: one, id: Target(.number(1), seen: 1)))
        == "not changed"
    )
    #expect(try completion() == noon)
  }

  @Test func `S71 both toggle what they saw open: it is complete`() throws {
    try store.add(1)
    #expect(try ask(RequestCompletion(time: noon, id: Target(.number(1), seen: 1))) == "changed")
    #expect(try ask(RequestCompletion(time: one, id: Target(.number(1), seen: 1))) == "not changed")
    #expect(try completion() == noon)
  }

  @Test func `S71 both toggle what they saw complete: it is open`() throws {
    try store.add(1) { $0.completedAt = noon }
    #expect(try ask(RequestCompletion(time: one, id: Target(.number(1), seen: 1))) == "changed")
    #expect(try ask(RequestCompletion(time: one, id: Target(.number(1), seen: 1))) == "not changed")
    #expect(try completion() == nil)
  }

  @Test func `S71 toggles without having seen anything go to and fro`() throws {
    try store.add(1)
    #expect(try ask(RequestCompletion(time: noon)) == "changed")
    #expect(try completion() == noon)
    #expect(try ask(RequestCompletion(time: one)) == "changed")
    #expect(try completion() == nil)
  }

  @Test func `a record that is named more than once is toggled once`() throws {
    let chore = try store.add(1)
    let target = Target<Chore>(
      RecordReference(1),
      RecordReference(chore.value.uuid),
      .identity("00000000-0000-4")
    )
    #expect(try ask(RequestCompletion(time: noon, id: target)) == "changed")
    #expect(try completion() == noon)
  }

  @Test
  func `S71 completing what was reopened since, and completed at another time, is no conflict`()
    throws
  {
    try store.add(1) { $0.completedAt = noon }
    try store.change(1) { $0.completedAt = nil }
    try store.change(1) { $0.completedAt = one }
    #expect(
      try ask(RequestCompletion(isComplete: true, time: noon, id: Target(.number(1), seen: 1)))
        == "not changed"
    )
    #expect(try completion() == one)
  }
}

extension Chore {
  /// Takes a value for a field.
  fileprivate mutating func take(_ field: String, _ json: JSON) {
    var fields = RecordFields()
    fields[field] = json
    if json == .null {
      copy(FieldSet(field: Chore._table.index(of: field) ?? 0), from: Chore())
    } else {
      takeReadable(fields)
    }
  }
}

extension CivilTime {
  fileprivate static let test = CivilTime.day(CivilDay(daysSinceEpoch: 20_788))
}

extension RecordError {
  fileprivate static func conflict(
    _ number: Int,
    _ field: String,
    expected: JSON,
    actual: JSON
  ) -> RecordError {
    .conflict(number, field: field, expected: expected, actual: actual, isPlace: false)
  }
}

/// The error of the shared layer that a body throws; nil if it throws none.
private func recordError(_ body: () throws -> Void) -> RecordError? {
  do {
    try body()
    return nil
  } catch {
    return error as? RecordError
  }
}
