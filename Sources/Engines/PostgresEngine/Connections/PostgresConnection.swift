import EventMVVM
import EventRecords
import Foundation

/// A connection to PostgreSQL, on which statements are sent without waiting for their results.
///
/// Statements have no names and no setting of the session changes, so that it can lead through a
/// pooler that lends servers by the transaction. Used by one thread at a time.
final class PostgresConnection: @unchecked Sendable {
  // Unchecked: one thread uses it at a time.
  private let pq: LibPQ
  private let handle: OpaquePointer?
  /// The number of sent statements whose results have not been read.
  private var unread = 0
  /// Whether a synchronisation follows the last of these statements.
  private var isSynchronised = true
  /// Whether the server was asked to cancel a statement: that may also reach a later one, so the
  /// connection is used no more.
  private(set) var wasCancelled = false
  /// How many statements may be sent ahead: libpq needs memory for each.
  private static let ahead = 400

  /// An error of a statement or of the connection.
  struct Problem: Error {
    /// PostgreSQL's code of five characters; nil if the error is not the server's.
    var code: String?
    let message: String
    /// Whether the connection is lost.
    var isLost = false
    /// Whether the server has said that it is a standby.
    var isOfStandby = false
    /// The root of a transaction of which it is unknown whether it was committed.
    var doubtful: Root?
  }

  /// Connects.
  ///
  /// A server that is silent for five seconds, as behind a network that loses all packets, is a
  /// lost connection.
  ///
  /// - Parameters:
  ///   - address: The address for libpq.
  ///   - timeout: The limit for the connection to be made, in seconds, from 2.
  /// - Throws: A `StoreError` if libpq is missing, or a ``Problem``.
  init(_ address: String, timeout: Int) throws {
    let pq = try LibPQ.shared.get()
    // The address follows these options, and can override them.
    let options = [
      ("connect_timeout", "\(timeout)"), ("keepalives_idle", "2"), ("keepalives_interval", "1"),
      ("keepalives_count", "3"), ("tcp_user_timeout", "5000"), ("dbname", address),
      ("client_encoding", "UTF8"), ("fallback_application_name", "todostream"),
    ]
    handle = withTexts(options.map(\.0)) { names in
      withTexts(options.map(\.1)) { pq.connect(names, $0, 1) }
    }
    self.pq = pq
    guard !isLost else { throw lost }
    _ = pq.setNoticeReceiver(handle, { _, _ in }, nil)
    _ = pq.enterPipeline(handle)
  }

  deinit { pq.finish(handle) }

  /// The socket to wait on for notifications.
  var socket: Int32 { pq.socket(handle) }
  /// The number of the server's process, as it was said when the connection was made: a pooler
  /// says another one.
  var backend: Int { Int(pq.backend(handle)) }
  /// The encoding of the database; nil if a pooler does not say it.
  var encoding: String? { setting("server_encoding") }
  /// Whether the connection is known to be lost.
  var isLost: Bool { pq.status(handle) != 0 }

  /// Returns a setting that the server says without being asked.
  private func setting(_ name: String) -> String? {
    pq.parameter(handle, name).map { String(cString: $0) }
  }

  // MARK: Statements

  /// Sends the beginning of a transaction, in which a name without a schema is PostgreSQL's own.
  ///
  /// A pooler lends servers by the transaction, so no setting of the session would do.
  func begin(_ mode: String = "") throws {
    try send("BEGIN \(mode)")
    try send("SET LOCAL \(PostgresNames.path)")
  }

  /// Sends a statement; its result is read later, and a failure is thrown by a later call.
  func send(_ sql: String, _ values: [StoredValue] = []) throws {
    // A synchronised batch is finished before another one begins.
    if unread >= Self.ahead || isSynchronised { try finish() }
    let isSent = withTexts(values.map(\.sqlText)) { [pq, handle] in
      pq.send(handle, sql, Int32(values.count), nil, $0, nil, nil, 0)
    }
    guard isSent == 1 else { throw lost }
    (unread, isSynchronised) = (unread + 1, false)
  }

  /// Sends a statement and waits for its result: a round trip, together with all that was sent.
  func ask(_ sql: String, _ values: [StoredValue] = []) throws -> PostgresResult {
    try send(sql, values)
    guard let last = try finish() else { throw lost }
    return last
  }

  /// Makes the server execute what was sent, without waiting for it.
  func synchronise() throws {
    guard !isSynchronised else { return }
    guard pq.sync(handle) == 1 else { throw lost }
    isSynchronised = true
  }

