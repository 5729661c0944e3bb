public import EventMVVM

/// A storage engine for records: primitives, and no policy.
///
/// Numbers, revisions, merging, the change log and undo are decided above it, once for all engines.
/// <doc:Engines> states what each primitive promises, and the rules for an engine on another
/// machine.
public protocol RecordEngine: AnyObject, Sendable {
  /// What messages call the store: a path or an address, without secrets.
  var name: String { get }

  /// Names the tables, once and before everything else; nothing is opened or made for it.
  ///
  /// What they need is made before the first use that finds a store; where there is none, reading
  /// makes none.
  func open(_ tables: [RecordTable])

  /// Reads in one snapshot; by the home thread.
  ///
  /// - Returns: What was read; nil if there is no store yet.
  /// - Throws: A `StoreError`, or what the body throws.
  func read<T>(in view: StorageView, _ body: (any RecordReader) throws -> T) throws -> T?
  /// Reads in one snapshot what is committed; any thread.
  ///
  /// - Returns: What was read; nil if there is no store yet.
  /// - Throws: A `StoreError`, or what the body throws.
  func readCommitted<T>(_ body: (any RecordReader) throws -> T) throws -> T?
  /// Begins to read what a query finds, in one snapshot that lasts as long as the rows are kept;
  /// any thread.
  ///
  /// - Returns: The rows; nil if there is no store yet.
  /// - Throws: A `StoreError`.
  func openRows(_ query: RecordQuery, of table: RecordTable) throws -> (any OpenRows)?
  /// Ends what reads of `StorageView.shared` share; by the home thread.
  func endSharing()
  /// Writes: in one transaction, or as a part of the unit that can fail by itself; by the home
  /// thread.
  ///
  /// No other process writes from its beginning to its end. What the body has written is durable
  /// when it returns, and nothing of it is written if it throws.
  ///
  /// - Parameters:
  ///   - savepoint: Whether the body can fail after it has written something, and not because the
  ///     store fails. Where it can't, a part of a unit needs no savepoint; if it fails then all the
  ///     same, nothing of the unit may stay.
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

  /// Calls when another process may have committed, until the watch is released.
  ///
  /// - Parameters:
  ///   - read: Reads on, in one snapshot, on a thread of the watch's own: given how far it has
  ///     come, returns how far it has come then, and whether that is the end. The first call is
  ///     with the end of the log at this moment.
  ///   - failed: Called once each time that the store becomes unreadable.
  /// - Returns: The watch; it ends when it is released.
  func watch(
    _ read: @escaping @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool),
    failed: @escaping @Sendable (StoreError) -> Void
  ) -> any StoreWatching

  /// Looks for what is lost or damaged, and changes nothing; any thread.
  ///
  /// - Parameter contents: Looks at the records, once it is certain that they can be read.
  /// - Returns: The findings.
  /// - Throws: Why it can't even be opened.
  func examine(
    _ contents: (any RecordReader) throws -> [StoreReport.Finding]
  ) throws -> StoreReport
  /// Copies what is committed into a new file; any thread.
  func backUp(to path: String) throws -> StoreCopy

  /// What is committed, as a recording holds it.
  ///
  /// - Returns: The image; nil if nothing was ever stored.
  func image() throws -> [UInt8]?
  /// Fills an empty store with an image.
  ///
  /// - Returns: Whether it is one; else these bytes are the file of the store itself, as recordings
  ///   had it once.
  /// - Throws: Why the image can't be read, or the store can't be written.
  func restore(_ image: [UInt8]) throws -> Bool

  /// Closes what is open, once nothing of a session is under way; by the home thread.
  ///
  /// What another thread still reads ends first. A later use opens the store again.
  func close()
}

extension RecordEngine {
  /// There is none, so that a recording begins with nothing.
  public func image() throws -> [UInt8]? { nil }
  /// It restores none.
  public func restore(_ image: [UInt8]) throws -> Bool { true }
  /// Nothing is open between two uses.
  public func close() {}
  /// Reads share nothing.
  public func endSharing() {}
}

