import EventMVVM
import EventRecords
import Foundation
import GRDB

/// Examines a store for losses and damage; changes nothing.
struct StoreExamination {
  private let opener: StoreOpener
  private let thing: String
  private var path: String { opener.file.path }

  /// Prepares an examination.
  ///
  /// - Parameters:
  ///   - opener: Opens the store.
  ///   - thing: The name of a record: `todo`.
  init(_ opener: StoreOpener, of thing: String) {
    self.opener = opener
    self.thing = thing
  }

  /// Returns the findings about the store.
  ///
  /// - Parameter contents: Examines the contents, once it is certain that every page can be read.
  /// - Returns: The findings.
  /// - Throws: The reason why the store can't be opened.
  func report(
    _ contents: (Database) throws -> [StoreReport.Finding]
  ) throws -> StoreReport {
    var findings: [StoreReport.Finding] = []
    let (target, presence) = try opener.file.locate()
    if presence != .file, let loss = try opener.loss(of: target) {
      return StoreReport(path: path, findings: [.init(.error, loss.cause)])
    }
    do {
      if let connection = try opener.openToRead(demandingAll: false) {
        findings += try connection.queue.inDatabase { try look($0, target, contents) }
        findings += files(target)
      } else {
        findings.append(.init(.ok, "there is no store yet; the first \(thing) makes it"))
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      findings.append(.init(.error, error.message ?? "a page can't be read"))
      findings.append(Self.damage)
    }
    return StoreReport(path: path, findings: findings)
  }

  private static let damage = StoreReport.Finding(
    .error,
    "the file is damaged; restore it from a backup"
  )

  // MARK: Contents

  private func look(
    _ database: Database,
    _ target: String,
    _ contents: (Database) throws -> [StoreReport.Finding]
  ) throws -> [StoreReport.Finding] {
    var findings = [
      StoreReport.Finding(
        .ok,
        "SQLite \(Database.sqliteLibVersionNumber.versionText), schema \(opener.migrations.newest)"
      )
    ]
    let pages = try pageProblems(database)
    findings += pages.map { .init(.error, $0) }
    guard pages.isEmpty else {
      return findings + [Self.damage]
    }
    findings.append(.init(.ok, "every page and every index fits"))
    findings += try contents(database)
    findings.append(try signal(database, target))
    return findings
  }

  /// Returns the findings of SQLite itself, in at most ten lines.
  private func pageProblems(_ database: Database) throws -> [String] {
    do {
      let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check(10)")
      let strays = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
      return lines.filter { $0 != "ok" }
        + strays.prefix(10).map { "a row of '\($0[0] as String)' belongs to no \(thing)" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return [error.message ?? "a page can't be read"]
    }
  }

  private func signal(_ database: Database, _ target: String) throws -> StoreReport.Finding {
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

extension Int32 {
  /// SQLite's version number as text.
  fileprivate var versionText: String { "\(self / 1_000_000).\(self / 1000 % 1000).\(self % 1000)" }
}
