public import EventMVVM

/// Which transaction of an intent has made a change.
///
/// An intent can have several: a saga writes more than once. A unit has one. A caller that does not
/// know whether one was committed asks for it by this name before it is tried again.
public struct TransactionID: Sendable, Hashable, Codable {
  /// The intent.
  public let root: Root
  /// Its place among the transactions of the intent's session, rising; no two have one.
  public let ordinal: Int

  /// Names a transaction.
  public init(_ root: Root, _ ordinal: Int) {
    self.root = root
    self.ordinal = ordinal
  }
}

/// A row of the change log: one change of one record.
public struct LoggedChange: Sendable, Equatable, Codable {
  /// The revision that it has made.
  public let revision: Int
  /// The number of the record.
  public let number: Int
  /// Its kind.
  public let kind: String
  /// The fields that it changed as they were, as a JSON object; all that it had if it was removed,
  /// nil if it is new.
  public let before: String?
  /// The fields that it changed as they are then; all that it has if it is new, nil if it was
  /// removed.
  public let after: String?
  /// The transaction.
  public let transaction: TransactionID
  /// The name of the frontend or plugin whose intent it was.
  public let origin: String
  /// The time.
  public let time: Instant

  /// Describes a change.
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

/// Which changes of the log are asked for.
public enum ChangeQuery: Sendable, Equatable {
  /// The changes after a revision, oldest first.
  case after(Int)
  /// The changes of a record after a revision, newest first.
  case ofRecord(Int, after: Int)
  /// The changes of an intent, oldest first; of one record if it is named.
  case ofRoot(Root, record: Int? = nil)
  /// The changes of one transaction, oldest first.
  case ofTransaction(TransactionID)
}

extension RecordReader {
  /// Calls with all changes, oldest first; reads a part of them at a time.
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

/// How far a store has come.
public struct LogEnd: Sendable, Equatable {
  /// The revision of the last change; 0 before anything was written.
  public var revision: Int
  /// The greatest number that a record ever had; 0 before there was one.
  public var number: Int
  /// The intent that has made the last change.
  public var root: Root?

  /// Names an end.
  public init(revision: Int = 0, number: Int = 0, root: Root? = nil) {
    self.revision = revision
    self.number = number
    self.root = root
  }
}
