// What engines that speak SQL have in common.

extension RecordColumn {
  /// Returns the expression by which values are compared, sorted and indexed: the column, or the ranks of the
  /// names in it; a name of before counts as that of today, since an earlier version may still write it.
  ///
  /// - Parameter name: The column in quotes.
  /// - Returns: The expression, in SQL.
  public func key(_ name: String) -> String {
    let cases = cases
    if cases.isEmpty { return name }
    return "(CASE \(name)\(cases)\(ranks.isEmpty ? " ELSE \(name)" : "") END)"
  }

  /// Returns the condition that an integer would lose a part as a value of this column.
  ///
  /// - Parameter name: The column with the integer, in quotes.
  /// - Returns: The condition, in SQL.
  public func isLossy(_ name: String) -> String {
    type == .real ? "\(name) NOT BETWEEN -9007199254740992 AND 9007199254740992" : "0 = 1"
  }

  /// The branches of ``key(_:)``.
  private var cases: String {
    let ranks = ranks
    func value(_ name: String) -> StoredValue { StoredValue.text(name).compared(by: ranks) }
    var cases = ""
    for one in ranks {
      cases += " WHEN \(StoredValue.text(one.name).sqlConstant) THEN \(one.rank)"
    }
    for former in formerNames {
      cases +=
        " WHEN \(StoredValue.text(former.name).sqlConstant) THEN \(value(former.value).sqlConstant)"
    }
    return cases
  }

  /// The name of its index without that of its table: other ranks have another index.
  public var indexName: String {
    let cases = cases
    if cases.isEmpty { return name }
    let hash = cases.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return "\(name)~\(String(hash, radix: 16))"
  }
}

extension RecordTable {
  /// Returns a condition of a rule with its values as constants, for an index.
  ///
  /// - Parameters:
  ///   - condition: The condition of fields, without searched texts and names in sets.
  ///   - key: Returns the expression by which a column is compared.
  /// - Returns: The condition, in SQL.
  public func sql(_ condition: RecordCondition, _ key: (_ column: Int) -> String) -> String {
    func name(_ field: String) -> String { index(of: field).map(key) ?? "NULL" }
    func joined(_ all: [RecordCondition], _ word: String, _ empty: String) -> String {
      all.isEmpty ? empty : "(" + all.map { sql($0, key) }.joined(separator: word) + ")"
    }
    switch condition {
    case .field(let field, let comparison, let value):
      let sign =
        switch comparison {
        case .equal: "="
        case .less: "<"
        case .atMost: "<="
        case .greater: ">"
        case .atLeast: ">="
        }
      return "\(name(field)) \(sign) \(value.sqlConstant)"
    case .anyOf(let field, let values):
      let tests = values.map { value in
        value == .null ? "\(name(field)) IS NULL" : "\(name(field)) = \(value.sqlConstant)"
      }
      return tests.isEmpty ? "1 = 0" : "(" + tests.joined(separator: " OR ") + ")"
    case .and(let all): return joined(all, " AND ", "1 = 1")
    case .or(let all): return joined(all, " OR ", "1 = 0")
    // A comparison with NULL is neither true nor false.
    case .not(let all): return "NOT coalesce(\(joined(all, " AND ", "1 = 1")), 1 = 0)"
    case .all: return "1 = 1"
    case .numbers, .has, .text, .contains:
      preconditionFailure("a rule of '\(kind)' asks for no field")
    }
  }

  /// The name of the index of a rule, without that of the table: another condition has another index.
  public func indexName(of unique: RecordUnique) -> String {
    let names = unique.columns.map { column($0).indexName }.joined(separator: ",")
    let hash = "\(unique.condition)".utf8
      .reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return "!\(String(hash, radix: 16)):\(names)"
  }
}

extension [RankedName] {
  /// Returns the expression that converts ranks to names: a column of ranked values had numbers once.
  ///
  /// - Parameter name: The column in quotes.
  /// - Returns: The expression, in SQL.
  public func name(ofRankIn name: String) -> String {
    var cases = ""
    for one in self { cases += " WHEN \(one.rank) THEN \(StoredValue.text(one.name).sqlConstant)" }
    return isEmpty ? "NULL" : "CASE \(name)\(cases) END"
  }
}

extension StoredValue {
  /// The value as a constant of SQL.
  public var sqlConstant: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    // Negative zero is stored as zero.
    case .real(let number): number == 0 ? "0" : "\(number)"
    case .text(let text):
      text.utf8.contains(UInt8(ascii: "'"))
        ? "'\(text.replacing("'", with: "''"))'" : "'\(text)'"
    }
  }
}
