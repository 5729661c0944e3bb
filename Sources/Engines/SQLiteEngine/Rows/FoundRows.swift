import EventMVVM
import EventRecords
import GRDB
import GRDBSQLite

/// The records that a statement finds, one at a time; valid while the connection is in use.
///
/// A GRDB `Row` creates a table of column names for each statement, and looks up how to convert
/// each value: that makes reading one record by its number six times slower.
final class FoundRows: RecordRows, RecordRow {
  private let statement: Statement
  private let raw: SQLiteStatement
  private var isDone = false

  /// Reads from a statement whose values are bound.
  init(_ statement: Statement) {
    self.statement = statement
    raw = statement.sqliteStatement
  }

  deinit {
    // A statement that is not at its end would keep the reading transaction open; one at its end
    // may be in another use by now.
    if !isDone { sqlite3_reset(raw) }
  }

  func next() throws -> (any RecordRow)? { try step() ? self : nil }

  /// Goes to the next row; returns false after the last.
  func step() throws -> Bool {
    guard !isDone else { return false }
    switch sqlite3_step(raw) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      isDone = true
      sqlite3_reset(raw)
      return false
    case let code:
      isDone = true
      let error = DatabaseError(code, raw)
      sqlite3_reset(raw)
      throw error
    }
  }

  var number: Int { Int(sqlite3_column_int64(raw, 0)) }
  var revision: Int { Int(sqlite3_column_int64(raw, 1)) }

  func value(_ column: Int) throws -> StoredValue { try cell(column + 2) }

  /// Returns the value in a column of the statement.
  func cell(_ column: Int) throws -> StoredValue {
    let index = Int32(column)
    switch sqlite3_column_type(raw, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(raw, index))
    case SQLITE_TEXT: return .text(try text(index))
    case SQLITE_NULL: return .null
    case SQLITE_FLOAT: return .real(sqlite3_column_double(raw, index))
    default: throw StoreError(path: "", "its bytes are of no type that is stored")
    }
  }

  /// Returns the whole number in a column of the statement that must have one.
  func integer(_ column: Int) throws -> Int64 {
    guard case .integer(let number)? = try? cell(column) else { throw damaged }
    return number
  }

  /// Returns the text in a column of the statement; nil for NULL.
  func optionalText(_ column: Int) throws -> String? {
    switch try? cell(column) {
    case .null?: return nil
    case .text(let text)?: return text
    default: throw damaged
    }
  }

  /// Returns the text in a column of the statement that must have one.
  func text(_ column: Int) throws -> String {
    guard let text = try optionalText(column) else { throw damaged }
    return text
  }

  /// Returns the root in two columns of the statement.
  func root(_ column: Int) throws -> Root {
    Root(
      session: UInt64(bitPattern: try integer(column)),
      number: UInt64(bitPattern: try integer(column + 1))
    )
  }

  private var damaged: StoreError { StoreError(path: "", "the change log is damaged") }

  private func text(_ index: Int32) throws -> String {
    guard let bytes = sqlite3_column_text(raw, index) else { return "" }
    let count = Int(sqlite3_column_bytes(raw, index))
    // SQLite's texts end with a NUL. Reading up to it takes a quarter of the time, and the length
    // shows that a text has another NUL in it.
    if let text = String(
      validatingCString: UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
    ),
      text.utf8.count == count
    {
      return text
    }
    let text = String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    guard let text else { throw StoreError(path: "", "its bytes are no text") }
    return text
  }
}

extension Database {
  /// Returns a statement with its values bound directly: checking and converting each of them would
  /// cost more than finding a record.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - values: The values of its question marks.
  ///   - isKept: Whether the statement is kept for the next time; not one of countless.
  /// - Returns: The statement.
  /// - Throws: SQLite's error.
  func boundStatement(
    _ sql: String,
    _ values: [StoredValue],
    isKept: Bool = true
  ) throws -> Statement {
    var statement = isKept ? try cachedStatement(sql: sql) : try makeStatement(sql: sql)
    if sqlite3_stmt_busy(statement.sqliteStatement) != 0 { statement = try makeStatement(sql: sql) }
    let raw = statement.sqliteStatement
    sqlite3_reset(raw)
    for (index, value) in values.enumerated() {
      let code = value.bind(to: raw, Int32(index + 1))
      guard code == SQLITE_OK else { throw DatabaseError(code, raw) }
    }
    return statement
  }

  /// Executes a statement without a result.
  func run(_ sql: String, _ values: [StoredValue]) throws {
    let raw = try boundStatement(sql, values).sqliteStatement
    let code = sqlite3_step(raw)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let error = DatabaseError(code, raw)
      sqlite3_reset(raw)
      throw error
    }
    sqlite3_reset(raw)
  }
}

extension DatabaseError {
  fileprivate init(_ code: Int32, _ statement: SQLiteStatement) {
    self.init(
      resultCode: ResultCode(rawValue: code),
      message: String(cString: sqlite3_errmsg(sqlite3_db_handle(statement)))
    )
  }
}

extension StoredValue {
  fileprivate func bind(to statement: SQLiteStatement, _ index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .real(let number): return sqlite3_bind_double(statement, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        // SQLite copies the text (SQLITE_TRANSIENT).
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return UnsafeRawPointer(bytes.baseAddress)
          .map {
            sqlite3_bind_text(
              statement,
              index,
              $0.assumingMemoryBound(to: CChar.self),
              Int32(bytes.count),
              copies
            )
          } ?? sqlite3_bind_text(statement, index, "", 0, copies)
      }
    }
  }
}
