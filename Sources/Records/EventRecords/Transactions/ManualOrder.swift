/// A manual order (S62): computes the places of a move.
struct ManualOrder {
  private let store: any RecordReader
  private let table: RecordTable
  /// The index of the field with the places, and its name.
  private let column: (index: Int, name: String)

  /// Creates the order of a table.
  ///
  /// - Parameters:
  ///   - store: Reads the records.
  ///   - table: Their table.
  ///   - field: The field with their places.
  init(_ store: any RecordReader, _ table: RecordTable, by field: String) {
    guard let index = table.index(of: field),
      table.fields.fields[index].type == ManualPlace?.self
    else { preconditionFailure("'\(field)' has no places of a '\(table.kind)'") }
    self.store = store
    self.table = table
    column = (index, field)
  }

  /// Returns the places after a move.
  ///
  /// Two records can come to share a place: one was moved to the place of a removed record, which
  /// an undo restored. If a record moves between such two, those above it move as well.
  ///
  /// - Parameters:
  ///   - number: The record to move.
  ///   - side: The side of the other record.
  ///   - other: The other record.
  /// - Returns: Its place, and those of other records that make room; none if it is there already.
  /// - Throws: An error if it is the same record, or if there is no room, or the store's failure.
  func places(
    of number: Int,
    _ side: ManualSide,
    of other: Int
  ) throws -> [(number: Int, place: ManualPlace)] {
    guard number != other else { throw RecordError.besideItself(number) }
    let standing = try standing(other)
    let own = try self.standing(number)
    let neighbour = side == .before ? try above(standing, but: nil) : try below(standing, but: nil)
    guard neighbour != own else { return [] }
    let floor = side == .before ? standing : try below(standing, but: number)
    return try places(of: number, above: floor, beside: other)
  }

  private func places(
    of number: Int,
    above below: Standing?,
    beside other: Int
  ) throws -> [(number: Int, place: ManualPlace)] {
    var moving = [number]
    var ceiling = try above(below, but: number)
    while let next = ceiling, next.place == below?.place {
      moving.append(next.number)
      ceiling = try above(next, but: number)
    }
    var floor = below?.place
    return try moving.map { number in
      guard let place = ManualPlace.between(floor, ceiling?.place) else {
        throw RecordError.noRoom(beside: other)
      }
      floor = place
      return (number, place)
    }
  }

  // MARK: Neighbours

  /// A record's place, and its number, which decides between equal ones.
  private struct Standing: Equatable {
    let place: ManualPlace
    let number: Int

    /// Whether it is above another one.
    func isAbove(_ other: Standing) -> Bool {
      place == other.place ? number > other.number : place > other.place
    }
  }

  private func standing(_ number: Int) throws -> Standing {
    guard let row = try store.row(number, of: table) else {
      throw RecordError.notFound(number, kind: table.kind)
    }
    return try standing(row)
  }

  private func standing(_ row: any RecordRow) throws -> Standing {
    do {
      let place = try ManualPlace?(stored: row.value(column.index))
      return Standing(place: place ?? ManualPlace(number: row.number), number: row.number)
    } catch {
      let problem = FieldProblem(table.fields.fields[column.index].name, error)
      throw RecordError.damaged(row.number, kind: table.kind, problem.description)
    }
  }

  /// Returns the record right above a standing, or the last of all.
  private func above(_ standing: Standing?, but number: Int?) throws -> Standing? {
    var conditions = [RecordCondition.field(column.name, .atLeast, .text(""))]
    if let standing {
      conditions = [
        .field(column.name, .atLeast, standing.place.stored),
        .or([
          .field(column.name, .greater, standing.place.stored),
          .numbers(next(standing.number), .max),
        ]),
      ]
    }
    let moved = try first(conditions, but: number, [RecordOrder(column.name)])
    // Moved records are not sorted by number, but have to be skipped: no farther than up to the one
    // that was found among them.
    let range = RecordCondition.numbers(
      next(standing?.place.number ?? 0),
      moved?.place.number ?? .max
    )
    let unmoved = try first([.anyOf(column.name, [.null]), range], but: number)
    guard let moved, let unmoved else { return moved ?? unmoved }
    return unmoved.isAbove(moved) ? moved : unmoved
  }

  /// Returns the record right below a standing.
  private func below(_ standing: Standing, but number: Int?) throws -> Standing? {
    let place = standing.place
    let moved = try first(
      [
        .field(column.name, .atMost, place.stored),
        .or([.field(column.name, .less, place.stored), .numbers(0, standing.number - 1)]),
      ],
      but: number,
      [RecordOrder(column.name, isDescending: true)],
      isNewestFirst: true
    )
    let range = RecordCondition.numbers(
      moved?.place.number ?? 0,
      place.fraction.isEmpty ? place.number - 1 : place.number
    )
    let unmoved = try first(
      [.anyOf(column.name, [.null]), range],
      but: number,
      isNewestFirst: true
    )
    guard let moved, let unmoved else { return moved ?? unmoved }
    return unmoved.isAbove(moved) ? unmoved : moved
  }

  /// Returns the next number; a damaged store may have the greatest possible one.
  private func next(_ number: Int) -> Int { number < .max ? number + 1 : number }

  private func first(
    _ conditions: [RecordCondition],
    but number: Int?,
    _ order: [RecordOrder] = [],
    isNewestFirst: Bool = false
  ) throws -> Standing? {
    var query = RecordQuery()
    query.condition = .and(conditions + (number.map { [.not([.numbers($0, $0)])] } ?? []))
    query.order = order
    query.isNewestFirst = isNewestFirst
    query.limit = 1
    return try store.rows(query, of: table).next().map { try standing($0) }
  }
}
