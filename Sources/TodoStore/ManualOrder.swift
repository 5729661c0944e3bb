import EventPatterns
import GRDB
import TodoModels

/// The order that a person gave the list by hand (S62), as the store keeps it.
///
/// A place is stored as a text that sorts byte by byte: the number in nineteen digits, then the fraction.
/// Most todos have none, and stand at their number.
struct ManualOrder {
  /// What sorts a todo among all others, the last first; of equals, the one with the greater number is first.
  static let key = "coalesce(place, printf('%019d', number))"

  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// The places that a move gives.
  ///
  /// Two todos can come to share a place: one was moved there while another had gone, and an undo brought it
  /// back. Where one is to stand between such two, those above it move on, too.
  ///
  /// - Parameters:
  ///   - todo: Whose move it is.
  ///   - side: On which side it is to stand.
  ///   - other: Of which one.
  /// - Returns: The todo's place, and those of others that make room; none if it stands there already.
  /// - Throws: That it is the same todo, or that there is no room, or the store's failure.
  func places(
    of todo: Todo,
    _ side: TodoSide,
    of other: Todo
  ) throws -> [(number: Int, place: TodoPlace)] {
    guard todo.number != other.number else {
      throw ModelError.besideItself(number: todo.number)
    }
    let standing = Standing(other)
    let own = Standing(todo)
    let neighbour = side == .before ? try above(standing, but: nil) : try below(standing, but: nil)
    guard neighbour != own else { return [] }
    let floor = side == .before ? standing : try below(standing, but: todo.number)
    return try places(of: todo.number, above: floor, beside: other.number)
  }

  private func places(
    of number: Int,
    above below: Standing?,
    beside other: Int
  ) throws -> [(number: Int, place: TodoPlace)] {
    var moving = [number]
    var ceiling = try above(below, but: number)
    while let next = ceiling, next.place == below?.place {
      moving.append(next.number)
      ceiling = try above(next, but: number)
    }
    var floor = below?.place
    return try moving.map { number in
      guard let place = TodoPlace.between(floor, ceiling?.place) else {
        throw ModelError.noRoom(number: other)
      }
      floor = place
      return (number, place)
    }
  }

  // MARK: Neighbours

  /// A todo's place, and its number, which decides between equal ones.
  private struct Standing: Equatable {
    let place: TodoPlace
    let number: Int

    init(_ todo: Todo) {
      place = todo.standing
      number = todo.number
    }

    init(_ row: Row) throws {
      number = row[0]
      guard let text = row[1] as String? else {
        place = TodoPlace(number: number)
        return
      }
      guard let place = TodoPlace(stored: text) else {
        throw StoreError(path: "", "todo #\(number) is damaged: its place can't be read")
      }
      self.place = place
    }

    /// Whether it stands above another one.
    func isAbove(_ other: Standing) -> Bool {
      place == other.place ? number > other.number : place > other.place
    }
  }

  /// The todo right above a standing, or the last of all; deleted ones stand there, too.
  private func above(_ standing: Standing?, but number: Int?) throws -> Standing? {
    let moved = try first(
      "place >= ?1 AND (place > ?1 OR number > ?2) AND number IS NOT ?3 ORDER BY place, number",
      [standing?.place.stored ?? "", standing?.number ?? 0, number]
    )
    // Those that were moved have no place in an order by number, but have to be passed over: no farther than up to
    // the one that was found among them.
    let unmoved = try first(
      "place IS NULL AND number > ?1 AND number <= ?2 AND number IS NOT ?3 ORDER BY number",
      [standing?.place.number ?? 0, moved?.place.number ?? .max, number]
    )
    guard let moved, let unmoved else { return moved ?? unmoved }
    return unmoved.isAbove(moved) ? moved : unmoved
  }

  /// The todo right below a standing; deleted ones stand there, too.
  private func below(_ standing: Standing, but number: Int?) throws -> Standing? {
    let place = standing.place
    let moved = try first(
      "place <= ?1 AND (place < ?1 OR number < ?2) AND number IS NOT ?3 ORDER BY place DESC, number DESC",
      [place.stored, standing.number, number]
    )
    let unmoved = try first(
      "place IS NULL AND number < ?1 AND number >= ?2 AND number IS NOT ?3 ORDER BY number DESC",
      [
        place.fraction.isEmpty ? place.number : place.number + 1, moved?.place.number ?? 0, number,
      ]
    )
    guard let moved, let unmoved else { return moved ?? unmoved }
    return unmoved.isAbove(moved) ? unmoved : moved
  }

  private func first(_ condition: String, _ arguments: StatementArguments) throws -> Standing? {
    let statement = try database.cachedStatement(
      sql: "SELECT number, place FROM todo WHERE \(condition) LIMIT 1"
    )
    return try Row.fetchOne(statement, arguments: arguments).map(Standing.init)
  }
}

extension TodoPlace {
  /// Reads a place as it is stored.
  init?(stored text: String) {
    guard text.utf8.count > 19 else { return nil }
    let point = text.utf8.index(text.utf8.startIndex, offsetBy: 19)
    self.init(text: String(Substring(text.utf8[..<point])) + "." + Substring(text.utf8[point...]))
  }

  /// The place as it is stored: so that texts sort as places do.
  var stored: String {
    let digits = String(number)
    return String(repeating: "0", count: 19 - digits.count) + digits + fraction
  }
}
