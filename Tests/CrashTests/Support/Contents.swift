import Foundation

/// What a store holds, read through SQLite alone.
struct Contents {
  /// A row of the change log.
  struct Change: Equatable {
    let revision: Int
    let todo: Int
    /// The step that it is a part of: a one-shot, a script, a line of a stream.
    let step: String
    /// The fields that changed, as JSON; empty where the todo was removed, as by an undo of its
    /// addition.
    let after: String
  }

  /// A row of the table of steps.
  struct Step: Equatable {
    enum Kind: Int {
      case change, undo, redo
    }

    let number: Int
    /// As its changes name it.
    let name: String
    let kind: Kind?
    /// The number of the step that it took back.
    let undoes: Int?
    var isUndone: Bool
  }

  /// A todo as it is stored.
  struct Todo: Equatable {
    let revision: Int
    let number: Int
    var title = ""
    var subtitle = ""
    var completedAt = ""
    var isDeleted = false
    /// Whether it was removed; then it has no row.
    var isRemoved = false
    /// As JSON.
    var tags = "[]"
  }

  var changes: [Change] = []
  var todos: [Todo] = []
  var steps: [Step] = []
  /// What SQLite finds wrong with the file, and what does not fit together.
  var damages: [String] = []
  /// The revision that the bell beside the store says has been reached; nil if it says none.
  var rung: Int?

  init(changes: [Change], todos: [Todo], steps: [Step] = []) {
    self.changes = changes
    self.todos = todos
    self.steps = steps
  }

  /// Reads a store; one that is not there yet, or has no schema, holds nothing.
  ///
  /// After a restart means: a copy of it, made without the memory that processes share. Else it is
  /// read in its place, where other processes may have it open.
  init(_ store: String, afterRestart: Bool) throws {
    if let bell = try? readBytes(store + "-bell") {
      rung = Int(
        String(decoding: bell, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      )
    }
    guard FileManager.default.fileExists(atPath: store) else { return }
    guard afterRestart else {
      try read(store)
      return
    }
    let copy = try Folder("copy")
    for suffix in ["", "-wal", "-journal"] {
      guard let bytes = try? readBytes(store + suffix) else { continue }
      try writeBytes(bytes, to: copy / "todos.sqlite\(suffix)")
    }
    try read(copy / "todos.sqlite")
  }

  /// Reads it; that SQLite can't is a damage, too.
  private mutating func read(_ path: String) throws {
    do {
      try read(try Database(path))
    } catch let error as Database.Failed {
      damages.append("\(error)")
    }
  }

  private mutating func read(_ database: Database) throws {
    _ = try database.rows("BEGIN")
    damages = try database.rows("PRAGMA integrity_check").map { $0[0] }.filter { $0 != "ok" }
    let tables = try database.rows(
      "SELECT name FROM sqlite_schema WHERE name IN ('record_todo', 'change', 'record_todo.tags')"
    )
    guard damages.isEmpty, !tables.isEmpty else { return }
    changes =
      try database.rows("SELECT revision, record, session, root, after FROM change ORDER BY 1")
      .map {
        Change(
          revision: number($0[0]),
          todo: number($0[1]),
          step: "\($0[2]).\($0[3])",
          after: $0[4]
        )
      }
    todos =
      try database.rows(
        """
        SELECT _revision, _number, title, subtitle,
          strftime('%Y-%m-%dT%H:%M:%fZ', completedAt / 1000.0, 'unixepoch'), deleted, tags
        FROM record_todo ORDER BY 2
        """
      )
      .map {
        Todo(
          revision: number($0[0]),
          number: number($0[1]),
          title: $0[2],
          subtitle: $0[3],
          completedAt: $0[4],
          isDeleted: $0[5] != "0",
          tags: $0[6]
        )
      }
    steps =
      try database.rows(
        "SELECT number, session, root, kind, undoes, isTakenBack FROM step ORDER BY 1"
      )
      .map {
        Step(
          number: number($0[0]),
          name: "\($0[1]).\($0[2])",
          kind: Step.Kind(rawValue: number($0[3])),
          undoes: Int($0[4]),
          isUndone: $0[5] != "0"
        )
      }
    let tags = "SELECT value, _number FROM record_todo, json_each(tags)"
    let kept = "SELECT name, number FROM \"record_todo.tags\""
    let odd = try database.rows(
      "SELECT * FROM (\(tags) EXCEPT \(kept)) UNION \(kept) EXCEPT \(tags)"
    )
    if !odd.isEmpty {
      damages.append("the tags are not those of the todos")
    }
  }
}

/// A number that a column of whole numbers gave.
private func number(_ text: String) -> Int { Int(text) ?? -1 }
