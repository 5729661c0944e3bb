import EventMVVM
import Foundation
import EventPatterns
import GRDB
import JSONText
import SQLiteStore
import TodoModels

/// Looks through a store for what is lost or damaged; changes nothing.
struct StoreExamination {
  private let opener: StoreOpener
  private var path: String { opener.file.path }

  init(_ opener: StoreOpener) {
    self.opener = opener
  }

  /// What there is to say about it.
  ///
  /// - Throws: Why it can't even be opened.
  func report() throws -> StoreReport {
    var findings: [StoreReport.Finding] = []
    let (target, _) = try opener.file.locate()
    if let connection = try opener.openToRead(demandingAll: false) {
      findings += try connection.queue.inDatabase { try contents($0, target) }
      findings += files(target)
    } else {
      findings.append(.init(.ok, "there is no store yet; the first todo makes it"))
    }
    return StoreReport(path: path, findings: findings)
  }

  // MARK: Contents

  private func contents(_ database: Database, _ target: String) throws -> [StoreReport.Finding] {
    var findings = [
      StoreReport.Finding(
        .ok,
        "SQLite \(Database.sqliteLibVersionNumber.versionText), schema \(opener.migrations.newest)"
      )
    ]
    let pages = try pageProblems(database)
    findings += pages.map { .init(.error, $0) }
    guard pages.isEmpty else {
      return findings + [.init(.error, "the file is damaged; restore it from a backup")]
    }
    findings.append(.init(.ok, "every page and every index fits"))
    findings += try todos(database)
    findings += try changes(database)
    findings.append(try bell(database, target))
    return findings
  }

  /// What SQLite itself has to say, in at most ten lines.
  private func pageProblems(_ database: Database) throws -> [String] {
    do {
      let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)")
      let strays = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
      return lines.filter { $0 != "ok" }
        + strays.prefix(10).map { "a row of '\($0[0] as String)' belongs to no todo" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return [error.message ?? "a page can't be read"]
    }
  }

  private func todos(_ database: Database) throws -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    var count = 0
    let tags = try tagsByTodo(database)
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

  private func tagsByTodo(_ database: Database) throws -> [Int: Set<String>] {
    var tags: [Int: Set<String>] = [:]
    let rows = try Row.fetchCursor(database, sql: "SELECT todo, name FROM tag")
    while let row = try rows.next() {
      guard let todo = row[0] as Int?, let name = row[1] as String? else { continue }
      tags[todo, default: []].insert(name)
    }
    return tags
  }

  private func changes(_ database: Database) throws -> [StoreReport.Finding] {
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

  private func bell(_ database: Database, _ target: String) throws -> StoreReport.Finding {
    do {
      try opener.checkNothingIsMissing(database, target)
      return .init(.ok, "nothing that was acknowledged is missing")
    } catch let error as StoreError {
      return .init(.error, error.cause)
    }
  }

  // MARK: Files

  private func files(_ target: String) -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    for suffix in ["", "-wal", "-shm", "-bell"] {
      var status = stat()
      guard stat(target + suffix, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      let mode = String(status.st_mode & 0o777, radix: 8)
      findings.append(
        .init(
          .warning,
          "others may read \(path + suffix) (mode \(mode)); 'chmod 600' makes it private"
        )
      )
    }
    if !StoreFile.isWritable(target) {
      findings.append(.init(.warning, "the file or its folder is read-only: it can only be read"))
    }
    if let free = StoreFile.freeBytes(beside: target), free < 16 << 20 {
      findings.append(.init(.warning, "the disk has only \(free >> 20) MiB left"))
    }
    return findings
  }
}

extension [StoreReport.Finding] {
  /// The first ten, and how many more there are.
  fileprivate var shortened: [StoreReport.Finding] {
    guard count > 10 else { return self }
    return prefix(10) + [.init(.error, "… and \(count - 10) more of this kind")]
  }
}

extension Int32 {
  /// SQLite's version as people write it.
  fileprivate var versionText: String { "\(self / 1_000_000).\(self / 1000 % 1000).\(self % 1000)" }
}
