public import EventCommands
public import EventMVVM
public import JSONText

// The events between a domain's view-model server and the record server.

/// Reads records of a kind: those of some numbers, and those that a query finds.
public struct RequestRecords<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecords<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// Records, each once, of which a missing one is a failure.
  public let references: [RecordReference]
  /// Finds the records that follow them, without those that are there already; nil if none do.
  public let query: RecordQuery?
  /// Whether the records are read to be written.
  let isToWrite: Bool
  /// The revision of the store at which the referenced records are read; nil for how they are now.
  public let revision: Int?
  /// How much of what the query finds is read at once; nil for all of it.
  let extent: Extent?
  /// Whether it is read on the home thread, however long it is: then what has changed before the
  /// answer is in it.
  private(set) var isInOrder: Bool?

  /// How much of a list to read at once.
  enum Extent: Sendable, Equatable, Codable {
    /// The first so many, and a way to go on.
    case part(Int)
    /// What follows a part.
    case rest(RecordRest<R>)
  }

  /// The records that are referred to, at most three.
  public var subject: String? { references.subject }

  /// Asks for all records of the kind, in the order of their numbers.
  public init() { self.init(Query()) }

  /// Asks for these records, in this order.
  ///
  /// - Parameters:
  ///   - referred: The records; one that is named twice is there once.
  ///   - query: Finds the records that follow them.
  public init(_ referred: some RecordReferring, and query: Query<R>? = nil) {
    self.init(referred.references, query)
  }

  init(
    _ references: [RecordReference],
    _ query: Query<R>?,
    isToWrite: Bool = false,
    at revision: Int? = nil,
    extent: Extent? = nil
  ) {
    self.references = references.count > 1 ? references.unique : references
    self.query = query?.stored
    self.isToWrite = isToWrite
    self.revision = revision
    self.extent = extent
  }

  /// Asks for what a query finds.
  public init(_ query: Query<R>) {
    self.init([], query)
  }

  /// Asks for all records of the kind, in the turn of the request.
  static var inOrder: Self {
    var request = Self()
    request.isInOrder = true
    return request
  }

  /// Asks for what a query finds, a part at a time, and all parts of one moment.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - count: How many records a part has; inside of a unit the first has all of them.
  public init(_ query: Query<R>, inPartsOf count: Int) {
    self.init([], query, extent: .part(count))
  }

  /// Asks for the next part of a list.
  public init(_ rest: RecordRest<R>) {
    self.init([], nil, extent: .rest(rest))
  }

  /// Asks for records as they were at a revision of the store, under that revision; one that was
  /// not there then, or a revision that the store has not come to, is a conflict.
  public init(_ referred: some RecordReferring, at revision: Int) {
    self.init(referred.references, nil, at: revision)
  }
}

/// The records that were asked for.
public struct ResponseRecords<R: Record>: ModelEvent, Response, Decodable {
  /// The records or why there are none.
  public let result: Result<[Kept<R>], Failure>
  /// What follows, where a part was asked for; nil if nothing does.
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

  /// Writes its result, and which list can be read on.
  public func _record(to encoder: any Encoder) throws -> Bool {
    var container = encoder.container(keyedBy: Key.self)
    switch result {
    case .success(let records): try container.encode(records, forKey: .success)
    case .failure(let failure): try container.encode(failure, forKey: .failure)
    }
    try container.encodeIfPresent(rest, forKey: .rest)
    return true
  }

  /// Reads what was recorded.
  public init(from decoder: any Decoder) throws {
    result = try Result(from: decoder)
    rest = try decoder.container(keyedBy: Key.self).decodeIfPresent(RecordRest.self, forKey: .rest)
  }

  private enum Key: String, CodingKey {
    case success, failure, rest
  }
}

/// A change of the records of a kind.
public enum RecordWrite<R: Record>: Sendable, Equatable, Codable {
  /// A new one; it gets an identity, if its kind declares one and it has none.
  case add(R)
  /// A new one, unless there is one whose field of this name has the same text: then that one stays
  /// as it is, and is the result. It is for what comes from another system and has a name there,
  /// however many sessions fetch it at once; the field is a text.
  case addOnce(R, by: String)
  /// A new one, unless there is one of its identity: then that one gets its fields. Its kind
  /// declares an identity.
  case upsert(R)
  /// Gives one another value: of the fields, those that differ from what they were at the revision
  /// that was seen. A field that was changed to another value since is a conflict (S71).
  case put(Int, R, seen: Int?)
  /// The same, and a field that was changed since gets the value that is given.
  case overwrite(Int, R, seen: Int)
  /// Takes one away.
  case remove(RecordReference)
  /// Moves one in a manual order, next to another one (S62); see
  /// ``move(_:_:of:in:seen:)``.
  case move(RecordReference, ManualSide, of: RecordReference, by: String, seen: Int?)

