import EventMVVM
import EventPatterns
import GRDB
import SQLiteStore
import TodoModels

/// Writes todos inside a transaction: merges field by field, and keeps the change log (S71).
struct TodoWriter {
  private let database: Database
  private let reader: TodoReader
  private let log: ChangeLog
  private let writer: Writer

  init(_ database: Database, _ writer: Writer) {
    self.database = database
    reader = TodoReader(database)
    log = ChangeLog(database)
    self.writer = writer
  }

  /// Carries out the writes in order; a todo that is named twice counts once.
  func write(_ writes: [TodoWrite]) throws -> [WrittenTodo] {
    var done: Set<Int> = []
    var written: [WrittenTodo] = []
    for write in writes {
      switch write {
      case .add(let todo):
        written.append(try add(todo))
      case .change(let reference, let patch, let seen):
        let current = try reader.resolve(reference)
        guard done.insert(current.number).inserted else { continue }
        written.append(try change(current, patch, seen))
      case .move(let reference, let side, let other, let seen):
        let current = try reader.resolve(reference)
        guard done.insert(current.number).inserted else { continue }
        written += try move(current, side, of: neighbour(other), seen)
      }
    }
    return written
  }

  private func add(_ todo: Todo) throws -> WrittenTodo {
    if let known = try existing(todo.uuid) {
      return try change(known, TodoPatch(from: known, to: todo), nil)
    }
    var todo = todo
    let end = try log.end()
    todo.revision = try Revision.next(after: end.revision)
    todo.number = 0
    todo.number = try insert(todo)
    try log.append(before: nil, after: todo, behind: end, by: writer)
    return WrittenTodo(from: nil, to: todo)
  }

  /// Stores a todo as another process has left it: under its number and its revision.
  ///
  /// A change that is in the log already is left alone.
  ///
  /// - Parameters:
  ///   - todo: The todo.
  ///   - undone: The number of the step that was taken back by that, if any.
  /// - Throws: The store's failure.
  func adopt(_ todo: Todo, undoing undone: Int?) throws {
    let end = try log.end()
    guard todo.revision > end.revision else { return }
    // No store has a gap between its revisions: this is no change of the one that was recorded.
    guard todo.revision - 1 == end.revision else {
      throw StoreError(path: "", "a change has revision \(todo.revision) behind \(end.revision)")
    }
    let steps = StepTable(database)
    let step = try undone.flatMap { try steps.step($0) }
    if let step, end.root != writer.root { try steps.takeBack(step) }
    let known = try existing(todo.uuid)
    if let known {
      try update(todo, from: known)
    } else {
      _ = try insert(todo)
    }
    try log.append(before: known, after: todo, behind: end, by: writer, undoing: step)
  }

  /// Stores a new todo, under its number if it has one.
  private func insert(_ todo: Todo) throws -> Int {
    try database.cachedStatement(
      sql: """
        INSERT INTO todo (\(TodoRecord.columns), folded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    )
    .execute(arguments: TodoRecord(todo).arguments)
    let number = Int(database.lastInsertedRowID)
    try addTags(todo.tags, to: number)
    return number
  }

  private func existing(_ uuid: UniqueID) throws -> Todo? {
    let statement = try database.cachedStatement(sql: "SELECT number FROM todo WHERE uuid = ?")
    guard let number = try Int.fetchOne(statement, arguments: [uuid.text]) else { return nil }
    return try reader.any(number)
  }

  private func change(_ current: Todo, _ patch: TodoPatch, _ seen: Int?) throws -> WrittenTodo {
    guard !current.deleted || patch.deleted == false || patch.withdrawn == false else {
      throw ModelError.deleted(number: current.number)
    }
    let base = try seen.map { try self.seen(current, at: $0) } ?? current
    if let conflict = patch.conflict(seen: base, current: current) {
      throw ModelError.conflict(number: current.number, conflict)
    }
    var changed = patch.applied(to: current, seen: base)
    guard changed.tags.count <= max(Todo.mostTags, current.tags.count) else {
      throw ModelError.tooManyTags(number: current.number, count: changed.tags.count)
    }
    guard changed != current else { return WrittenTodo(current, nil) }
    try replace(current, with: &changed)
    return WrittenTodo(from: current, to: changed)
  }

  /// The todo as somebody saw it at a revision.
  private func seen(_ current: Todo, at revision: Int) throws -> Todo {
    let base = try log.rewind(current, to: revision)
    // What has changed since lies before the end of the log.
    let isReached = try revision <= current.revision || revision <= log.end().revision
    guard let base, isReached else {
      throw ModelError.unseen(number: current.number, revision: revision)
    }
    return base
  }

  private func neighbour(_ reference: TodoReference) throws -> Todo {
    do {
      return try reader.resolve(reference)
    } catch let error as ModelError {
      throw ModelError.beside(error)
    }
  }

  /// Moves a todo; those that share the place that is to be below it make room.
  private func move(
    _ todo: Todo,
    _ side: TodoSide,
    of other: Todo,
    _ seen: Int?
  ) throws -> [WrittenTodo] {
    let places = try ManualOrder(database).places(of: todo, side, of: other)
    guard let own = places.first else { return [try change(todo, TodoPatch(), seen)] }
    var patch = TodoPatch()
    patch.place = .set(own.place)
    return try [change(todo, patch, seen)]
      + places.dropFirst()
      .map { number, place in
        let current = try reader.any(number)
        var moved = current
        moved.place = place
        try replace(current, with: &moved)
        return WrittenTodo(from: current, to: moved)
      }
  }

  /// Stores a todo that differs from what is stored, and gives it its new revision.
  ///
  /// - Parameters:
  ///   - current: The todo as it is stored.
  ///   - changed: The todo as it shall be.
  ///   - undone: The step that is taken back by that, if any.
  /// - Throws: The store's failure.
  func replace(_ current: Todo, with changed: inout Todo, undoing undone: Step? = nil) throws {
    let end = try log.end()
    changed.revision = try Revision.next(after: end.revision)
    try update(changed, from: current)
    try log.append(before: current, after: changed, behind: end, by: writer, undoing: undone)
  }

  private func update(_ todo: Todo, from old: Todo) throws {
    try database.cachedStatement(
      sql: """
        UPDATE todo SET (\(TodoRecord.changingColumns)) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        WHERE number = ?
        """
    )
    .execute(arguments: TodoRecord(todo).changingArguments + [todo.number])
    try addTags(todo.tags.filter { !old.tags.containsText($0) }, to: todo.number)
    for tag in old.tags where !todo.tags.containsText(tag) {
      try database.cachedStatement(sql: "DELETE FROM tag WHERE name = ? AND todo = ?")
        .execute(arguments: [tag, todo.number])
    }
  }

  private func addTags(_ tags: [String], to number: Int) throws {
    for tag in tags {
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO tag (name, todo) VALUES (?, ?)")
        .execute(arguments: [tag, number])
    }
  }
}
