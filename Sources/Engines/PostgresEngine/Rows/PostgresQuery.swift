import EventRecords

/// Queries as statements of PostgreSQL.
struct PostgresQuery {
  private let names: PostgresNames
  private let table: RecordTable
  private(set) var values: [StoredValue] = []

  init(_ names: PostgresNames, _ table: RecordTable) {
    self.names = names
    self.table = table
  }

  /// The statement that finds records, in their order.
  mutating func rows(_ query: RecordQuery) -> String {
    var sql = "\(select) WHERE \(term(query.condition))"
    if let start = query.start { sql += " AND (\(after(start, query)))" }
    let terms = query.order.map { "\(key($0)) \($0.isDescending ? "DESC" : "ASC") NULLS LAST" }
    let last = "_number \(query.numbersDescend ? "DESC" : "ASC")"
    sql += " ORDER BY " + (terms + [last]).joined(separator: ", ")
    if let limit = query.limit { sql += " LIMIT \(limit)" }
    return sql
  }

  /// The statement that finds one record.
  mutating func row(_ number: Int) -> String {
    "\(select) WHERE _number = \(mark(.integer(Int64(number))))"
  }

  /// The statement that counts records.
  mutating func count(_ condition: RecordCondition) -> String {
    "SELECT count(*) FROM \(names.table(table)) WHERE \(term(condition))"
  }

  /// The statement that counts the records of each name, by conditions.
  mutating func groups(_ column: Int, _ conditions: [RecordCondition]) -> String {
    let (field, source) = (PostgresNames.column(column, table), names.table(table))
    let counts = conditions.map { ", count(*) FILTER (WHERE \(term($0)))" }.joined()
    guard table.column(column).isSet else {
      return
        "SELECT \(field)\(counts) FROM \(source) GROUP BY \(field) ORDER BY \(field) NULLS FIRST"
    }
    let set = names.set(table.column(column).name, table)
    return """
      SELECT NULL\(counts) FROM \(source) WHERE coalesce(\(field), '[]') = '[]'
      UNION ALL SELECT _name\(counts)
      FROM (SELECT name AS _name, number AS _of FROM \(set)) AS names JOIN \(source) ON _of = _number
      GROUP BY _name ORDER BY 1 NULLS FIRST
      """
  }

  /// A statement that fails if a record fulfils a condition: nothing else takes a logarithm.
  mutating func free(_ condition: RecordCondition) -> String {
    "SELECT ln((count(*) = 0)::int) FROM \(names.table(table)) WHERE \(term(condition))"
  }
  /// The code of that failure.
  static let isTaken = "2201E"

  private var select: String {
    let columns = (0..<table.count).map { ", " + PostgresNames.column($0, table) }.joined()
    return "SELECT _number, _revision\(columns) FROM \(names.table(table))"
  }

  private mutating func mark(_ value: StoredValue) -> String {
    values.append(value)
    return "$\(values.count)"
  }

  private func index(_ field: String) -> Int {
    guard let index = table.index(of: field) else {
      preconditionFailure("'\(table.kind)' has no field '\(field)'")
    }
    return index
  }

  /// The expression by which the values of a field are compared.
  private func name(_ field: String) -> String { PostgresNames.key(index(field), table) }

  private mutating func term(_ condition: RecordCondition) -> String {
    switch condition {
    case .all: return "TRUE"
    case .numbers(let first, let last):
      return "_number BETWEEN \(mark(.integer(Int64(first)))) AND \(mark(.integer(Int64(last))))"
    case .field(let field, let comparison, let value):
      return "\(name(field)) \(comparison.sql) \(mark(value))"
    case .anyOf(let field, let values):
      let name = name(field)
      let terms = values.map { $0 == .null ? "\(name) IS NULL" : "\(name) = \(mark($0))" }
      return terms.isEmpty ? "FALSE" : "(\(terms.joined(separator: " OR ")))"
    case .has(let field, let text):
      return "EXISTS (SELECT 1 FROM \(names.set(table.column(index(field)).name, table)) "
        + "WHERE name = \(mark(.text(text))) AND number = _number)"
    case .text(let text):
      return "position(\(mark(.text(text))) IN \(PostgresNames.searched(table))) > 0"
    case .contains(let field, let text):
      return
        "(\(term(.text(text))) AND position(\(mark(.text(text))) IN \(folded(name(field)))) > 0)"
    case .and(let conditions): return joined(conditions, " AND ", empty: "TRUE")
    case .or(let conditions): return joined(conditions, " OR ", empty: "FALSE")
    // A comparison with NULL is neither true nor false in PostgreSQL.
    case .not(let conditions):
      return "NOT coalesce(\(joined(conditions, " AND ", empty: "TRUE")), FALSE)"
    }
  }

  /// The expression of a text in the form of `String.searchForm`: letters without case and marks.
  private func folded(_ text: String) -> String {
    let plain = "regexp_replace(normalize(\(text), NFD), '[\u{300}-\u{36F}]', '', 'g')"
    var folded = "lower(upper(normalize(\(plain), NFC) COLLATE \"und-x-icu\"))"
    for (letter, spelling) in SearchForm.spelled.sorted(by: { $0.key < $1.key }) {
      folded = "replace(\(folded), '\(letter)', '\(spelling)')"
    }
    return "(replace(\(folded), 'ς', 'σ') COLLATE \"C\")"
  }

  private mutating func joined(
    _ conditions: [RecordCondition],
    _ word: String,
    empty: String
  ) -> String {
    conditions.isEmpty
      ? empty : "(" + conditions.map { term($0) }.joined(separator: word) + ")"
  }

  /// The expression that records are sorted by; see `RecordOrder/key(_:_:)`.
  private func key(_ order: RecordOrder) -> String {
    switch order.rule {
    case nil: name(order.field)
    case .alphabetical: "split_part(\(PostgresNames.searched(table)), chr(10), 1)"
    case .manual: "coalesce(\(name(order.field)), lpad(_number::text, 19, '0'))"
    }
  }

  /// The condition for the records after a cursor: NULL comes last, in both directions.
  private mutating func after(_ start: RecordCursor, _ query: RecordQuery) -> String {
    var rest = "_number \(query.numbersDescend ? "<" : ">") \(mark(.integer(Int64(start.number))))"
    for (order, value) in zip(query.order, start.values).reversed() {
      let key = key(order)
      guard value != .null else {
        rest = "(\(key) IS NULL AND \(rest))"
        continue
      }
      let (mark, word) = (mark(value), order.isDescending ? "<" : ">")
      rest = "(\(key) \(word) \(mark) OR \(key) IS NULL OR \(key) = \(mark) AND \(rest))"
    }
    return rest
  }
}

extension RecordCondition.Comparison {
  fileprivate var sql: String {
    switch self {
    case .equal: "="
    case .less: "<"
    case .atMost: "<="
    case .greater: ">"
    case .atLeast: ">="
    }
  }
}
