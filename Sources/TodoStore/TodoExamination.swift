import EventMVVM
import EventPatterns
import GRDB
import JSONText
import SQLiteStore
import TodoModels

/// Looks through todos and the change log for what is lost or damaged.
struct TodoExamination {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// What there is to say.
  func findings() throws -> [StoreReport.Finding] { try todos() + changes() }

  private func todos() throws -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    var count = 0
    let tags = try tagsByTodo()
    let statement = try database.makeStatement(sql: "SELECT \(TodoRecord.columns) FROM todo")
    let todos = try FoundTodos(statement, [])
    while true {
      do {
        guard let todo = try todos.next() else { break }
        count += 1
        guard Set(todo.tags) == tags[todo.number] ?? [] else {
          findings.append(.init(.error, "todo #\(todo.number) is not found by all of its tags"))
          continue
        }
      } catch let error as StoreError {
        count += 1
        findings.append(.init(.error, error.cause))
      }
    }
    return [.init(.ok, "\(count) todos, the deleted included")] + findings.shortened
  }

  private func tagsByTodo() throws -> [Int: Set<String>] {
    var tags: [Int: Set<String>] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT todo, name FROM tag")
    while let row = try rows.next() {
      guard let todo = row[0] as Int?, let name = row[1] as String? else { continue }
      tags[todo, default: []].insert(name)
    }
    return tags
  }

  private func changes() throws -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    let log = ChangeLog(database)
    var count = 0
    let rows = try Row.fetchCursor(database, sql: "SELECT revision, before, after FROM change")
    while let row = try rows.next() {
      count += 1
      guard !log.canRead(row[1], row[2]) else { continue }
      findings.append(.init(.error, "change \(row[0] as Int) can't be read"))
    }
    let strays = try Int.fetchAll(
      database,
      sql: """
        SELECT number FROM todo WHERE revision IS NOT
          (SELECT max(revision) FROM change WHERE change.todo = todo.number)
        """
    )
    findings += strays.map { .init(.error, "todo #\($0) does not have its last change's revision") }
    return [.init(.ok, "\(count) changes in the log")] + findings.shortened
  }
}
