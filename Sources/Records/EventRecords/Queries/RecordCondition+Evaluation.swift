import JSONText
import EventValues

extension RecordCondition {
  /// The names of the fields that it asks for.
  package var fields: [String] {
    switch self {
    case .all, .numbers, .text: []
    case .field(let name, _, _), .anyOf(let name, _), .has(let name, _), .contains(let name, _):
      [name]
    case .and(let all), .or(let all), .not(let all): all.flatMap(\.fields)
    }
  }

  /// What holds where this does not; twice is not at all, which an index can serve.
  package var negated: RecordCondition {
    if case .not(let inner) = self, inner.count == 1 { return inner[0] }
    return .not([self])
  }

  /// Whether it holds for a record: what an engine finds by it.
  ///
  /// - Parameter record: The record, with its number.
  /// - Returns: Whether it holds.
  /// - Throws: Why a value of the record can't be stored.
  package func holds<R: Record>(for record: Kept<R>) throws -> Bool {
    try record.value.withFields { try holds(for: $0, record.number, in: R._table) }
  }

  /// Whether it holds for the fields of a record with a number.
  func holds(for record: UnsafeRawPointer, _ number: Int, in table: FieldTable) throws -> Bool {
    func field(_ name: String) -> Int? { table.index(of: name) }
    func value(_ name: String) throws -> StoredValue {
      try field(name).map { try table.compared($0, of: record) } ?? .null
    }
    switch self {
    case .all: return true
    case .numbers(let first, let last): return first <= number && number <= last
    case .text(let part):
      return try RecordValues(table, record).searchText().utf8.contains(part.utf8)
    case .contains(let name, let part):
      guard case .text(let text) = try value(name) else { return false }
      return text.searchForm.utf8.contains(part.utf8)
    case .has(let name, let text):
      guard let field = field(name), table.fields[field].traits.contains(.set) else { return false }
      let names = (record + table.fields[field].offset).assumingMemoryBound(to: [String].self)
      return names.pointee.contains { $0.isIdentical(to: text) }
    case .field(let name, let comparison, let other):
      guard let order = try value(name).order(to: other) else { return false }
      switch comparison {
      case .equal: return order == 0
      case .less: return order < 0
      case .atMost: return order <= 0
      case .greater: return order > 0
      case .atLeast: return order >= 0
      }
    case .anyOf(let name, let values):
      let found = try value(name)
      // Not by `==`, to which texts that look alike are the same.
      return values.contains { $0 == .null ? found == .null : $0.order(to: found) == 0 }
    case .and(let all): return try all.allSatisfy { try $0.holds(for: record, number, in: table) }
    case .or(let all): return try all.contains { try $0.holds(for: record, number, in: table) }
    case .not(let all): return try !all.allSatisfy { try $0.holds(for: record, number, in: table) }
    }
  }
}

extension StoredValue {
  /// Less than 0 if it is before another value, greater if it is behind that; nil if one of them is absent.
  func order(to other: StoredValue) -> Int? {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): first < second ? -1 : first > second ? 1 : 0
    case (.real(let first), .real(let second)): first < second ? -1 : first > second ? 1 : 0
    case (.text(let first), .text(let second)):
      first.utf8.lexicographicallyPrecedes(second.utf8)
        ? -1 : first.utf8.elementsEqual(second.utf8) ? 0 : 1
    default: nil
    }
  }
}
