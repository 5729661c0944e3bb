/// A view's way onto the stream: only view-model events pass (promise 10, S7).
///
/// ```swift
/// let greeting = try await port.request(RequestGreeting(name: "you"))
/// ```
///
/// Sending a model event through a port does not compile.
public struct ViewPort: Sendable {
  let stream: EventStream

  /// Creates a port on a stream, with the origin of the stream's handle.
  public init(_ stream: EventStream) {
    self.stream = stream.ofFrontend
  }

  /// The origin of what the port sends.
  public var origin: Origin { stream.origin }
  /// Where time and ids come from.
  public var environment: Environment { stream.environment }

  /// Sends an event that nothing on the stream caused; see ``EventStream/send(_:file:line:)``.
  public func send<E: ViewModelEvent>(
    _ event: E,
    file: StaticString = #fileID,
    line: UInt = #line
  ) {
    stream.send(event, file: file, line: line)
  }

  /// Sends a request and calls back with its reply; see
  /// ``EventStream/request(_:isHousekeeping:file:line:then:)``.
  @discardableResult
  public func request<R: Request & ViewModelEvent>(
    _ request: R,
    isHousekeeping: Bool = false,
    file: StaticString = #fileID,
    line: UInt = #line,
    then: @escaping (Result<R.Reply, Interruption>, borrowing ViewTurn) -> Void
  ) -> Conversation {
    stream.request(request, isHousekeeping: isHousekeeping, file: file, line: line) {
      then($0, ViewTurn($1))
    }
  }

  /// Sends a request and returns what its reply carries.
  ///
  /// - Throws: The reply's failure, or an ``Interruption``.
  public func request<R: Request & ViewModelEvent>(
    _ request: R,
    file: StaticString = #fileID,
    line: UInt = #line
  ) async throws -> R.Reply.Value {
    try await stream.request(request, file: file, line: line)
  }

  /// Cancels a conversation; see ``EventStream/cancel(_:)``.
  public func cancel(_ conversation: Conversation) {
    stream.cancel(conversation)
  }

  /// Observes a view-model event for as long as `owner` lives; see ``EventStream/on(_:owner:_:)``.
  @discardableResult
  public func on<E: ViewModelEvent, Owner: AnyObject>(
    _ type: E.Type,
    owner: Owner,
    _ body: @escaping (Owner, E, borrowing ViewTurn) -> Void
  ) -> Subscription {
    stream.on(type, owner: owner) { owner, event, turn in body(owner, event, ViewTurn(turn)) }
  }

  /// Observes a view-model event for as long as the stream lives; see ``EventStream/on(_:_:)``.
  @discardableResult
  public func on<E: ViewModelEvent>(
    _ type: E.Type,
    _ body: @escaping (E, borrowing ViewTurn) -> Void
  ) -> Subscription {
    stream.on(type) { event, turn in body(event, ViewTurn(turn)) }
  }

  /// Begins a unit; see ``EventStream/begin(_:then:)``.
  public func begin(
    _ mode: StreamUnit.Mode,
    then: @escaping (Result<StreamUnit, Failure>, borrowing ViewTurn) -> Void
  ) {
    stream.begin(mode) { result, turn in then(result, ViewTurn(turn)) }
  }

  /// Calls back on the home thread once everything that is queued at that time has been delivered.
  ///
  /// That includes the facts that follow a reply; see ``Turn/afterQueued(_:)``. Any thread may call
  /// it.
  package func afterQueued(_ body: @escaping @Sendable () -> Void) {
    stream.afterQueued(body)
  }

  /// Returns the object that all parts on the stream share; see ``EventStream``.
  package func shared<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    stream.shared(make)
  }

  /// Delivers, sleeping in between, until `isDone` is true; see ``EventStream/run(until:)``.
  public func run(until isDone: () -> Bool) {
    stream.run(until: isDone)
  }
}

/// The delivery of one event, as a view sees it: only view-model events pass.
///
/// ```swift
/// port.on(ResponseGreeting.self, owner: screen) { screen, _, turn in
///   log.append("\(screen.name) saw event \(turn.sequence)")
/// }
/// ```
public struct ViewTurn: ~Escapable {
  private let turn: Turn

  @_lifetime(copy turn)
  init(_ turn: borrowing Turn) { self.turn = copy turn }

  /// The envelope of the delivery.
  public var envelope: Envelope { turn.envelope }
  /// The event's position in the one order.
  public var sequence: UInt64 { turn.sequence }
  /// The first event of the chain of causes.
  public var root: Root { turn.root }
  /// The frontend or plugin that sent the root.
  public var origin: Origin { turn.origin }
  /// The name of the frontend or plugin that sent the root.
  public var originName: String { turn.originName }

  /// Sends a view-model event that this one caused; see ``Turn/send(_:file:line:)``.
  public borrowing func send<E: ViewModelEvent>(
    _ event: E,
    file: StaticString = #fileID,
    line: UInt = #line
  ) {
    turn.router.pushNested(event, turn.sequence, turn.address, isInput: true, _Source(file, line))
  }

  /// Sets a state that the view owns; see ``Turn/set(_:to:file:line:)``.
  public borrowing func set<Value>(
    _ state: State<Value>,
    to value: Value,
    file: StaticString = #fileID,
    line: UInt = #line
  ) {
    turn.set(state, to: value, file: file, line: line)
  }

  /// Sends a request inside this event's conversation; see ``Turn/request(_:file:line:then:)``.
  public borrowing func request<R: Request & ViewModelEvent>(
    _ request: R,
    file: StaticString = #fileID,
    line: UInt = #line,
    then: @escaping (Result<R.Reply, Interruption>, borrowing ViewTurn) -> Void
  ) {
    turn.request(request, isInput: true, _Source(file, line)) { then($0, ViewTurn($1)) }
  }
}
