import EventMVVM
import EventRecords
import JSONText

/// Queries as statements of SQLite, with the values of their question marks.
struct QuerySQL {
  private let table: RecordTable
  private let sql: TableSQL
  private var values: [StoredValue] = []
  /// Whether records are read in an order, and each is tested for a name in a set.
  private var isInOrder = false

  init(_ table: RecordTable, _ sql: TableSQL) {
    self.table = table
    self.sql = sql
  }

  /// Returns the statement that finds records, in order.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - narrow: A part of the condition that few records fulfil, and that has an index: they are
  ///     found by it, and in no other way.
  /// - Returns: The statement, and the values of its question marks.
  func rows(_ query: RecordQuery, by narrow: RecordCondition? = nil) -> (sql: String, [StoredValue])
  {
    var building = self
    building.isInOrder = !query.order.isEmpty
    var text = sql.select
    if narrow != nil { text += " NOT INDEXED" }
    text += building.filter(query.condition, after: query, by: narrow)
    // NULL is less than all other values in SQLite.
    let terms = query.order.map {
      "\(key($0)) \($0.isDescending ? "DESC" : "ASC NULLS LAST")"
    }
    let last = "_number \(query.numbersDescend ? "DESC" : "ASC")"
    text += " ORDER BY " + (terms + [last]).joined(by: ", ")
    if let limit = query.limit {
      text += " LIMIT ?"
      building.values.append(.integer(Int64(limit)))
    }
    return (text, building.values)
  }

  /// Returns the parts of a query's condition of which each has an index of its own, other than
  /// that of the order.
  func narrowing(_ query: RecordQuery) -> [RecordCondition] {
    switch query.condition {
    case .and(let conditions): conditions.filter { hasIndex($0, query.order.first) }
    case let condition where !query.order.isEmpty:
      hasIndex(condition, query.order.first) ? [condition] : []
    default: []
    }
  }

  private func hasIndex(_ condition: RecordCondition, _ order: RecordOrder?) -> Bool {
    switch condition {
    case .has: true
    case .field(let field, _, _): isIndexed(field, excluding: order)
    case .anyOf(let field, let values):
      isIndexed(field, excluding: order) && !values.contains(.null)
    default: false
    }
  }

  private func isIndexed(_ field: String, excluding order: RecordOrder?) -> Bool {
    guard field != order?.field, let index = table.index(of: field) else { return false }
    return table.column(index).traits.contains(.indexed)
  }

  /// Returns the statement that counts the records that fulfil a condition, up to a number.
  func count(_ condition: RecordCondition, upTo most: Int) -> (sql: String, [StoredValue]) {
    var building = self
    let numbers = building.numbers(condition)
    return ("SELECT count(*) FROM (\(numbers) LIMIT \(most))", building.values)
  }

  private mutating func numbers(_ condition: RecordCondition) -> String {
    if case .has(let field, let name) = condition {
      return "SELECT number FROM \(set(field)) WHERE name = \(mark(.text(name)))"
    }
    return "SELECT _number FROM \(sql.names.table) WHERE \(term(condition))"
  }

  /// Returns the statement that counts records.
  func count(_ condition: RecordCondition) -> (sql: String, [StoredValue]) {
    var building = self
    let filter = building.filter(condition)
    return ("SELECT count(*) FROM \(sql.names.table)" + filter, building.values)
  }

  /// Returns the statement that finds the names in a set, or the texts in a field.
  func labels(
    _ column: Int,
    _ prefix: String,
    _ limit: Int,
    counted: Bool
  ) -> (sql: String, [StoredValue]) {
    let isSet = table.column(column).isSet
    let field = isSet ? "name" : sql.names.columns[column]
    let source = isSet ? sql.names.set(table.column(column).name) : sql.names.table
    let values: [StoredValue] = [.text(prefix), .integer(Int64(limit))]
    // By bytes: the texts with a prefix are between it and it with FF after it, which no text has.
    let beginsSo = "\(field) < CAST(CAST(?1 AS BLOB) || x'FF' AS TEXT)"
    guard counted else {
      // Goes from one to the next by the index, however many records have each.
      return (
        """
        WITH RECURSIVE label (text) AS (
          SELECT min(\(field)) FROM \(source) WHERE \(field) >= ?1 AND \(beginsSo)
          UNION ALL
          SELECT (SELECT min(\(field)) FROM \(source) WHERE \(field) > text AND \(beginsSo)) FROM label
          WHERE text IS NOT NULL
        )
        SELECT text, 0 FROM label WHERE text IS NOT NULL LIMIT ?2
        """,
        values
      )
    }
    return (
      """
      SELECT \(field), count(*) FROM \(source) WHERE \(field) >= ?1 AND \(beginsSo)
      GROUP BY \(field) ORDER BY \(field) LIMIT ?2
      """,
      values
    )
  }

