public import EventMVVM
public import EventValues

/// Counts records of a kind; all counts are from one snapshot.
///
/// ```swift
/// let counts = RequestRecordCounts<Reading>([
///   .equals(\.isOpen, true), .has(\.tags, "five"), .all(),
/// ])
/// #expect(try process.ask(counts) == [10, 4, 20])
/// ```
public struct RequestRecordCounts<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecordCounts<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// The condition of each count.
  public let conditions: [RecordCondition]
  /// When the records were as they are counted; nil for now.
  public private(set) var moment: PastMoment?

  /// Requests counts; by default that of all records.
  public init(_ conditions: [Condition<R>] = []) {
    self.conditions = conditions.isEmpty ? [.all] : conditions.map(\.stored)
  }

  /// Requests the number of records that a query finds, whatever its limit is.
  public init(of query: Query<R>) { conditions = [query.stored.condition] }

  /// Returns the same request for the records as they were at a moment of the past; see ``RequestRecords/asOf(_:)``.
  public func asOf(_ moment: PastMoment?) -> Self {
    var request = self
    request.moment = moment
    return request
  }
}

extension RequestRecordCounts: GrowingValue {}

/// The counts of records.
public struct ResponseRecordCounts<R: Record>: ModelEvent, Response, Decodable {
  /// The counts in the order of the conditions, or why there are none.
  public let result: Result<[Int], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[Int], Failure>) {
    self.result = result
  }
}

/// Requests the names in a set of the records of a kind, or the texts in a field, with a prefix; by
/// their bytes.
///
/// ```swift
/// let labels = RequestRecordLabels<Reading>("tags", prefix: "f")
/// #expect(try process.ask(labels).map { "\($0.text) \($0.count)" } == ["five 4"])
/// ```
public struct RequestRecordLabels<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecordLabels<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// The name of the field.
  public let field: String
  /// The prefix.
  public let prefix: String
  /// The most names.
  public let limit: Int

  /// Requests names.
  ///
  /// - Parameters:
  ///   - field: The name of the set or the field.
  ///   - prefix: The prefix.
  ///   - limit: The most names.
  public init(_ field: String, prefix: String = "", limit: Int = 1000) {
    self.field = field
    self.prefix = prefix
    self.limit = limit
  }
}

/// The names, each with its number of records.
public struct ResponseRecordLabels<R: Record>: ModelEvent, Response, Decodable {
  /// The names in their order, or why there are none.
  public let result: Result<[RecordLabel], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[RecordLabel], Failure>) {
    self.result = result
  }
}

/// Requests the names in a set of the records of a kind, or the texts in a field, each with how many of its records meet
/// some conditions; those without one come first.
///
/// ```swift
/// let groups = RequestRecordGroups<Reading>("tags", counting: [.all(), .equals(\.isOpen, true)])
/// let counted = try process.ask(groups).map { "\($0.text ?? "none") \($0.counts)" }
/// ```
public struct RequestRecordGroups<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecordGroups<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// The name of the field.
  public let field: String
  /// The conditions.
  public let conditions: [RecordCondition]

  /// Requests groups.
  ///
  /// - Parameters:
  ///   - field: The name of the set or the field.
  ///   - conditions: What is counted in each group.
  public init(_ field: String, counting conditions: [Condition<R>]) {
    self.field = field
    var stored: [RecordCondition] = []
    for condition in conditions { stored.append(condition.stored) }
    self.conditions = stored
  }
}

/// The names, each with the numbers of its records.
public struct ResponseRecordGroups<R: Record>: ModelEvent, Response, Decodable {
  /// The groups in their order, or why there are none.
  public let result: Result<[RecordGroupCount], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[RecordGroupCount], Failure>) {
    self.result = result
  }
}

/// Requests how a query is carried out: whether all records are read, or which index is used.
///
/// ```swift
/// try process.ask(RequestRecordPlan<Reading>(query))
/// ```
public struct RequestRecordPlan<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecordPlan<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// The query.
  public let query: Query<R>

  /// Creates the request.
  public init(_ query: Query<R>) {
    self.query = query
  }
}

/// How a query is carried out, in the words of the database.
public struct ResponseRecordPlan<R: Record>: ModelEvent, Response, Decodable {
  /// The text, or why there are none; empty before there is a store.
  public let result: Result<String, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<String, Failure>) {
    self.result = result
  }
}

/// Requests the names in a set of the records of a kind, or the texts in a field, with a prefix:
/// for completion.
///
/// ```swift
/// ValueShape("BATCH") { RequestFieldCandidates("sample", "batch", prefix: $0) }
/// ```
public struct RequestFieldCandidates: CandidateRequest, Codable {
  /// The response that answers it: at most a hundred names, in order.
  public typealias Reply = ResponseCandidates
  /// It only reads.
  public static var writes: Bool { false }

  /// The name of the record type.
  public let kind: String
  /// The name of the field.
  public let field: String
  /// The prefix.
  public let prefix: String

  /// Creates the request.
  public init(_ kind: String, _ field: String, prefix: String) {
    self.kind = kind
    self.field = field
    self.prefix = prefix
  }
}
