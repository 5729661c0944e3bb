import EventRecords
import Foundation

/// A connection to PostgreSQL, on which statements are sent ahead of their answers.
///
/// Statements have no names and nothing is set for the session, so that it may lead through a pooler
/// that lends servers by the transaction. Used by one thread at a time.
final class PostgresConnection: @unchecked Sendable {
  // Unchecked: one thread has it at a time.
  private let pq: LibPQ
  private let handle: OpaquePointer?
  /// How many statements were sent whose answers have not been read.
  private var unread = 0
  /// Whether the statements that were not read yet have been followed by a synchronisation.
  private var isSynchronised = true
  /// How many statements may be sent ahead: what libpq notes of each is memory.
  private static let ahead = 400

  /// What went wrong with a statement, or the connection.
  struct Problem: Error {
    /// PostgreSQL's five letters; nil where the server did not speak.
    var code: String?
    let message: String
    /// Whether the connection is no more.
    var isLost = false
  }

  /// Connects.
  ///
  /// - Parameter address: What libpq takes for an address.
  /// - Throws: A `StoreError` that libpq is missing, or a ``Problem``.
  init(_ address: String) throws {
    let pq = try LibPQ.shared.get()
    // What stands before the address can be said otherwise in it.
    let options = [
      ("connect_timeout", "10"), ("keepalives_idle", "15"), ("keepalives_interval", "5"),
      ("keepalives_count", "3"), ("tcp_user_timeout", "20000"), ("dbname", address),
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

  /// What to wait for, if the server may say something unasked.
  var socket: Int32 { pq.socket(handle) }
  /// Whether it is known to be no more.
  var isLost: Bool { pq.status(handle) != 0 }

  // MARK: Statements

  /// Sends a statement, and what is found if it is to be known; a failure is thrown by a later call.
  func send(_ sql: String, _ values: [StoredValue] = []) throws {
    // What has been synchronised is answered apart.
    if unread >= Self.ahead || isSynchronised { try finish() }
    let isSent = withTexts(values.map(\.sqlText)) { [pq, handle] in
      pq.send(handle, sql, Int32(values.count), nil, $0, nil, nil, 0)
    }
    guard isSent == 1 else { throw lost }
    (unread, isSynchronised) = (unread + 1, false)
  }

  /// Asks for what a statement finds, and waits for it: a round trip, with all that was sent.
  func ask(_ sql: String, _ values: [StoredValue] = []) throws -> PostgresResult {
    try send(sql, values)
    guard let last = try finish() else { throw lost }
    return last
  }

  /// Has the server carry out what was sent, without waiting for it.
  func synchronise() throws {
    guard !isSynchronised else { return }
    guard pq.sync(handle) == 1 else { throw lost }
    isSynchronised = true
  }

  /// Waits until all that was sent is carried out.
  ///
  /// - Returns: What the last statement found; nil if none was sent.
  /// - Throws: What went wrong first; nothing is left to be read then, either.
  @discardableResult
  func finish() throws -> PostgresResult? {
    try synchronise()
    guard unread > 0 else { return nil }
    var last: PostgresResult?
    var problem: Problem?
    while unread > 0 {
      guard let result = next() else { throw problem.map(Self.losing) ?? lost }
      if result.isFailure, problem == nil { problem = result.problem }
      last = result
      unread -= 1
      // Nothing stands between the results of two statements.
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

  private func next() -> PostgresResult? { pq.result(handle).map { PostgresResult(pq, $0) } }

  private static func losing(_ problem: Problem) -> Problem {
    Problem(code: problem.code, message: problem.message, isLost: true)
  }

  private var lost: Problem { Problem(message: Self.said(pq, handle), isLost: true) }

  private static func said(_ pq: LibPQ, _ handle: OpaquePointer?) -> String {
    let text = pq.message(handle).map { String(cString: $0) } ?? ""
    return text.isEmpty ? "the connection to the server was lost" : text.onOneLine
  }

  // MARK: Notifications

  /// Takes what the server has said unasked.
  ///
  /// - Returns: How many notifications there were.
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

/// Calls with texts as C has them, valid for the call, and a null after them.
func withTexts<T>(_ texts: [String?], _ body: (LibPQ.Texts) throws -> T) rethrows -> T {
  // One memory for all of them, each ended by a zero.
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
        // An array with a null in it is never empty, and so has an address.
        guard let address = pointers.baseAddress else { preconditionFailure("no memory") }
        return try body(address)
      }
  }
}

extension String {
  /// Its lines behind each other.
  var onOneLine: String {
    split { $0.isNewline || $0 == "\t" }.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension StoredValue {
  /// As PostgreSQL reads it.
  var sqlText: String? {
    switch self {
    case .null: nil
    case .integer(let number): String(number)
    // There is one zero.
    case .real(let number): number == 0 ? "0" : "\(number)"
    case .text(let text): text
    }
  }

  /// As a constant.
  var sqlConstant: String {
    switch self {
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case let value: value.sqlText ?? "NULL"
    }
  }
}
