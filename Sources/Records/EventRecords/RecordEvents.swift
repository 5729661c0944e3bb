public import EventMVVM
public import EventValues
import JSONText

// The events between a domain's view-model server and the record server.

/// Reads records of a kind: referenced ones, and the results of a query.
///
/// ```swift
/// let samples = try await turn.request(RequestRecords<Sample>(request.id))
/// ```
public struct RequestRecords<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecords<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// Records, each once, of which a missing one is a failure.
  public internal(set) var references: [RecordReference]
  /// Finds the records after them, without duplicates; nil for none.
  public let query: RecordQuery?
  /// Whether the records are read for a write.
  let isToWrite: Bool
  /// What records of a range meet, the others of which are left out; nil for all that exist.
  private(set) var among: RecordCondition?
  /// The revision of the store at which the referenced records are read; nil for the current ones.
  public let revision: Int?
  /// The part of the results that is read at once; nil for all.
  let extent: Extent?
  /// Whether it is read on the home thread, even if it is long: then changes before the answer are
  /// in it.
  private(set) var isInOrder: Bool?
  /// When the records were as they are asked for; nil for now.
  public private(set) var moment: PastMoment?

  /// The part of a list that is read at once.
  enum Extent: Sendable, Equatable, Codable {
    /// The first records, up to this number, and a request for the rest.
    case part(Int)
    /// The rest after a part.
    case rest(RecordRest<R>)
  }

  /// The referenced records, at most three.
  public var subject: String? { references.subject }

  /// Requests all records of the kind, in the order of their numbers.
  public init() { self.init(Query()) }

  /// Requests these records, in this order.
  ///
  /// - Parameters:
  ///   - referred: The records; duplicates are read once.
  ///   - query: Finds the records after them.
  public init(_ referred: some RecordReferring, and query: Query<R>? = nil) {
    self.init(referred.references, query)
  }

  /// Requests records, of a range those alone that meet a condition.
  package init(_ references: [RecordReference], among condition: Condition<R>?) {
    self.init(references, nil, among: condition)
  }

  init(
    _ references: [RecordReference],
    _ query: Query<R>?,
    isToWrite: Bool = false,
    at revision: Int? = nil,
    among condition: Condition<R>? = nil,
    extent: Extent? = nil
  ) {
    among = condition?.stored
    self.references = references.count > 1 ? references.unique : references
    self.query = query?.stored
    self.isToWrite = isToWrite
    self.revision = revision
    self.extent = extent
  }

  /// Requests the results of a query.
  public init(_ query: Query<R>) {
    self.init([], query)
  }

  /// Requests all records of the kind, in the turn of the request.
  static var inOrder: Self {
    var request = Self()
    request.isInOrder = true
    return request
  }

  /// Returns the same request for the records as they were at a moment of the past, on any engine; what they refer to is as it
  /// was then, and a record that did not exist is a failure.
  ///
  /// It is read from the change log: the cost grows with the changes since. All parts of a list are read at once.
  ///
  /// ```swift
  /// let then = RequestRecords(Query<Reading>()).asOf(.revision(3))
  /// ```
  ///
  /// - Parameter moment: The moment; nil for now. A revision that the store has not reached is a failure.
  /// - Returns: The request.
  public func asOf(_ moment: PastMoment?) -> Self {
    var request = self
    request.moment = moment
    return request
  }

  /// Requests the results of a query, a part at a time, all from one snapshot.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - count: The number of records in a part; inside a unit the first has all of them.
  public init(_ query: Query<R>, inPartsOf count: Int) {
    self.init([], query, extent: .part(count))
  }

  /// Requests the next part of a list.
  public init(_ rest: RecordRest<R>) {
    self.init([], nil, extent: .rest(rest))
  }

  /// Requests records in their state at a revision of the store, under that revision; a record that
  /// did not exist then, or a revision that the store has not reached, is a conflict.
  public init(_ referred: some RecordReferring, at revision: Int) {
    self.init(referred.references, nil, at: revision)
  }
}

extension RequestRecords: GrowingValue {}

