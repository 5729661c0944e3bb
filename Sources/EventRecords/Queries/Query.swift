/// Which records of a type are asked for, in what order, and how many.
///
/// ```swift
/// Query<Reading>().where(.equals(\.batch, "A7")).sorted(by: \.due).first(10)
/// ```
///
/// Unless told, it is all of them by their numbers. Where records are equal in what they are sorted by, the one with the
/// smaller number comes first, or the last if the last order is descending.
public struct Query<R: Record>: Sendable, Equatable, Codable {
  /// The query as engines take it.
  public private(set) var stored = RecordQuery()

  /// All records.
  public init() {}

  /// Those of them for which this holds, too.
  public func `where`(_ condition: Condition<R>) -> Self {
    var result = self
    switch stored.condition {
    case .all: result.stored.condition = condition.stored
    case let known: result.stored.condition = .and([known, condition.stored])
    }
    return result
  }

  /// Those of them whose number is between these, or one of them.
  public func numbered(_ range: ClosedRange<Int>) -> Self {
    var result = self
    let condition = RecordCondition.numbers(range.lowerBound, range.upperBound)
    result.stored.condition =
      stored.condition == .all ? condition : .and([stored.condition, condition])
    return result
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

  @usableFromInline
  func sorted(at offset: Int?, _ isDescending: Bool) -> Self {
    guard let index = offset.flatMap({ R._table.index(at: $0) }) else {
      preconditionFailure("what is sorted by is no field of '\(R.kind)'")
    }
    precondition(stored.start == nil, "'sorted' comes before 'after'")
    var result = self
    result.stored.order.append(
      RecordOrder("\(R._table.fields[index].name)", isDescending: isDescending)
    )
    return result
  }

  /// The first of them, at most so many.
  public func first(_ count: Int) -> Self {
    var result = self
    result.stored.limit = max(0, min(count, stored.limit ?? .max))
    return result
  }

  /// Those that come behind a record in this order, as it was when it was read: the next part of a long list.
  public func after(_ record: Kept<R>) -> Self {
    let values = stored.order.map { order in
      let table = R._table
      return record.value.withFields { record in
        table.index(of: order.field).flatMap { try? table.stored($0, of: record) } ?? .null
      }
    }
    var result = self
    result.stored.start = RecordCursor(values, number: record.number)
    return result
  }
}
