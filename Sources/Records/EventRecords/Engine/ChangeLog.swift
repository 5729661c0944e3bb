public import EventMVVM

/// The identity of a transaction that has made a change.
///
/// A root can have several: a saga writes more than once. A unit has one. A caller that can't tell
/// whether a transaction was committed looks it up by this identity before trying again.
public struct TransactionID: Sendable, Hashable, Codable {
  /// The root.
  public let root: Root
  /// Its ordinal among the transactions of the root's session, ascending and unique.
  public let ordinal: Int

  /// Creates an identity.
  public init(_ root: Root, _ ordinal: Int) {
    self.root = root
    self.ordinal = ordinal
  }
}

/// A row of the change log: one change of one record.
public struct LoggedChange: Sendable, Equatable, Codable {
  /// The revision of the change.
  public let revision: Int
  /// The number of the record.
  public let number: Int
  /// Its kind.
  public let kind: String
  /// The changed fields before, as a JSON object; all fields if the record was removed, nil if it
  /// is new.
  public let before: String?
  /// The changed fields after; all fields if the record is new, nil if it was removed.
  public let after: String?
  /// The transaction.
  public let transaction: TransactionID
  /// The name of the frontend or plugin that sent the root.
  public let origin: String
  /// The time.
  public let time: Instant

  /// Creates a change.
  public init(
    revision: Int,
    number: Int,
    kind: String,
    before: String?,
    after: String?,
    transaction: TransactionID,
    origin: String,
    time: Instant
  ) {
    self.revision = revision
    self.number = number
    self.kind = kind
    self.before = before
    self.after = after
    self.transaction = transaction
    self.origin = origin
    self.time = time
  }
}

/// A query for changes of the log.
public enum ChangeQuery: Sendable, Equatable {
  /// The changes after a revision, oldest first.
  case after(Int)
  /// The changes of a record after a revision, newest first.
  case ofRecord(Int, after: Int)
  /// The changes of a root, oldest first; of one record if it is named.
  case ofRoot(Root, record: Int? = nil)
  /// The changes of one transaction, oldest first.
  case ofTransaction(TransactionID)
}

extension RecordReader {
  /// Calls `body` with all changes, oldest first; reads a part of them at a time.
  func forEachChange(_ body: (LoggedChange) throws -> Void) throws {
    var revision = 0
    while true {
      let part = try changes(.after(revision), limit: 1000)
      for change in part { try body(change) }
      guard let last = part.last, part.count == 1000 else { return }
      revision = last.revision
    }
  }
}

/// The end of a store's change log.
public struct LogEnd: Sendable, Equatable {
  /// The revision of the last change; 0 before anything was written.
  public var revision: Int
  /// The greatest number that a record ever had; 0 before there was one.
  public var number: Int
  /// The root of the last change.
  public var root: Root?

  /// Creates an end.
  public init(revision: Int = 0, number: Int = 0, root: Root? = nil) {
    self.revision = revision
    self.number = number
    self.root = root
  }
}
