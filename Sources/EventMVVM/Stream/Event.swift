/// Something that is said on the stream: a strongly typed notification (S2).
///
/// An event is a value (S3): its type is a struct or an enum, its name starts with `Request` or
/// `Response`, and it carries what the receivers need and no view, controller or other object.
/// Anyone may declare one; the stream need not know it.
///
/// ```swift
/// struct RequestGreeting: ViewModelEvent, Request {
///   typealias Reply = ResponseGreeting
///   var name = ""
/// }
/// ```
public protocol Event: StreamEntry, Equatable {
  /// The name under which others know it: in traces, recordings and over JSON-RPC.
  ///
  /// The type's own name unless declared otherwise; two event types of one name are reported when
  /// the application starts.
  static var name: String { get }
  /// Whether it states something that is only true once its unit is kept (promise 11).
  static var isFact: Bool { get }
  /// What the event is about, as a person names it: `#3`, the name of a state; nil where it is
  /// about nothing in particular.
  ///
  /// Computed on demand, such as by a trace; it names, and says no more (no title, no note).
  var subject: String? { get }

  /// Which version of the event this is, in recordings: one more whenever what it carries changes
  /// its shape.
  static var version: Int { get }

  /// Writes what it carries, for a recording: an event that is `Encodable` does, and a response
  /// whose value and failure are.
  ///
  /// - Returns: False if it can't be written, so that a recording holds no more than its name.
  func _record(to encoder: any Encoder) throws -> Bool

  /// The type of the reply, for a request; see ``Request``. Not for implementing.
  static var _reply: StreamKey? { get }
  /// Whether it answers requests; see ``Response``. Not for implementing.
  static var _isResponse: Bool { get }
  /// Whether handling it may write; see ``Request/writes``. Not for implementing.
  static var _writes: Bool { get }
  /// What it failed with, if it is a response that did; see ``Response/result``. Not for
  /// implementing.
  var _problem: (any EventFailure)? { get }
}

/// An event between a model server and a view model server (S7): views never see it.
public protocol ModelEvent: Event {}

/// An event between a view model server and views (S7).
public protocol ViewModelEvent: Event {}

/// An event that states what has become so: a change notice, a state, an undo step.
///
/// Inside a unit a fact waits until the unit is committed, and is dropped when it is rolled back
/// (promise 11).
public protocol Fact: Event {}

/// An event that asks for exactly one reply (promise 6).
public protocol Request: Event {
  /// The event that answers it.
  associatedtype Reply: Response

  /// Whether handling it may change what others read.
  ///
  /// While a unit is open, requests of other roots that write wait until it ends; those that only
  /// read do not (promise 11). Declare `static let writes = false` on a request that reads.
  static var writes: Bool { get }
}

/// An event that answers a request, with a success or a failure (S40, S41; promise 9).
public protocol Response: Event {
  /// What a success carries.
  associatedtype Value: Sendable, Equatable
  /// What a failure carries: one error type for each layer.
  associatedtype Problem: EventFailure

  /// Wraps an outcome.
  init(_ result: Result<Value, Problem>)
  /// The outcome.
  var result: Result<Value, Problem> { get }

  /// What a success carries. Not for implementing.
  ///
  /// A requirement, so that it is compiled for each response: code that asks for any command would
  /// have the runtime look for the types of its results at each reply.
  static func _value(of reply: Result<Self, Interruption>) throws -> Value
}

/// An error that can travel in a response.
public protocol EventFailure: Error, Sendable, Equatable {
  /// Turns an error of a handler into a failure of this layer.
  init(_ error: any Error)
}

extension Event {
  /// The type's own name.
  ///
  /// Asked of the runtime directly: to describe a type as if it were a value is to look first,
  /// through all conformances of the program, whether it describes itself.
  public static var name: String { _typeName(Self.self, qualified: false) }
  /// The first, unless declared otherwise.
  public static var version: Int { 1 }
  /// Nothing is written of what is not `Encodable`.
  public func _record(to encoder: any Encoder) throws -> Bool { false }
  /// Nothing is a fact unless it says so.
  public static var isFact: Bool { false }
  /// Nothing in particular.
  public var subject: String? { nil }
  /// Nothing is a request unless it says so.
  @inlinable public static var _reply: StreamKey? { nil }
  /// Nothing is a response unless it says so.
  @inlinable public static var _isResponse: Bool { false }
  /// Nothing but a response fails.
  public var _problem: (any EventFailure)? { nil }
  /// Nothing but a request writes.
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
  /// A fact waits for the end of its unit.
  @inlinable public static var isFact: Bool { true }
}

extension Request {
  /// A request writes unless it says that it only reads.
  @inlinable public static var writes: Bool { true }
  /// The type of the reply.
  @inlinable public static var _reply: StreamKey? { StreamKey(Reply.self) }
  /// What ``writes`` says.
  @inlinable public static var _writes: Bool { writes }
}

extension Response {
  /// Wraps what a body returns or throws (promise 9).
  @inlinable
  init(of turn: borrowing Turn, _ body: (borrowing Turn) throws -> Value) {
    do {
      self.init(.success(try body(turn)))
    } catch {
      self.init(.failure(Problem(error)))
    }
  }

  /// What the reply's result says, if there is a reply.
  @inlinable
  public static func _value(of reply: Result<Self, Interruption>) throws -> Value {
    switch reply {
    case .success(let response): try response.result.get()
    case .failure(let interruption): throw interruption
    }
  }
  /// What its result says.
  public var _problem: (any EventFailure)? {
    guard case .failure(let problem) = result else { return nil }
    return problem
  }
  /// A response answers requests.
  @inlinable public static var _isResponse: Bool { true }
}
