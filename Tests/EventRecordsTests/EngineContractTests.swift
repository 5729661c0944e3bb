import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import JSONText
import PostgresEngine
import ProcessTesting
import RecordCommands
import SQLiteEngine
import Testing

@testable import EventRecords

/// A reading of a sample in a laboratory: a field of each sort that a store does something for.
struct Reading: Record {
  /// Not in the order of its names, nor in that of its cases.
  enum Urgency: String, RankedValue {
    case middle, high, low
    static let formerNames: [String: Urgency] = ["top": .high]
    var rank: Int { self == .low ? -1 : self == .middle ? 4 : 9 }
  }

  var title = ""
  var batch: String?
  var count = 0
  var weight = 0.0
  var isOpen = true
  var due: CivilTime?
  var price = Amount(hundredths: 0)
  var origin = Origin()
  var tags: [String] = []
  var place: ManualPlace?
  var urgency: Urgency? = nil

  static let fields = Fields<Self>("reading")
    .field("title", \.title, [.searched, .indexed])
    .field("batch", \.batch, [.searched, .indexed])
    .field("count", \.count)
    .field("weight", \.weight)
    .field("isOpen", \.isOpen)
    .field("due", \.due, .indexed)
    .field("price", \.price)
    .field("origin", \.origin)
    .set("tags", \.tags)
    .field("place", \.place, .indexed)
    .field("urgency", \.urgency, .indexed)
    .listed(by: \.due, where: .equals(\.isOpen, true))
}

/// The engines that keep the contract.
enum EngineKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case file, memory, postgres
  /// PostgreSQL behind a pooler that lends servers by the transaction.
  case pooled

  var testDescription: String { rawValue }

  /// Those that there are on this machine.
  static var here: [EngineKind] {
    allCases.filter { !$0.isPostgres || PostgresServer.isHere }
  }
  var isPostgres: Bool { self == .postgres || self == .pooled }
  /// Those of them that several can use.
  static var shared: [EngineKind] { here.filter { $0 != .memory } }
}

/// A store of one kind, empty at first, for one test.
final class EngineRig {
  private let kind: EngineKind
  private let files: FreshRecords
  private let schema = "t\(UUID().uuidString.replacing("-", with: "").lowercased())"
  private let memory = MemoryDatabase()

  init(_ kind: EngineKind) throws {
    self.kind = kind
    files = try FreshRecords()
  }

  /// One more user of the store; of what is in memory, the one.
  func engine(
    _ report: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) throws -> any RecordEngine {
    func postgres(_ address: String) -> PostgresEngine {
      var store = StoreConfiguration(of: "test", path: "\(address)#\(schema)")
      store.makesSchema = true
      store.reportsUnread = report
      return PostgresEngine(store)
    }
    return switch kind {
    case .file: files.database()
    case .memory: memory
    case .postgres: postgres(try PostgresServer.shared.address)
    case .pooled: postgres(try PostgresServer.shared.pooled)
    }
  }

  /// An engine whose tables are named.
  func opened() throws -> any RecordEngine {
    let engine = try engine()
    engine.open([RecordTable(Reading.self)])
    return engine
  }

  /// A process that keeps readings in the store.
  func process(watchesExternalChanges: Bool = false) throws -> AppContext {
    let context = AppContext()
    context.add(
      RecordServer(try engine(), [Reading.self], watchesExternalChanges: watchesExternalChanges)
    )
    return context
  }
}

/// What every engine promises, primitive by primitive.
@Suite(.hangLimit) struct EngineContractTests {
  private let table = RecordTable(Reading.self)

  private func change(
    _ revision: Int,
    of number: Int,
    from before: String? = nil,
    to after: String? = "{}",
    root: UInt64 = 1,
    ordinal: Int = 0
  ) -> LoggedChange {
    LoggedChange(
      revision: revision,
      number: number,
      kind: "reading",
      before: before,
      after: after,
      transaction: TransactionID(Root(session: .max, number: root), ordinal),
      origin: "test",
      time: Instant(milliseconds: -1)
    )
  }

  private func add(_ reading: Reading, _ number: Int, _ store: any RecordWriter) throws {
    try reading.withFields {
      try store.insert(
        RecordValues(table.fields, $0),
        number: number,
        revision: number,
        into: table
      )
    }
    try store.append(change(number, of: number))
  }

