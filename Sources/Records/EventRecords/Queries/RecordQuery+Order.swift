import JSONText

// The order of a query, as engines sort by it.

extension RecordQuery {
  /// Returns the place of a record in this order; a value that can't be stored counts as absent.
  func place<R: Record>(of record: Kept<R>) -> RecordCursor {
    let table = R._table
    return record.value.withFields { fields in
      var values: [StoredValue] = []
      for order in order {
        let value = table.index(of: order.field).flatMap { try? table.compared($0, of: fields) }
        values.append(order.key(value ?? .null, record.number))
      }
      return RecordCursor(values, number: record.number)
    }
  }

  /// Returns the place of a stored record in this order.
  ///
  /// - Parameters:
  ///   - row: The record.
  ///   - table: The table of its kind.
  /// - Returns: The place.
  /// - Throws: The store's failure.
  func place(of row: any RecordRow, in table: RecordTable) throws -> RecordCursor {
    var values: [StoredValue] = []
    for order in order {
      guard let index = table.index(of: order.field) else {
        values.append(.null)
        continue
      }
      var value = try row.value(index)
      let type = table.fields.fields[index].type
      if case .text(let text) = value {
        for former in type._formerNames where former.name.isIdentical(to: text) {
          value = .text(former.value)
        }
      }
      values.append(order.key(value.compared(by: type._ranks), row.number))
    }
    return RecordCursor(values, number: row.number)
  }

  /// Whether one place comes before another; absent values come last.
  func places(_ first: RecordCursor, before second: RecordCursor) -> Bool {
    for index in order.indices {
      let order = order[index]
      switch (first.values[index], second.values[index]) {
      case (.null, .null): continue
      case (.null, _): return false
      case (_, .null): return true
      case (let one, let other):
        guard let difference = one.order(to: other), difference != 0 else { continue }
        return order.isDescending ? difference > 0 : difference < 0
      }
    }
    return numbersDescend ? first.number > second.number : first.number < second.number
  }
}
