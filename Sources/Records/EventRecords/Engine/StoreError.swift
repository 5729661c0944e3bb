public import EventMVVM

/// Why the store can't be opened, read or written.
public struct StoreError: Error, Sendable, Equatable, Codable {
  /// The file.
  public let path: String
  /// The cause, and what to do about it.
  public let cause: String
  /// Whether a retry may succeed a moment later.
  public let isRetryable: Bool
  /// True if a given file must not be written to; absent in older recordings.
  private var isRefusedFile: Bool?

  /// Creates an error.
  public init(path: String, _ cause: String, isRetryable: Bool = false) {
    self.path = path
    self.cause = cause
    self.isRetryable = isRetryable
  }

  /// Returns the error of a file that must not be written to, such as an existing one.
  package static func refused(_ path: String, _ cause: String) -> StoreError {
    var error = StoreError(path: path, cause)
    error.isRefusedFile = true
    return error
  }

  /// The kind of the failure: ``EventMVVM/Failure/Kind-swift.struct/usage`` if the given file is at
  /// fault.
  public var kind: Failure.Kind { isRefusedFile == true ? .usage : .store }
  /// The message for a person.
  public var message: String { path.isEmpty ? cause : "\(path): \(cause)" }
}

extension StoreError: CustomStringConvertible {
  /// The message for a person, where the error's type is unknown.
  public var description: String { message }
}

extension StoreError {
  /// Creates the error that a value of a record can't be converted to the type of a column.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - column: The column.
  ///   - number: The number of the record.
  ///   - why: Why it can't be converted.
  ///   - path: The name of the store; an engine may add it later.
  public init(
    _ table: RecordTable,
    _ column: RecordColumn,
    _ number: Int,
    _ why: String,
    path: String = ""
  ) {
    self.init(
      path: path,
      "can't be used by this version of the program: the '\(column.shownName)' of \(table.kind) "
        + "#\(number) can't be converted: \(why). Nothing was changed"
    )
  }

  /// Creates the error that records break a rule which a version declares.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - unique: The rule.
  ///   - first: The number of a record.
  ///   - second: The number of another one with the same values.
  ///   - path: The name of the store; an engine may add it later.
  public init(
    _ table: RecordTable,
    _ unique: RecordUnique,
    _ first: Int,
    _ second: Int,
    path: String = ""
  ) {
    let names = unique.columns.map { "'\(table.column($0).shownName)'" }.joined(separator: " and ")
    self.init(
      path: path,
      "can't be used by this version of the program: the \(table.kind) #\(first) and the \(table.kind) "
        + "#\(second) have the same \(names), which no two may have now. Nothing was changed; change one of them "
        + "with the version before"
    )
  }

  /// Creates the error that another record has what no two may have, by the rule of another version.
  public init(duplicateIn path: String) {
    self.init(
      path: path,
      "has a record with these values already, which a version of the program allows once; nothing was stored"
    )
  }

  /// Creates the error that a column is of another type than the program declares.
  public init(
    _ table: RecordTable,
    _ column: RecordColumn,
    stored: String,
    declared: String,
    _ path: String = ""
  ) {
    self.init(
      path: path,
      "keeps the field '\(column.shownName)' of a \(table.kind) as \(stored), and this version of the program "
        + "takes it for \(declared): declare `.converted`, or give the field another name"
    )
  }

  /// Creates the error that a newer version has converted the values of a column; see
  /// ``RecordTable/isNewer(_:among:)``.
  public init(newer table: RecordTable, _ column: RecordColumn, path: String = "") {
    self.init(
      path: path,
      "keeps the field '\(column.shownName)' of a \(table.kind) in a new form: a newer version of the "
        + "program has converted it; install that version, or name another store with --store"
    )
  }
}
