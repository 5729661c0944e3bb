import EventCommands
import EventMVVM
import EventRecords
import EventValues
import Foundation
import JSONText

// What a record declares, beside the same by hand: by the same rows, into the same type.

/// Thirteen fields, as a todo has.
struct Sample: Record {
  var uuid = UniqueID.none
  var title = ""
  var notes = ""
  var status = Status.received
  var doneAt: Instant?
  var createdAt = Instant(milliseconds: 0)
  var isDeleted = false
  var isHidden = false
  var due: CivilTime?
  var tags: [String] = []
  var batch: String?
  var weight = 1.0
  var count = 0

  static let fields = Fields<Self>("sample")
    .field("uuid", \.uuid)
    .field("title", \.title)
    .field("notes", \.notes)
    .field("status", \.status)
    .field("doneAt", \.doneAt)
    .field("createdAt", \.createdAt)
    .field("isDeleted", \.isDeleted)
    .field("isHidden", \.isHidden)
    .field("due", \.due)
    .set("tags", \.tags)
    .field("batch", \.batch)
    .field("weight", \.weight)
    .field("count", \.count)

  static let example = Sample(
    uuid: UniqueID(high: 0x1234_5678_9ABC_4DEF, low: 0x8123_4567_89AB_CDEF),
    title: "What the ship has brought from afar",
    notes: "To be looked at before the end of the month",
    status: .running,
    doneAt: nil,
    createdAt: Instant(milliseconds: 1_800_000_000_000),
    due: CivilTime("2027-02-03"),
    tags: ["harbour", "salt"],
    batch: "A7",
    weight: 2.5,
    count: 7
  )
}

enum Status: String, FieldValue { case received, running, done }

/// A record is read from a row.
let readingRecords = Scenario(
  name: "record: a row is read",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let row = ExampleRow()
      let process = AppContext()
      process.add(RecordServer(ExampleEngine(row), [Sample.self], watchesExternalChanges: false))
      return { count in
        row.left = count
        process.stream.request(RequestRecords<Sample>()) { reply, _ in
          guard case .success(let reply) = reply, case .success(let all) = reply.result,
            all.count == count
          else { fail("what was asked for was not read") }
        }
      }
    },
    Contender("by hand", isSynchronous: true) {
      let row = ExampleRow()
      return { count in
        row.left = count
        var all: [Kept<Sample>] = []
        do {
          while let row = try row.next() {
            all.append(Kept(row.number, try Sample(byHand: row), revision: row.revision))
          }
        } catch { fail("\(error)") }
        precondition(all.count == count)
      }
    },
  ]
)

/// The values of a record are given to a store.
let bindingRecords = Scenario(
  name: "record: its values are bound",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let engine = ExampleEngine(ExampleRow())
      let process = AppContext()
      process.add(RecordServer(engine, [Sample.self], watchesExternalChanges: false))
      return { count in
        engine.repetitions = count
        process.stream.request(RequestWriteRecords<Sample>([.add(.example)])) { _, _ in }
        precondition(engine.bound == count * 13)
      }
    },
    Contender("by hand", isSynchronous: true) {
      { count in
        let sample = opaque(Sample.example)
        var bound = 0
        do {
          for _ in 0..<count {
            try sample.bindByHand {
              consume($0)
              bound += 1
            }
          }
        } catch { fail("\(error)") }
        precondition(bound == count * 13)
      }
    },
  ]
)

/// Two records are compared, byte for byte, that differ in the last field.
let comparingRecords = Scenario(
  name: "record: two are compared",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let (first, second) = twoSamples()
      return { count in
        var equal = 0
        for _ in 0..<count where opaque(first) == opaque(second) { equal += 1 }
        precondition(equal == 0)
      }
    },
    Contender("by hand", isSynchronous: true) {
      let (first, second) = twoSamples()
      return { count in
        var equal = 0
        for _ in 0..<count where opaque(first).isSameByHand(as: opaque(second)) { equal += 1 }
        precondition(equal == 0)
      }
    },
  ]
)

