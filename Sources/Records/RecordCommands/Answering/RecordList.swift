public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// A command that lists the records that a query finds; a long list is written as it is read.
///
/// ```swift
/// private struct RequestLeaves: RecordList {
///   typealias View = LeavesView
///   var tag: String?
///   var extent = ListExtent<Leaf>.all
///   static let command = CommandSpec<Self>("list", "Lists leaves.")
///     .option(\.tag, "With this label", flag: "--tag")
///     .unlisted(\.extent)
/// ```
public protocol RecordList: PartedCommand, RecordCommand
where Reply == ResponseRecordList<Self, View> {
  // Declared here as well, so that it follows from the requirements below.
  /// The kind of its records.
  associatedtype Kind
  /// The list for a person and a program.
  associatedtype View: PartedResult
  /// The response with the list.
  associatedtype Reply = ResponseRecordList<Self, View>
  /// The part of the list that is read at once; a command does not list it.
  var extent: ListExtent<Kind> { get set }
  /// The field whose values are suggested where nothing was found, such as that of a label; nil for none.
  var suggestedField: String? { get }
  /// Returns when the records were as they are listed; nil, the default, for now.
  func moment(_ turn: borrowing Turn) throws -> PastMoment?
  /// Returns the query; a throw becomes the failure of the reply.
  func query(_ turn: borrowing Turn) throws -> Query<Kind>
  /// Returns the result, for all records or a part of them.
  func result(_ records: [Kept<Kind>], _ turn: borrowing Turn) throws -> View
  /// Returns the result where nothing was found, with values of the suggested field.
  func result(suggesting values: [String], _ turn: borrowing Turn) throws -> View
}

/// The part of a list that is read at once.
public enum ListExtent<R: Record>: Sendable, Equatable, Codable {
  /// All of it.
  case all
  /// The first records, up to this number, and a request for the rest.
  case part(Int)
  /// The rest after a part.
  case rest(RecordRest<R>)
}

/// The requested list.
public struct ResponseRecordList<List: Sendable, View: Sendable>: Sendable {
  // A requirement here would be looked up among all conformances at every start of a program.
  /// The list, or why there is none.
  public let result: Result<View, Failure>
  /// The request for the rest after a part; nil after the last.
  public let rest: List?

  fileprivate init(_ result: Result<View, Failure>, rest: List?) {
    (self.result, self.rest) = (result, rest)
  }
}

extension ResponseRecordList: Equatable where List: Equatable, View: Equatable {}

extension ResponseRecordList: StreamEntry, Event, ViewModelEvent, Response, PartedResponse
where List: Equatable, View: PartedResult {
  /// The name of the result; else that of the type with its result's.
  public static var name: String { View.responseName ?? _typeName(Self.self, qualified: false) }

  /// Creates a whole list, or the failure of it.
  public init(_ result: Result<View, Failure>) { self.init(result, rest: nil) }

  /// What the list is about.
  public var subject: String? {
    switch result {
    case .success(let view): view.subject
    case .failure(let failure): failure.id.map { "#\($0)" }
    }
  }
}

extension RecordList {
  /// It only reads.
  public static var writes: Bool { false }
  /// None.
  public var suggestedField: String? { nil }
  /// Nil: now.
  public func moment(_ turn: borrowing Turn) throws -> PastMoment? { nil }
  /// How many values are suggested; one more says that there are others.
  public static var mostSuggestions: Int { 10 }

  /// The empty list.
  public func result(suggesting values: [String], _ turn: borrowing Turn) throws -> View {
    try result([], turn)
  }

  /// Returns a request for the same list, a part at a time.
  public func inParts(of count: Int) -> Self {
    var part = self
    part.extent = .part(count)
    return part
  }

  /// Answers the command on a stream.
  public static func answer(on stream: EventStream) {
    answer(on: stream) { request, turn in try request.answer(turn) }
  }

  /// Replies with the list.
  func answer(_ turn: borrowing Turn) throws {
    turn.request(try request(turn)) { result, turn in
      attempt(turn) { turn in
        let response = try result.get()
        let records = try response.result.get()
        if let field = suggestedField, records.isEmpty, !isRest {
          return suggest(valuesOf: field, turn)
        }
        let rest = response.rest.map { rest in
          var next = self
          next.extent = .rest(rest)
          return next
        }
        turn.send(Reply(.success(try self.result(records, turn)), rest: rest))
      }
    }
  }

  private var isRest: Bool { if case .rest = extent { true } else { false } }

  private func request(_ turn: borrowing Turn) throws -> RequestRecords<Kind> {
    switch extent {
    case .all: RequestRecords(try query(turn)).asOf(try moment(turn))
    case .part(let count):
      RequestRecords(try query(turn), inPartsOf: count).asOf(try moment(turn))
    case .rest(let rest): RequestRecords(rest)
    }
  }

  private func suggest(valuesOf field: String, _ turn: borrowing Turn) {
    turn.request(RequestRecordLabels<Kind>(field, limit: Self.mostSuggestions + 1)) {
      result,
      turn in
      attempt(turn) { turn in
        let values = (try? result.get().result.get())?.map(\.text) ?? []
        turn.send(Reply(.success(try self.result(suggesting: values, turn))))
      }
    }
  }
}
