import EventMVVM
public import EventValues
import JSONText

/// Requests the references to the records of a kind for which a command is, for completion.
public struct RequestOfferedRecords: CandidateRequest, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseCandidates
  /// It only reads.
  public static let writes = false

  /// The name of the record type.
  public let kind: String
  /// What the records meet.
  public let condition: RecordCondition
  /// The beginning of a number, of a UUID, or of a word of a title.
  public let prefix: String

  /// Creates the request.
  public init(_ kind: String, _ condition: RecordCondition, prefix: String) {
    (self.kind, self.condition, self.prefix) = (kind, condition, prefix)
  }
}

extension RecordServer {
  /// Returns the references to offered records of a kind.
  func candidates(
    _ request: RequestOfferedRecords,
    in view: StorageView
  ) throws -> [Candidate] {
    guard let table = types.table(of: request.kind) else { return [] }
    return try candidates(request.prefix, of: [table], request.condition, in: view)
  }

  /// Returns the numbers and UUIDs with a prefix, with the titles of their records, greatest numbers first; then
  /// the numbers of those with a word of the title that begins so.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of a number, of a UUID or of a word.
  ///   - tables: The kinds.
  ///   - condition: What the records meet.
  ///   - view: The view of the store.
  /// - Returns: The candidates, at most 1000.
  /// - Throws: The store's failure.
  func candidates(
    _ prefix: String,
    of tables: [RecordTable],
    _ condition: RecordCondition = .all,
    in view: StorageView
  ) throws -> [Candidate] {
    let ranges = Self.ranges(of: prefix.drop { $0 == "#" }) ?? []
    let identity = Self.identity(beginning: prefix)
    let words = ranges.isEmpty && prefix.mayBeName ? prefix.searchForm : ""
    return try read(in: view) { store in
      guard let store else { return [] }
      var found = OfferedRecords(store, condition)
      if let identity {
        for table in tables { try found.take(identity: identity, of: table, table.type) }
      }
      for table in tables {
        for range in ranges.reversed() { try found.take(range, of: table, table.type) }
        if !words.isEmpty { try found.take(words: words, of: table, table.type) }
      }
      return found.candidates
    }
  }

  private static func identity(beginning prefix: String) -> String? {
    guard case .identity(let text)? = try? RecordReference(word: prefix) else { return nil }
    return text
  }
}

/// The references that are found, up to a thousand.
private struct OfferedRecords {
  private static let most = 1000
  private let store: any RecordReader
  private let condition: RecordCondition
  private(set) var candidates: [Candidate] = []

  init(_ store: any RecordReader, _ condition: RecordCondition) {
    (self.store, self.condition) = (store, condition)
  }

  /// Takes those whose UUID begins so.
  mutating func take<R: Record>(
    identity prefix: String,
    of table: RecordTable,
    _ type: R.Type
  ) throws {
    guard let column = table.fields.identity,
      let rows = try store.rows(beginning: prefix, of: table, limit: Self.most, condition)
    else { return }
    try take(rows, type) { try String(stored: $0.value(column)) }
  }

  /// Takes those with numbers in a range.
  mutating func take<R: Record>(
    _ range: ClosedRange<Int>,
    of table: RecordTable,
    _ type: R.Type
  ) throws {
    let rows = try rows(table, .numbers(range.lowerBound, range.upperBound))
    try take(rows, type) { "\($0.number)" }
  }

  /// Takes those with words in the title that begin so.
  mutating func take<R: Record>(words: String, of table: RecordTable, _ type: R.Type) throws {
    try take(rows(table, .text(words)), type, isReadable: true) { record in
      (" " + record.title.searchForm).contains(" " + words)
    } _: {
      "\($0.number)"
    }
  }

  private func rows(_ table: RecordTable, _ part: RecordCondition) throws -> any RecordRows {
    var query = RecordQuery()
    query.condition = condition == .all ? part : .and([part, condition])
    query.isNewestFirst = true
    return try store.rows(query, of: table)
  }

  /// Takes the rows whose records are offered, and unreadable ones unless that is asked for.
  private mutating func take<R: Record>(
    _ rows: any RecordRows,
    _ type: R.Type,
    isReadable: Bool = false,
    where isOffered: (R) -> Bool = { _ in true },
    _ word: (any RecordRow) throws -> String
  ) throws {
    while candidates.count < Self.most, let row = try rows.next() {
      // Before the row is read on, for what its title may need.
      let word = try word(row)
      guard let kept = try? Kept<R>(row) else {
        if !isReadable { candidates.append(Candidate(word, R.kind)) }
        continue
      }
      let record = try store.filled(kept).value
      // A command that says for which it is may be for those that nothing else suggests.
      guard condition != .all || record.isSuggested, isOffered(record) else { continue }
      candidates.append(Candidate(word, record.title))
    }
  }
}
