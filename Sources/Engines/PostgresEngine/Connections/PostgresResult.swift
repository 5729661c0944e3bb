import EventMVVM
import EventRecords

/// The result of a statement: rows of texts, which any thread can read.
final class PostgresResult: @unchecked Sendable {
  // Unchecked: libpq does not change a result.
  private let pq: LibPQ
  private let handle: OpaquePointer
  /// The number of rows.
  let count: Int

  init(_ pq: LibPQ, _ handle: OpaquePointer) {
    self.pq = pq
    self.handle = handle
    count = Int(pq.rowCount(handle))
  }

  deinit { pq.clear(handle) }

  // libpq's numbers: PGRES_COMMAND_OK is 1, PGRES_TUPLES_OK 2, PGRES_PIPELINE_SYNC 10.
  var isFailure: Bool { !(1...2 ~= pq.resultStatus(handle)) }
  var isSynchronisation: Bool { pq.resultStatus(handle) == 10 }

  /// The error of the statement.
  var problem: PostgresConnection.Problem {
    func field(_ letter: Unicode.Scalar) -> String? {
      pq.errorField(handle, Int32(letter.value)).map { String(cString: $0) }
    }
    return .init(
      code: field("C"),
      message: field("M")?.onOneLine ?? "the connection to the server was lost"
    )
  }

  /// Returns a text; nil for NULL.
  func text(_ row: Int, _ column: Int) -> String? {
    let (row, column) = (Int32(row), Int32(column))
    guard pq.isNull(handle, row, column) == 0, let bytes = pq.value(handle, row, column) else {
      return nil
    }
    let memory = UnsafeRawBufferPointer(start: bytes, count: Int(pq.length(handle, row, column)))
    return String(decoding: memory, as: UTF8.self)
  }

  /// Returns a whole number.
  func integer(_ row: Int, _ column: Int) throws -> Int {
    guard let number = text(row, column).flatMap({ Int($0) }) else {
      throw StoreError(path: "", "a number is expected, and no '\(text(row, column) ?? "")'")
    }
    return number
  }

  /// Returns a root, which has two columns.
  func root(_ row: Int, _ column: Int) throws -> Root {
    Root(
      session: UInt64(bitPattern: Int64(try integer(row, column))),
      number: UInt64(bitPattern: Int64(try integer(row, column + 1)))
    )
  }
}

extension Root {
  /// The values of a root's two columns.
  var values: [StoredValue] {
    [.integer(Int64(bitPattern: session)), .integer(Int64(bitPattern: number))]
  }
}
