public import EventMVVM

/// A moment in the past of a store.
public enum PastMoment: Sendable, Equatable, Codable {
  /// After the change with this revision; 0 is before the first.
  case revision(Int)
  /// After the last change at this time or before it.
  ///
  /// Where a clock was set back, it is a moment at which the clock showed that time.
  case time(Instant)
}

extension RecordReader {
  /// Returns the store as it was at a moment of its past, or itself for none.
  package func at(_ moment: PastMoment?, _ types: RecordTypes) throws -> any RecordReader {
    switch moment {
    case nil: return self
    case .time(let time): return try PastReader(self, types, at: revision(at: time))
    case .revision(let number):
      let last = try end().revision
      guard number <= last else {
        throw Failure(
          .usage,
          "There is no change \(number) yet; the last one is \(last).",
          field: "asOf"
        )
      }
      return try PastReader(self, types, at: number)
    }
  }

  /// Returns the revision of the last change at a time or before; 0 where there is none.
  private func revision(at time: Instant) throws -> Int {
    var (first, end) = (0, try end().revision)
    // A change at `first` is in time; the first one after `end` is not, or there is none.
    while first < end {
      let middle = (first + end) / 2
      if let next = try changes(.after(middle), limit: 1).first, next.time <= time {
        first = next.revision
      } else {
        end = middle
      }
    }
    return first
  }
}

/// A store as it was at a revision: the present one, and each record that was changed since as it was then.
///
/// It reads the changes since, once, and is as fast as these are few.
final class PastReader: RecordReader {
  private let store: any RecordReader
  private let types: RecordTypes
  private let revision: Int
  /// The changed records, by the kind of their table.
  private let changed: [String: ChangedRecords]

  /// Reads the changes after a revision.
  init(_ store: any RecordReader, _ types: RecordTypes, at revision: Int) throws {
    (self.store, self.types, self.revision) = (store, types, revision)
    var earlier: [String: [Int: EarlierFields]] = [:]
    var last = revision
    while true {
      let part = try store.changes(.after(last), limit: 1000)
      for change in part {
        guard let kind = types.table(of: change.kind)?.kind else { continue }
        earlier[kind, default: [:]][change.number, default: EarlierFields()].take(change)
      }
      guard let end = part.last, part.count == 1000 else { break }
      last = end.revision
    }
    var changed: [String: ChangedRecords] = [:]
    for table in types.tables {
      guard let earlier = earlier[table.kind] else { continue }
      changed[table.kind] = try ChangedRecords(earlier, of: table, at: revision, store)
    }
    self.changed = changed
  }

  func end() throws -> LogEnd {
    var end = LogEnd(revision: revision, number: try store.end().number)
    if revision > 0 {
      end.root = try store.changes(.after(revision - 1), limit: 1).first?.transaction.root
    }
    return end
  }

  func row(_ number: Int, of table: RecordTable) throws -> (any RecordRow)? {
    guard let changed = changed[table.kind], changed.numbers.contains(number) else {
      return try store.row(number, of: table)
    }
    let row = changed.then[number]
    if let row { try date([row]) }
    return row
  }

  /// Finds the last change of rows up to the revision.
  private func date(_ rows: [any PastRow]) throws {
    for start in stride(from: 0, to: rows.count, by: 100) {
      var last: [Int: Int] = [:]
      let part = rows[start...].prefix(100)
      for change in try store.changes(of: part.map(\.number), after: 0)
      where change.revision <= revision {
        last[change.number] = max(last[change.number] ?? 0, change.revision)
      }
      for row in part { if let last = last[row.number] { row.revision = last } }
    }
  }

