public import EventCommands
public import EventMVVM

/// Counts records of a kind; all counts are of one moment.
public struct RequestRecordCounts<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecordCounts<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// What holds for those that are counted, for each count.
  public let conditions: [RecordCondition]

  /// Asks for counts; by default for that of all records.
  public init(_ conditions: [Condition<R>] = []) {
    self.conditions = conditions.isEmpty ? [.all] : conditions.map(\.stored)
  }
}

/// How many records there are.
public struct ResponseRecordCounts<R: Record>: ModelEvent, Response, Decodable {
  /// The counts in the order of the conditions, or why there are none.
  public let result: Result<[Int], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[Int], Failure>) {
    self.result = result
  }
}

/// Asks for the names in a set of the records of a kind, or the texts in a field, that begin so; by
/// their bytes.
public struct RequestRecordLabels<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecordLabels<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// The name of the field.
  public let field: String
  /// What they begin with.
  public let prefix: String
  /// How many at most.
  public let limit: Int

  /// Asks for names.
  ///
  /// - Parameters:
  ///   - field: The name of the set or the field.
  ///   - prefix: What they begin with.
  ///   - limit: How many at most.
  public init(_ field: String, prefix: String = "", limit: Int = 1000) {
    self.field = field
    self.prefix = prefix
    self.limit = limit
  }
}

/// The names, each with how many records have it.
public struct ResponseRecordLabels<R: Record>: ModelEvent, Response, Decodable {
  /// The names in their order, or why there are none.
  public let result: Result<[RecordLabel], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[RecordLabel], Failure>) {
    self.result = result
  }
}

/// Asks how a query is carried out: whether all records are looked at, or which index is used.
public struct RequestRecordPlan<R: Record>: ModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseRecordPlan<R>
  /// It only reads.
  public static var writes: Bool { false }

  /// The query.
  public let query: Query<R>

  /// Asks about a query.
  public init(_ query: Query<R>) {
    self.query = query
  }
}

/// How a query is carried out, in the store's own words.
public struct ResponseRecordPlan<R: Record>: ModelEvent, Response, Decodable {
  /// The words, or why there are none; empty before there is a store.
  public let result: Result<String, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<String, Failure>) {
    self.result = result
  }
}

/// Asks for the names in a set of the records of a kind, or the texts in a field, that begin so:
/// for completion.
public struct RequestFieldCandidates: CandidateRequest, Codable {
  /// What answers it: at most a hundred, in their order.
  public typealias Reply = ResponseCandidates
  /// It only reads.
  public static var writes: Bool { false }

  /// What the records are called.
  public let kind: String
  /// The name of the field.
  public let field: String
  /// What they begin with.
  public let prefix: String

  /// Asks for names.
  public init(_ kind: String, _ field: String, prefix: String) {
    self.kind = kind
    self.field = field
    self.prefix = prefix
  }
}
