public import EventMVVM
public import JSONText

/// The change of a record of any type, in full.
public struct StoredChange: Sendable, Equatable, Codable {
  /// Its number.
  public let number: Int
  /// The name of its type in the store; see ``RecordTable/storedKind``.
  public let kind: String
  /// The revision of this change.
  public let revision: Int
  /// Its fields before, as a JSON object; nil if it did not exist.
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

extension ExternalChange {
  /// Returns the changes with what the references of the records refer to.
  func filled(_ types: RecordTypes, _ store: any RecordReader) throws -> ExternalChange {
    guard !types.incoming.isEmpty else { return self }
    var filled = self
    for index in changes.indices {
      guard let table = types.table(of: changes[index].kind), table.fields.hasReferences else {
        continue
      }
      filled.changes[index] = try changes[index].filled(table.type, store)
    }
    return filled
  }
}

extension StoredChange {
  fileprivate func filled<R: Record>(
    _ type: R.Type,
    _ store: any RecordReader
  ) throws -> StoredChange {
    func filled(_ text: String?) throws -> String? {
      guard let text, let fields = try? RecordFields(text, number, kind),
        let value = try? R(fields, number)
      else { return text }
      var json = JSONWriter()
      try store.filled(Kept(number, value, revision: revision)).value.write(to: &json)
      return String(decoding: json.bytes, as: UTF8.self)
    }
    return StoredChange(
      number,
      kind,
      from: try filled(before),
      to: try filled(after),
      revision: revision
    )
  }
}

/// The changes of another process with one root.
public struct ExternalChange: Sendable, Equatable, Codable {
  /// Its root.
  public let root: Root
  /// The name of the other process's frontend or plugin that sent the root.
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
  /// The record with a number is of another kind.
  case otherKind(Int, kind: String, actual: String)
  /// Another record refers to one that is to be removed.
  case referred(Int, kind: String, by: Int, of: String)
  /// A record that an undo changes or brings back would refer in a field to what is no longer there.
  case dangling(Int, kind: String, field: String)
  /// There is no record with this reference.
  case unknown(RecordReference, kind: String)
  /// There are records with this reference, but none for which the command is.
  case unfit(RecordReference, kind: String)
  /// There are several records with this reference, including these.
  case ambiguous(RecordReference, kind: String, [Int])
  /// Another record has the values of what is unique; with what a person is told, if that is declared.
  case taken(Int, kind: String, field: String, value: String, sentence: String? = nil)
  /// A field was changed to another value since the caller had read it.
  case conflict(Int, field: String, expected: JSON, actual: JSON, isPlace: Bool)
  /// The caller can't have read the record at a revision: it did not exist, or the store has not
  /// reached that revision.
  case unseen(Int, revision: Int)
  /// A step changed a field of a record that this version does not declare, and so can't undo.
  case unread(Int, kind: String, field: String)
  /// A record with its number exists, or existed.
  case isThere(Int, kind: String)
  /// A record can't be moved next to itself.
  case besideItself(Int)
  /// There is no room for another record next to one: too many were moved there.
  case noRoom(beside: Int)
  /// The record next to which another one is moved is not available.
  indirect case beside(RecordError)
  /// The change log has no such change.
  case noSuchChange
  /// The stored record can't be read.
  case damaged(Int, kind: String, String)

  /// There is no record with this reference, as there is no store.
  static func none(_ reference: RecordReference, kind: String) -> RecordError {
    reference.knownNumber.map { .notFound($0, kind: kind) } ?? .unknown(reference, kind: kind)
  }

  /// The record is of a kind that is not declared.
  static func undeclared(_ number: Int, kind: String) -> RecordError {
    .damaged(number, kind: kind, "this version of the program does not know what that is")
  }
}
