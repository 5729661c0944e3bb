import EventMVVM
import EventPatterns
import GRDB
import JSONText
import TodoModels

/// A todo as a row (S34): converts both ways, and names the column that is damaged (S72).
struct TodoRecord {
  static let columns =
    "number, uuid, createdAt, title, subtitle, priority, completedAt, deleted, due, tags, project, "
    + "revision, place"
  /// What holds for a todo whose addition was not taken back: `deleted` is 1 for a todo that is, and 2
  /// more for one that nobody shall find.
  static let isThere = "coalesce(deleted, 0) < 2"
  /// The columns that can change, and the text that is searched.
  ///
  /// Naming the number among them would have SQLite look for its tags at each update.
  static let changingColumns =
    "title, subtitle, priority, completedAt, deleted, due, tags, project, revision, place, folded"

  let todo: Todo

  init(_ todo: Todo) {
    self.todo = todo
  }

  /// Reads a row of ``columns``, which a statement has come to.
  init(_ row: TodoColumns) throws(StoreError) {
    func text(_ column: Int32, _ name: String) throws(StoreError) -> String {
      try row.value(try row.text(column, name), name)
    }
    func integer(_ column: Int32, _ name: String) throws(StoreError) -> Int64 {
      try row.value(try row.integer(column, name), name)
    }
    let uuid = UniqueID(try text(1, "uuid"))
    var todo = Todo(
      uuid: try row.value(uuid, "uuid"),
      createdAt: Instant(milliseconds: try integer(2, "creation date")),
      number: row.number
    )
    todo.title = try text(3, "title")
    todo.subtitle = try text(4, "subtitle")
    todo.priority = try row.value(Self.priority(try integer(5, "priority")), "priority")
    todo.completedAt = try row.integer(6, "completion date").map(Instant.init(milliseconds:))
    let absence = try integer(7, "deletion")
    todo.deleted = absence & 1 != 0
    todo.withdrawn = absence & 2 != 0
    if let due = try row.text(8, "due date") {
      todo.due = try row.value(CivilTime(due), "due date")
    }
    todo.tags = try row.value(Self.tags(try text(9, "list of tags")), "list of tags")
    todo.project = try row.text(10, "project")
    todo.revision = Int(try integer(11, "revision"))
    if let place = try row.text(12, "place") {
      todo.place = try row.value(TodoPlace(stored: place), "place")
    }
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
      todo.project, todo.revision, todo.place?.stored,
      Self.folded(todo.title + "\n" + todo.subtitle),
    ]
  }

  /// Text as it is searched: in one case, and letters in one piece with their marks.
  static func folded(_ text: String) -> String { text.searchForm }

  private static func priority(_ number: Int64) -> Priority? {
    switch number {
    case 0: .normal
    case 1: .high
    default: nil
    }
  }

  private static func tags(_ text: String) -> [String]? {
    if text == "[]" { return [] }
    if let tags = plainTags(text) { return tags }
    guard case .array(let items)? = try? JSON(parsing: text) else { return nil }
    var tags: [String] = []
    for item in items {
      guard case .string(let tag) = item else { return nil }
      tags.append(tag)
    }
    return tags
  }

  /// The tags if none of them is written with an escape, as hardly any is; to parse one takes ten times as long.
  private static func plainTags(_ text: String) -> [String]? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> [String]? in
      guard bytes.count > 4, bytes.starts(with: #"[""#.utf8) else { return nil }
      var tags: [String] = []
      var start = 2
      for index in 2..<bytes.count {
        switch bytes[index] {
        case ..<0x20, UInt8(ascii: "\\"): return nil
        case UInt8(ascii: "\""):
          // Here a tag ends. Behind it there is another, or the end of the list.
          guard index >= start else { continue }
          tags.append(String(decoding: bytes[start..<index], as: UTF8.self))
          let rest = bytes[(index + 1)...]
          if rest.elementsEqual("]".utf8) { return tags }
          guard rest.starts(with: #",""#.utf8) else { return nil }
          start = index + 3
        default: break
        }
      }
      return nil
    } ?? nil
  }

  private static func text(of tags: [String]) -> String {
    tags.isEmpty ? "[]" : JSON.array(tags.map { .string($0) }).description
  }
}
