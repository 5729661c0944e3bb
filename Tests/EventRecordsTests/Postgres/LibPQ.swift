import EventRecords
import Foundation

/// The few functions of libpq that an engine needs; opened when it is used, so that nobody else
/// links it.
enum LibPQ {
  private nonisolated(unsafe) static let library = dlopen("libpq.so.5", RTLD_NOW)
  // Unsafe: it is opened once, and never closed.

  private static func function<F>(_ name: String, as type: F.Type) -> F {
    guard let library, let symbol = dlsym(library, name) else {
      preconditionFailure("libpq.so.5 has no '\(name)'")
    }
    return unsafeBitCast(symbol, to: type)
  }

  typealias Text = UnsafePointer<CChar>
  typealias Handle = OpaquePointer

  static let connect = function("PQconnectdb", as: (@convention(c) (Text) -> Handle?).self)
  static let status = function("PQstatus", as: (@convention(c) (Handle?) -> Int32).self)
  static let message = function("PQerrorMessage", as: (@convention(c) (Handle?) -> Text?).self)
  static let finish = function("PQfinish", as: (@convention(c) (Handle?) -> Void).self)
  static let exec = function("PQexec", as: (@convention(c) (Handle?, Text) -> Handle?).self)
  static let execParams = function(
    "PQexecParams",
    as: (@convention(c) (
      Handle?, Text, Int32, UnsafeRawPointer?, UnsafePointer<Text?>?, UnsafeRawPointer?,
      UnsafeRawPointer?, Int32
    ) -> Handle?)
    .self
  )
  static let resultStatus = function("PQresultStatus", as: (@convention(c) (Handle?) -> Int32).self)
  static let count = function("PQntuples", as: (@convention(c) (Handle?) -> Int32).self)
  static let isNull = function(
    "PQgetisnull",
    as: (@convention(c) (Handle?, Int32, Int32) -> Int32).self
  )
  static let value = function(
    "PQgetvalue",
    as: (@convention(c) (Handle?, Int32, Int32) -> Text?).self
  )
  static let clear = function("PQclear", as: (@convention(c) (Handle?) -> Void).self)
}

/// A connection to PostgreSQL.
final class PostgresConnection {
  private let handle: OpaquePointer?

  init(_ address: String) throws {
    handle = LibPQ.connect(address)
    guard LibPQ.status(handle) == 0 else { throw failure }
  }

  deinit { LibPQ.finish(handle) }

  private var failure: StoreError {
    let message = LibPQ.message(handle).map { String(cString: $0) } ?? "no answer"
    return StoreError(path: "postgres", message.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Executes statements that have no values and find nothing.
  func run(_ sql: String) throws {
    let result = LibPQ.exec(handle, sql)
    defer { LibPQ.clear(result) }
    guard LibPQ.resultStatus(result) <= 2 else { throw failure }
  }

  /// Executes a statement; texts that are found, row by row.
  @discardableResult
  func query(_ sql: String, _ values: [String?] = []) throws -> [[String?]] {
    let texts = values.map { $0.map { strdup($0) } }
    defer { for text in texts { free(text ?? nil) } }
    let result = texts.map { UnsafePointer($0 ?? nil) }
      .withUnsafeBufferPointer {
        LibPQ.execParams(handle, sql, Int32(values.count), nil, $0.baseAddress, nil, nil, 0)
      }
    defer { LibPQ.clear(result) }
    // PGRES_COMMAND_OK is 1, PGRES_TUPLES_OK is 2.
    guard 1...2 ~= LibPQ.resultStatus(result) else { throw failure }
    guard LibPQ.resultStatus(result) == 2 else { return [] }
    return (0..<LibPQ.count(result))
      .map { row in
        var column: Int32 = 0
        var cells: [String?] = []
        while let cell = LibPQ.value(result, row, column) {
          cells.append(LibPQ.isNull(result, row, column) == 1 ? nil : String(cString: cell))
          column += 1
        }
        return cells
      }
  }
}