/// The requested records.
///
/// ```swift
/// stream.on(successOf: ResponseRecords<Message>.self, owner: self) { server, messages, turn in
///   server.change(state, turn) { $0.rows = messages.shown.map { .init($0) } }
/// }
/// ```
public struct ResponseRecords<R: Record>: ModelEvent, Response, Decodable {
  /// The records, or why there are none.
  public let result: Result<[Kept<R>], Failure>
  /// The rest, where a part was requested; nil if there is none.
  public let rest: RecordRest<R>?

  /// The records, at most three.
  public var subject: String? {
    result.subject { records in
      RecordSubject.numbers(records.count) { records[$0].number }
    }
  }

  /// Wraps an outcome.
  public init(_ result: Result<[Kept<R>], Failure>) { self.init(result, rest: nil) }

  init(_ result: Result<[Kept<R>], Failure>, rest: RecordRest<R>?) {
    self.result = result
    self.rest = rest
  }

  /// Writes its result, and the identity of the rest.
  public func _record(to encoder: any Encoder) throws -> Bool {
    var container = encoder.container(keyedBy: Key.self)
    switch result {
    case .success(let records): try container.encode(records, forKey: .success)
    case .failure(let failure): try container.encode(failure, forKey: .failure)
    }
    try container.encodeIfPresent(rest, forKey: .rest)
    return true
  }

  /// Reads the recorded form.
  public init(from decoder: any Decoder) throws {
    result = try Result(from: decoder)
    rest = try decoder.container(keyedBy: Key.self).decodeIfPresent(RecordRest.self, forKey: .rest)
  }

  private enum Key: String, CodingKey {
    case success, failure, rest
  }
}

/// A change of the records of a kind.
///
/// ```swift
/// let write = RecordWrite.put(seen.number, user, seen: seen.revision)
/// ```
public enum RecordWrite<R: Record>: Sendable, Equatable, Codable {
  /// Adds a record; it gets an identity, if its kind declares one and it has none.
  case add(R)
  /// Adds a record, unless there is one whose field with this name has the same text: then that one
  /// stays unchanged, and is the result. For records from another system with a name there, which
  /// several sessions may fetch at once; the field is a text.
  case addOnce(R, by: String)
  /// Adds a record, or updates the one with its identity. Its kind
  /// declares an identity.
  case upsert(R)
  /// Changes a record: the fields that differ from those at the revision that the caller had read.
  /// A field that was changed to another value since is a conflict (S71).
  case put(Int, R, seen: Int?)
  /// Changes a record in the same way, and overwrites fields that were changed since.
  case overwrite(Int, R, seen: Int)
  /// Removes a record, or those of a range that exist.
  case remove(RecordReference)
  /// Moves a record in a manual order, next to another one (S62); see
  /// ``move(_:_:of:in:seen:)``.
  case move(RecordReference, ManualSide, of: RecordReference, by: String, seen: Int?)

  /// Returns the removal of the record with a number.
  public static func remove(_ number: Int) -> Self { .remove(.number(number)) }

  /// Returns the move of a record in a manual order, next to another one (S62).
  ///
  /// A record that is at that place already is unchanged. Two records can share a place after an
  /// undo; a record that moves between them moves those above it as well, whose transitions follow
  /// its own.
  ///
  /// - Parameters:
  ///   - reference: The record.
  ///   - side: The side of the other record.
  ///   - other: The other record.
  ///   - path: The field with the places; it is indexed.
  ///   - seen: The revision that the caller had read; a move since then is a conflict.
  /// - Returns: The change.
  @inlinable
  @inline(__always)
  public static func move(
    _ reference: RecordReference,
    _ side: ManualSide,
    of other: RecordReference,
    in path: WritableKeyPath<R, ManualPlace?>,
    seen: Int? = nil
  ) -> Self {
    .move(
      reference,
      side,
      of: other,
      by: fieldName(at: MemoryLayout<R>.offset(of: path)),
      seen: seen
    )
  }

  @usableFromInline
  static func fieldName(at offset: Int?) -> String {
    guard let index = offset.flatMap({ R._table.index(at: $0) }) else {
      preconditionFailure("what is moved in is no field of '\(R.kind)'")
    }
    return "\(R._table.fields[index].name)"
  }
}