  func rows(_ query: RecordQuery, of table: RecordTable) throws -> any RecordRows {
    guard let changed = changed[table.kind] else { return try store.rows(query, of: table) }
    var present = query
    // As many more as may be left out.
    present.limit = query.limit.map { $0.addingReportingOverflow(changed.numbers.count) }
      .map { $0.overflow ? .max : $0.partialValue }
    var past: [(place: RecordCursor, row: any PastRow)] = []
    for row in changed.then.values where row.meets(query.condition) {
      let place = row.place(in: query)
      if let start = query.start, !query.places(start, before: place) { continue }
      past.append((place, row))
    }
    past.sort { query.places($0.place, before: $1.place) }
    if let limit = query.limit, past.count > limit { past.removeSubrange(limit...) }
    try date(past.map(\.row))
    return try PastRows(
      store.rows(present, of: table),
      past,
      without: changed.numbers,
      query,
      table
    )
  }

  func count(_ condition: RecordCondition, of table: RecordTable) throws -> Int {
    var count = try store.count(condition, of: table)
    guard let changed = changed[table.kind] else { return count }
    for row in changed.now.values where row.meets(condition) { count -= 1 }
    for row in changed.then.values where row.meets(condition) { count += 1 }
    return count
  }

  func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    counted: Bool,
    of table: RecordTable
  ) throws -> [RecordLabel] {
    guard changed[table.kind] != nil else {
      return try store.labels(column, prefix: prefix, limit: limit, counted: counted, of: table)
    }
    var counts: [[UInt8]: Int] = [:]
    let (rows, isSet) = (try rows(RecordQuery(), of: table), table.column(column).isSet)
    while let row = try rows.next() {
      // One that can't be read has no names.
      guard case .text(let text)? = try? row.value(column) else { continue }
      for name in isSet ? Set(try [String](stored: .text(text))) : [text]
      where name.utf8.starts(with: prefix.utf8) {
        counts[Array(name.utf8), default: 0] += 1
      }
    }
    let sorted = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return sorted.prefix(limit)
      .map { RecordLabel(String(decoding: $0.key, as: UTF8.self), count: $0.value) }
  }

  func plan(_ query: RecordQuery, of table: RecordTable) throws -> String {
    let plan = try store.plan(query, of: table)
    return plan + (plan.isEmpty ? "" : "\n") + "then what was changed since"
  }

  func changes(_ query: ChangeQuery, limit: Int) throws -> [LoggedChange] {
    // Those of a record come newest first, and those after the revision are left out.
    var isAscending = true
    if case .ofRecord = query { isAscending = false }
    let found = try store.changes(query, limit: isAscending ? limit : .max)
    return Array(found.filter { $0.revision <= revision }.prefix(limit))
  }

  func steps(_ query: StepQuery) throws -> [Step] { try store.steps(query) }
}

/// What changes say of the fields that a record had before the first of them.
private struct EarlierFields {
  /// The changed fields before each change, oldest first.
  private(set) var texts: [String] = []
  /// Whether it did not exist.
  private(set) var isNew = false
  /// Whether these are all of its fields.
  private(set) var isWhole = false

  /// Takes the next change of the record.
  mutating func take(_ change: LoggedChange) {
    guard !isNew, !isWhole else { return }
    guard let before = change.before else {
      if texts.isEmpty { isNew = true } else { isWhole = true }
      return
    }
    texts.append(before)
    if change.after == nil { isWhole = true }
  }
}

/// The records of a kind that were changed after a revision.
private struct ChangedRecords {
  /// Their numbers.
  let numbers: Set<Int>
  /// Those that exist now.
  private(set) var now: [Int: any PastRow] = [:]
  /// Those that existed then.
  private(set) var then: [Int: any PastRow] = [:]

  /// Up to how many are read by their numbers; of more the whole table is read.
  private static var fewNumbers: Int { 100 }