  // MARK: Conditions

  /// Returns the condition of a query: a narrow part first, and that the records follow its start.
  private mutating func filter(
    _ condition: RecordCondition,
    after query: RecordQuery? = nil,
    by narrow: RecordCondition? = nil
  ) -> String {
    // The values are in the order of the terms.
    var terms: [String] = []
    if let narrow { terms.append("_number IN (\(numbers(narrow)))") }
    if condition != .all { terms.append(term(condition)) }
    if let query, let start = query.start { terms.append(after(start, query)) }
    return terms.isEmpty ? "" : " WHERE " + terms.joined(by: " AND ")
  }

  private func index(_ field: String) -> Int {
    guard let index = table.index(of: field) else {
      preconditionFailure("'\(table.kind)' has no field '\(field)'")
    }
    return index
  }

  /// Returns the expression by which the values of a field are compared.
  private func name(_ field: String) -> String { sql.names.keys[index(field)] }

  /// Returns the table of the names in a set.
  private func set(_ field: String) -> String {
    sql.names.set(table.column(index(field)).name)
  }

  /// Returns the expression that records are sorted by; see `RecordOrder/key(_:_:)`.
  private func key(_ order: RecordOrder) -> String {
    switch order.rule {
    case nil: name(order.field)
    // The first of the lines that are searched.
    case .alphabetical:
      "substr(\(sql.searched), 1, instr(\(sql.searched) || char(10), char(10)) - 1)"
    case .manual: "ifnull(\(name(order.field)), printf('%019d', _number))"
    }
  }

  private mutating func mark(_ value: StoredValue) -> String {
    values.append(value)
    return "?"
  }

  private mutating func term(_ condition: RecordCondition) -> String {
    switch condition {
    case .all: return "1"
    case .numbers(let first, let last):
      return "_number BETWEEN \(mark(.integer(Int64(first)))) AND \(mark(.integer(Int64(last))))"
    case .field(let field, let comparison, let value):
      return "\(name(field)) \(comparison.sql) \(mark(value))"
    case .anyOf(let field, let values):
      let name = name(field)
      let present = values.filter { $0 != .null }
      var terms: [String] = []
      if present.count == 1 {
        terms.append("\(name) = \(mark(present[0]))")
      } else if !present.isEmpty {
        terms.append("\(name) IN (\(present.map { mark($0) }.joined(by: ", ")))")
      }
      if present.count < values.count { terms.append("\(name) IS NULL") }
      return terms.isEmpty ? "0" : "(\(terms.joined(by: " OR ")))"
    case .has(let field, let text) where isInOrder:
      return "EXISTS (SELECT 1 FROM \(set(field)) "
        + "WHERE name = \(mark(.text(text))) AND number = _number)"
    case .has(let field, let text):
      return
        "_number IN (SELECT number FROM \(set(field)) WHERE name = \(mark(.text(text))))"
    case .text(let text):
      return "instr(\(sql.searched), \(mark(.text(text)))) > 0"
    case .and(let conditions):
      return joined(conditions, " AND ", empty: "1")
    case .or(let conditions):
      return joined(conditions, " OR ", empty: "0")
    case .not(let conditions):
      // A comparison with NULL is neither true nor false in SQLite.
      return "NOT ifnull(\(joined(conditions, " AND ", empty: "1")), 0)"
    }
  }

  private mutating func joined(
    _ conditions: [RecordCondition],
    _ word: String,
    empty: String
  ) -> String {
    conditions.isEmpty ? empty : "(" + conditions.map { term($0) }.joined(by: word) + ")"
  }

  /// Returns the condition for the records after a cursor.
  private mutating func after(_ start: RecordCursor, _ query: RecordQuery) -> String {
    let order = query.order
    var terms: [String] = []
    for count in 0...order.count {
      // NULL comes last, in both directions.
      if count < order.count, start.values[count] == .null { continue }
      var parts = (0..<count)
        .map { index in
          let (key, value) = (key(order[index]), start.values[index])
          return value == .null ? "\(key) IS NULL" : "\(key) = \(mark(value))"
        }
      if count < order.count {
        let key = key(order[count])
        let word = order[count].isDescending ? "<" : ">"
        parts.append("(\(key) \(word) \(mark(start.values[count])) OR \(key) IS NULL)")
      } else {
        let word = query.numbersDescend ? "<" : ">"
        parts.append("_number \(word) \(mark(.integer(Int64(start.number))))")
      }
      terms.append("(" + parts.joined(by: " AND ") + ")")
    }
    return "(" + terms.joined(by: " OR ") + ")"
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