/// Writes records: all of the writes, or none.
///
/// ```swift
/// let parcels = delivery.titles.map { RecordWrite.add(Crate(title: $0)) }
/// turn.request(RequestWriteRecords(parcels)) { result, turn in
///   let stored = (try? result.get().result.get()) ?? []
///   turn.send(ResponseStored(numbers: stored.map(\.number)))
/// }
/// ```
public struct RequestWriteRecords<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseWriteRecords<R>

  /// The changes, in order.
  public let writes: [RecordWrite<R>]
  /// The written records, at most three.
  public var subject: String? { RecordSubject.list(writes.count) { writes[$0].subject } }

  /// Creates the request.
  public init(_ writes: [RecordWrite<R>]) {
    self.writes = writes
  }
}

/// The written records.
public struct ResponseWriteRecords<R: Record>: ModelEvent, Response, Decodable {
  /// The transition of each, in the order of the writes, or why nothing was written.
  ///
  /// Before and after are equal where nothing changed. A record that is removed twice occurs once.
  /// The transitions of records that make room for a moved one follow its own.
  public let result: Result<[RecordTransition<R>], Failure>
  /// The records, at most three.
  public var subject: String? {
    result.subject { written in
      RecordSubject.numbers(written.count) { written[$0].number }
    }
  }

  /// Wraps an outcome.
  public init(_ result: Result<[RecordTransition<R>], Failure>) {
    self.result = result
  }
}

/// States the changes of records: of this process or another one, by a write or by an undo.
///
/// ```swift
/// stream.on(ResponseRecordChanges<Box>.self) { [boxes] event, _ in
///   boxes.withLock { $0.append(event) }
/// }
/// ```
public struct ResponseRecordChanges<R: Record>: ModelEvent, Fact, Codable {
  /// Version 2 has the origin of an external change.
  public static var version: Int { 2 }
  /// Their transitions, in order; only those that are changes.
  public let changes: [RecordTransition<R>]
  /// The name of the frontend or plugin of another process that made an external change; nil for a
  /// change of this process.
  public let externalOrigin: String?

  /// Creates the event.
  public init(_ changes: [RecordTransition<R>], externalOrigin: String? = nil) {
    self.changes = changes
    self.externalOrigin = externalOrigin
  }

  /// The records, at most three.
  public var subject: String? {
    RecordSubject.numbers(changes.count) { changes[$0].number }
  }
}

/// States to views which records have changed, in any process; a view that shows some requests
/// them again.
public struct ResponseChangedRecords: ViewModelEvent, Fact, Codable {
  /// A record that has changed.
  public struct Item: Sendable, Equatable, Codable {
    /// Its number.
    public let number: Int
    /// Its title or, if it no longer exists, its last one.
    public let title: String
    /// Whether it existed before.
    public let wasThere: Bool
    /// Whether it exists now.
    public let isThere: Bool
  }

  /// The changed records, in order.
  public let items: [Item]
  /// Their numbers.
  public var changedIDs: [Int] { items.map(\.number) }
  /// The revision of the last change.
  public let revision: Int
  /// The origin of an external change; nil for a change of this process.
  public let externalOrigin: String?
  /// The changes themselves, for programs that subscribe to the event.
  package var shown = ShownChanges()

  private enum CodingKeys: CodingKey {
    case items, revision, externalOrigin
  }

  /// The first of them.
  public var subject: String? { items.first.map { "#\($0.number)" } }
}

/// States a change that another process has committed.
///
/// Changes come in the order of their revisions, each once.
public struct ResponseExternalChange: ModelEvent, Fact, Codable {
  /// The change, or why the store can't be watched.
  public let result: Result<ExternalChange, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<ExternalChange, Failure>) {
    self.result = result
  }

  /// Writes the result.
  public func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }

  /// Reads a result.
  public init(from decoder: any Decoder) throws { result = try Result(from: decoder) }
}

/// States that the store can no longer be watched, or can't be read at all.
public struct ResponseStoreTrouble: ViewModelEvent, Fact, Codable {
  /// Why, for a person.
  public let failure: Failure

  /// Creates the event.
  public init(_ failure: Failure) { self.failure = failure }
}

/// States that the store can be read again, after a ``ResponseStoreTrouble``; what changed meanwhile
/// follows.
public struct ResponseStoreRecovery: ViewModelEvent, Fact, Codable {
  /// Creates the event.
  public init() {}
}
