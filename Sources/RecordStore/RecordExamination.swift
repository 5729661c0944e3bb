import EventPatterns
import EventRecords
import GRDB
import SQLiteStore

/// Looks through records and the journal of their changes for what is lost or damaged.
struct RecordExamination {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// What there is to say.
  ///
  /// - Parameter problem: What is wrong with the fields of a record; nil if nothing is.
  /// - Returns: The findings.
  /// - Throws: The store's failure.
  func findings(
    _ problem: (StoredRecord) -> StoreReport.Finding?
  ) throws -> [StoreReport.Finding] {
    try records(problem) + changes()
  }

  private func records(
    _ problem: (StoredRecord) -> StoreReport.Finding?
  ) throws -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    var count = 0
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT number, kind, body, revision FROM record ORDER BY number"
    )
    while let row = try rows.next() {
      count += 1
      if let finding = problem(try StoredRecord(row)) { findings.append(finding) }
    }
    return [.init(.ok, "\(count) records")] + findings.shortened
  }

  private func changes() throws -> [StoreReport.Finding] {
    var findings: [StoreReport.Finding] = []
    var count = 0
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT record, kind, before, after, revision FROM change ORDER BY revision"
    )
    while let row = try rows.next() {
      count += 1
      let change = try StoredChange(row)
      if !change.isReadable {
        findings.append(.init(.error, "change \(change.revision) can't be read"))
      }
    }
    findings += try strays().map { name, what in .init(.error, "\(name) \(what)") }
    return [.init(.ok, "\(count) changes in the log")] + findings.shortened
  }

  /// Records that the log knows otherwise: they or their last change are not what they were.
  private func strays() throws -> [(name: String, what: String)] {
    let changed = try Row.fetchAll(
      database,
      sql: """
        SELECT kind, number FROM record WHERE NOT EXISTS (
          SELECT 1 FROM change
          WHERE record = number AND change.revision = record.revision AND after = body
            AND change.revision = (SELECT max(revision) FROM change WHERE record = number)
        ) ORDER BY number
        """
    )
    let lost = try Row.fetchAll(
      database,
      sql: """
        SELECT kind, record FROM change AS last
        WHERE after IS NOT NULL
          AND revision = (SELECT max(revision) FROM change WHERE record = last.record)
          AND NOT EXISTS (SELECT 1 FROM record WHERE number = last.record)
        ORDER BY record
        """
    )
    func names(_ rows: [Row], _ what: String) -> [(String, String)] {
      rows.map { ("\($0[0] as String) #\($0[1] as Int)", what) }
    }
    return names(changed, "is not as its last change left it")
      + names(lost, "is missing: the log has it")
  }
}