  /// Waits until the server has executed all that was sent.
  ///
  /// - Returns: The result of the last statement; nil if none was sent.
  /// - Throws: The first error; no result is left to be read then, either.
  @discardableResult
  func finish() throws -> PostgresResult? {
    try synchronise()
    guard unread > 0 else { return nil }
    var last: PostgresResult?
    var problem: Problem?
    while unread > 0 {
      guard let result = next() else { throw problem.map(Self.losing) ?? lost }
      if result.isFailure, problem == nil {
        problem = result.problem
        problem?.isOfStandby = setting("in_hot_standby") == "on"
      }
      last = result
      unread -= 1
      // A null separates the results of two statements.
      while next() != nil {
        guard !isLost else { throw problem.map(Self.losing) ?? lost }
      }
    }
    guard next()?.isSynchronisation == true, !isLost else {
      throw problem.map(Self.losing) ?? lost
    }
    if let problem { throw problem }
    return last
  }

  private func next() -> PostgresResult? {
    if StoreUse.canBeCancelled { awaitResult() }
    return pq.result(handle).map { PostgresResult(pq, $0) }
  }

  /// Waits until there is a result, and meanwhile has the server cancel what is no longer wanted.
  ///
  /// The result of what was cancelled is awaited for two seconds: without a network there is none.
  private func awaitResult() {
    var end: ContinuousClock.Instant?
    while pq.isBusy(handle) == 1 {
      var source = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      if poll(&source, 1, 100) > 0 {
        guard pq.consumeInput(handle) == 1 else { return }
      } else if let end {
        if ContinuousClock.now > end { shutdown(socket, Int32(SHUT_RDWR)) }
      } else if StoreUse.isCancelled {
        end = .now + .seconds(2)
        wasCancelled = true
        cancel()
      }
    }
  }

  /// Has the server cancel the statement that it executes; without waiting for that, since it takes
  /// a connection of its own.
  private func cancel() {
    guard let cancel = pq.makeCancel(handle) else { return }
    let cancelling = Cancelling(pq: pq, cancel: cancel)
    if !startThread(cancelling.perform) { pq.freeCancel(cancel) }
  }

  /// A request to cancel, which libpq lets any thread use.
  private struct Cancelling: @unchecked Sendable {
    // Unchecked: the thread that performs it is the only one that has it.
    let pq: LibPQ
    let cancel: OpaquePointer

    func perform() {
      var words = [CChar](repeating: 0, count: 256)
      _ = pq.cancel(cancel, &words, Int32(words.count))
      pq.freeCancel(cancel)
    }
  }

  private static func losing(_ problem: Problem) -> Problem {
    Problem(code: problem.code, message: problem.message, isLost: true)
  }

  private var lost: Problem { Problem(message: Self.said(pq, handle), isLost: true) }

  private static func said(_ pq: LibPQ, _ handle: OpaquePointer?) -> String {
    let text = pq.message(handle).map { String(cString: $0) } ?? ""
    return text.isEmpty ? "the connection to the server was lost" : text.onOneLine
  }

  // MARK: Notifications

  /// Reads the notifications that have arrived.
  ///
  /// - Returns: Their number.
  func notifications() throws -> Int {
    guard pq.consumeInput(handle) == 1 else { throw lost }
    var count = 0
    while let notification = pq.notification(handle) {
      pq.freeMemory(notification)
      count += 1
    }
    return count
  }
}

/// Calls `body` with the texts as C strings, valid during the call, and a null after them.
func withTexts<T>(_ texts: [String?], _ body: (LibPQ.Texts) throws -> T) rethrows -> T {
  // One block of memory for all of them, each ended by a zero.
  var bytes: [CChar] = []
  var starts: [Int?] = []
  for text in texts {
    starts.append(text == nil ? nil : bytes.count)
    guard let text else { continue }
    for byte in text.utf8 { bytes.append(CChar(bitPattern: byte)) }
    bytes.append(0)
  }
  return try bytes.withUnsafeBufferPointer { memory in
    try (starts.map { start in start.flatMap { memory.baseAddress?.advanced(by: $0) } } + [nil])
      .withUnsafeBufferPointer { pointers in
        // An array that contains a null is not empty, and so has an address.
        guard let address = pointers.baseAddress else { preconditionFailure("no memory") }
        return try body(address)
      }
  }
}

extension String {
  /// The text with its lines joined by semicolons, and by spaces after a colon.
  var onOneLine: String {
    var joined = ""
    for line in split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      guard !line.isEmpty else { continue }
      if !joined.isEmpty { joined += joined.hasSuffix(":") ? " " : "; " }
      joined += line
    }
    return joined
  }
}

extension StoredValue {
  /// The value as a text for PostgreSQL.
  var sqlText: String? {
    switch self {
    case .null: nil
    case .integer(let number): String(number)
    // Negative zero is stored as zero.
    case .real(let number): number == 0 ? "0" : "\(number)"
    case .text(let text): text
    }
  }
}