  /// Takes away the one of a number.
  public static func remove(_ number: Int) -> Self { .remove(.number(number)) }

  /// Moves one in a manual order, next to another one (S62).
  ///
  /// A record that stands there already stays as it is. Two records can share a place after an
  /// undo; a record that moves between them gives those above it new places, too, and their
  /// transitions follow its own.
  ///
  /// - Parameters:
  ///   - reference: Which.
  ///   - side: On which side of the other one.
  ///   - other: The other one.
  ///   - path: The field with the places; it is indexed.
  ///   - seen: The revision that was seen; a move since then is a conflict.
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

/// Writes records: all of it, or nothing.
public struct RequestWriteRecords<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseWriteRecords<R>

  /// The changes, in order.
  public let writes: [RecordWrite<R>]
  /// The records that are written, at most three.
  public var subject: String? { RecordSubject.list(writes.count) { writes[$0].subject } }

  /// Asks for changes.
  public init(_ writes: [RecordWrite<R>]) {
    self.writes = writes
  }
}

/// What has been written.
public struct ResponseWriteRecords<R: Record>: ModelEvent, Response, Decodable {
  /// The transition of each, in the order of the writes, or why nothing was written.
  ///
  /// Before and after are equal where nothing changed. What is removed twice is there once. The
  /// transitions of records that make room for a moved one follow its own.
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
public struct ResponseRecordChanges<R: Record>: ModelEvent, Fact, Codable {
  /// The second version; it names the origin of an external change.
  public static var version: Int { 2 }
  /// Their transitions, in order; only those that are changes.
  public let changes: [RecordTransition<R>]
  /// The name of the frontend or plugin of another process that made an external change; nil for a
  /// change of this process.
  public let externalOrigin: String?

  /// States changes.
  public init(_ changes: [RecordTransition<R>], externalOrigin: String? = nil) {
    self.changes = changes
    self.externalOrigin = externalOrigin
  }

  /// The records, at most three.
  public var subject: String? {
    RecordSubject.numbers(changes.count) { changes[$0].number }
  }
}

/// States to views which records have changed, in any process; a view that shows some asks for them
/// anew.
public struct ResponseChangedRecords: ViewModelEvent, Fact, ChangeNotice, Announcement, Codable {
  /// What JSON-RPC calls it.
  public static let notification = "records/changed"
  /// A record that has changed.
  public struct Item: Sendable, Equatable, Codable {
    /// Its number.
    public let number: Int
    /// Its title or, if it no longer exists, its last one.
    public let title: String
    /// Whether it was there before.
    public let wasThere: Bool
    /// Whether it exists now.
    public let isThere: Bool
  }

  /// What has changed, in order.
  public let items: [Item]
  /// Their numbers.
  public var changedIDs: [Int] { items.map(\.number) }
  /// The revision that the last of the changes made.
  public let revision: Int
  /// Whose change it was, if it was another process's.
  public let externalOrigin: String?

  /// The first of them.
  public var subject: String? { items.first.map { "#\($0.number)" } }

  /// A line for each of the first few: whether it is new, gone, or has changed (S45).
  public func announce(on page: inout Page) {
    for item in items.prefix(3) {
      if let externalOrigin {
        page.write(user: externalOrigin, .dim)
        page.write(" ")
      }
      switch (item.wasThere, item.isThere) {
      case (false, _): page.write("+ ", .green)
      case (true, false): page.write("- ", .red)
      case (true, true): page.write("~ ", .yellow)
      }
      page.write("#\(item.number) ", .dim)
      page.write(user: item.title)
      page.endLine()
    }
    guard items.count > 3 else { return }
    page.write("  … and \(items.count - 3) more", .dim)
    page.endLine()
  }
}

/// Says what another process has stored.
///
/// Changes come in the order of their revisions, each once.
public struct ResponseExternalChange: ModelEvent, Fact, Codable {
  /// The change, or why the store can't be watched.
  public let result: Result<ExternalChange, Failure>

  /// Wraps what was heard.
  public init(_ result: Result<ExternalChange, Failure>) {
    self.result = result
  }

  /// Writes the result.
  public func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }

  /// Reads a result.
  public init(from decoder: any Decoder) throws { result = try Result(from: decoder) }
}

/// States that the store can no longer be watched, or can't be read at all.
public struct ResponseStoreTrouble: ViewModelEvent, Fact, TroubleNotice, Announcement, WireEvent,
  Codable
{
  /// Why, for a person.
  public let failure: Failure

  /// States a failure.
  public init(_ failure: Failure) { self.failure = failure }

  /// The failure.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("error")
      json.object { failure.write(to: &$0) }
    }
  }
}
