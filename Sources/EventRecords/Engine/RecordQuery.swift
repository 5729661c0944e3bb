/// Which records of a kind are asked for, and in what order.
public struct RecordQuery: Sendable, Equatable, Codable {
  /// What holds for them.
  public var condition = RecordCondition.all
  /// By what they are sorted; where that is the same, and where nothing is named, by their numbers.
  public var order: [RecordOrder] = []
  /// Whether the greatest number comes first; nil: it does if the last order is descending.
  public var isNewestFirst: Bool?
  /// How many at most; nil for all.
  public var limit: Int?
  /// After which position in this order; nil for the beginning.
  public var start: RecordCursor?

  /// All of them, by their numbers.
  public init() {}

  /// Whether the greatest number comes first.
  public var numbersDescend: Bool { isNewestFirst ?? order.last?.isDescending ?? false }
}

/// What holds for a record.
///
/// A comparison with a value that is absent does not hold, and ``not(_:)`` of one that does not
/// hold does.
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

  /// Anything.
  case all
  /// Its number is between these, or one of them.
  case numbers(Int, Int)
  /// The field of this name compares so with a value, which is not null.
  case field(String, Comparison, StoredValue)
  /// The field of this name has one of these values; null is one like others.
  case anyOf(String, [StoredValue])
  /// The set of this name has this name in it.
  case has(String, String)
  /// The searched texts contain this, in the form of `String.searchForm`.
  case text(String)
  /// All of these hold.
  case and([RecordCondition])
  /// One of these holds.
  case or([RecordCondition])
  /// This does not hold; there is one.
  case not([RecordCondition])
}

/// A field by which records are sorted; what is absent comes last.
public struct RecordOrder: Sendable, Equatable, Codable {
  /// By what values are compared that are not compared as they are stored.
  public enum Rule: String, Sendable, Codable {
    /// By the first line of the text's `String.searchForm`; of the field that is searched
    /// first, and never absent.
    case alphabetical
    /// As ``ManualPlace`` is: a record that has none stands at its number.
    case manual
  }

  /// The name of the field.
  public let field: String
  /// Whether the greatest value comes first.
  public let isDescending: Bool
  /// By what values are compared; nil: as they are stored.
  public let rule: Rule?

  /// Sorts by a field.
  public init(_ field: String, isDescending: Bool = false, by rule: Rule? = nil) {
    self.field = field
    self.isDescending = isDescending
    self.rule = rule
  }

  /// What a record that has this value in the field is sorted by.
  ///
  /// - Parameters:
  ///   - value: The value, as it is stored.
  ///   - number: The number of the record.
  /// - Returns: What engines compare.
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
  /// What the record has in the fields of the order.
  public let values: [StoredValue]
  /// Its number.
  public let number: Int

  /// Creates a cursor.
  public init(_ values: [StoredValue], number: Int) {
    self.values = values
    self.number = number
  }
}

/// What a set or a field has in it, and in how many records.
public struct RecordLabel: Sendable, Equatable, Codable {
  /// The name, or the text.
  public let text: String
  /// How many records have it; without meaning where that was not asked for.
  public let count: Int

  /// Counts a name.
  public init(_ text: String, count: Int) {
    self.text = text
    self.count = count
  }
}
