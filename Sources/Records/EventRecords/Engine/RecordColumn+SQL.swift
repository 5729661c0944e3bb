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
