import EventMVVM
import GRDB
import JSONText
import TodoModels

/// A todo as a row (S34): converts both ways, and names the column that is damaged (S72).
struct TodoRecord {
  static let columns =
    "number, uuid, createdAt, title, subtitle, priority, completedAt, deleted, due, tags, project, "
    + "revision"
  /// What holds for a todo whose addition was not taken back: `deleted` is 1 for a todo that is, and 2
  /// more for one that nobody shall find.
  static let isThere = "coalesce(deleted, 0) < 2"
  /// The columns that can change, and the text that is searched.
  ///
  /// Naming the number among them would have SQLite look for its tags at each update.
  static let changingColumns =
    "title, subtitle, priority, completedAt, deleted, due, tags, project, revision, folded"

  let todo: Todo

  init(_ todo: Todo) {
    self.todo = todo
  }

  /// Reads a row of ``columns``.
  init(_ row: Row) throws {
    let number = try row.decode(Int.self, atIndex: 0)
    func damaged(_ column: String) -> StoreError {
      StoreError(path: "", "todo #\(number) is damaged: its \(column) can't be read")
    }
    func value<T: DatabaseValueConvertible & StatementColumnConvertible>(
      _ index: Int,
      _ column: String
    ) throws -> T {
      do { return try row.decode(T.self, atIndex: index) } catch { throw damaged(column) }
    }
    guard let uuid = UniqueID(try value(1, "uuid") as String) else { throw damaged("uuid") }
    var todo = Todo(
      uuid: uuid,
      createdAt: Instant(milliseconds: try value(2, "creation date")),
      number: number
    )
    todo.title = try value(3, "title")
    todo.subtitle = try value(4, "subtitle")
    switch try value(5, "priority") as Int {
    case 0: todo.priority = .normal
    case 1: todo.priority = .high
    default: throw damaged("priority")
    }
    todo.completedAt = (try value(6, "completion date") as Int64?).map(Instant.init(milliseconds:))
    let absence = try value(7, "deletion") as Int
    todo.deleted = absence & 1 != 0
    todo.withdrawn = absence & 2 != 0
    if let text = try value(8, "due date") as String? {
      guard let due = CivilTime(text) else { throw damaged("due date") }
      todo.due = due
    }
    guard let tags = Self.tags(try value(9, "list of tags")) else {
      throw damaged("list of tags")
    }
    todo.tags = tags
    todo.project = try value(10, "project")
    todo.revision = try value(11, "revision")
    self.todo = todo
  }

  /// The values of ``columns``, and the text that is searched.
  var arguments: StatementArguments {
    [todo.number == 0 ? nil : todo.number, todo.uuid.text, todo.createdAt.milliseconds]
      + changingArguments
  }

  /// The values of ``changingColumns``.
  var changingArguments: StatementArguments {
    [
      todo.title, todo.subtitle, todo.priority == .high ? 1 : 0, todo.completedAt?.milliseconds,
      (todo.deleted ? 1 : 0) | (todo.withdrawn ? 2 : 0), todo.due?.text, Self.text(of: todo.tags),
      todo.project, todo.revision,
      Self.folded(todo.title + "\n" + todo.subtitle),
    ]
  }

  /// Text as it is searched: in one case, and letters in one piece with their marks.
  static func folded(_ text: String) -> String { text.composed.lowercased() }

  private static func tags(_ text: String) -> [String]? {
    if text == "[]" { return [] }
    guard case .array(let items)? = try? JSON(parsing: text) else { return nil }
    var tags: [String] = []
    for item in items {
      guard case .string(let tag) = item else { return nil }
      tags.append(tag)
    }
    return tags
  }

  private static func text(of tags: [String]) -> String {
    tags.isEmpty ? "[]" : JSON.array(tags.map { .string($0) }).description
  }
}
