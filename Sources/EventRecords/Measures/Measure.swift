public import EventMVVM

/// Something that can be counted, and what it is counted by.
///
/// A domain says what is measurable of it; an observer that counts knows no domain. No title and no
/// note is part of it, only the labels by which a person groups things.
public struct Measure: Sendable, Equatable, Codable {
  /// What is counted: `completed`.
  public let kind: Kind
  /// How many of it; less than none where a level falls.
  public let amount: Int
  /// The time.
  public let time: Instant
  /// What it can be counted by.
  public let dimensions: [Dimension]

  /// Counts something.
  public init(_ kind: Kind, _ amount: Int, at time: Instant, by dimensions: [Dimension]) {
    self.kind = kind
    self.amount = amount
    self.time = time
    self.dimensions = dimensions
  }

  /// A sort of thing that is counted.
  public struct Kind: Sendable, Hashable, Codable {
    /// Its name, in text and in JSON.
    public let name: String
    /// Whether it is a level, such as what is open: amounts raise and lower it.
    public let isLevel: Bool

    /// Something that happens, and is counted.
    public static func count(_ name: String) -> Kind { Kind(name: name, isLevel: false) }
    /// Something that stands so high, and rises and falls.
    public static func level(_ name: String) -> Kind { Kind(name: name, isLevel: true) }
  }

  /// What something can be counted by: `tag`, `project`.
  public struct Dimension: Sendable, Hashable, Codable {
    /// The dimension's name.
    public let name: String
    /// The value on it.
    public let value: String

    /// Names a value.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }
}

/// Asks a domain for what can be measured of what has happened, from a position in its history on.
public struct RequestMeasures: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseMeasures
  /// It only reads.
  public static let writes = false

  /// The position after which to begin, as an earlier part named it; empty for the beginning.
  public let position: String
  /// How many changes to look at, at most.
  public let limit: Int

  /// Asks for measures.
  public init(after position: String, limit: Int) {
    self.position = position
    self.limit = limit
  }
}

/// The measures of a part of a domain's history; a failure of the kind `notFound` where it has no
/// such position, as it is another history.
public struct ResponseMeasures: ViewModelEvent, Response, Decodable {
  /// The measures or why there are none.
  public let result: Result<MeasuredPart, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<MeasuredPart, Failure>) {
    self.result = result
  }
}

/// A part of a domain's history, measured.
public struct MeasuredPart: Sendable, Equatable, Codable {
  /// The measures, in the order in which it happened.
  public let measures: [Measure]
  /// The position after the part, to go on from.
  public let position: String
  /// Whether nothing follows it.
  public let isLast: Bool

  /// Describes a part.
  public init(_ measures: [Measure], upTo position: String, isLast: Bool) {
    self.measures = measures
    self.position = position
    self.isLast = isLast
  }
}

/// Asks a domain how things stand that history does not tell, such as what is overdue today.
public struct RequestGauges: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseGauges
  /// It only reads.
  public static let writes = false

  /// Asks for all of them.
  public init() {}
}

/// How things stand.
public struct ResponseGauges: ViewModelEvent, Response {
  /// The gauges or why they can't be read.
  public let result: Result<[Gauge], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[Gauge], Failure>) {
    self.result = result
  }
}

/// How something stands.
public struct Gauge: Sendable, Equatable, Codable {
  /// What it is called: `overdue`.
  public let name: String
  /// How many.
  public let value: Int

  /// Reads a gauge.
  public init(_ name: String, _ value: Int) {
    self.name = name
    self.value = value
  }
}
