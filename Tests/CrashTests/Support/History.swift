import Foundation

/// All that ever happened to a store, in order.
///
/// What is found in the store must be a beginning of it:
/// whole steps, none missing, and the todos exactly as those steps leave them.
struct History {
  private(set) var changes: [Contents.Change] = []
  /// By revision: the todo as that change left it, and the revision that changed it next.
  private var versions: [Int: (todo: Contents.Todo, next: Int?)] = [:]
  private var latest: [Int: Int] = [:]

  init() {}

  init(_ changes: [Contents.Change]) throws {
    for change in changes { try append(change) }
  }

  /// The newest revision; 0 if nothing has happened.
  var newest: Int { changes.last?.revision ?? 0 }

  /// The todos that are there, by number.
  var todos: [Contents.Todo] {
    latest.sorted { $0.key < $1.key }.compactMap { versions[$0.value]?.todo }
      .filter { !$0.isRemoved }
  }

  mutating func append(_ change: Contents.Change) throws {
    var todo = Contents.Todo(revision: change.revision, number: change.todo)
    if let last = latest[change.todo], let old = versions[last]?.todo {
      // One that comes back has all of its fields in the log.
      if !old.isRemoved {
        todo.title = old.title
        todo.subtitle = old.subtitle
        todo.completedAt = old.completedAt
        todo.isDeleted = old.isDeleted
        todo.tags = old.tags
      }
      versions[last]?.next = change.revision
    }
    todo.isRemoved = change.after.isEmpty
    let text = change.after.isEmpty ? "{}" : change.after
    let fields = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    for (name, value) in fields ?? [:] {
      switch name {
      case "title": todo.title = "\(value)"
      case "subtitle": todo.subtitle = "\(value)"
      case "completedAt": todo.completedAt = value is NSNull ? "" : "\(value)"
      case "deleted": todo.isDeleted = value as? Bool ?? false
      case "tags": todo.tags = Self.json(value as? [String] ?? [])
      default: break
      }
    }
    changes.append(change)
    versions[change.revision] = (todo, nil)
    latest[change.todo] = change.revision
  }

  /// Tags of these tests need no escapes.
  private static func json(_ tags: [String]) -> String {
    "[" + tags.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }

  /// What is wrong with a store that must hold a beginning of this history, up to the newest
  /// revision that somebody was told of or further.
  func problems(of contents: Contents, acknowledged: Int) -> [String] {
    if !contents.damages.isEmpty { return contents.damages.map { "DAMAGED: \($0)" } }
    var problems: [String] = []
    let count = contents.changes.count
    let last = contents.changes.last?.revision ?? 0
    if last < acknowledged {
      problems.append("LOST: revision \(acknowledged) was acknowledged, it ends with \(last)")
    }
    guard contents.changes[...] == changes.prefix(count) else {
      return problems + ["the change log is no beginning of what happened"]
    }
    if count > 0, count < changes.count, changes[count].step == changes[count - 1].step {
      problems.append("TORN: it ends with \(last), inside of a step")
    }
    for todo in contents.todos {
      guard let version = versions[todo.revision], version.todo == todo else {
        problems.append("todo #\(todo.number) is not as revision \(todo.revision) left it")
        continue
      }
      if let next = version.next, next <= last {
        problems.append("todo #\(todo.number) lacks revision \(next)")
      }
    }
    let latest = Dictionary(contents.changes.map { ($0.todo, $0) }) { $1 }.values
    if contents.todos.count != latest.count(where: { !$0.after.isEmpty }) {
      problems.append("todos are missing that the change log has")
    }
    if let rung = contents.rung, rung > last {
      problems.append("AHEAD: the bell says \(rung), the store ends with \(last)")
    }
    return problems
  }
}
