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
    return try rule.isIdentity || condition(of: rule).holds(for: record, 0, in: self) ? key : nil
  }
}
