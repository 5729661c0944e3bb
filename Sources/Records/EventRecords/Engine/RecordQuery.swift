/// A query for records of a kind, and their order.
public struct RecordQuery: Sendable, Equatable, Codable {
  /// The condition.
  public var condition = RecordCondition.all
  /// The fields by which they are sorted; equal ones are sorted by their numbers.
  public var order: [RecordOrder] = []
  /// Whether the greatest number comes first; nil: if the last order is descending.
  public var isNewestFirst: Bool?
  /// The most records; nil for all.
  public var limit: Int?
  /// The position after which to begin; nil for the beginning.
  public var start: RecordCursor?

  /// Creates a query for all records, by their numbers.
  public init() {}

  /// Whether the greatest number comes first.
  public var numbersDescend: Bool { isNewestFirst ?? order.last?.isDescending ?? false }
}

/// A condition on a record.
///
/// A comparison with an absent value is false, and ``not(_:)`` of a false one is true.
public enum RecordCondition: Sendable, Equatable, Codable {
  /// How a field is compared with a value: numbers by size, texts byte by byte.
  public enum Comparison: String, Sendable, Codable {
    /// The same value.
    case equal
    /// A smaller value.
    case less
    /// The same value, or a smaller one.
    case atMost
    /// A greater value.
    case greater
    /// The same value, or a greater one.
    case atLeast
  }

  /// Any record.
  case all
  /// Its number is in this range, including both ends.
  case numbers(Int, Int)
  /// The field with this name compares in this way to a value, which is not null.
  case field(String, Comparison, StoredValue)
  /// The field with this name has one of these values; null is a value.
  case anyOf(String, [StoredValue])
  /// The set with this name contains this name.
  case has(String, String)
  /// The searched texts contain this, in the form of `String.searchForm`.
  case text(String)
  /// The text with this name contains this, in the form of `String.searchForm`; it is one that is searched.
  case contains(String, String)
  /// All of these hold.
  case and([RecordCondition])
  /// One of these holds.
  case or([RecordCondition])
  /// The one condition in the array does not hold.
  case not([RecordCondition])
}

/// A field by which records are sorted; absent values come last.
public struct RecordOrder: Sendable, Equatable, Codable {
  /// The comparison of values that are not compared in their stored form.
  public enum Rule: String, Sendable, Codable {
    /// By the first line of the text's `String.searchForm`; for the first searched field, which is
    /// never absent.
    case alphabetical
    /// By ``ManualPlace``: a record without one is sorted by its number.
    case manual
  }

  /// The name of the field.
  public let field: String
  /// Whether the greatest value comes first.
  public let isDescending: Bool
  /// The comparison of values; nil for the stored form.
  public let rule: Rule?

  /// Creates an order by a field.
  public init(_ field: String, isDescending: Bool = false, by rule: Rule? = nil) {
    self.field = field
    self.isDescending = isDescending
    self.rule = rule
  }

  /// Returns the sort key of a record with this value in the field.
  ///
  /// - Parameters:
  ///   - value: The stored value.
  ///   - number: The number of the record.
  /// - Returns: The key that engines compare.
  func key(_ value: StoredValue, _ number: Int) -> StoredValue {
    switch (rule, value) {
    case (.alphabetical, .text(let text)):
      .text(String(Substring(text.searchForm.utf8.prefix { $0 != UInt8(ascii: "\n") })))
    case (.manual, .null): ManualPlace(number: number).stored
    default: value
    }
  }
}

/// A position in an order: after a record, which may have changed since.
public struct RecordCursor: Sendable, Equatable, Codable {
  /// The record's values in the fields of the order.
  public let values: [StoredValue]
  /// Its number.
  public let number: Int

  /// Creates a cursor.
  public init(_ values: [StoredValue], number: Int) {
    self.values = values
    self.number = number
  }
}

/// A name in a set or a text in a field, and how many of its records meet each of some conditions.
public struct RecordGroupCount: Sendable, Equatable, Codable {
  /// The name, or the text; nil for the records without one.
  public let text: String?
  /// How many records meet each of the conditions, in their order.
  public let counts: [Int]

  /// Creates a group.
  public init(_ text: String?, counts: [Int]) {
    self.text = text
    self.counts = counts
  }
}

/// A name in a set or a text in a field, and in how many records it occurs.
public struct RecordLabel: Sendable, Equatable, Codable {
  /// The name, or the text.
  public let text: String
  /// How many records have it; meaningless where counts were not requested.
  public let count: Int

  /// Creates a label.
  public init(_ text: String, count: Int) {
    self.text = text
    self.count = count
  }
}
