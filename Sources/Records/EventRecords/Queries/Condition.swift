import EventValues
import JSONText

/// A condition on a record of a type, by its properties.
///
/// ```swift
/// .all(.equals(\.batch, "A7"), .not(.isNil(\.due)))
/// ```
///
/// A comparison with an absent value is false, and ``not(_:)`` of a false one is true. Only the
/// record's declared fields are allowed.
public struct Condition<R: Record>: Sendable {
  @usableFromInline let node: ConditionNode

  @inlinable
  @inline(__always)
  init(_ node: ConditionNode) { self.node = node }

  /// The field has this value; nil is a value.
  @inlinable
  @inline(__always)
  public static func equals<Value: FieldValue>(
    _ path: WritableKeyPath<R, Value>,
    _ value: Value
  ) -> Self {
    Condition(ConditionNode(MemoryLayout<R>.offset(of: path), equals: value))
  }

  /// The field has one of these values.
  @inlinable
  @inline(__always)
  public static func isOne<Value: FieldValue>(
    of values: [Value],
    _ path: WritableKeyPath<R, Value>
  ) -> Self {
    Condition(ConditionNode(MemoryLayout<R>.offset(of: path), anyOf: values))
  }

  /// The field has no value.
  @inlinable
  @inline(__always)
  public static func isNil<Value: FieldValue>(_ path: WritableKeyPath<R, Value?>) -> Self {
    Condition(ConditionNode(MemoryLayout<R>.offset(of: path), anyOf: [Value?.none]))
  }

  /// The field is less than a value: numbers by size, texts byte by byte, dates by time.
  ///
  /// A day without a time lasts until its end: what is due today is not less than now, and it is less than
  /// tomorrow; a minute of today is not greater than today.
  @inlinable
  @inline(__always)
  public static func less<Value: FieldValue>(
    _ path: WritableKeyPath<R, Value>,
    than value: Value
  ) -> Self {
    Condition(ConditionNode(MemoryLayout<R>.offset(of: path), .less, value))
  }

  /// The field is less than or equal to a value.
  @inlinable
  @inline(__always)
  public static func atMost<Value: FieldValue>(
    _ path: WritableKeyPath<R, Value>,
    _ value: Value
  ) -> Self {
    Condition(ConditionNode(MemoryLayout<R>.offset(of: path), .atMost, value))
  }

  /// The field is greater than a value.
  @inlinable
  @inline(__always)
  public static func greater<Value: FieldValue>(
    _ path: WritableKeyPath<R, Value>,
    than value: Value
  ) -> Self {
    Condition(ConditionNode(MemoryLayout<R>.offset(of: path), .greater, value))
  }

  /// The field is greater than or equal to a value.
  @inlinable
  @inline(__always)
  public static func atLeast<Value: FieldValue>(
    _ path: WritableKeyPath<R, Value>,
    _ value: Value
  ) -> Self {
    Condition(ConditionNode(MemoryLayout<R>.offset(of: path), .atLeast, value))
  }

  /// The set contains a name.
  @inlinable
  @inline(__always)
  public static func has(_ path: WritableKeyPath<R, [String]>, _ name: String) -> Self {
    Condition(ConditionNode(MemoryLayout<R>.offset(of: path), has: name))
  }

  /// A searched field contains the text, ignoring case and the marks of letters.
  public static func contains(_ text: String) -> Self {
    Condition(.plain(.text(text.searchForm)))
  }

  /// All of these hold; true if there is none.
  public static func all(_ conditions: Self...) -> Self { Condition(.and(nodes(conditions))) }
  /// One of these holds; false if there is none.
  public static func any(_ conditions: Self...) -> Self { Condition(.or(nodes(conditions))) }
  /// This does not hold.
  public static func not(_ condition: Self) -> Self {
    // Twice is not at all, which an index can serve.
    if case .not(let nodes) = condition.node { return Condition(nodes[0]) }
    return Condition(.not([condition.node]))
  }

  private static func nodes(_ conditions: [Self]) -> [ConditionNode] {
    var nodes: [ConditionNode] = []
    // Not by a key path, which takes the runtime half a million instructions in generic code.
    for condition in conditions { nodes.append(condition.node) }
    return nodes
  }

