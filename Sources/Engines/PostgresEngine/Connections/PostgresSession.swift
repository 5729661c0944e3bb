import EventMVVM
import EventRecords
import Foundation

/// A connection that is made at the first use, and made again after a loss.
///
/// Used by one thread at a time.
final class PostgresSession: @unchecked Sendable {
  // Unchecked: one thread uses it at a time.
  let address: PostgresAddress
  /// The schema to create where it is missing; nil if it may not be created.
  private let schema: PostgresSchema?
  private let reports: Reports
  let reach: PostgresReach
  /// Whether it is that of a watch, which connects again and again.
  private let isWatching: Bool
  private var connection: PostgresConnection?

  /// What a session reports, besides its results.
  struct Reports: Sendable {
    /// What was done to the schema.
    let schema: @Sendable (SchemaChange) -> Void
    /// What the list has that this version does not read.
    let unread: @Sendable (StoreError) -> Void
    /// That it asks for the outcome of a commit, and has no answer.
    let doubt: @Sendable (PostgresConnection.Problem) -> Void
  }

  /// Creates a session without a connection.
  init(
    _ address: PostgresAddress,
    making schema: PostgresSchema?,
    _ reach: PostgresReach,
    isWatching: Bool = false,
    _ reports: Reports
  ) {
    self.address = address
    self.schema = schema
    self.reach = reach
    self.isWatching = isWatching
    self.reports = reports
  }

  private var names: PostgresNames { PostgresNames(schema: address.schema) }

  /// Returns the connection, and whether it is an old one, which may be lost by now.
  private func connected() throws -> (PostgresConnection, isReused: Bool) {
    if let connection, !connection.isLost, !connection.wasCancelled { return (connection, true) }
    return (try connect(), false)
  }

  /// Connects anew.
  func connect() throws -> PostgresConnection {
    connection = nil
    if !isWatching, let problem = reach.problem { throw problem }
    // libpq's message about an unreadable address would repeat the address.
    try address.check()
    let made: PostgresConnection
    let start = ContinuousClock.now
    do {
      made = try PostgresConnection(address.database, timeout: reach.timeout)
    } catch let problem as PostgresConnection.Problem {
      reach.lose(problem)
      throw problem
    }
    reach.connect(in: start.duration(to: .now))
    if let encoding = made.encoding, encoding != "UTF8" {
      throw StoreError(encoding: encoding, address)
    }
    if let change = try schema?.make(on: made, reports.unread) { reports.schema(change) }
    connection = made
    return made
  }

  func close() { connection = nil }

  /// Runs statements that change nothing; again, on a new connection, if the old one is lost and
  /// they are still wanted.
  private func begin<T>(_ body: (PostgresConnection) throws -> T) throws -> T {
    let (connection, isReused) = try connected()
    do {
      return try body(connection)
    } catch let problem as PostgresConnection.Problem
      where problem.isLost && isReused && !StoreUse.isCancelled
    {
      return try body(try connect())
    }
  }

  // MARK: Reading

  /// One snapshot, which begins with the first statement that reads.
  final class Snapshot {
    private let session: PostgresSession
    private var connection: PostgresConnection?

    fileprivate init(_ session: PostgresSession) { self.session = session }

    func ask(_ sql: String, _ values: [StoredValue]) throws -> PostgresResult {
      if let connection { return try connection.ask(sql, values) }
      return try begin { try $0.ask(sql, values) }
    }

    private func begin(
      _ body: (PostgresConnection) throws -> PostgresResult
    ) throws -> PostgresResult {
      try session.begin { connection in
        try connection.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try connection.send(session.versionCheck)
        self.connection = connection
        return try body(connection)
      }
    }

    /// Begins with a statement whose rows are read in parts, and returns the first part.
    func open(_ sql: String, _ values: [StoredValue]) throws -> PostgresResult {
      try begin { connection in
        // As for any other statement, all of its rows are wanted.
        try connection.send("SET LOCAL cursor_tuple_fraction = 1")
        try connection.send("DECLARE rows NO SCROLL CURSOR FOR \(sql)", values)
        return try connection.ask(Self.fetch)
      }
    }