  init(
    _ earlier: [Int: EarlierFields],
    of table: RecordTable,
    at revision: Int,
    _ store: any RecordReader
  ) throws {
    numbers = Set(earlier.keys)
    func read<R: Record>(_ type: R.Type) throws {
      func read(_ row: any RecordRow) {
        now[row.number] = TypedRow<R>(row.number, row.revision) { try Kept<R>(row).value }
      }
      if numbers.count <= Self.fewNumbers {
        for number in numbers.sorted() { try store.row(number, of: table).map(read) }
      } else {
        let rows = try store.rows(RecordQuery(), of: table)
        while let row = try rows.next() { if numbers.contains(row.number) { read(row) } }
      }
      for (number, fields) in earlier where !fields.isNew {
        then[number] = TypedRow<R>(number, revision) {
          var record = R()
          if !fields.isWhole {
            guard let known = now[number] as? TypedRow<R> else {
              throw RecordError.damaged(
                number,
                kind: R.kind,
                "the change log does not say what it was"
              )
            }
            record = try known.record.get()
          }
          for text in fields.texts.reversed() {
            let fields = try RecordFields(text, number, R.kind).today(in: table)
            _ = try record.take(fields, number)
          }
          return record
        }
      }
    }
    try read(table.type)
  }
}

/// A row that is in memory.
private protocol PastRow: RecordRow {
  /// The revision of its last change.
  var revision: Int { get set }
  /// Whether it meets a condition; one that can't be read meets any, so that it is told.
  func meets(_ condition: RecordCondition) -> Bool
  /// Its place in the order of a query.
  func place(in query: RecordQuery) -> RecordCursor
}

private final class TypedRow<R: Record>: PastRow {
  let number: Int
  var revision: Int
  let record: Result<R, any Error>

  init(_ number: Int, _ revision: Int, _ read: () throws -> R) {
    (self.number, self.revision) = (number, revision)
    record = Result(catching: read)
  }

  func value(_ column: Int) throws -> StoredValue {
    try record.get().withFields { try RecordValues(R._table, $0).value(column) }
  }

  func meets(_ condition: RecordCondition) -> Bool {
    (try? condition.holds(for: Kept(number, record.get(), revision: revision))) ?? true
  }

  func place(in query: RecordQuery) -> RecordCursor {
    let record = try? Kept(number, record.get(), revision: revision)
    return record.map { query.place(of: $0) }
      ?? RecordCursor(query.order.map { _ in .null }, number: number)
  }
}

/// The rows of a query in the past: those of the present, and between them those that were changed since.
private final class PastRows: RecordRows {
  private let present: any RecordRows
  private let past: [(place: RecordCursor, row: any PastRow)]
  private let changed: Set<Int>
  private let query: RecordQuery
  private let table: RecordTable
  /// The next row of the present.
  private var upcoming: (any RecordRow)?
  /// Its place, once that was needed.
  private var place: RecordCursor?
  /// Whether it is the row that was returned last.
  private var isReturned = false
  private var nextPast = 0
  private var count = 0

  init(
    _ present: any RecordRows,
    _ past: [(place: RecordCursor, row: any PastRow)],
    without changed: Set<Int>,
    _ query: RecordQuery,
    _ table: RecordTable
  ) throws {
    (self.present, self.past, self.changed) = (present, past, changed)
    (self.query, self.table) = (query, table)
    try advance()
  }

  private func advance() throws {
    (place, isReturned) = (nil, false)
    repeat {
      upcoming = try present.next()
    } while upcoming.map { changed.contains($0.number) } ?? false
  }

  func next() throws -> (any RecordRow)? {
    // The row that was returned is valid until now.
    if isReturned { try advance() }
    guard count < query.limit ?? .max else { return nil }
    count += 1
    guard let upcoming else { return nextOfPast() }
    if nextPast < past.count {
      let place = try place ?? query.place(of: upcoming, in: table)
      self.place = place
      if query.places(past[nextPast].place, before: place) { return nextOfPast() }
    }
    isReturned = true
    return upcoming
  }

  private func nextOfPast() -> (any RecordRow)? {
    guard nextPast < past.count else { return nil }
    nextPast += 1
    return past[nextPast - 1].row
  }
}
