// What engines that speak SQL have in common.

extension RecordColumn {
  /// Returns the expression by which values are compared, sorted and indexed: the column, or the ranks of the
  /// names in it.
  ///
  /// - Parameter name: The column in quotes.
  /// - Returns: The expression, in SQL.
  public func key(_ name: String) -> String {
    let ranks = ranks
    guard !ranks.isEmpty else { return name }
    return "(CASE \(name)\(ranks.cases) END)"
  }

  /// Returns the expression that converts ranks to names: a column of ranked values had numbers once.
  ///
  /// - Parameter name: The column in quotes.
  /// - Returns: The expression, in SQL.
  public func nameOfRank(_ name: String) -> String {
    var cases = ""
    for one in ranks { cases += " WHEN \(one.rank) THEN \(StoredValue.text(one.name).sqlConstant)" }
    return "CASE \(name)\(cases) END"
  }

  /// The name of its index without that of its table: other ranks have another index.
  public var indexName: String {
    let ranks = ranks
    guard !ranks.isEmpty else { return name }
    let hash = ranks.cases.utf8
      .reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    return "\(name)~\(String(hash, radix: 16))"
  }
}

extension [RankedName] {
  /// A branch of a `CASE` for each name.
  fileprivate var cases: String {
    var cases = ""
    for one in self {
      cases += " WHEN \(StoredValue.text(one.name).sqlConstant) THEN \(one.rank)"
    }
    return cases
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
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    }
  }
}
