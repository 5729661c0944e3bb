public import EventMVVM

/// A storage engine for records: primitives, and no policy.
///
/// Numbers, revisions, merging, the change log and undo are decided above it, once for all engines.
/// <doc:Engines> defines the contract of each primitive, and the rules for an engine on another
/// machine.
///
/// ```swift
/// let log = try #require(
///   try engine.read(in: .committed) { try $0.changes(.after(0), limit: .max) }
/// )
/// ```
public protocol RecordEngine: AnyObject, Sendable {
  /// The name of the store in messages: a path or an address, without secrets.
  var name: String { get }
  /// Whether a use may wait for another machine.
  ///
  /// In a session that lasts, the server then uses it on one background thread in place of the home
  /// thread, and its answers are inputs of a recording.
  var isDistant: Bool { get }

  /// Declares the tables, once and before everything else; nothing is opened or created.
  ///
  /// The tables are created before the first use that finds a store; where there is none, reading
  /// creates none.
  func open(_ tables: [RecordTable])

  /// Reads in one snapshot; by the home thread.
  ///
  /// - Returns: The value of the body; nil if there is no store yet.
  /// - Throws: A `StoreError`, or what the body throws.
  func read<T>(in view: StorageView, _ body: (any RecordReader) throws -> T) throws -> T?
  /// Reads committed data in one snapshot; any thread.
  ///
  /// - Returns: The value of the body; nil if there is no store yet.
  /// - Throws: A `StoreError`, or what the body throws.
  func readCommitted<T>(_ body: (any RecordReader) throws -> T) throws -> T?
  /// Begins to read the results of a query, in one snapshot that lasts as long as the rows are
  /// retained; any thread.
  ///
  /// - Returns: The rows; nil if there is no store yet.
  /// - Throws: A `StoreError`.
  func openRows(_ query: RecordQuery, of table: RecordTable) throws -> (any OpenRows)?
  /// Ends the snapshot that reads of `StorageView.shared` share; by the home thread.
  func endSharing()
  /// Writes: in one transaction, or as a part of the unit that can fail by itself; by the home
  /// thread.
  ///
  /// No other process writes from its beginning to its end. The writes of the body are durable
  /// when it returns, and none of them is written if it throws.
  ///
  /// - Parameters:
  ///   - savepoint: Whether the body can fail after it has written something, and not because the
  ///     store fails. Where it can't, a part of a unit needs no savepoint; if it then fails
  ///     nevertheless, no write of the unit may stay.
  ///   - body: Writes.
  /// - Returns: What the body returns.
  /// - Throws: A `StoreError`, or what the body throws.
  func write<T>(savepoint: Bool, _ body: (any RecordWriter) throws -> T) throws -> T

  /// Opens a transaction for all writes until it is committed or rolled back.
  func beginUnit() throws
  /// Commits it.
  func commitUnit() throws
  /// Rolls it back.
  func rollBackUnit()

  /// Calls back when another process may have committed, until the watch is released.
  ///
  /// - Parameters:
  ///   - read: Reads on, in one snapshot, on the watch's own thread: called with the last known end
  ///     of the log, returns the new one, and whether that is the end. The first call has the
  ///     end of the log at this moment.
  ///   - report: Called once each time that the store becomes unreadable, and with nil once it can
  ///     be read again.
  /// - Returns: The watch; it ends when it is released.
  func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    report: @escaping @Sendable (StoreError?) -> Void
  ) -> any StoreWatching

  /// Searches for lost or damaged data, and changes nothing; any thread.
  ///
  /// - Parameter contents: Examines the records, once they are known to be readable.
  /// - Returns: The findings.
  /// - Throws: Why the store can't be opened.
  func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport
  /// Copies committed data into a new file; any thread.
  func backUp(to path: String) throws -> StoreCopy

  /// Returns committed data in the form for recordings.
  ///
  /// - Returns: The image; nil if nothing was ever stored.
  func image() throws -> [UInt8]?
  /// Fills an empty store with an image.
  ///
  /// - Returns: Whether it is an image; else the bytes are the file of the store itself, as in old
  ///   recordings.
  /// - Throws: Why the image can't be read, or the store can't be written.
  func restore(_ image: [UInt8]) throws -> Bool

  /// Closes the store, once no work of a session is in progress; by the home thread.
  ///
  /// Reads of other threads end first. A later use opens the store again.
  func close()
}

