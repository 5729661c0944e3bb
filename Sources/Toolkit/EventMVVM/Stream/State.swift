import Synchronization

/// A value that is always available: the latest value, then its changes (promise 7, S76).
///
/// Each change is an event on the stream, in the one order. A state belongs to its owner: two
/// lists have two states, and neither gets the other's changes.
///
/// ```swift
/// let unread = State(0, name: "unread", on: stream)
/// unread.set(3)
/// unread.observe { count, _ in log.append(count) }
/// ```
public final class State<Value: Sendable & Equatable>: Sendable {
  let name: String
  /// Its identity on the stream, which no other state shares.
  package let key: StreamKey
  /// Weak, as the stream's own handlers retain states (S73).
  weak let router: _Router?
  let origin: Origin
  let latest: Locked<Value>

  /// Declares a state with its initial value.
  ///
  /// - Parameters:
  ///   - initial: What a first observer gets if nothing was set before.
  ///   - name: The name under which it appears in traces and to editors.
  ///   - stream: The stream that its changes travel on.
  public init(_ initial: Value, name: String, on stream: EventStream) {
    self.name = name
    router = stream.router
    origin = stream.origin
    latest = Locked(initial)
    key = stream.router.registry.withLock { registry in
      registry.stateCount += 1
      return StreamKey(state: registry.stateCount)
    }
  }

  /// Queues the end of its route, once none of its events is queued or retained.
  deinit {
    let end = Later { [key] router in router.state.pointee.routes.remove(key) }
    router?.submit(end, _Header(origin: origin))
  }

  /// The latest delivered value; any thread.
  public var value: Value { latest.withLock { $0 } }

  /// Returns the event which states that it has a new value.
  func event(_ new: Value) -> ResponseState<Value> { .init(value: new, stateName: name, key: key) }

  /// Sets the value from outside a handler; equal values are not repeated.
  public func set(_ value: Value, file: StaticString = #fileID, line: UInt = #line) {
    let header = _Header(origin: origin, source: _Source(file, line))
    router?.submit(StateChange(value: value, state: self), header)
  }

  /// Observes the state: the latest value as the first turn, then each change.
  ///
  /// - Parameters:
  ///   - owner: The object with which the subscription ends; nil means the state itself.
  ///   - body: Called on the home thread.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public func observe(
    owner: AnyObject? = nil,
    _ body: @escaping (Value, borrowing Turn) -> Void
  ) -> Subscription {
    let observer = _TypedObserver<ResponseState<Value>>(key: key, owner: owner) {
      [weak owner, hasOwner = owner != nil, key] event, turn in
      let held = owner
      guard !hasOwner || held != nil else { return turn.router.noteEnd(key) }
      defer { extendLifetime(held) }
      body(event.value, turn)
    }
    router?.submit(StateJoin(state: self, observer: observer), _Header(origin: origin))
    return Subscription(router: router, observer: observer)
  }

  /// Observes the state without an owner, as frontends do: the latest value, then each change.
  ///
  /// The beginning has no turn, and so it is in no recording.
  ///
  /// - Parameter take: Called on the home thread.
  /// - Returns: The subscription, to end it by.
  public func watch(_ take: @escaping @Sendable (Value) -> Void) -> Subscription {
    let observer = _TypedObserver<ResponseState<Value>>(key: key, owner: nil) { event, _ in
      take(event.value)
    }
    let beginning = Later { [self] router in
      guard !observer.isCancelled.load(ordering: .acquiring) else { return }
      router.link(observer)
      take(value)
    }
    router?.submit(beginning, _Header(origin: origin))
    return Subscription(router: router, observer: observer)
  }
}

extension Turn {
  /// Sets a state inside this event's conversation; equal values are not repeated.
  public borrowing func set<Value>(
    _ state: State<Value>,
    to value: Value,
    file: StaticString = #fileID,
    line: UInt = #line
  ) {
    var header = address.header
    (header.cause, header.isInput, header.source) = (sequence, false, _Source(file, line))
    header.conversation?.use { $0.open += 1 }
    router.push(StateChange(value: value, state: state), header)
  }
}

/// States that a state has a new value; the state itself does not travel (S3).
///
/// ```swift
/// if let change = event as? ResponseState<Int> {
///   log.append("\(change.stateName): \(change.value)")
/// }
/// ```
public struct ResponseState<Value: Sendable & Equatable>: ModelEvent, ViewModelEvent, Fact {
  /// Version 2 has the name of its state, and no longer the state itself.
  public static var version: Int { 2 }
  /// The new value.
  public let value: Value
  /// The state's name.
  public let stateName: String
  /// The identity of its state.
  let key: StreamKey
  /// The state's name.
  public var subject: String? { stateName }

  /// Writes the state's name and its value, if that can be written.
  public func _record(to encoder: any Encoder) throws -> Bool {
    guard let value = value as? any Encodable else { return false }
    var container = encoder.container(keyedBy: StateKey.self)
    try container.encode(stateName, forKey: .name)
    try value.encode(to: container.superEncoder(forKey: .value))
    return true
  }
}

/// The queue entry of a state's change, which retains the state until its turn.
struct StateChange<Value: Sendable & Equatable>: StreamEntry {
  let value: Value
  let state: State<Value>

  /// Sends the event on the state's own route, unless the value is the same.
  static func _take(_ address: _EntryAddress, _ router: _Router) {
    let change = _move(address)
    if router.divert(ResponseState<Value>.self, change, address) { return }
    let old = change.state.latest.withLock { exchange(&$0, with: change.value) }
    guard old != change.value else { return }
    router.dispatch(change.state.event(change.value), address, change.state.key)
  }
}

/// The queue entry that adds an observer to a state, with the latest value as its first turn.
private struct StateJoin<Value: Sendable & Equatable>: StreamEntry {
  let state: State<Value>
  let observer: _TypedObserver<ResponseState<Value>>

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    let join = _move(address)
    guard !join.observer.isCancelled.load(ordering: .acquiring) else { return }
    router.link(join.observer)
    let turn = router.beginNumbered(address)
    join.observer.body(join.state.event(join.state.value), turn)
  }
}

/// The keys of a coded state.
private enum StateKey: String, CodingKey { case name, value }
