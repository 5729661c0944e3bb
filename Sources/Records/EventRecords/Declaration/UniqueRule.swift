import EventValues
import EventMVVM

/// A rule that no two records have the same values in some fields.
///
/// It does not count a record that lacks one of the values, that is marked as deleted, or that does not meet the
/// rule's condition.
struct UniqueRule: Sendable {
  /// The fields.
  let fields: [Int]
  /// Whether it is that of the identity, which the deleted retain, too.
  var isIdentity = false
  /// Which records it counts; nil for all.
  let condition: ConditionNode?
  /// What a person is told, by the address of the record that breaks it; nil for a sentence of the fields' names.
  let sentence: (@Sendable (UnsafeRawPointer) -> String)?
}

extension FieldTable {
  /// The condition of the records that a rule counts, except that they have all values.
  func condition(of rule: UniqueRule) -> RecordCondition {
    if rule.isIdentity { return .all }
    var conditions: [RecordCondition] = []
    if let condition = rule.condition { conditions.append(condition.resolved(in: self, kind)) }
    if let deletionField {
      conditions.append(.anyOf("\(deletionField.name)", [.integer(0)]))
    }
    return conditions.count == 1 ? conditions[0] : conditions.isEmpty ? .all : .and(conditions)
  }

  /// The fields on which it depends whether a rule counts a record, and those that it compares.
  func fields(of rule: UniqueRule) -> FieldSet {
    var set = FieldSet()
    for field in rule.fields { set.insert(field) }
    if rule.isIdentity { return set }
    for name in condition(of: rule).fields {
      if let index = index(of: name) { set.insert(index) }
    }
    return set
  }

  /// Returns the values of a record that a rule compares; nil if it does not count the record.
  ///
  /// - Throws: Why a value can't be stored.
  func key(_ rule: UniqueRule, of record: UnsafeRawPointer) throws -> [StoredValue]? {
    var key: [StoredValue] = []
    for field in rule.fields {
      let value = try compared(field, of: record)
      // Records from before the declaration of an identity have none.
      guard value != .null, value != .text(UniqueID.none.text) else { return nil }
      key.append(value)
    }
    return try rule.isIdentity || condition(of: rule).holds(for: record, in: self) ? key : nil
  }
}

extension RecordCondition {
  /// The names of the fields that it asks for.
  fileprivate var fields: [String] {
    switch self {
    case .all, .numbers, .text: []
    case .field(let name, _, _), .anyOf(let name, _), .has(let name, _): [name]
    case .and(let all), .or(let all), .not(let all): all.flatMap(\.fields)
    }
  }

  /// Whether it holds for the fields of a record: a condition without numbers and searched texts.
  fileprivate func holds(for record: UnsafeRawPointer, in table: FieldTable) throws -> Bool {
    func value(_ name: String) throws -> StoredValue {
      try table.index(of: name).map { try table.compared($0, of: record) } ?? .null
    }
    switch self {
    case .all: return true
    case .numbers, .text, .has: preconditionFailure("a rule of '\(table.kind)' asks for no field")
    case .field(let name, let comparison, let other):
      guard let order = try value(name).order(to: other) else { return false }
      switch comparison {
      case .equal: return order == 0
      case .less: return order < 0
      case .atMost: return order <= 0
      case .greater: return order > 0
      case .atLeast: return order >= 0
      }
    case .anyOf(let name, let values): return values.contains(try value(name))
    case .and(let all): return try all.allSatisfy { try $0.holds(for: record, in: table) }
    case .or(let all): return try all.contains { try $0.holds(for: record, in: table) }
    case .not(let all): return try !all.allSatisfy { try $0.holds(for: record, in: table) }
    }
  }
}

extension StoredValue {
  /// Less than 0 if it is before another value, greater if it is behind that; nil if one of them is absent.
  fileprivate func order(to other: StoredValue) -> Int? {
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