  /// A condition by the names of fields.
  package init(stored condition: RecordCondition) { self.init(.plain(condition)) }

  /// The condition for engines.
  package var stored: RecordCondition { node.resolved(in: R._table, R.kind) }
}

/// A condition whose fields are given by their offsets: their declaration may not be
/// complete yet.
@usableFromInline
enum ConditionNode: Sendable {
  case plain(RecordCondition)
  case compare(Int?, RecordCondition.Comparison, StoredValue?)
  case anyOf(Int?, [StoredValue?])
  case has(Int?, String)
  case and([ConditionNode])
  case or([ConditionNode])
  case not([ConditionNode])

  @usableFromInline
  init<Value: FieldValue>(
    _ offset: Int?,
    _ comparison: RecordCondition.Comparison,
    _ value: Value
  ) {
    switch Value.self {
    case is CivilTime.Type, is CivilTime?.Type:
      self.init(offset, comparison, at: value as? CivilTime)
    default: self = .compare(offset, comparison, value.compared)
    }
  }

  /// A day is over at its end: it is less than the next day, not less than a minute of its own.
  private init(
    _ offset: Int?,
    _ comparison: RecordCondition.Comparison,
    at time: CivilTime?
  ) {
    func node(_ comparison: RecordCondition.Comparison, _ time: CivilTime?) -> Self {
      .compare(offset, comparison, time?.stored)
    }
    switch (comparison, time) {
    case (.greater, .day(let day)):
      self = node(.atLeast, day.adding(days: 1).map { .day($0) })
    case (.atMost, .day(let day)):
      self =
        day.adding(days: 1).map { node(.less, .day($0)) } ?? node(.atMost, time)
    case (.less, .minute(let minute)), (.atMost, .minute(let minute)):
      let day = CivilTime.day(minute.day)
      self = .or([node(.less, day), .and([node(.greater, day), node(comparison, time)])])
    case (.greater, .minute(let minute)), (.atLeast, .minute(let minute)):
      self = .or([node(.equal, .day(minute.day)), node(comparison, time)])
    default: self = node(comparison, time)
    }
  }

  @usableFromInline
  init(_ offset: Int?, equals value: some FieldValue) {
    self = .anyOf(offset, [value.compared])
  }

  @usableFromInline
  init<Value: FieldValue>(_ offset: Int?, anyOf values: [Value]) {
    self = .anyOf(offset, values.map { $0.compared })
  }

  @usableFromInline
  init(_ offset: Int?, has name: String) { self = .has(offset, name) }

  /// The offsets of the fields that are compared with one value.
  var equalities: [Int] {
    switch self {
    case .anyOf(let offset?, _): [offset]
    case .and(let nodes): nodes.flatMap(\.equalities)
    default: []
    }
  }

  func resolved(in table: FieldTable, _ kind: String) -> RecordCondition {
    func name(_ offset: Int?) -> String {
      guard let index = offset.flatMap({ table.index(at: $0) }) else {
        preconditionFailure("what is asked for is no field of '\(kind)'")
      }
      return "\(table.fields[index].name)"
    }
    switch self {
    case .plain(let condition): return condition
    case .compare(let offset, let comparison, let value):
      // A value that can't be stored is in no record, and none is less or greater than an absent
      // one.
      guard let value, value != .null else { return .or([]) }
      return .field(name(offset), comparison, value)
    case .anyOf(let offset, let values): return .anyOf(name(offset), values.compactMap(\.self))
    case .has(let offset, let text):
      // New names are composed, those of before may not be.
      let (field, composed) = (name(offset), text.composed)
      guard !composed.isIdentical(to: text) else { return .has(field, text) }
      return .or([.has(field, text), .has(field, composed)])
    case .and(let nodes): return .and(nodes.map { $0.resolved(in: table, kind) })
    case .or(let nodes): return .or(nodes.map { $0.resolved(in: table, kind) })
    case .not(let nodes): return .not(nodes.map { $0.resolved(in: table, kind) })
    }
  }
}

extension FieldValue {
  /// What it is compared by in conditions; nil if it can't be stored.
  package var compared: StoredValue? { (try? stored)?.compared(by: Self._ranks) }
}