  private func numbers(_ query: RecordQuery, _ store: any RecordReader) throws -> [Int] {
    let rows = try store.rows(query, of: table)
    var numbers: [Int] = []
    while let row = try rows.next() { numbers.append(row.number) }
    return numbers
  }

  // MARK: Rows

  @Test(arguments: EngineKind.here)
  func `a record is read as it was stored`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    var reading = Reading()
    reading.title = "Ä \"1\"\n\u{1F600}'; --"
    reading.count = .min
    reading.weight = 1e-300
    reading.isOpen = false
    reading.due = CivilTime("2026-12-01T08:30")
    reading.price = Amount(hundredths: -420)
    reading.origin = Origin(city: "Zürich", codes: [1, 2])
    reading.tags = ["b", "a"]
    try engine.write { store in
      try add(reading, 7, store)
      try add(Reading(), 9, store)
    }
    try engine.read(in: .committed) { store throws in
      let row = try #require(try store.row(7, of: table))
      #expect(try Kept<Reading>(row) == Kept(7, reading, revision: 7))
      #expect(try Kept<Reading>(try #require(try store.row(9, of: table))).value == Reading())
      #expect(try store.row(8, of: table) == nil)
    }
  }

  @Test(arguments: EngineKind.here)
  func `an update changes the columns that it names, and the sets with them`(
    _ kind: EngineKind
  ) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    var reading = Reading(title: "A", count: 1, tags: ["x", "y"])
    try engine.write { try add(reading, 1, $0) }
    reading.title = "Élan"
    reading.count = 2
    reading.tags = ["y", "z"]
    var set = FieldSet(field: 0)
    set.insert(8)
    try engine.write { store in
      try reading.withFields {
        try store.update(
          RecordValues(table.fields, $0),
          set,
          number: 1,
          revision: 5,
          in: table
        )
      }
    }
    reading.count = 1
    try engine.read(in: .committed) { store throws in
      let row = try #require(try store.row(1, of: table))
      #expect(try Kept<Reading>(row) == Kept(1, reading, revision: 5))
      for (name, found) in [("x", []), ("y", [1]), ("z", [1])] {
        #expect(try numbers(query(.has("tags", name)), store) == found)
      }
      #expect(try numbers(query(.text("élan".searchForm)), store) == [1])
    }
  }

  private func query(_ condition: RecordCondition) -> RecordQuery {
    var query = RecordQuery()
    query.condition = condition
    return query
  }

  @Test(arguments: EngineKind.here)
  func `what is removed is gone from its sets, too`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    try engine.write { store in
      try add(Reading(tags: ["x"]), 1, store)
      try add(Reading(tags: ["x"]), 2, store)
      try store.remove(1, from: table)
    }
    try engine.read(in: .committed) { store throws in
      #expect(try store.row(1, of: table) == nil)
      #expect(try numbers(query(.has("tags", "x")), store) == [2])
      #expect(try store.labels(8, prefix: "", limit: 9, of: table) == [RecordLabel("x", count: 1)])
    }
  }

  @Test(arguments: EngineKind.here)
  func `labels are counted, and found by the bytes that they begin with`(_ kind: EngineKind) throws
  {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    try engine.write { store in
      for (index, tags) in [["ab", "é"], ["ab", "a"], ["B", "e\u{301}"], ["%_"]].enumerated() {
        try add(Reading(title: tags[0], tags: tags), index + 1, store)
      }
    }
    try engine.read(in: .committed) { store throws in
      func labels(_ prefix: String, limit: Int = 9) throws -> [String] {
        try store.labels(8, prefix: prefix, limit: limit, of: table)
          .map { "\($0.text) \($0.count)" }
      }
      #expect(try labels("") == ["%_ 1", "B 1", "a 1", "ab 2", "e\u{301} 1", "é 1"])
      #expect(try labels("a") == ["a 1", "ab 2"])
      #expect(try labels("e").map(\.utf8.count) == [5])
      #expect(try labels("%") == ["%_ 1"])
      #expect(try labels("", limit: 2) == ["%_ 1", "B 1"])
      for (prefix, limit) in [("", 9), ("a", 9), ("e", 9), ("%", 9), ("", 2), ("z", 9)] {
        let counted = try store.labels(8, prefix: prefix, limit: limit, of: table)
        let texts = try store.labels(8, prefix: prefix, limit: limit, counted: false, of: table)
        #expect(texts.map(\.text) == counted.map(\.text))
      }
      #expect(
        try store.labels(0, prefix: "a", limit: 9, of: table) == [RecordLabel("ab", count: 2)]
      )
    }
  }

  // MARK: Queries

  @Test(arguments: EngineKind.here)
  func `a query finds what a loop would, in its order, whole and in parts`(
    _ kind: EngineKind
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["QUERY_SEED"].flatMap { UInt64($0) } ?? 20
    let rounds = environment["QUERY_ROUNDS"].flatMap { Int($0) } ?? 5000
    // Each hundred has records of its own; PostgreSQL takes longer.
    for hundred in 0..<max(1, rounds / (kind.isPostgres ? 2500 : 100)) {
      try queryRounds(100, seed: seed &+ UInt64(hundred), kind)
    }
  }

  private func queryRounds(_ rounds: Int, seed: UInt64, _ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    var chance = Chance(seed)
    var records: [Kept<Reading>] = []
    try engine.write { store in
      for number in 1...60 {
        let reading = Reading(chance: &chance)
        try add(reading, number, store)
        records.append(Kept(number, reading, revision: number))
      }
    }
    for round in 0..<rounds {
      var query = RecordQuery()
      query.condition = RecordCondition(chance: &chance, depth: 2)
      query.order = (0..<chance.below(3)).map { _ in RecordOrder(chance: &chance) }
      query.isNewestFirst = [nil, false, true][chance.below(3)]
      let wanted = try records.filter { try query.condition.holds(for: $0) }
        .sorted { query.isBefore($0, $1) }
      try engine.read(in: .committed) { store throws in
        let place = "seed \(seed), round \(round): \(query)"
        #expect(try numbers(query, store) == wanted.map(\.number), "\(place)")
        #expect(try store.count(query.condition, of: table) == wanted.count)
        // In parts, behind the last of the part before.
        var part = query
        part.limit = 1 + chance.below(20)
        var found: [Int] = []
        while true {
          let next = try numbers(part, store)
          found += next
          guard let last = next.last.map({ number in records[number - 1] }) else { break }
          part.start = RecordCursor(
            query.order.map { $0.key(last.value.stored($0.field), last.number) },
            number: last.number
          )
        }
        #expect(found == wanted.map(\.number), "seed \(seed), round \(round) in parts: \(part)")
      }
    }
  }

  @Test(arguments: EngineKind.here)
  func `groups are counted as a loop would`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    var chance = Chance(3)
    var records: [Kept<Reading>] = []
    try engine.write { store in
      for number in 1...40 {
        let reading = Reading(chance: &chance)
        try add(reading, number, store)
        records.append(Kept(number, reading, revision: number))
      }
    }
    for round in 0..<20 {
      let conditions = (0..<2).map { _ in RecordCondition(chance: &chance, depth: 1) }
      for field in ["batch", "tags"] {
        var wanted: [String?: [Int]] = [:]
        for record in records {
          let texts: [String?] =
            field == "batch"
            ? [record.value.batch]
            : record.value.tags.isEmpty ? [nil] : record.value.tags.map { $0 }
          for text in texts {
            for (index, condition) in conditions.enumerated() {
              let isMet = try condition.holds(for: record)
              wanted[text, default: [0, 0]][index] += isMet ? 1 : 0
            }
          }
        }
        try engine.read(in: .committed) { store throws in
          let column = try #require(table.index(of: field))
          let groups = try store.groups(column, counting: conditions, of: table)
          let found = Dictionary(uniqueKeysWithValues: groups.map { ($0.text, $0.counts) })
          #expect(found == wanted, "round \(round), \(field): \(conditions)")
          #expect(
            groups.dropFirst().map { $0.text ?? "" }
              == groups.dropFirst().compactMap(\.text).sorted()
          )
        }
      }
    }
  }

  @Test(arguments: EngineKind.here)
  func `a plan says what is looked at`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    try engine.write { try add(Reading(), 1, $0) }
    try engine.read(in: .committed) { store throws in
      #expect(try !store.plan(query(.field("title", .equal, .text("A"))), of: table).isEmpty)
    }
  }

  // MARK: The change log

  @Test(arguments: EngineKind.here)
  func `the log has what was appended, and how far it has come`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    let changes = [
      change(1, of: 1, to: #"{"title":"A"}"#),
      change(2, of: 2, root: 2),
      change(3, of: 1, from: #"{"title":"A"}"#, to: #"{"title":null}"#, root: 2, ordinal: 1),
      change(4, of: 1, from: "{}", to: nil, root: 3),
    ]
    try engine.write { store in
      #expect(try store.end() == LogEnd())
      for number in 1...2 {
        try Reading()
          .withFields {
            try store.insert(
              RecordValues(table.fields, $0),
              number: number,
              revision: number,
              into: table
            )
          }
      }
      for change in changes { try store.append(change) }
      #expect(
        try store.end() == LogEnd(revision: 4, number: 2, root: Root(session: .max, number: 3))
      )
    }
    try engine.read(in: .committed) { store throws in
      func found(_ query: ChangeQuery, limit: Int = .max) throws -> [LoggedChange] {
        try store.changes(query, limit: limit)
      }
      #expect(try found(.after(0)) == changes)
      #expect(try found(.after(2), limit: 1) == [changes[2]])
      #expect(try found(.ofRecord(1, after: 1)) == [changes[3], changes[2]])
      #expect(try store.changes(of: [1, 2, 3], after: 1) == changes[1...].reversed())
      #expect(try store.changes(of: [2], after: 2) == [])
      #expect(try store.changes(of: [], after: 0) == [])
      let root = Root(session: .max, number: 2)
      #expect(try found(.ofRoot(root)) == [changes[1], changes[2]])
      for change in changes[1...2] {
        let same = changes[1...2].filter { $0.number == change.number }
        #expect(try found(.ofRoot(root, record: change.number)) == same)
      }
      let numbers = Set(changes[1...2].map(\.number)).sorted()
      let records = try store.records(of: root, limit: 1)
      #expect(records.count == numbers.count)
      #expect(records.first == [numbers[0]])
      // Whoever does not know whether a transaction was committed asks for it.
      let (known, unknown) = (TransactionID(root, 1), TransactionID(root, 2))
      #expect(try found(.ofTransaction(known)) == [changes[2]])
      #expect(try found(.ofTransaction(unknown)) == [])
    }
  }

  @Test(arguments: EngineKind.here)
  func `a step begins once, and can be marked`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    func step(_ number: Int, _ kind: Step.Kind = .change, isUndone: Bool = false) -> Step {
      Step(
        number: number,
        root: Root(session: 5, number: UInt64(number)),
        origin: "test",
        time: Instant(milliseconds: 3),
        kind: kind,
        isUndone: isUndone
      )
    }
    try engine.write { store in
      try store.begin(step(1))
      try store.begin(step(1))
      try store.begin(step(4))
      try store.begin(step(6, .undo(of: 4)))
      try store.mark(4, isUndone: true)
    }
    try engine.read(in: .committed) { store throws in
      #expect(
        try store.steps(.newest(9)) == [
          step(6, .undo(of: 4)), step(4, isUndone: true), step(1),
        ]
      )
      #expect(try store.steps(.newest(1)).map(\.number) == [6])
      #expect(try store.steps(.number(4)) == [step(4, isUndone: true)])
      #expect(try store.steps(.root(Root(session: 5, number: 6))).map(\.number) == [6])
      let roots = [(5, 6), (5, 1), (5, 2), (.max, .max)].map { Root(session: $0, number: $1) }
      #expect(try store.steps(of: roots).map(\.number).sorted() == [1, 6])
      #expect(try store.steps(of: []) == [])
      #expect(try store.steps(.toUndo(by: nil)).map(\.number) == [1])
      #expect(try store.steps(.toRedo(by: nil)).map(\.number) == [6])
      #expect(try store.steps(.number(2)) == [])
    }
    try engine.write { try $0.mark(4, isUndone: false) }
    #expect(try engine.read(in: .committed) { try $0.steps(.number(4)) } == [step(4)])
  }

  // MARK: Transactions

  private struct Refusal: Error {}

  @Test(arguments: EngineKind.here)
  func `of a write that throws nothing is there`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    try engine.write { try add(Reading(title: "A"), 1, $0) }
    #expect(throws: Refusal.self) {
      try engine.write { store in
        try add(Reading(title: "B", tags: ["x"]), 2, store)
        try store.remove(1, from: table)
        throw Refusal()
      }
    }
    try engine.read(in: .committed) { store throws in
      #expect(try numbers(RecordQuery(), store) == [1])
      #expect(try store.end().revision == 1)
      #expect(try store.labels(8, prefix: "", limit: 9, of: table) == [])
    }
  }

  @Test(arguments: EngineKind.here)
  func `a unit is kept or taken back, and a part of it can fail by itself`(
    _ kind: EngineKind
  )
    throws
  {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let engine = try rig.opened()
    for isCommitted in [false, true] {
      try engine.beginUnit()
      try engine.write { try add(Reading(title: "A"), 1, $0) }
      #expect(throws: Refusal.self) {
        try engine.write { store in
          try add(Reading(title: "B"), 2, store)
          throw Refusal()
        }
      }
      try engine.write { try add(Reading(title: "C"), 3, $0) }
      #expect(try engine.read(in: .insideUnit) { try numbers(RecordQuery(), $0) } == [1, 3])
      if isCommitted { try engine.commitUnit() } else { engine.rollBackUnit() }
      let found = try engine.read(in: .committed) { try numbers(RecordQuery(), $0) }
      #expect(found ?? [] == (isCommitted ? [1, 3] : []))
    }
  }

  @Test(arguments: EngineKind.shared)
  func `nobody else writes between the beginning of a write and its end`(_ kind: EngineKind) throws
  {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let (first, second) = (try rig.opened(), try rig.opened())
    try first.write { try add(Reading(), 1, $0) }
    let others = Thread { [table] in
      try? second.write { store in
        let end = try store.end()
        try store.append(
          LoggedChange(
            revision: end.revision + 1,
            number: 2,
            kind: table.kind,
            before: nil,
            after: "{}",
            transaction: TransactionID(Root(session: 2, number: 1), 0),
            origin: "other",
            time: Instant(milliseconds: 0)
          )
        )
      }
    }
    try first.write { store in
      let end = try store.end()
      others.start()
      // What must not happen is given the time to.
      usleep(100_000)
      #expect(try store.end() == end)
      try store.append(change(end.revision + 1, of: 1))
    }
    try waitUntil("the other has written") {
      try first.read(in: .committed) { try $0.end().revision } == 3
    }
    let revisions = try first.read(in: .committed) {
      try $0.changes(.after(0), limit: 9).map { "\($0.revision) \($0.origin)" }
    }
    #expect(revisions == ["1 test", "2 test", "3 other"])
  }

  @Test(arguments: EngineKind.shared)
  func `a watch reads on behind what others have committed`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let (here, there) = (try rig.opened(), try rig.opened())
    try there.write { try add(Reading(), 1, $0) }
    let heard = Locked<[Int]>([])
    let watch = here.watch { store, revision in
      let news = try store.changes(.after(revision), limit: 1)
      heard.withLock { $0 += news.map(\.revision) }
      return (news.last?.revision ?? revision, news.isEmpty)
    } report: { _ in
    }
    try there.write { store in
      try add(Reading(), 2, store)
      try add(Reading(), 3, store)
    }
    try waitUntil("both are heard") { heard.withLock { $0 } == [2, 3] }
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: EngineKind.here)
  func `care finds a sound store sound`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    _ = try process.ask(RequestWriteRecords<Reading>([.add(Reading(title: "A"))]))
    #expect(try process.ask(RequestDoctor()).exitStatus == .success)
  }
}