/// Rows that are read in parts, in one snapshot; any thread, one at a time.
public protocol OpenRows: AnyObject, Sendable {
  /// Calls with the rows that have not been read.
  ///
  /// - Throws: A `StoreError`, or what the body throws.
  func read<T>(_ body: (any RecordRows) throws -> T) throws -> T
}

/// What can be read in one snapshot.
public protocol RecordReader {
  /// How far the store has come.
  func end() throws -> LogEnd
  /// A record; nil if there is none of that number.
  func row(_ number: Int, of table: RecordTable) throws -> (any RecordRow)?
  /// The records that a query finds, in its order.
  func rows(_ query: RecordQuery, of table: RecordTable) throws -> any RecordRows
  /// How many records a condition finds.
  func count(_ condition: RecordCondition, of table: RecordTable) throws -> Int
  /// The names in a set, or the texts in a field, that begin so, by their bytes.
  ///
  /// The counts of records are needed only where `counted` says so.
  func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    counted: Bool,
    of table: RecordTable
  ) throws
    -> [RecordLabel]
  /// How a query is carried out, for a person: whether all records are looked at, or which index is
  /// used.
  func plan(_ query: RecordQuery, of table: RecordTable) throws -> String
  /// Changes, at most so many.
  func changes(_ query: ChangeQuery, limit: Int) throws -> [LoggedChange]
  /// The records that an intent has changed, by their numbers: how many, and the first of them.
  ///
  /// An engine need not have it: without, all changes of the intent are read.
  func records(of root: Root, limit: Int) throws -> (count: Int, first: [Int])
  /// The steps that a query finds.
  func steps(_ query: StepQuery) throws -> [Step]
}

extension RecordEngine {
  /// Writes what can fail at any time.
  public func write<T>(_ body: (any RecordWriter) throws -> T) throws -> T {
    try write(savepoint: true, body)
  }
}

extension RecordReader {
  /// The names in a set, or the texts in a field, that begin so, and how many records have each.
  public func labels(
    _ column: Int,
    prefix: String,
    limit: Int,
    of table: RecordTable
  ) throws -> [RecordLabel] {
    try labels(column, prefix: prefix, limit: limit, counted: true, of: table)
  }

  /// Reads all changes of the intent.
  public func records(of root: Root, limit: Int) throws -> (count: Int, first: [Int]) {
    let numbers = Set(try changes(.ofRoot(root), limit: .max).map(\.number))
    return (numbers.count, Array(numbers.sorted().prefix(limit)))
  }
}

/// What can be written in one transaction.
///
/// An engine need not wait for an answer before it takes the next of these; what went wrong is
/// thrown by a later call, or in place of the commit.
public protocol RecordWriter: RecordReader {
  /// Stores a record under a number that none has.
  func insert(_ values: RecordValues, number: Int, revision: Int, into table: RecordTable) throws
  /// Gives a record other values in some columns.
  func update(
    _ values: RecordValues,
    _ columns: FieldSet,
    number: Int,
    revision: Int,
    in table: RecordTable
  ) throws
  /// Takes a record away.
  func remove(_ number: Int, from table: RecordTable) throws
  /// Appends a change to the log, under a revision after all others.
  func append(_ change: LoggedChange) throws
  /// Begins a step, unless its intent has one.
  func begin(_ step: Step) throws
  /// Marks a step as undone, or as done again.
  func mark(_ step: Int, isUndone: Bool) throws
}

/// A record where it is stored; valid until the next row is read.
public protocol RecordRow: AnyObject {
  /// Its number.
  var number: Int { get }
  /// The revision of its last change.
  var revision: Int { get }
  /// The value of a column.
  ///
  /// - Throws: That it is of no type that the engine stores.
  func value(_ column: Int) throws -> StoredValue
}

/// The rows of a query, in its order.
public protocol RecordRows: AnyObject {
  /// The next one; nil after the last.
  func next() throws -> (any RecordRow)?
}
