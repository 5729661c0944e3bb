public import EventMVVM

/// An amount of something that is counted, with its dimensions.
///
/// An observer that counts depends on no domain. A measure has no title and no note, only the labels by which a
/// person groups things. Those of a record with the role `completion` follow from its roles: how many were added,
/// completed, reopened, deleted and restored, and how many are open, by labels and project; another record
/// declares its own:
///
/// ```swift
/// static func measures(from before: Line?, to after: Line?, at time: Instant) -> [Measure] {
///   let change = (after?.quantity ?? 0) - (before?.quantity ?? 0)
///   return change == 0 ? [] : [Measure(.level("pieces"), change, at: time, by: [])]
/// }
/// ```
public struct Measure: Sendable, Equatable, Codable {
  /// The counted kind: `completed`.
  public let kind: Kind
  /// The amount; negative where a level falls.
  public let amount: Int
  /// The time.
  public let time: Instant
  /// Its dimensions.
  public let dimensions: [Dimension]

  /// Creates a measure.
  public init(_ kind: Kind, _ amount: Int, at time: Instant, by dimensions: [Dimension]) {
    self.kind = kind
    self.amount = amount
    self.time = time
    self.dimensions = dimensions
  }

  /// A kind of thing that is counted.
  public struct Kind: Sendable, Hashable, Codable {
    /// Its name, in text and in JSON.
    public let name: String
    /// Whether it is a level, such as the number of open things: amounts raise and lower it.
    public let isLevel: Bool

    /// Returns a kind for things that happen.
    public static func count(_ name: String) -> Kind { Kind(name: name, isLevel: false) }
    /// Returns a kind for a level, which rises and falls.
    public static func level(_ name: String) -> Kind { Kind(name: name, isLevel: true) }
  }

  /// A dimension of counting, with a value: `tag`, `project`.
  public struct Dimension: Sendable, Hashable, Codable {
    /// The dimension's name.
    public let name: String
    /// The value on it.
    public let value: String

    /// Creates a dimension with a value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}

/// Requests the measures of a domain's history, from a position on.
///
/// ```swift
/// let first = try process.ask(RequestMeasures(after: "", limit: 1))
/// #expect(first.measures.map(\.amount) == [2])
/// #expect(!first.isLast)
/// ```
public struct RequestMeasures: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseMeasures
  /// It only reads.
  public static let writes = false

  /// The position after which to begin, from an earlier part; empty for the beginning.
  public let position: String
  /// The most changes to read.
  public let limit: Int

  /// Creates the request.
  public init(after position: String, limit: Int) {
    self.position = position
    self.limit = limit
  }
}

/// The measures of a part of a domain's history; a failure of the kind `notFound` where the
/// position belongs to another history.
public struct ResponseMeasures: ViewModelEvent, Response, Decodable {
  /// The measures, or why there are none.
  public let result: Result<MeasuredPart, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<MeasuredPart, Failure>) {
    self.result = result
  }
}

/// A part of a domain's history, measured.
public struct MeasuredPart: Sendable, Equatable, Codable {
  /// The measures, in the order of the history.
  public let measures: [Measure]
  /// The position after the part, to continue from.
  public let position: String
  /// Whether nothing follows it.
  public let isLast: Bool

  /// Creates a part.
  public init(_ measures: [Measure], upTo position: String, isLast: Bool) {
    self.measures = measures
    self.position = position
    self.isLast = isLast
  }
}

/// Requests the gauges of a domain, which its history does not contain, such as overdue things.
public struct RequestGauges: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseGauges
  /// It only reads.
  public static let writes = false

  /// Creates a request for all gauges.
  public init() {}
}

/// The gauges of a domain.
public struct ResponseGauges: ViewModelEvent, Response {
  /// The gauges, or why they can't be read.
  public let result: Result<[Gauge], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[Gauge], Failure>) {
    self.result = result
  }
}

/// A current value, such as the number of overdue things.
public struct Gauge: Sendable, Equatable, Codable {
  /// Its name: `overdue`.
  public let name: String
  /// Its value.
  public let value: Int

  /// Creates a gauge.
  public init(_ name: String, _ value: Int) {
    self.name = name
    self.value = value
  }
}