// MARK: What a query should find, by a loop

extension Chance {
  /// A number less than this.
  mutating func below(_ count: Int) -> Int { pick(0...count - 1) }
}

extension Reading {
  /// One of few values in each field, so that many are equal.
  init(chance: inout Chance) {
    self.init()
    title = ["", "a", "A", "ab", "é", "e\u{301}", "z\nab", "Z\r\na"][chance.below(8)]
    batch = [nil, "A7", "B", ""][chance.below(4)]
    count = [-3, 0, 2, 40][chance.below(4)]
    weight = [-1.5, 0, 2, 2.25][chance.below(4)]
    isOpen = chance.below(2) == 0
    due = ["2026-01-01", "2026-01-01T08:30", "2025-12-31", nil][chance.below(4)]
      .flatMap { CivilTime($0) }
    price = Amount(hundredths: [0, 100, -420][chance.below(3)])
    tags = ["x", "y", "Z"].filter { _ in chance.below(3) == 0 }
    urgency = [nil, .low, .middle, .high][chance.below(4)]
    place = [nil, "7.V", "7.V1", "12.0z", "59.k"][chance.below(5)].flatMap(ManualPlace.init(text:))
  }

  func stored(_ field: String) -> StoredValue {
    withFields { record in
      Self.fields.table.index(of: field)
        .flatMap { try? Self.fields.table.compared($0, of: record) } ?? .null
    }
  }
}