private func twoSamples() -> (Sample, Sample) {
  var other = Sample.example
  // Not the same storage, as where one was read from a store.
  other.title = String(decoding: Array(other.title.utf8), as: UTF8.self)
  other.notes = String(decoding: Array(other.notes.utf8), as: UTF8.self)
  other.tags = other.tags.map { String(decoding: Array($0.utf8), as: UTF8.self) }
  other.count += 1
  return (.example, other)
}

/// Ends the program: work that fails is not worth a figure, and a table without it would hide that.
func fail(_ reason: String) -> Never { fatalError(reason) }

@inline(never)
private func consume(_ value: StoredValue) {}

/// A value that the compiler can't look through.
@inline(never)
private func opaque<T>(_ value: T) -> T { value }

// MARK: By hand

extension Sample {
  fileprivate init(byHand row: any RecordRow) throws {
    guard let uuid = UniqueID(try row.text(0)), let status = Status(rawValue: try row.text(3))
    else {
      throw StoreError(path: "", "damaged")
    }
    self.uuid = uuid
    title = try row.text(1)
    notes = try row.text(2)
    self.status = status
    doneAt = try row.optionalInteger(4).map { Instant(milliseconds: $0) }
    createdAt = Instant(milliseconds: try row.integer(5))
    isDeleted = try row.integer(6) != 0
    isHidden = try row.integer(7) != 0
    if let text = try row.optionalText(8) {
      guard let due = CivilTime(text) else { throw StoreError(path: "", "damaged") }
      self.due = due
    }
    let tags = try row.text(9)
    if tags != "[]" {
      guard case .array(let items) = try JSON(parsing: tags) else {
        throw StoreError(path: "", "damaged")
      }
      self.tags = try items.map { item in
        guard case .string(let tag) = item else { throw StoreError(path: "", "damaged") }
        return tag
      }
    }
    batch = try row.optionalText(10)
    guard case .real(let weight) = try row.value(11) else { throw StoreError(path: "", "damaged") }
    self.weight = weight
    count = Int(try row.integer(12))
  }

  fileprivate func bindByHand(_ bind: (StoredValue) -> Void) throws {
    bind(.text(uuid.text))
    bind(.text(try title.checked))
    bind(.text(try notes.checked))
    bind(.text(status.rawValue))
    bind(doneAt.map { .integer($0.milliseconds) } ?? .null)
    bind(.integer(createdAt.milliseconds))
    bind(.integer(isDeleted ? 1 : 0))
    bind(.integer(isHidden ? 1 : 0))
    bind(due.map { .text($0.text) } ?? .null)
    var json = JSONWriter()
    json.array { json in for tag in tags { json.value(tag) } }
    bind(.text(String(decoding: json.bytes, as: UTF8.self)))
    bind(try batch.map { .text(try $0.checked) } ?? .null)
    bind(.real(weight))
    bind(.integer(Int64(count)))
  }

  fileprivate func isSameByHand(as other: Sample) -> Bool {
    uuid == other.uuid && title.hasBytes(of: other.title) && notes.hasBytes(of: other.notes)
      && status == other.status && doneAt == other.doneAt && createdAt == other.createdAt
      && isDeleted == other.isDeleted && isHidden == other.isHidden && due == other.due
      && tags.count == other.tags.count
      && zip(tags, other.tags).allSatisfy { $0.hasBytes(of: $1) }
      && (batch == nil) == (other.batch == nil)
      && (batch ?? "").hasBytes(of: other.batch ?? "")
      && weight == other.weight && count == other.count
  }
}

extension String {
  fileprivate func hasBytes(of other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let areEqual = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { others -> Bool in
        guard let start = bytes.baseAddress, let otherStart = others.baseAddress else {
          return true
        }
        return memcmp(start, otherStart, bytes.count) == 0
      }
    }
    return (areEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// The text, if no NUL ends it early in a database.
  fileprivate var checked: String {
    get throws {
      let end = utf8.withContiguousStorageIfAvailable { bytes in
        bytes.baseAddress.flatMap { memchr($0, 0, bytes.count) }
      }
      guard let end, end == nil else { throw StoreError(path: "", "NUL") }
      return self
    }
  }
}

extension RecordRow {
  fileprivate func text(_ column: Int) throws -> String {
    guard case .text(let text) = try value(column) else { throw StoreError(path: "", "damaged") }
    return text
  }

