/// Which records of a type are asked for, in what order, and how many.
///
/// ```swift
/// Query<Reading>().where(.equals(\.batch, "A7")).sorted(by: \.due).first(10)
/// ```
///
/// By default it is all of them by their numbers. Where records are equal in what they are sorted
/// by, the one with the smaller number comes first, or the last if the last order is descending or
/// ``newestFirst()`` says so.
public struct Query<R: Record>: Sendable, Equatable, Codable {
  /// The query as engines take it.
  public private(set) var stored = RecordQuery()

  /// All records.
  public init() {}

  /// Those of them for which this holds, too.
  public func `where`(_ condition: Condition<R>) -> Self {
    restricted(to: condition.stored)
  }

  private func restricted(to condition: RecordCondition) -> Self {
    var result = self
    switch stored.condition {
    case .all: result.stored.condition = condition
    // No database takes conditions nested without end.
    case .and(let known): result.stored.condition = .and(known + [condition])
    case let known: result.stored.condition = .and([known, condition])
    }
    return result
  }

  /// Those of them whose number is between these, or one of them.
  public func numbered(_ range: ClosedRange<Int>) -> Self {
    restricted(to: .numbers(range.lowerBound, range.upperBound))
  }

  /// Sorts them, or those that are equal in the orders before; what is absent comes last.
  @inlinable
  @inline(__always)
  public func sorted<Value: FieldValue>(
    by path: WritableKeyPath<R, Value>,
    descending: Bool = false
  ) -> Self {
    sorted(at: MemoryLayout<R>.offset(of: path), descending)
  }

  /// Sorts them by the first line of a text, ignoring case and the spelling of characters.
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

  /// Sorts them by hand: by their places, where a record that was never moved has its number.
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

  /// Of those that are equal in what they are sorted by, the one with the greatest number comes
  /// first.
  public func newestFirst() -> Self {
    precondition(stored.start == nil, "'newestFirst' comes before 'after'")
    var result = self
    result.stored.isNewestFirst = true
    return result
  }

  /// The first of them, at most so many.
  public func first(_ count: Int) -> Self {
    var result = self
    result.stored.limit = max(0, min(count, stored.limit ?? .max))
    return result
  }

  /// Those that follow a record in this order, as it was when it was read: the next part of a long
  /// list.
  public func after(_ record: Kept<R>) -> Self {
    let values = stored.order.map { order in
      let table = R._table
      let value = record.value.withFields { record in
        table.index(of: order.field).flatMap { try? table.stored($0, of: record) } ?? .null
      }
      return order.key(value, record.number)
    }
    var result = self
    result.stored.start = RecordCursor(values, number: record.number)
    return result
  }
}
