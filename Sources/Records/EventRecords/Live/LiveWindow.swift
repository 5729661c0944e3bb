/// The rows of a live query, in order, maintained by the changes of the store alone.
///
/// A window of N rows knows up to 2 N of them: what is removed from it is followed by what is known behind it. The store is read again
/// when fewer than N are known and there may be others.
struct LiveWindow<R: Record> {
  private final class Row: Sendable {
    let place: RecordCursor
    let record: Kept<R>

    init(_ record: Kept<R>, _ place: RecordCursor) { (self.record, self.place) = (record, place) }
  }

  /// The query, whose references are identities.
  private let query: RecordQuery
  /// The most rows that are shown.
  private let limit: Int
  /// The most rows that are kept; nil for all.
  private let extent: Int?
  private var rows: [Row] = []
  /// The places of the rows, by their numbers.
  private var places: [Int: RecordCursor] = [:]
  /// The place up to which all rows are known; nil if these are all.
  private var end: RecordCursor?

  /// How many rows are read at once, and kept, where so many are shown; nil for all.
  static func extent(of limit: Int?) -> Int? { limit.map { 2 * min(max($0, 1), Int.max / 4) } }

  /// Creates the window of rows that were read.
  ///
  /// - Parameters:
  ///   - query: The query, whose references are identities.
  ///   - records: The rows, in order, up to as many as ``extent(of:)`` says.
  ///   - limit: How many are shown; nil for all.
  ///   - isWhole: Whether there are no others behind them.
  init(_ query: RecordQuery, _ records: [Kept<R>], limit: Int?, isWhole: Bool) {
    self.query = query
    self.limit = limit ?? .max
    extent = Self.extent(of: limit)
    rows.reserveCapacity(records.count)
    for record in records {
      let row = Row(record, query.place(of: record))
      rows.append(row)
      places[record.number] = row.place
    }
    if !isWhole { end = rows.last?.place }
  }

  /// The rows that are shown.
  var shown: [Kept<R>] { rows.prefix(limit).map(\.record) }

  /// Whether there are too few of them, while others may be behind them.
  var isShort: Bool { end != nil && rows.count < limit }

  /// Whether so many changes may leave too few rows.
  func mayBeShort(after states: [LiveState<R>]) -> Bool {
    end != nil && rows.count - states.count < limit
  }

  /// Returns the row of a record; nil if it is not asked for, or behind all that are known.
  private func row(_ record: Kept<R>) -> Row? {
    guard (try? query.condition.holds(for: record)) == true else { return nil }
    let place = query.place(of: record)
    if let start = query.start, !query.places(start, before: place) { return nil }
    if let end, query.places(end, before: place) { return nil }
    return Row(record, place)
  }

  /// The first index whose row is not before a place.
  private func index(of place: RecordCursor) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if query.places(rows[middle].place, before: place) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes the states of records after a change.
  ///
  /// - Parameter states: Each record once; nil for one that is gone.
  /// - Returns: How the shown rows differ from those before.
  mutating func take(_ states: [LiveState<R>]) -> [LiveChange<R>] {
    var news: [Row?] = []
    var isConcerned = false
    for state in states {
      let row = state.record.flatMap { self.row($0) }
      if row != nil || places[state.number] != nil { isConcerned = true }
      news.append(row)
    }
    guard isConcerned else { return [] }
    var wasShown: Set<Int> = []
    var touched: Set<Int> = []
    var isChanged = false
    let countBefore = min(limit, rows.count)
    for state in states {
      touched.insert(state.number)
      guard let place = places[state.number] else { continue }
      if index(of: place) < countBefore { wasShown.insert(state.number) }
    }
    var added: [Row] = []
    for (index, state) in states.enumerated() {
      let (number, row) = (state.number, news[index])
      let known = places[number].map { self.index(of: $0) }
      if let known, let row, rows[known].record.isShown(like: row.record) {
        touched.remove(number)
        wasShown.remove(number)
        continue
      }
      if let known {
        rows.remove(at: known)
        places[number] = nil
        isChanged = true
      }
      if let row { added.append(row) }
    }
    for row in added {
      rows.insert(row, at: index(of: row.place))
      places[row.record.number] = row.place
      isChanged = true
    }
    guard isChanged else { return [] }
    let changes = differences(touched, wasShown: wasShown, countBefore)
    if let extent, rows.count > extent {
      for row in rows[extent...] { places[row.record.number] = nil }
      rows.removeSubrange(extent...)
      end = rows.last?.place
    }
    return changes
  }

  /// How the shown rows differ from those before some were taken out and put in; the others have stayed in their order.
  private func differences(
    _ touched: Set<Int>,
    wasShown: Set<Int>,
    _ countBefore: Int
  ) -> [LiveChange<R>] {
    let countNow = min(limit, rows.count)
    var shown: [Int] = []
    for number in touched {
      guard let place = places[number] else { continue }
      let index = index(of: place)
      if index < countNow { shown.append(index) }
    }
    let isShown = Set(shown.map { rows[$0].record.number })
    var changes: [LiveChange<R>] = []
    for number in wasShown.sorted() where !isShown.contains(number) {
      changes.append(.gone(number))
    }
    // How many of the others were shown, and are: those at the end have come or gone.
    var surplus = (countNow - shown.count) - (countBefore - wasShown.count)
    var index = countNow
    while surplus < 0, index < rows.count {
      if !touched.contains(rows[index].record.number) {
        changes.append(.gone(rows[index].record.number))
        surplus += 1
      }
      index += 1
    }
    index = countNow - 1
    while surplus > 0, index >= 0 {
      if !touched.contains(rows[index].record.number) {
        shown.append(index)
        surplus -= 1
      }
      index -= 1
    }
    for index in shown.sorted() {
      changes.append(
        .row(rows[index].record, after: index == 0 ? nil : rows[index - 1].record.number)
      )
    }
    return changes
  }

  /// Returns how its shown rows differ from others.
  func differences(from others: [Kept<R>]) -> [LiveChange<R>] {
    var known: [Int: Kept<R>] = [:]
    for other in others { known[other.number] = other }
    let now = shown
    let numbers = Set(now.map(\.number))
    var changes: [LiveChange<R>] = []
    for other in others where !numbers.contains(other.number) {
      changes.append(.gone(other.number))
    }
    var previous: Int?
    for row in now {
      if known[row.number]?.isShown(like: row) != true {
        changes.append(.row(row, after: previous))
      }
      previous = row.number
    }
    return changes
  }
}

extension Kept {
  /// Whether both are the same, with the titles of what they refer to.
  fileprivate func isShown(like other: Kept) -> Bool {
    guard self == other else { return false }
    guard R._table.hasReferences else { return true }
    for field in R._table.fields where field.reference != nil {
      let (one, two) = (
        value.withFields { field.referent(of: $0) },
        other.value.withFields { field.referent(of: $0) }
      )
      guard one?.title == two?.title, one?.number == two?.number else { return false }
    }
    return true
  }
}