extension RecordEngine {
  /// False: a use takes less than some milliseconds.
  public var isDistant: Bool { false }
  /// Nil: a recording begins without data.
  public func image() throws -> [UInt8]? { nil }
  /// True: nothing is restored.
  public func restore(_ image: [UInt8]) throws -> Bool { true }
  /// Does nothing: the store is not open between two uses.
  public func close() {}
  /// Does nothing: reads share no snapshot.
  public func endSharing() {}
}

/// Rows that are read in parts, in one snapshot; any thread, one at a time.
public protocol OpenRows: AnyObject, Sendable {
  /// Calls `body` with the rows that have not been read.
  ///
  /// - Throws: A `StoreError`, or what the body throws.
  func read<T>(_ body: (any RecordRows) throws -> T) throws -> T
}

/// Reads in one snapshot.
///
/// ```swift
/// let rows = try store.rows(RecordQuery(), of: table)
/// while let row = try rows.next() { self.rows.append(try Kept(row)) }
/// changes = try store.changes(.after(0), limit: .max)
/// steps = try store.steps(.newest(.max))
/// end = try store.end()
/// ```
public protocol RecordReader {
  /// Returns the end of the change log.
  func end() throws -> LogEnd
  /// Returns a record; nil if there is none with that number.
  func row(_ number: Int, of table: RecordTable) throws -> (any RecordRow)?
  /// Returns the records that a query finds, in its order.
  func rows(_ query: RecordQuery, of table: RecordTable) throws -> any RecordRows
  /// Returns how many records a condition finds.
  func count(_ condition: RecordCondition, of table: RecordTable) throws -> Int
  /// Returns the names in a set, or the texts in a field, with a prefix, compared by bytes.
  ///
  /// The counts of records are needed only if `counted` is true.
  func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    counted: Bool,
    of table: RecordTable
  ) throws
    -> [RecordLabel]
  /// Returns the names in a set, or the texts in a field, each with how many of its records meet each of some conditions;
  /// in the order of their bytes, after that of the records without one.
  ///
  /// An engine need not implement it: by default each name is counted by itself.
  func groups(
    _ column: Int,
    counting conditions: [RecordCondition],
    of table: RecordTable
  ) throws -> [RecordGroupCount]
  /// Returns how a query is carried out, for a person: whether all records are read, or which index
  /// is used.
  func plan(_ query: RecordQuery, of table: RecordTable) throws -> String
  /// Returns changes, up to a limit.
  func changes(_ query: ChangeQuery, limit: Int) throws -> [LoggedChange]
  /// Returns the records that a root has changed, by their numbers: their count, and the first
  /// ones.
  ///
  /// An engine need not implement it: by default all changes of the root are read.
  func records(of root: Root, limit: Int) throws -> (count: Int, first: [Int])
  /// Returns the changes of several records after a revision, newest first.
  ///
  /// An engine need not implement it: by default the changes of each record are read.
  func changes(of numbers: [Int], after revision: Int) throws -> [LoggedChange]
  /// Returns the steps that a query finds.
  func steps(_ query: StepQuery) throws -> [Step]
  /// Returns the steps of several roots, in any order.
  ///
  /// An engine need not implement it: by default the step of each root is read.
  func steps(of roots: [Root]) throws -> [Step]
}

extension RecordEngine {
  /// Writes with a body that can fail at any time.
  public func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T {
    try write(savepoint: true, body)
  }
}