extension RecordOrder {
  init(chance: inout Chance) {
    let isDescending = chance.below(2) == 0
    let compared = RecordCondition.compared
    switch chance.below(compared.count + 2) {
    case compared.count: self.init("title", isDescending: isDescending, by: .alphabetical)
    case compared.count + 1: self.init("place", isDescending: isDescending, by: .manual)
    case let place: self.init(compared[place], isDescending: isDescending)
    }
  }
}

extension RecordCondition {
  /// The fields that conditions and orders are about.
  fileprivate static let compared = [
    "title", "batch", "count", "weight", "isOpen", "due", "price", "urgency",
  ]

  init(chance: inout Chance, depth: Int) {
    func value(_ chance: inout Chance) -> (String, StoredValue) {
      let field = Self.compared[chance.below(Self.compared.count)]
      return (field, Reading(chance: &chance).stored(field))
    }
    func several(_ chance: inout Chance) -> [RecordCondition] {
      (0..<chance.below(3)).map { _ in RecordCondition(chance: &chance, depth: depth - 1) }
    }
    switch chance.below(depth > 0 ? 10 : 7) {
    case 0: self = .all
    case 1: self = .numbers(chance.below(60), chance.below(70))
    case 2:
      let (field, value) = value(&chance)
      let comparison = [Comparison.equal, .less, .atMost, .greater, .atLeast][chance.below(5)]
      self = value == .null ? .anyOf(field, []) : .field(field, comparison, value)
    case 3:
      let (field, first) = value(&chance)
      self = .anyOf(field, [first, Reading(chance: &chance).stored(field)])
    case 4: self = .has("tags", ["x", "y", "Z", "none"][chance.below(4)])
    case 5: self = .text(["a", "AB", "É", "a7", "\n", "_"][chance.below(6)].searchForm)
    case 6:
      let text = ["a", "AB", "É", "a7", "z\na", "_", "", "B"][chance.below(8)].searchForm
      self = .contains(["title", "batch"][chance.below(2)], text)
    case 7: self = .and(several(&chance))
    case 8: self = .or(several(&chance))
    default: self = .not(several(&chance))
    }
  }
}

