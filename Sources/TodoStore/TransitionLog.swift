import EventMVVM
import GRDB
import JSONText
import TodoModels

/// The change log read forwards: what each todo was before a change, and after it.
struct TransitionLog {
  private let database: Database
  /// The todos of this part as far as it is read.
  private var todos: [Int: Todo] = [:]

  init(_ database: Database) {
    self.database = database
  }

  /// The changes behind a revision, whoever made them, oldest first; in one snapshot.
  ///
  /// A todo's first change of the part needs its state before it, which is found by going back from
  /// today; its further ones follow from that.
  mutating func part(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    if let place, try !isThere(place) { throw ModelError.noSuchPlace }
    let statement = try database.cachedStatement(
      sql: """
        SELECT revision, todo, before, after, at, session, root FROM change
        WHERE revision > ? ORDER BY revision LIMIT ?
        """
    )
    let rows = try Row.fetchCursor(statement, arguments: [place?.revision ?? 0, limit])
    var transitions: [TodoTransitions.Transition] = []
    var last = place
    while let row = try rows.next() {
      let revision: Int = try value(row, 0, of: last?.revision ?? 0)
      last = TransitionPlace(revision, try root(row, revision))
      transitions.append(try transition(row, revision))
    }
    return TodoTransitions(transitions, upTo: last, isLast: transitions.count < limit)
  }

  private func isThere(_ place: TransitionPlace) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: "SELECT 1 FROM change WHERE revision = ? AND session = ? AND root = ?"
    )
    let arguments: StatementArguments = [
      place.revision, Int64(bitPattern: place.root.session), Int64(bitPattern: place.root.number),
    ]
    return try Row.fetchOne(statement, arguments: arguments) != nil
  }

  private func root(_ row: Row, _ revision: Int) throws -> Root {
    let session: Int64 = try value(row, 5, of: revision)
    let number: Int64 = try value(row, 6, of: revision)
    return Root(session: UInt64(bitPattern: session), number: UInt64(bitPattern: number))
  }

  private mutating func transition(
    _ row: Row,
    _ revision: Int
  ) throws -> TodoTransitions.Transition {
    let number: Int = try value(row, 1, of: revision)
    let isAddition = row.hasNull(atIndex: 2)
    let time = Instant(milliseconds: try value(row, 4, of: revision))
    let before = isAddition ? nil : try todos[number] ?? todo(number, before: revision)
    var after = before ?? Todo(uuid: UniqueID(high: 0, low: 0), createdAt: time, number: number)
    let fields: String = try value(row, 3, of: revision)
    guard let json = try? JSON(parsing: fields), ChangeLog.restore(json, to: &after) else {
      throw damage(revision)
    }
    todos[number] = after
    return .init(from: before, to: after, at: time)
  }

  private func todo(_ number: Int, before revision: Int) throws -> Todo {
    do {
      return try ChangeLog(database).rewind(TodoReader(database).any(number), to: revision - 1)
    } catch ModelError.notFound {
      throw StoreError(path: "", "change \(revision) is damaged: there is no todo #\(number)")
    }
  }

  private func value<T: DatabaseValueConvertible & StatementColumnConvertible>(
    _ row: Row,
    _ index: Int,
    of revision: Int
  ) throws -> T {
    do { return try row.decode(T.self, atIndex: index) } catch { throw damage(revision) }
  }

  private func damage(_ revision: Int) -> StoreError {
    StoreError(path: "", "change \(revision) is damaged: it can't be read")
  }
}