    /// The most rows in a part.
    static let part = 1000
    private static let fetch = "FETCH \(part) FROM rows"

    /// Makes the server find the next part, without waiting for it.
    func fetch() throws {
      try connection?.send(Self.fetch)
      try connection?.synchronise()
    }

    /// Waits for that part.
    func fetched() throws -> PostgresResult {
      guard let part = try connection?.finish() else {
        preconditionFailure("no part was asked for")
      }
      return part
    }

    /// Ends the snapshot without waiting for the server.
    func end() {
      guard let connection, !connection.isLost else { return }
      self.connection = nil
      try? connection.send("COMMIT")
      try? connection.synchronise()
    }
  }

  /// Returns a snapshot that has not begun.
  func snapshot() -> Snapshot { Snapshot(self) }

  /// An expression that fails if the schema has another version than this program.
  private var versionCheck: String {
    "SELECT \(PostgresSchema.versionCheck) FROM \(names.counter)"
  }

  // MARK: Writing

  /// Begins a transaction that holds the counter: all other writers wait for its end, so that
  /// the order of revisions is that of the commits.
  ///
  /// - Parameter asksAtOnce: Whether to wait for results that are nearly always the same.
  /// - Returns: The transaction.
  /// - Throws: The reason why there is none.
  func beginWriting(asksAtOnce: Bool = false) throws -> PostgresTransaction {
    try begin { connection in
      do {
        try connection.begin(Self.writing)
        try connection.send(Self.limits)
        let found = try connection.ask(
          """
          SELECT revision, number, session, root, \(PostgresSchema.versionCheck)
          FROM \(names.counter) FOR UPDATE
          """
        )
        guard found.count == 1 else {
          throw PostgresConnection.Problem(code: "42P01", message: "the list has no counter")
        }
        let end = LogEnd(
          revision: try found.integer(0, 0),
          number: try found.integer(0, 1),
          root: try found.text(0, 2).map { _ in try found.root(0, 2) }
        )
        return PostgresTransaction(connection, self, names, end, asksAtOnce: asksAtOnce)
      } catch let problem as PostgresConnection.Problem where !problem.isLost {
        try? connection.send("ROLLBACK")
        _ = try? connection.finish()
        throw problem
      }
    }
  }

  /// The mode of a transaction that writes.
  ///
  /// It does not say `READ WRITE`: that would override the administrator who lets a role or a database
  /// only read, and fails on a standby with another error.
  private static let writing = "ISOLATION LEVEL READ COMMITTED"

  /// Sets the limits of a transaction that writes: nothing of the session changes.
  ///
  /// A program that is stopped in the middle blocks the others for a minute at most; one whose network
  /// is gone for eleven seconds, after which the server's system gives its connection up: by keepalives
  /// while nothing is sent, and by the user timeout while an answer is not acknowledged, as no keepalive
  /// is sent then (tcp(7)).
  private static let limits = """
    SELECT set_config('lock_timeout', '5s', true),
      set_config('idle_in_transaction_session_timeout', '60s', true),
      set_config('tcp_keepalives_idle', '2', true), set_config('tcp_keepalives_interval', '1', true),
      set_config('tcp_user_timeout', '11000', true)
    """

  /// Reports that the server is asked for the outcome of a commit, and does not answer.
  func reportDoubt(_ problem: PostgresConnection.Problem) { reports.doubt(problem) }

  /// Returns whether a change is in the log, on a new connection: a commit whose connection is lost
  /// has an unknown outcome.
  ///
  /// It locks the counter first, and so waits for the transaction of the lost connection.
  func has(_ change: LoggedChange) throws -> Bool {
    let connection = try connect()
    try connection.begin(Self.writing)
    try connection.send("SELECT 1 FROM \(names.counter) FOR UPDATE")
    let found = try connection.ask(
      """
      SELECT 1 FROM \(names.change)
      WHERE revision = $1 AND session = $2 AND root = $3 AND part = $4
      """,
      [.integer(Int64(change.revision))] + change.transaction.root.values
        + [.integer(Int64(change.transaction.ordinal))]
    )
    try connection.send("COMMIT")
    try connection.finish()
    return found.count == 1
  }
}