extension RecordReader {
  /// Returns the names in a set, or the texts in a field, with a prefix, and how many records have
  /// each.
  public func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    of table: RecordTable
  ) throws -> [RecordLabel] {
    try labels(column, prefix: prefix, limit: limit, counted: true, of: table)
  }

  /// Counts the records of each name.
  public func groups(
    _ column: Int,
    counting conditions: [RecordCondition],
    of table: RecordTable
  ) throws -> [RecordGroupCount] {
    let (field, isSet) = (table.column(column).name, table.column(column).isSet)
    func group(_ text: String?, _ own: RecordCondition) throws -> RecordGroupCount {
      RecordGroupCount(
        text,
        counts: try conditions.map { try count(.and([own, $0]), of: table) }
      )
    }
    let none: [StoredValue] = isSet ? [.null, .text("[]")] : [.null]
    let names = try labels(column, prefix: "", limit: .max, counted: false, of: table)
    return [try group(nil, .anyOf(field, none))]
      + (try names.map { name in
        try group(name.text, isSet ? .has(field, name.text) : .anyOf(field, [.text(name.text)]))
      })
  }

  /// Reads the changes of each record.
  public func changes(of numbers: [Int], after revision: Int) throws -> [LoggedChange] {
    try numbers.flatMap { try changes(.ofRecord($0, after: revision), limit: .max) }
      .sorted { $0.revision > $1.revision }
  }

  /// Reads the step of each root.
  public func steps(of roots: [Root]) throws -> [Step] {
    try roots.flatMap { try steps(.root($0)) }
  }

  /// Reads all changes of the root.
  public func records(of root: Root, limit: Int) throws -> (count: Int, first: [Int]) {
    let numbers = Set(try changes(.ofRoot(root), limit: .max).map(\.number))
    return (numbers.count, Array(numbers.sorted().prefix(limit)))
  }
}

/// Writes in one transaction.
///
/// An engine need not wait for an answer before it accepts the next call; a failure is thrown by a
/// later call, or by the commit.
///
/// ```swift
/// try reading.withFields {
///   try store.insert(
///     RecordValues(table.fields, $0),
///     number: number,
///     revision: number,
///     into: table
///   )
/// }
/// try store.append(change(number, of: number))
/// ```
public protocol RecordWriter: RecordReader {
  /// Stores a record under an unused number.
  func insert(_ values: RecordValues, number: Int, revision: Int, into table: RecordTable) throws
  /// Updates some columns of a record.
  func update(
    _ values: RecordValues,
    _ columns: FieldSet,
    number: Int,
    revision: Int,
    in table: RecordTable
  ) throws
  /// Removes a record.
  func remove(_ number: Int, from table: RecordTable) throws
  /// Removes the values of columns for the rest of the transaction, which writes other ones: another record is
  /// to have them before.
  ///
  /// An engine without unique indexes need not implement it.
  func release(_ columns: FieldSet, of number: Int, in table: RecordTable) throws
  /// Whether no record meets a condition, which is expected.
  ///
  /// An engine that would have to wait for the answer may take it for granted: then it writes
  /// nothing if it was wrong, or begins again and waits.
  func isFree(_ condition: RecordCondition, of table: RecordTable) throws -> Bool
  /// Appends a change to the log, under a revision after all others.
  func append(_ change: LoggedChange) throws
  /// Begins a step, unless its root has one.
  func begin(_ step: Step) throws
  /// Marks a step as undone, or as not undone.
  func mark(_ step: Int, isUndone: Bool) throws
}

extension RecordWriter {
  /// Does nothing: two records may have the same values for a moment.
  public func release(_ columns: FieldSet, of number: Int, in table: RecordTable) throws {}

  /// Counts them.
  public func isFree(_ condition: RecordCondition, of table: RecordTable) throws -> Bool {
    try count(condition, of: table) == 0
  }
}

/// A stored record; valid until the next row is read.
public protocol RecordRow: AnyObject {
  /// Its number.
  var number: Int { get }
  /// The revision of its last change.
  var revision: Int { get }
  /// The value of a column.
  ///
  /// - Throws: An error if it is of no type that the engine stores.
  func value(_ column: Int) throws -> StoredValue
}

/// The rows of a query, in its order.
///
/// ```swift
/// let rows = try store.rows(query, of: table)
/// var numbers: [Int] = []
/// while let row = try rows.next() { numbers.append(row.number) }
/// return numbers
/// ```
public protocol RecordRows: AnyObject {
  /// Returns the next row; nil after the last.
  func next() throws -> (any RecordRow)?
}
