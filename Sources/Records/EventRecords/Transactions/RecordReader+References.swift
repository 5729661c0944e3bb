import EventMVVM

extension RecordReader {
  /// Returns the number of a referenced record; a number is not looked up.
  ///
  /// - Throws: An error if there is none, or if there are several.
  func number(_ reference: RecordReference, of table: RecordTable) throws -> Int {
    let prefix: String
    switch reference {
    case .number(let number): return number
    case .identity(let text): prefix = text
    // Commands with one record refuse a range when they are read, and the server replaces names.
    case .numbers, .last, .named: throw RecordError.unknown(reference, kind: table.kind)
    }
    let numbers = try numbers(prefix, of: table, limit: 6)
    guard let number = numbers.first else {
      throw RecordError.unknown(reference, kind: table.kind)
    }
    guard numbers.count == 1 else {
      throw RecordError.ambiguous(reference, kind: table.kind, numbers)
    }
    return number
  }

  /// Returns the numbers of the referenced records: of a range, those that exist and meet a condition.
  ///
  /// - Throws: An error if there is none.
  func numbers(
    _ reference: RecordReference,
    of table: RecordTable,
    among condition: RecordCondition? = nil
  ) throws -> [Int] {
    guard case .numbers(let range) = reference else { return [try number(reference, of: table)] }
    var query = RecordQuery()
    let numbered = RecordCondition.numbers(range.lowerBound, range.upperBound)
    query.condition = condition.map { .and([numbered, $0]) } ?? numbered
    let numbers = try rows(query, of: table).all { $0.number }
    guard numbers.isEmpty else { return numbers }
    let others = condition == nil ? [] : try self.numbers(reference, of: table)
    throw others.isEmpty
      ? RecordError.unknown(reference, kind: table.kind)
      : RecordError.unfit(reference, kind: table.kind)
  }

  /// Returns the numbers of the records whose UUID has a prefix.
  func numbers(_ prefix: String, of table: RecordTable, limit: Int) throws -> [Int] {
    try rows(beginning: prefix, of: table, limit: limit)?.all { $0.number } ?? []
  }

  /// Returns the records whose UUID has a prefix, by their UUIDs; nil if the kind has none.
  func rows(
    beginning prefix: String,
    of table: RecordTable,
    limit: Int,
    _ condition: RecordCondition = .all
  ) throws -> (any RecordRows)? {
    guard let index = table.fields.identity else { return nil }
    let name = table.column(index).name
    var query = RecordQuery()
    // No digit and no hyphen sorts after a 'g'.
    query.condition = .and(
      [
        .field(name, .atLeast, .text(prefix)), .field(name, .less, .text(prefix + "g")),
      ] + (condition == .all ? [] : [condition])
    )
    query.order = [RecordOrder(name)]
    query.limit = limit
    return try rows(query, of: table)
  }
}

extension RecordRows {
  /// Returns the value of the body for each row.
  func all<T>(_ body: (any RecordRow) throws -> T) throws -> [T] {
    var all: [T] = []
    while let row = try next() { all.append(try body(row)) }
    return all
  }
}

extension Record {
  /// Returns the record with an identity, if its kind has one and it has none yet.
  func identified(_ make: () -> UniqueID) -> Self {
    guard let index = Self._table.identity else { return self }
    var record = self
    let offset = Self._table.fields[index].offset
    record.withMutableFields {
      let identity = ($0 + offset).assumingMemoryBound(to: UniqueID.self)
      if identity.pointee == .none { identity.pointee = make() }
    }
    return record
  }
}

extension Array {
  /// Returns the writes, each new record with an identity if its kind has one.
  func identified<R: Record>(_ make: () -> UniqueID) -> Self where Element == RecordWrite<R> {
    guard R._table.identity != nil else { return self }
    return map { write in
      switch write {
      case .add(let value): .add(value.identified(make))
      case .upsert(let value): .upsert(value.identified(make))
      case .addOnce(let value, let field): .addOnce(value.identified(make), by: field)
      default: write
      }
    }
  }
}

extension Array where Element: Hashable {
  /// The elements in order, each once.
  package var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
