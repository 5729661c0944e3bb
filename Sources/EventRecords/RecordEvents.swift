public import EventCommands
public import EventMVVM

// What is said between a domain's view-model server and those who keep records.

/// Reads records of a kind: those of some numbers, and those that a query finds.
public struct RequestRecords<R: Record>: ModelEvent, Request, Codable {
  /// What answers it.
  public typealias Reply = ResponseRecords<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// Records, each once, of which a missing one is a failure.
  public let references: [RecordReference]
  /// Finds those that come behind them, without those that are there already; nil if none do.
  public let query: RecordQuery?
  /// Whether whoever asks is about to write what he reads.
  let isToWrite: Bool

  /// Asks for all records of the kind, in the order of their numbers.
  public init() { self.init(Query()) }

  /// Asks for these records, in this order.
  ///
  /// - Parameters:
  ///   - referred: The records; one that is named twice is there once.
  ///   - query: Finds those that come behind them.
  public init(_ referred: some RecordReferring, and query: Query<R>? = nil) {
    self.init(referred.references, query, isToWrite: false)
  }

  init(_ references: [RecordReference], _ query: Query<R>?, isToWrite: Bool) {
    self.references = references.count > 1 ? references.unique : references
    self.query = query?.stored
    self.isToWrite = isToWrite
  }

  /// Asks for what a query finds.
  public init(_ query: Query<R>) {
    self.init([], query, isToWrite: false)
  }
}

/// The records that were asked for.
public struct ResponseRecords<R: Record>: ModelEvent, Response, Decodable {
  /// The records or why there are none.
  public let result: Result<[Kept<R>], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[Kept<R>], Failure>) {
    self.result = result
  }
}

/// A change of the records of a kind.
public enum RecordWrite<R: Record>: Sendable, Equatable, Codable {
  /// A new one; it gets an identity, if its kind declares one and it has none.
  case add(R)
  /// A new one, unless there is one whose field of this name has the same text: then that one stays as it is, and is
  /// what became of this. It is for what comes from elsewhere and has a name there, however many fetch it at once; the
  /// field is a text.
  case addOnce(R, by: String)
  /// Gives one another value: of the fields, those that differ from what they were at the revision that was
  /// seen. A field that somebody else has changed to another value since is a conflict (S71).
  case put(Int, R, seen: Int?)
  /// Takes one away.
  case remove(RecordReference)
  /// Gives one another place in the order that somebody gave a list by hand, beside another one (S62); see
  /// ``move(_:_:of:in:seen:)``.
  case move(RecordReference, ManualSide, of: RecordReference, by: String, seen: Int?)

  /// Takes away the one of a number.
  public static func remove(_ number: Int) -> Self { .remove(.number(number)) }

  /// Gives one another place in the order that somebody gave a list by hand, beside another one (S62).
  ///
  /// One that stands there already stays as it is. Where two share a place, which an undo can bring about, and this one
  /// is to stand between them, those above it get new places, too: what becomes of them stands behind what becomes of it.
  ///
  /// - Parameters:
  ///   - reference: Which.
  ///   - side: On which side of the other one.
  ///   - other: The other one.
  ///   - path: The field with the places; it is indexed.
  ///   - seen: The revision that was seen; that somebody else has moved it since is a conflict.
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
  /// What answers it.
  public typealias Reply = ResponseWriteRecords<R>

  /// The changes, in order.
  public let writes: [RecordWrite<R>]

  /// Asks for changes.
  public init(_ writes: [RecordWrite<R>]) {
    self.writes = writes
  }
}

/// What has been written.
public struct ResponseWriteRecords<R: Record>: ModelEvent, Response, Decodable {
  /// What became of each, in the order of the writes, or why nothing was written.
  ///
  /// Before and after are equal where nothing changed. What is removed twice is there once. Behind what was moved stand
  /// those that made room for it, if any did.
  public let result: Result<[RecordTransition<R>], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[RecordTransition<R>], Failure>) {
    self.result = result
  }
}

/// Says what has become of records, whoever changed them: this process or another one, forwards or by an undo.
public struct ResponseRecordChanges<R: Record>: ModelEvent, Fact, Codable {
  /// What became of them, in order; only what has changed.
  public let changes: [RecordTransition<R>]
  /// Whether another process did it.
  public let isForeign: Bool

  /// States changes.
  public init(_ changes: [RecordTransition<R>], isForeign: Bool = false) {
    self.changes = changes
    self.isForeign = isForeign
  }

  /// The first of them.
  public var subject: String? { changes.first.map { "#\($0.number)" } }
}

/// Says to views which records have changed, whoever changed them; a view that shows some asks for them anew.
public struct ResponseChangedRecords: ViewModelEvent, Fact, ChangeNotice, Announcement, Codable {
  /// What JSON-RPC calls it.
  public static let notification = "records/changed"
  /// A record that has changed.
  public struct Item: Sendable, Equatable, Codable {
    /// Its number.
    public let number: Int
    /// What it is called or, if it is not there any more, was called.
    public let title: String
    /// Whether it was there before.
    public let wasThere: Bool
    /// Whether it is there now.
    public let isThere: Bool
  }

  /// What has changed, in order.
  public let items: [Item]
  /// Their numbers.
  public var changedIDs: [Int] { items.map(\.number) }
  /// The revision that the last of the changes made.
  public let revision: Int
  /// Whose change it was, if it was another process's.
  public let stranger: String?

  /// The first of them.
  public var subject: String? { items.first.map { "#\($0.number)" } }

  /// A line for each of the first few: whether it is new, gone, or has changed (S45).
  public func announce(on page: inout Page) {
    for item in items.prefix(3) {
      if let stranger {
        page.write(user: stranger, .dim)
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
public struct ResponseForeignChange: ModelEvent, Fact, Codable {
  /// The change, or why the store can't be watched.
  public let result: Result<ForeignChange, Failure>

  /// Wraps what was heard.
  public init(_ result: Result<ForeignChange, Failure>) {
    self.result = result
  }

  /// Writes the result.
  public func encode(to encoder: any Encoder) throws { try result.encode(to: encoder) }

  /// Reads a result.
  public init(from decoder: any Decoder) throws { result = try Result(from: decoder) }
}
