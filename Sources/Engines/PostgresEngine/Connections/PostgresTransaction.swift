import EventMVVM
import EventRecords
import Foundation

/// A transaction that writes, while it holds the counter.
final class PostgresTransaction {
  let names: PostgresNames
  /// The end of the change log, as of this transaction.
  private(set) var end: LogEnd
  private let connection: PostgresConnection
  private let session: PostgresSession
  /// Whether to wait for results that are nearly always the same.
  private(set) var asksAtOnce: Bool
  /// The last change that was appended.
  private var last: LoggedChange?
  /// The record that was read last, until a write: an edited record is read twice, to be shown and
  /// to be merged, and the counter prevents other writes in between.
  var read: (kind: String, number: Int, result: PostgresResult)?
  /// The number of statements that have written.
  private var written = 0
  /// The error for which the transaction can't be committed.
  private var failure: (any Error)?

  /// How long to ask for the outcome of a commit before that is reported.
  private static let patience = Duration.seconds(2)

  init(
    _ connection: PostgresConnection,
    _ session: PostgresSession,
    _ names: PostgresNames,
    _ end: LogEnd,
    asksAtOnce: Bool
  ) {
    self.asksAtOnce = asksAtOnce
    self.connection = connection
    self.session = session
    self.names = names
    self.end = end
  }

  func ask(_ sql: String, _ values: [StoredValue]) throws -> PostgresResult {
    if let failure { throw failure }
    do {
      return try connection.ask(sql, values)
    } catch {
      failure = error
      throw error
    }
  }

  /// Sends a statement that writes; its error is thrown by a later statement, or instead of the
  /// commit.
  func write(_ sql: String, _ values: [StoredValue]) throws {
    if let failure { throw failure }
    (read, written) = (nil, written + 1)
    do {
      try connection.send(sql, values)
    } catch {
      failure = error
      throw error
    }
  }

  /// Notes that a change was appended.
  func note(_ change: LoggedChange) {
    last = change
    end = LogEnd(
      revision: change.revision,
      number: max(end.number, change.number),
      root: change.transaction.root
    )
  }

  // MARK: Parts

  /// Runs a part of the transaction that can fail by itself.
  ///
  /// - Parameters:
  ///   - savepoint: Whether it can fail after it has written something.
  ///   - body: Writes.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or the error that made the transaction fail before.
  func part<T>(savepoint: Bool, _ body: () throws -> T) throws -> T {
    if let failure { throw failure }
    let (known, before, count) = (last, end, written)
    if savepoint { try connection.send("SAVEPOINT part") }
    // A part that can fail by itself has to get its errors before it ends.
    asksAtOnce = savepoint
    do {
      let result = try body()
      if savepoint, failure == nil { try connection.send("RELEASE part") }
      return result
    } catch {
      (last, end) = (known, before)
      if savepoint {
        try undo()
      } else if written > count {
        failure = failure ?? error
      }
      throw error
    }
  }

  /// Rolls back what was written since the savepoint.
  private func undo() throws {
    do {
      read = nil
      // An earlier statement may fail only now, and the savepoint with it: then the whole fails.
      _ = try? connection.finish()
      try connection.send("ROLLBACK TO part")
      try connection.send("RELEASE part")
      try connection.finish()
      failure = nil
    } catch {
      failure = failure ?? error
    }
  }

  // MARK: The end

  /// Commits; the changes are durable when this returns.
  ///
  /// If the connection is lost meanwhile, the server is asked for the outcome.
  func commit() throws {
    if let failure {
      rollBack()
      throw failure
    }
    guard !StoreUse.isCancelled else {
      rollBack()
      throw PostgresConnection.Problem(code: "57014", message: "cancelled")
    }
    do {
      try StoreUse.uninterrupted { try sendCommit() }
    } catch let problem as PostgresConnection.Problem where problem.isLost {
      guard let last, try !isCommitted(last) else { return }
      throw PostgresConnection.Problem(
        message: "the connection to the server was lost before anything was stored; try again",
        isLost: true
      )
    } catch {
      rollBack()
      throw error
    }
  }

  private func sendCommit() throws {
    if let last {
      try connection.send(
        "UPDATE \(names.counter) SET revision = $1, number = $2, session = $3, root = $4",
        [.integer(Int64(end.revision)), .integer(Int64(end.number))]
          + last.transaction.root.values
      )
      try connection.send("SELECT pg_notify($1, '')", [.text(session.address.channel)])
    }
    // If one of the earlier statements fails, the server does not execute this one.
    try connection.send("COMMIT")
    try connection.finish()
  }

  /// Asks for the outcome of a commit until the server answers, however long it is away, or the request
  /// is cancelled.
  private func isCommitted(_ change: LoggedChange) throws -> Bool {
    let start = ContinuousClock.now
    var isReported = false
    var pause: TimeInterval = 0.05
    while true {
      do {
        return try session.has(change)
      } catch let problem as PostgresConnection.Problem {
        var doubt = problem
        doubt.doubtful = change.transaction.root
        guard problem.isTemporary, !StoreUse.isCancelled else { throw doubt }
        if !isReported, start.duration(to: .now) > Self.patience {
          isReported = true
          session.reportDoubt(doubt)
        }
        Thread.sleep(forTimeInterval: pause)
        pause = min(pause * 2, 1)
      }
    }
  }

  /// Rolls back the whole transaction.
  func rollBack() {
    guard !connection.isLost else { return }
    _ = try? connection.finish()
    try? connection.send("ROLLBACK")
    _ = try? connection.finish()
  }
}
