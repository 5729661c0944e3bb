public import EventMVVM
public import EventPatterns

/// Where records are kept, whatever their type (S34, S100); values are JSON texts.
///
/// Used by the stream's home thread alone, but for what says otherwise.
public protocol RecordStorage: AnyObject, Sendable {
  /// Reads the records of a kind, in the order of their numbers, as they were last committed or, inside a
  /// unit, as the unit left them.
  func records(_ kind: String, in view: StorageView) throws -> [StoredRecord]
  /// Reads a record; nil if there is none of that number.
  func record(_ number: Int, in view: StorageView) throws -> StoredRecord?
  /// Writes in one transaction, with a row in the change log for each record that changed.
  ///
  /// - Parameters:
  ///   - writes: The changes.
  ///   - writer: Who makes them.
  ///   - undone: The step that is taken back by that, if any.
  /// - Returns: What became of each record.
  /// - Throws: ``RecordError``, or the store's failure.
  func write(
    _ writes: [StoredWrite],
    by writer: Writer,
    undoing undone: Step?
  ) throws -> [StoredChange]

  /// Reads steps of the change log.
  func steps(_ query: StepQuery, in view: StorageView) throws -> [Step]
  /// Reads a step; nil if there is none of that number.
  func step(_ number: Int, in view: StorageView) throws -> Step?
  /// Reads what a step has changed, in order.
  func changes(of step: Step, in view: StorageView) throws -> [StoredChange]
  /// Reads the changes of one record with their steps, newest first.
  func changes(
    of number: Int,
    limit: Int,
    in view: StorageView
  ) throws -> [(step: Step, change: StoredChange)]
  /// Reads the changes behind a revision, oldest first, at most so many.
  ///
  /// - Throws: ``RecordError/noSuchPlace`` if there is no such change.
  func changes(
    behind place: RecordPlace?,
    limit: Int
  ) throws -> (changes: [(place: RecordPlace, time: Instant, change: StoredChange)], isLast: Bool)

  /// Opens a transaction round all writes until it is kept or taken back.
  func beginUnit() throws
  /// Commits it.
  func keepUnit() throws
  /// Rolls it back.
  func takeBackUnit()
  /// Listens for what other processes commit from now on, until the watch is let go of.
  ///
  /// - Parameters:
  ///   - session: Our own, whose changes are not reported.
  ///   - heard: Called on a thread of the watch's own, in the order of the revisions; with a failure once,
  ///     each time that the store can't be read any more.
  /// - Returns: What has to be kept for as long as something is to be heard.
  func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<ForeignChange, StoreError>) -> Void
  ) -> any StoreWatching
  /// Looks for what is lost or damaged, and changes nothing; any thread.
  ///
  /// - Parameter problem: What is wrong with a record; nil if nothing is.
  /// - Returns: The findings.
  /// - Throws: Why it can't even be opened.
  func examine(_ problem: (StoredRecord) -> StoreReport.Finding?) throws -> StoreReport
  /// Copies what is committed into a new file; any thread.
  func backUp(to path: String) throws -> StoreCopy
}

/// A record of any type, as it is stored.
public struct StoredRecord: Sendable, Equatable, Codable {
  /// Its number.
  public let number: Int
  /// The name of its type; see ``Record/kind``.
  public let kind: String
  /// The revision of its last change.
  public let revision: Int
  /// Its fields, as a JSON object.
  public let body: String

  /// Describes a record.
  public init(_ number: Int, _ kind: String, _ body: String, revision: Int) {
    self.number = number
    self.kind = kind
    self.body = body
    self.revision = revision
  }
}

/// A change of a record of any type, to be stored.
public enum StoredWrite: Sendable, Equatable {
  /// A new one, with its fields.
  case add(kind: String, String)
  /// A new one, with its fields, unless there is one of its kind that has the same text in the field of this name.
  case addOnce(kind: String, String, by: String)
  /// Gives one other fields; against a revision that was seen it is merged field by field.
  case put(Int, kind: String, String, seen: Int?)
  /// Takes one away.
  case remove(Int, kind: String)
  /// Puts one back that was taken away.
  case restore(Int, kind: String, String)
}

/// What became of a record of any type.
public struct StoredChange: Sendable, Equatable, Codable {
  /// Its number.
  public let number: Int
  /// The name of its type.
  public let kind: String
  /// The revision that this has made; that of its last change where nothing has changed.
  public let revision: Int
  /// Its fields before; nil if it was not there.
  public let before: String?
  /// Its fields afterwards; nil if it is not there any more.
  public let after: String?

  /// Whether its fields can be read, of whatever type they are.
  package var isReadable: Bool { (try? fields) != nil }

  /// Describes a change.
  public init(_ number: Int, _ kind: String, from before: String?, to after: String?, revision: Int)
  {
    self.number = number
    self.kind = kind
    self.revision = revision
    self.before = before
    self.after = after
  }
}

/// What another process has changed, with one intent.
public struct ForeignChange: Sendable, Equatable, Codable {
  /// The intent behind it.
  public let root: Root
  /// The name of the other process's frontend or plugin whose intent it was.
  public let origin: String
  /// When.
  public let time: Instant
  /// The number of the step that it took back, if it was an undo or a redo.
  public let undoes: Int?
  /// What became of the records, in order.
  public var changes: [StoredChange]

  /// Notes a change.
  public init(
    root: Root,
    origin: String,
    time: Instant,
    undoes: Int?,
    changes: [StoredChange]
  ) {
    self.root = root
    self.origin = origin
    self.time = time
    self.undoes = undoes
    self.changes = changes
  }
}

/// A change in the log of a store, told from those of all other stores by whose intent it was.
public struct RecordPlace: Sendable, Equatable {
  /// Its revision.
  public let revision: Int
  /// Whose intent it was.
  public let root: Root

  /// Names a change.
  public init(_ revision: Int, _ root: Root) {
    self.revision = revision
    self.root = root
  }
}

/// Why records can't be read or written, besides the store's own failures.
public enum RecordError: Error, Equatable {
  /// There is no such record.
  case notFound(Int, kind: String)
  /// A field was changed to another value since it was seen.
  case conflict(Int, kind: String, field: String, expected: String, actual: String)
  /// The record can't have been seen at a revision: it was not there, or the store has not come so far.
  case unseen(Int, kind: String, revision: Int)
  /// There is one of its number, or there was.
  case isThere(Int, kind: String)
  /// The change log has no such change.
  case noSuchPlace
  /// What is stored can't be read.
  case damaged(Int, kind: String, String)
}
