import EventMVVM
import EventPatterns
import GRDB
import JSONText
import SQLiteStore
import TodoModels

/// The journal of the store: one row for each todo that a transaction changed, in that transaction.
///
/// A row holds the fields that changed, before and after, as JSON; an addition has no before.
struct ChangeLog {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// The end of the log: the last revision, and whose change that is.
  struct End {
    let revision: Int
    let root: Root?
  }

  /// The end of the log; before all revisions if it is empty.
  func end() throws -> End {
    let statement = try database.cachedStatement(
      sql: "SELECT revision, session, root FROM change ORDER BY revision DESC LIMIT 1"
    )
    guard let row = try Row.fetchOne(statement) else { return End(revision: 0, root: nil) }
    return End(
      revision: row[0],
      root: Root(session: UInt64(bitPattern: row[1]), number: UInt64(bitPattern: row[2]))
    )
  }

  /// Appends a change under the revision that the todo now has, and begins a step with the first one
  /// of a root.
  ///
  /// - Parameters:
  ///   - before: The todo as it was; nil if it is new.
  ///   - after: The todo as it is.
  ///   - end: The end of the log so far.
  ///   - writer: Who has changed it.
  ///   - undone: The step that is taken back by that, if any.
  /// - Throws: The store's failure.
  func append(
    before: Todo?,
    after: Todo,
    behind end: End,
    by writer: Writer,
    undoing undone: Step? = nil
  ) throws {
    // A script has many changes, and so most of the time the step has begun.
    if end.root != writer.root {
      try StepTable(database).begin(at: after.revision, by: writer, undoing: undone)
    }
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO change (revision, todo, before, after, session, root, origin, at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    )
    try statement.execute(arguments: [
      after.revision, after.number, before.map { Self.fields(of: $0, otherThan: after) },
      Self.fields(of: after, otherThan: before), Int64(bitPattern: writer.root.session),
      Int64(bitPattern: writer.root.number), writer.origin, writer.time.milliseconds,
    ])
  }

  // MARK: Reading

  /// The changes behind a revision that other sessions made, oldest first; in one snapshot.
  ///
  /// - Parameters:
  ///   - revision: The last that is known.
  ///   - session: Whose changes are left out.
  ///   - count: How many to look at, at the most.
  /// - Returns: The changes, those of one root side by side together; the last revision that is known
  ///   now; whether that is the end of the log.
  /// - Throws: What is damaged.
  func changes(
    after revision: Int,
    besides session: UInt64,
    limit count: Int
  ) throws -> (changes: [StoreChange], last: Int, isEnd: Bool) {
    var log = TransitionLog(database, knowsIdentities: true)
    let (entries, last, isEnd) = try log.entries(after: revision, limit: count, besides: session)
    var changes: [StoreChange] = []
    for entry in entries {
      var after = entry.after
      after.revision = entry.revision
      let todo = WrittenTodo(from: entry.before, to: after)
      if changes.last?.root == entry.root {
        changes[changes.count - 1].todos.append(todo)
      } else {
        changes.append(
          StoreChange(
            root: entry.root,
            origin: entry.origin,
            time: entry.time,
            undoes: try StepTable(database).stepTakenBack(by: entry.root),
            todos: [todo]
          )
        )
      }
    }
    return (changes, last ?? revision, isEnd)
  }

  /// The todo as it was at an earlier revision of the store; nil if it was not there.
  func rewind(_ todo: Todo, to revision: Int) throws -> Todo? {
    guard todo.revision > revision else { return todo }
    let statement = try database.cachedStatement(
      sql: "SELECT before FROM change WHERE todo = ? AND revision > ? ORDER BY revision DESC"
    )
    var result = todo
    for text in try String?.fetchAll(statement, arguments: [todo.number, revision]) {
      guard let text else { return nil }
      result = try earlier(result, text)
    }
    return result
  }

  /// A todo with the fields that a change gave other values put back.
  private func earlier(_ todo: Todo, _ before: String) throws -> Todo {
    var earlier = todo
    guard let json = try? JSON(parsing: before), Self.restore(json, to: &earlier) else {
      throw StoreError(path: "", "the change log of todo #\(todo.number) is damaged")
    }
    return earlier
  }

  /// Whether the fields of a row can be read.
  func canRead(_ before: String?, _ after: String?) -> Bool {
    var scratch = Todo(uuid: UniqueID(high: 0, low: 0), createdAt: Instant(milliseconds: 0))
    guard let after else { return false }
    return [before, after].compactMap(\.self)
      .allSatisfy { text in
        guard let json = try? JSON(parsing: text) else { return false }
        return Self.restore(json, to: &scratch)
      }
  }

  // MARK: Fields

  /// The fields in which a todo differs from another, as JSON.
  private static func fields(of todo: Todo, otherThan other: Todo?) -> String {
    var json = JSONWriter()
    json.object { json in
      if !Optional(todo.title).isIdentical(to: other?.title) { json.member("title", todo.title) }
      if !todo.subtitle.isIdentical(to: other?.subtitle ?? "") {
        json.member("subtitle", todo.subtitle)
      }
      if todo.priority != other?.priority ?? .normal {
        json.member("priority", todo.priority.rawValue)
      }
      if todo.completedAt != other?.completedAt {
        json.member("completedAt", todo.completedAt?.milliseconds)
      }
      if todo.deleted != other?.deleted ?? false { json.member("deleted", todo.deleted) }
      if todo.withdrawn != other?.withdrawn ?? false { json.member("withdrawn", todo.withdrawn) }
      if todo.due != other?.due { json.member("due", todo.due?.text) }
      if !todo.tags.isIdentical(to: other?.tags ?? []) {
        json.member("tags", JSON.array(todo.tags.map { .string($0) }))
      }
      if !todo.project.isIdentical(to: other?.project) { json.member("project", todo.project) }
      if todo.place != other?.place { json.member("place", todo.place?.text) }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Puts logged fields back; false if one can't be read.
  static func restore(_ json: JSON, to todo: inout Todo) -> Bool {
    guard case .object(let members) = json else { return false }
    for member in members {
      switch (member.name, member.value) {
      case ("title", .string(let text)): todo.title = text
      case ("subtitle", .string(let text)): todo.subtitle = text
      case ("priority", .string(let text)):
        guard let priority = Priority(rawValue: text) else { return false }
        todo.priority = priority
      case ("completedAt", .null): todo.completedAt = nil
      case ("completedAt", .integer(let time)): todo.completedAt = Instant(milliseconds: time)
      case ("deleted", .bool(let flag)): todo.deleted = flag
      case ("withdrawn", .bool(let flag)): todo.withdrawn = flag
      case ("due", .null): todo.due = nil
      case ("due", .string(let text)):
        guard let due = CivilTime(text) else { return false }
        todo.due = due
      case ("tags", .array(let tags)):
        todo.tags = tags.compactMap { tag in
          guard case .string(let text) = tag else { return nil }
          return text
        }
      case ("project", .null): todo.project = nil
      case ("project", .string(let text)): todo.project = text
      case ("place", .null): todo.place = nil
      case ("place", .string(let text)):
        guard let place = TodoPlace(text: text) else { return false }
        todo.place = place
      default: return false
      }
    }
    return true
  }
}
