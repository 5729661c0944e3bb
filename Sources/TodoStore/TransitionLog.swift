import EventMVVM
import EventPatterns
import GRDB
import JSONText
import TodoModels

/// The change log read forwards: what each todo was before a change, and after it.
///
/// A todo's first change of a part needs its state before it, which is found by going back from today; its
/// further ones follow from that. So the cost of a part grows with its changes, and once for each todo
/// with the changes of that todo since.
struct TransitionLog {
  /// A row of the log.
  struct Entry {
    let revision: Int
    let root: Root
    let origin: String
    let time: Instant
    /// Nil if the todo is new.
    let before: Todo?
    let after: Todo
  }

  private let database: Database
  /// Whether who reads wants to know which todo it is, and not only what became of it.
  private let knowsIdentities: Bool
  /// The todos of this part as far as it is read.
  private var todos: [Int: Todo] = [:]

  init(_ database: Database, knowsIdentities: Bool = false) {
    self.database = database
    self.knowsIdentities = knowsIdentities
  }

  /// The changes behind a place, whoever made them, oldest first; in one snapshot.
  mutating func part(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    if let place, try !isThere(place) { throw ModelError.noSuchPlace }
    let (entries, _, isEnd) = try entries(after: place?.revision ?? 0, limit: limit)
    return TodoTransitions(
      try entries.map(transition),
      upTo: entries.last.map { TransitionPlace($0.revision, $0.root) } ?? place,
      isLast: isEnd
    )
  }

  private func transition(_ entry: Entry) throws -> TodoTransitions.Transition {
    let transition = TodoTransitions.Transition(
      from: entry.before,
      to: entry.after,
      at: entry.time
    )
    guard transition.reversesAddition else { return transition }
    return TodoTransitions.Transition(
      from: entry.before,
      to: entry.after,
      at: entry.time,
      reversing: try addition(of: entry.after.number)
    )
  }

  /// How a todo came to be: its first change.
  private func addition(of number: Int) throws -> TodoTransitions.Addition? {
    let statement = try database.cachedStatement(
      sql: """
        SELECT revision, todo, session, root, origin, at, before, after FROM change
        WHERE todo = ? ORDER BY revision LIMIT 1
        """
    )
    guard let row = try Row.fetchOne(statement, arguments: [number]) else { return nil }
    let values = Values(row, try row.decode(Int.self, atIndex: 0))
    let time = Instant(milliseconds: try values.value(5, "time"))
    return .init(of: try changed(fresh(number, values, time), by: values), at: time)
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

  // MARK: Rows

  /// The rows behind a revision, in order.
  ///
  /// - Parameters:
  ///   - revision: The last that is known.
  ///   - limit: How many rows to look at, at the most.
  ///   - session: Whose rows are left out; nil if nobody's.
  /// - Returns: The rows, and the last that was looked at; nil where there was none left.
  /// - Throws: What is damaged.
  mutating func entries(
    after revision: Int,
    limit: Int,
    besides session: UInt64? = nil
  ) throws -> (entries: [Entry], last: Int?, isEnd: Bool) {
    let statement = try database.cachedStatement(
      sql: """
        SELECT revision, todo, session, root, origin, at, before, after FROM change
        WHERE revision > ? ORDER BY revision LIMIT ?
        """
    )
    let rows = try Row.fetchAll(statement, arguments: [revision, limit])
    var entries: [Entry] = []
    var last: Int?
    for row in rows {
      let values = Values(row, try row.decode(Int.self, atIndex: 0))
      last = values.revision
      let writer: Int64 = try values.value(2, "session")
      guard UInt64(bitPattern: writer) != session else {
        // What it has changed is found again from today, if anybody wants to know.
        todos[try values.value(1, "todo")] = nil
        continue
      }
      entries.append(try entry(values))
    }
    return (entries, last, rows.count < limit)
  }

  private mutating func entry(_ row: Values) throws -> Entry {
    let number: Int = try row.value(1, "todo")
    let session: Int64 = try row.value(2, "session")
    let root: Int64 = try row.value(3, "root")
    let time = Instant(milliseconds: try row.value(5, "time"))
    let before = row.isAddition ? nil : try todos[number] ?? todo(number, before: row)
    let after = try changed(before ?? fresh(number, row, time), by: row)
    todos[number] = after
    return Entry(
      revision: row.revision,
      root: Root(session: UInt64(bitPattern: session), number: UInt64(bitPattern: root)),
      origin: try row.value(4, "origin"),
      time: time,
      before: before,
      after: after
    )
  }

  /// A todo with what a row has given to it.
  private func changed(_ before: Todo, by row: Values) throws -> Todo {
    var after = before
    guard let json = try? JSON(parsing: row.value(7, "after") as String),
      ChangeLog.restore(json, to: &after)
    else { throw row.damage("the change log of todo #\(before.number) is damaged") }
    return after
  }

  /// A todo before anything was given to it.
  private func fresh(_ number: Int, _ row: Values, _ time: Instant) throws -> Todo {
    guard knowsIdentities else {
      return Todo(uuid: UniqueID(high: 0, low: 0), createdAt: time, number: number)
    }
    let known = try any(number, row)
    return Todo(uuid: known.uuid, createdAt: known.createdAt, number: number)
  }

  private func todo(_ number: Int, before row: Values) throws -> Todo {
    let todo = try ChangeLog(database).rewind(any(number, row), to: row.revision - 1)
    guard let todo else { throw row.damage("the change log of todo #\(number) is damaged") }
    return todo
  }

  private func any(_ number: Int, _ row: Values) throws -> Todo {
    do {
      return try TodoReader(database).any(number)
    } catch ModelError.notFound {
      throw row.damage("change \(row.revision) is damaged: there is no todo #\(number)")
    }
  }

  /// The values of a row, which may be damaged.
  private struct Values {
    let row: Row
    let revision: Int

    init(_ row: Row, _ revision: Int) {
      self.row = row
      self.revision = revision
    }

    var isAddition: Bool { row.hasNull(atIndex: 6) }

    func value<T: DatabaseValueConvertible & StatementColumnConvertible>(
      _ index: Int,
      _ column: String
    ) throws -> T {
      do { return try row.decode(T.self, atIndex: index) } catch {
        throw damage("change \(revision) is damaged: its \(column) can't be read")
      }
    }

    func damage(_ sentence: String) -> StoreError { StoreError(path: "", sentence) }
  }
}
