/// A query for records of a type, with their order and number.
///
/// ```swift
/// Query<Reading>().where(.equals(\.batch, "A7")).sorted(by: \.due).first(10)
/// ```
///
/// By default it finds all records by their numbers. Of records that are equal in the order, the
/// one with the smaller number comes first, or last if the last order is descending or after
/// ``newestFirst()``.
public struct Query<R: Record>: Sendable, Equatable, Codable {
  /// The query for engines.
  public private(set) var stored = RecordQuery()

  /// Creates a query for all records.
  public init() {}

  /// Returns a query with another condition.
  public func `where`(_ condition: Condition<R>) -> Self {
    restricted(to: condition.stored)
  }

  private func restricted(to condition: RecordCondition) -> Self {
    var result = self
    switch stored.condition {
    case .all: result.stored.condition = condition
    // Databases limit the nesting of conditions.
    case .and(let known): result.stored.condition = .and(known + [condition])
    case let known: result.stored.condition = .and([known, condition])
    }
    return result
  }

  /// Returns a query for numbers in a range.
  public func numbered(_ range: ClosedRange<Int>) -> Self {
    restricted(to: .numbers(range.lowerBound, range.upperBound))
  }

  /// Sorts the records, or those that are equal in earlier orders; absent values come last.
  @inlinable
  @inline(__always)
  public func sorted<Value: FieldValue>(
    by path: WritableKeyPath<R, Value>,
    descending: Bool = false
  ) -> Self {
    sorted(at: MemoryLayout<R>.offset(of: path), descending)
  }

  /// Sorts the records by the first line of a text, ignoring case and the marks of letters.
  ///
  /// The text is the first field of the record that is declared as searched.
  @inlinable
  @inline(__always)
  public func sorted(
    alphabeticallyBy path: WritableKeyPath<R, String>,
    descending: Bool = false
  ) -> Self {
    sorted(at: MemoryLayout<R>.offset(of: path), descending, by: .alphabetical)
  }

  /// Sorts the records manually: by their places, or their numbers where they were never moved.
  @inlinable
  @inline(__always)
  public func sorted(
    manuallyBy path: WritableKeyPath<R, ManualPlace?>,
    descending: Bool = false
  ) -> Self {
    sorted(at: MemoryLayout<R>.offset(of: path), descending, by: .manual)
  }

  @usableFromInline
  func sorted(
    at offset: Int?,
    _ isDescending: Bool,
    by rule: RecordOrder.Rule? = nil
  ) -> Self {
    let table = R._table
    guard let index = offset.flatMap({ table.index(at: $0) }) else {
      preconditionFailure("what is sorted by is no field of '\(R.kind)'")
    }
    precondition(stored.start == nil, "'sorted' comes before 'after'")
    precondition(
      rule != .alphabetical || table.all(.searched).first { _ in true } == index,
      "what is sorted by alphabetically is not the first field of '\(R.kind)' that is searched"
    )
    var result = self
    result.stored.order.append(
      RecordOrder("\(table.fields[index].name)", isDescending: isDescending, by: rule)
    )
    return result
  }

  /// Sorts the records by the first order of another query.
  package func sorted(likeFirstOf other: Self) -> Self {
    var result = self
    result.stored.order += other.stored.order.prefix(1)
    return result
  }

  /// Sorts the records by the field with a name; a text that is the first searched field alphabetically.
  package func sorted(byField name: String, descending: Bool) -> Self {
    let table = R._table
    let index = table.index(of: name)
    let isAlphabetical = index.map { index in
      table.all(.searched).first { _ in true } == index && table.fields[index].type == String.self
    }
    return sorted(
      at: index.map { table.fields[$0].offset },
      descending,
      by: isAlphabetical == true ? .alphabetical : nil
    )
  }

  /// Sorts records that are equal in the order by descending number.
  public func newestFirst() -> Self {
    precondition(stored.start == nil, "'newestFirst' comes before 'after'")
    var result = self
    result.stored.isNewestFirst = true
    return result
  }

  /// Returns a query for the first records, up to a number.
  public func first(_ count: Int) -> Self {
    var result = self
    result.stored.limit = max(0, min(count, stored.limit ?? .max))
    return result
  }

  /// Returns a query for the records after one in this order, by its state when it was read: the
  /// next part of a long list.
  public func after(_ record: Kept<R>) -> Self {
    var result = self
    result.stored.start = stored.place(of: record)
    return result
  }
}