extension StoredValue {
  /// Less than, equal to or greater than 0; texts by their bytes, and nothing behind everything.
  fileprivate func order(_ other: StoredValue) -> Int {
    switch (self, other) {
    case (.null, .null): 0
    case (.null, _): 1
    case (_, .null): -1
    case (.integer(let first), .integer(let second)):
      first < second ? -1 : first > second ? 1 : 0
    case (.real(let first), .real(let second)): first < second ? -1 : first > second ? 1 : 0
    case (.text(let first), .text(let second)):
      first.utf8.lexicographicallyPrecedes(second.utf8)
        ? -1 : first.utf8.elementsEqual(second.utf8) ? 0 : 1
    default: preconditionFailure("two sorts of values in one column")
    }
  }
}

extension RecordQuery {
  func isBefore(_ first: Kept<Reading>, _ second: Kept<Reading>) -> Bool {
    for order in order {
      let one = order.key(first.value.stored(order.field), first.number)
      let other = order.key(second.value.stored(order.field), second.number)
      let result = one.order(other)
      if result == 0 { continue }
      // Nothing is last in both directions.
      if one == .null || other == .null { return result < 0 }
      return order.isDescending ? result > 0 : result < 0
    }
    return numbersDescend
      ? first.number > second.number : first.number < second.number
  }
}
