public import EventMVVM
public import JSONText

/// The change of a record of any type, in full.
public struct StoredChange: Sendable, Equatable, Codable {
  /// Its number.
  public let number: Int
  /// The name of its type; see ``Record/kind``.
  public let kind: String
  /// The revision that this has made.
  public let revision: Int
  /// Its fields before, as a JSON object; nil if it was not there.
  public let before: String?
  /// Its fields afterwards; nil if it no longer exists.
  public let after: String?

  init(_ number: Int, _ kind: String, from before: String?, to after: String?, revision: Int) {
    self.number = number
    self.kind = kind
    self.revision = revision
    self.before = before
    self.after = after
  }
}

/// What another process has changed, with one intent.
public struct ExternalChange: Sendable, Equatable, Codable {
  /// Its intent.
  public let root: Root
  /// The name of the other process's frontend or plugin whose intent it was.
  public let origin: String
  /// The time.
  public let time: Instant
  /// The number of the step that it undid, if it was an undo or a redo.
  public let undoes: Int?
  /// The changes of the records, in order.
  public var changes: [StoredChange]

  init(_ entry: LoggedChange, undoes: Int?, changes: [StoredChange]) {
    root = entry.transaction.root
    origin = entry.origin
    time = entry.time
    self.undoes = undoes
    self.changes = changes
  }
}

/// Why records can't be read or written, except the store's own failures.
public enum RecordError: Error, Equatable {
  /// There is no such record.
  case notFound(Int, kind: String)
  /// There is no record of this reference.
  case unknown(RecordReference, kind: String)
  /// There are several records of this reference, of which these are some.
  case ambiguous(RecordReference, kind: String, [Int])
  /// Another record has the value of a field that no two have.
  case taken(Int, kind: String, field: String, value: String)
  /// A field was changed to another value since it was seen.
  case conflict(Int, field: String, expected: JSON, actual: JSON, isPlace: Bool)
  /// The record can't have been seen at a revision: it was not there, or the store has not come so
  /// far.
  case unseen(Int, revision: Int)
  /// There is one of its number, or there was.
  case isThere(Int, kind: String)
  /// A record can't stand beside itself.
  case besideItself(Int)
  /// There is no room for another one beside a record: too many were moved there.
  case noRoom(beside: Int)
  /// The record beside which another one is to stand is not to be had.
  indirect case beside(RecordError)
  /// The change log has no such change.
  case noSuchChange
  /// What is stored can't be read.
  case damaged(Int, kind: String, String)

  /// The record is of a kind that is not declared.
  static func undeclared(_ number: Int, kind: String) -> RecordError {
    .damaged(number, kind: kind, "this version of the program does not know what that is")
  }
}
