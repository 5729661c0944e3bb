import EventMVVM
import EventValues

/// The rest of a list that is read in parts, in the state of its beginning; it retains the
/// snapshot.
///
/// Each part can be read once; any thread, one at a time. A recording refers to it by a number, as
/// a snapshot can't be written.
///
/// ```swift
/// process.stream.on(ResponseRecords<Reading>.self, owner: self) { rest, reply, _ in
///   rest.known.withLock { $0 = reply.rest }
/// }
/// ```
public struct RecordRest<R: Record>: Sendable, Equatable {
  /// Some records of a list, and the rest.
  struct Part: Sendable {
    var records: [Kept<R>] = []
    /// The warning about unreadable records; nil if there are none.
    var trouble: ResponseUnreadableRecords?
    var rest: RecordRest?
  }

  /// An object whose identity distinguishes one list from another in a recording.
  private final class Source: Sendable {
    let read: @Sendable () throws -> Part
    init(_ read: @escaping @Sendable () throws -> Part) { self.read = read }
  }

  private let source: Source

  init(_ read: @escaping @Sendable () throws -> Part) {
    source = Source(read)
  }

  /// Creates the rest from the rows of a query.
  init(_ rows: any OpenRows, inPartsOf count: Int) {
    self.init {
      var (part, seen) = try rows.read { try Part.reading($0, atMost: count) }
      // A full part may be the last: then an empty one follows.
      if seen == count { part.rest = RecordRest(rows, inPartsOf: count) }
      return part
    }
  }

  /// Reads the next part.
  func next() throws -> Part { try source.read() }

  /// Whether both are the same rest of the same list.
  public static func == (first: RecordRest, second: RecordRest) -> Bool {
    first.source === second.source
  }
}

extension RecordRest.Part {
  /// Reads rows, up to a limit.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - limit: The most rows; nil for all.
  ///   - known: The numbers of the excluded records.
  /// - Returns: The records, and the number of rows that were read.
  /// - Throws: The store's failure.
  static func reading(
    _ rows: any RecordRows,
    atMost limit: Int? = nil,
    excluding known: Set<Int> = []
  ) throws -> (Self, seen: Int) {
    let table = R._table
    var part = Self()
    var count = 0
    var problems: [(Int, String)] = []
    while count < limit ?? .max, let row = try rows.next() {
      count += 1
      guard !known.contains(row.number) else { continue }
      do {
        try R._read(row, table, into: &part.records)
      } catch RecordError.damaged(let number, _, let why) {
        problems.append((number, why))
      }
    }
    if !problems.isEmpty {
      part.trouble = ResponseUnreadableRecords(problems, R.kind, of: count)
    }
    return (part, count)
  }
}

extension RecordRest: Codable {
  /// Writes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Identities.of(encoder.userInfo)?.number(of: source) ?? 0)
  }

  /// Finds the rest with that number; throws where no beginning was read.
  public init(from decoder: any Decoder) throws {
    let number = try decoder.singleValueContainer().decode(Int.self)
    let identities = Identities.of(decoder.userInfo)
    if let known = identities?.object(number) as? Source {
      source = known
      return
    }
    source = Source {
      throw StoreError(path: "", "the rest of this list was not kept in the recording")
    }
    _ = identities?.number(of: source)
  }
}
