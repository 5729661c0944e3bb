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
  /// How many conditions are around the one that is written.
  private var level = 0
  /// Whether an index may be used for what is not deleted, as nearly all records are.
  private var mayUseDeletion = true
  /// The parts of a condition that are too deep for SQLite's parser, with their values: tables of numbers.
  private var parts: [(sql: String, values: [StoredValue])] = []

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
    building.mayUseDeletion = isListed(by: query.order.first)
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
    return building.statement(text)
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

  /// Whether there is an index for an order.
  ///
  /// Without statistics, SQLite takes an index that begins with the mark of deleted records before all others.
  private func isListed(by order: RecordOrder?) -> Bool {
    guard let column = order.flatMap({ table.index(of: $0.field) }) else { return false }
    return table.orders.contains { $0.last == column }
  }

  private func hasIndex(_ condition: RecordCondition, _ order: RecordOrder?) -> Bool {
    switch condition {
    case .has, .numbers: true
    case .and(let parts): parts.contains { hasIndex($0, order) }
    case .or(let parts): !parts.isEmpty && parts.allSatisfy { hasIndex($0, order) }
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
    return building.statement("SELECT count(*) FROM (\(numbers) LIMIT \(most))")
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
    if case .and = condition { building.mayUseDeletion = false }
    let filter = building.filter(condition)
    return building.statement("SELECT count(*) FROM \(sql.names.table)" + filter)
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

  /// Returns the statement that counts the records of each name, by conditions.
  func groups(_ column: Int, _ conditions: [RecordCondition]) -> (sql: String, [StoredValue]) {
    var building = self
    func sums(_ building: inout QuerySQL) -> String {
      conditions.map { ", count(CASE WHEN \(building.term($0)) THEN 1 END)" }.joined(by: "")
    }
    let (field, source) = (sql.names.columns[column], sql.names.table)
    guard table.column(column).isSet else {
      let all =
        "SELECT \(field)\(sums(&building)) FROM \(source) GROUP BY \(field) ORDER BY \(field)"
      return building.statement(all)
    }
    let set = sql.names.set(table.column(column).name)
    let without =
      "SELECT NULL\(sums(&building)) FROM \(source) WHERE ifnull(\(field), '[]') = '[]'"
    // By names that no column of a record has.
    let names = "(SELECT name AS _name, number AS _of FROM \(set))"
    let named =
      "SELECT _name\(sums(&building)) FROM \(names) JOIN \(source) ON _of = _number GROUP BY _name"
    return building.statement("\(without) UNION ALL \(named) ORDER BY 1")
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
    if let narrow {
      let order = (isInOrder, mayUseDeletion)
      (isInOrder, mayUseDeletion) = (false, true)
      terms.append("_number IN (\(numbers(narrow)))")
      (isInOrder, mayUseDeletion) = order
    }
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

  /// Returns a statement, after the parts that it needs.
  private func statement(_ text: String) -> (sql: String, [StoredValue]) {
    guard !parts.isEmpty else { return (text, values) }
    let tables = parts.enumerated().map { "part\($0) (number) AS (\($1.sql))" }
    return (
      "WITH \(tables.joined(by: ", ")) \(text)", parts.flatMap { $0.values } + values
    )
  }

  /// How many conditions within one another SQLite's parser is given at once; it has a stack of a hundred.
  private static var depth: Int { 5 }

  /// Returns the test whether a record is in a table of the numbers that meet a condition.
  private mutating func part(_ condition: RecordCondition) -> String {
    let own = values
    (values, level) = ([], 0)
    let text = term(condition)
    parts.append(("SELECT _number FROM \(sql.names.table) WHERE \(text)", values))
    (values, level) = (own, Self.depth)
    return "_number IN (SELECT number FROM part\(parts.count - 1))"
  }

  private mutating func term(_ condition: RecordCondition) -> String {
    switch condition {
    case .and(let all) where level >= Self.depth && !all.isEmpty: return part(condition)
    case .or(let all) where level >= Self.depth && !all.isEmpty: return part(condition)
    case .not where level >= Self.depth: return part(condition)
    default: break
    }
    level += 1
    defer { level -= 1 }
    switch condition {
    case .all: return "1"
    case .numbers(let first, let last):
      return "_number BETWEEN \(mark(.integer(Int64(first)))) AND \(mark(.integer(Int64(last))))"
    case .field(let field, let comparison, let value):
      return "\(name(field)) \(comparison.sql) \(mark(value))"
    case .anyOf(let field, let values):
      // A sign keeps an index from being used.
      let isLoose = !mayUseDeletion && values == [.integer(0)] && table.isDeletion(index(field))
      let name = (isLoose ? "+" : "") + name(field)
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
    case .contains(let field, let text):
      // The form of all searched texts is there; that of one is computed where they have the text.
      return
        "(\(term(.text(text))) AND \(SearchFunction.name)(\(name(field)), \(mark(.text(text)))))"
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
