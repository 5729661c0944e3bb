/// A strongly typed notification on the stream (S2).
///
/// An event is a value (S3): its type is a struct or an enum, its name starts with `Request` or
/// `Response`, and it carries what its observers need and no view, controller or other object.
/// Any module may declare one; the stream need not know the type.
///
/// ```swift
/// struct RequestGreeting: ViewModelEvent, Request {
///   typealias Reply = ResponseGreeting
///   var name = ""
/// }
/// ```
public protocol Event: StreamEntry, Equatable {
  /// The external name: in traces, recordings and over JSON-RPC.
  ///
  /// The type's own name unless declared otherwise; two event types of one name are reported when
  /// the application starts.
  static var name: String { get }
  /// Whether it states something that is true only once its unit is committed (promise 11).
  static var isFact: Bool { get }
  /// What the event is about, as a person names it: `#3`, the name of a state; nil where it is
  /// about nothing in particular.
  ///
  /// Computed on demand, such as by a trace; it is a name without content (no title, no note).
  var subject: String? { get }

  /// The version of the event's coded form in recordings; it increases whenever that form changes.
  static var version: Int { get }

  /// Writes what it carries, for a recording; implemented for events that are `Encodable`, and for
  /// responses whose value and failure are.
  ///
  /// - Returns: False if it can't be written, so that a recording holds no more than its name.
  func _record(to encoder: any Encoder) throws -> Bool

  /// The type of the reply, for a request; see ``Request``. Not for implementing.
  static var _reply: StreamKey? { get }
  /// Whether it answers requests; see ``Response``. Not for implementing.
  static var _isResponse: Bool { get }
  /// Whether handling it may write; see ``Request/writes``. Not for implementing.
  static var _writes: Bool { get }
  /// The failure, if it is a response that failed; see ``Response/result``. Not for implementing.
  var _problem: (any EventFailure)? { get }
}

/// An event between a model server and a view model server (S7); views never receive it.
///
/// ```swift
/// struct ResponseAlarmTick: ModelEvent, Codable {}
/// ```
public protocol ModelEvent: Event {}

/// An event between a view model server and views (S7).
///
/// ```swift
/// struct RequestPaid: ViewModelEvent, Request, Codable {
///   typealias Reply = ResponseCart
///   let price: Amount
/// }
/// ```
public protocol ViewModelEvent: Event {}

/// An event that states what has happened: a change notice, a state, an undo step.
///
/// Inside a unit a fact waits until the unit is committed, and is dropped when it is rolled back
/// (promise 11).
///
/// ```swift
/// struct ResponseGreeted: ViewModelEvent, Fact {
///   var name: String
/// }
/// ```
public protocol Fact: Event {}

/// An event that asks for exactly one reply (promise 6).
///
/// ```swift
/// struct RequestUser: ModelEvent, Request, Codable {
///   typealias Reply = ResponseUser
///   static let writes = false
///   let address: String
/// }
/// ```
public protocol Request: Event {
  /// The event that answers it.
  associatedtype Reply: Response

  /// Whether handling it may change what other requests read.
  ///
  /// While a unit is open, requests of other roots that write wait until it ends; those that only
  /// read do not (promise 11). Declare `static let writes = false` on a request that reads.
  static var writes: Bool { get }
}

/// An event that answers a request, with a success or a failure (S40, S41; promise 9).
///
/// ```swift
/// struct ResponseGreeting: ViewModelEvent, Response {
///   var result: Result<Message, Failure>
///   init(_ result: Result<Message, Failure>) { self.result = result }
/// }
/// ```
public protocol Response: Event {
  /// The value of a success.
  associatedtype Value: Sendable, Equatable
  /// The error of a failure: one error type for each layer.
  associatedtype Problem: EventFailure

  /// Wraps an outcome.
  init(_ result: Result<Value, Problem>)
  /// The outcome.
  var result: Result<Value, Problem> { get }

  /// Returns the value of a success. Not for implementing.
  ///
  /// A requirement, so that it is compiled for each response: generic code would have the runtime
  /// look up the types of its results at each reply.
  static func _value(of reply: Result<Self, Interruption>) throws -> Value
}

/// An error that can travel in a response.
public protocol EventFailure: Error, Sendable, Equatable {
  /// Converts an error of a handler to a failure of this layer.
  init(_ error: any Error)
}

extension Event {
  /// The type's own name.
  ///
  /// Read from the runtime directly: describing a type as a value first searches all conformances
  /// of the program for one that describes it.
  public static var name: String { _typeName(Self.self, qualified: false) }
  /// Version 1, unless declared otherwise.
  public static var version: Int { 1 }
  /// Writes nothing, for an event that is not `Encodable`.
  public func _record(to encoder: any Encoder) throws -> Bool { false }
  /// False: an event is no fact unless declared as one.
  public static var isFact: Bool { false }
  /// Nil: an event is about nothing in particular unless declared otherwise.
  public var subject: String? { nil }
  /// Nil: an event is no request unless declared as one.
  @inlinable public static var _reply: StreamKey? { nil }
  /// False: an event is no response unless declared as one.
  @inlinable public static var _isResponse: Bool { false }
  /// Nil: only a response fails.
  public var _problem: (any EventFailure)? { nil }
  /// False: only a request writes.
  @inlinable public static var _writes: Bool { false }
}

extension Event where Self: Encodable {
  /// Writes the event itself.
  public func _record(to encoder: any Encoder) throws -> Bool {
    try encode(to: encoder)
    return true
  }
}

extension Fact {
  /// True: a fact waits for the end of its unit.
  @inlinable public static var isFact: Bool { true }
}

extension Request {
  /// True: a request writes unless declared otherwise.
  @inlinable public static var writes: Bool { true }
  /// The type of the reply.
  @inlinable public static var _reply: StreamKey? { StreamKey(Reply.self) }
  /// The value of ``writes``.
  @inlinable public static var _writes: Bool { writes }
}

extension Response {
  /// Wraps what `body` returns or throws (promise 9).
  @inlinable
  init(of turn: borrowing Turn, _ body: (borrowing Turn) throws -> Value) {
    do {
      self.init(.success(try body(turn)))
    } catch {
      self.init(.failure(Problem(error)))
    }
  }

  /// Returns or throws the reply's result, if there is a reply.
  @inlinable
  public static func _value(of reply: Result<Self, Interruption>) throws -> Value {
    switch reply {
    case .success(let response): try response.result.get()
    case .failure(let interruption): throw interruption
    }
  }
  /// The failure of its result, if it is one.
  public var _problem: (any EventFailure)? {
    guard case .failure(let problem) = result else { return nil }
    return problem
  }
  /// True: a response answers requests.
  @inlinable public static var _isResponse: Bool { true }
}