  fileprivate func optionalText(_ column: Int) throws -> String? {
    switch try value(column) {
    case .text(let text): text
    case .null: nil
    default: throw StoreError(path: "", "damaged")
    }
  }

  fileprivate func integer(_ column: Int) throws -> Int64 {
    guard case .integer(let number) = try value(column) else {
      throw StoreError(path: "", "damaged")
    }
    return number
  }

  fileprivate func optionalInteger(_ column: Int) throws -> Int64? {
    if case .null = try value(column) { nil } else { try integer(column) }
  }
}

// MARK: A store of one row

/// Rows without a store behind them: what reading takes besides is the same for all.
private final class ExampleRow: RecordRows, RecordRow, @unchecked Sendable {
  // Unchecked: a benchmark has one thread.
  var left = 0
  let number = 1
  let revision = 1
  private let values: [StoredValue]

  init() {
    var values: [StoredValue] = []
    try? Sample.example.bindByHand { values.append($0) }
    self.values = values
  }

  func next() throws -> (any RecordRow)? {
    left -= 1
    return left < 0 ? nil : self
  }

  func value(_ column: Int) throws -> StoredValue { values[column] }
}

private final class ExampleEngine: RecordEngine, RecordWriter, @unchecked Sendable {
  // Unchecked: a benchmark has one thread.
  let name = "benchmark"
  var repetitions = 0
  private(set) var bound = 0
  private let row: ExampleRow

  init(_ row: ExampleRow) { self.row = row }

  func open(_ tables: [RecordTable]) {}
  func read<T>(in view: StorageView, _ body: (any RecordReader) throws -> T) throws -> T? {
    try body(self)
  }
  func readCommitted<T>(_ body: (any RecordReader) throws -> T) throws -> T? { try body(self) }
  func openRows(_ query: RecordQuery, of table: RecordTable) throws -> (any OpenRows)? { nil }
  func write<T>(savepoint: Bool, _ body: (any RecordWriter) throws -> T) throws -> T {
    try body(self)
  }
  func beginUnit() throws {}
  func commitUnit() throws {}
  func rollBackUnit() {}
  func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    report: @escaping @Sendable (StoreError?) -> Void
  ) -> any StoreWatching { fail("nobody else writes") }
  func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport { throw StoreError(path: "", "there is no file") }
  func backUp(to path: String) throws -> StoreCopy { throw StoreError(path: "", "no file") }

  func end() throws -> LogEnd { LogEnd() }
  func row(_ number: Int, of table: RecordTable) throws -> (any RecordRow)? { nil }
  func rows(_ query: RecordQuery, of table: RecordTable) throws -> any RecordRows { row }
  func count(_ condition: RecordCondition, of table: RecordTable) throws -> Int { 0 }
  func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    counted: Bool,
    of table: RecordTable
  ) throws -> [RecordLabel] { [] }
  func plan(_ query: RecordQuery, of table: RecordTable) throws -> String { "" }
  func changes(_ query: ChangeQuery, limit: Int) throws -> [LoggedChange] { [] }
  func steps(_ query: StepQuery) throws -> [Step] { [] }

  func insert(
    _ values: RecordValues,
    number: Int,
    revision: Int,
    into table: RecordTable
  ) throws {
    bound = 0
    for _ in 0..<repetitions {
      for column in 0..<table.count {
        consume(try values.value(column))
        bound += 1
      }
    }
  }
  func update(
    _ values: RecordValues,
    _ columns: FieldSet,
    number: Int,
    revision: Int,
    in table: RecordTable
  ) throws {}
  func remove(_ number: Int, from table: RecordTable) throws {}
  func append(_ change: LoggedChange) throws {}
  func begin(_ step: Step) throws {}
  func mark(_ step: Int, isUndone: Bool) throws {}
}
