import Synchronization

/// A value that is always there: its latest value, then its changes (promise 7, S76).
///
/// Each change is an event on the stream, in the one order. A state belongs to its owner: two
/// lists have two states, and neither gets the other's changes.
public final class State<Value: Sendable & Equatable>: Sendable {
  let cell: StateCell<Value>

  /// Declares a state with its initial value.
  ///
  /// - Parameters:
  ///   - initial: What a first observer gets if nothing was set before.
  ///   - name: The name under which it appears in traces and to editors.
  ///   - stream: The stream that its changes travel on.
  public init(_ initial: Value, name: String, on stream: EventStream) {
    cell = StateCell(initial, name, stream)
  }

  /// The latest value that had its turn; any thread.
  public var value: Value { cell.latest.withLock { $0 } }

  /// Sets the value from outside a handler; equal values are not repeated.
  public func set(_ value: Value) {
    cell.engine?.submit(ResponseState(value, of: cell), _Header(origin: cell.origin))
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
    let observer = _TypedObserver<ResponseState<Value>>(key: cell.key, owner: owner) {
      [weak owner, hasOwner = owner != nil] event, turn in
      let held = owner
      guard !hasOwner || held != nil else { return }
      defer { extendLifetime(held) }
      body(event.value, turn)
    }
    cell.engine?
      .submit(StateJoin(cell: cell, observer: observer), _Header(origin: cell.origin))
    return Subscription(engine: cell.engine, observer: observer)
  }
}

extension Turn {
  /// Sets a state inside this event's conversation; equal values are not repeated.
  public borrowing func set<Value>(_ state: State<Value>, to value: Value) {
    send(ResponseState(value, of: state.cell))
  }
}

/// States that a state has a new value.
public struct ResponseState<Value: Sendable & Equatable>: ModelEvent, ViewModelEvent, Fact {
  /// The new value.
  public let value: Value
  let cell: StateCell<Value>

  init(_ value: Value, of cell: StateCell<Value>) {
    self.value = value
    self.cell = cell
  }

  /// The state's name.
  public var stateName: String { cell.name }
  /// The state's name.
  public var subject: String? { cell.name }

  /// Whether both say the same of the same state.
  public static func == (first: Self, second: Self) -> Bool {
    first.value == second.value && first.cell === second.cell
  }

  /// Writes the state's name and its value, if that can be written.
  public func _record(to encoder: any Encoder) throws -> Bool {
    guard let value = value as? any Encodable else { return false }
    var container = encoder.container(keyedBy: StateKey.self)
    try container.encode(cell.name, forKey: .name)
    try value.encode(to: container.superEncoder(forKey: .value))
    return true
  }

  /// Takes its turn on the state's own route, unless the value is the same.
  public static func _take(_ address: _EntryAddress, _ engine: _Engine) {
    let event = _move(address)
    if engine.divert(event, address) { return }
    let isNew = event.cell.latest.withLock { latest in
      defer { latest = event.value }
      return latest != event.value
    }
    guard isNew else { return }
    engine.dispatch(event, address, event.cell.key)
  }
}

/// What a state and its events share.
final class StateCell<Value: Sendable & Equatable>: Sendable {
  let name: String
  let key: StreamKey
  /// Weak, as the stream's own handlers hold states (S73).
  weak let engine: _Engine?
  let origin: Origin
  let latest: Locked<Value>

  init(_ initial: Value, _ name: String, _ stream: EventStream) {
    self.name = name
    let engine = stream.engine
    self.engine = engine
    origin = stream.origin
    latest = Locked(initial)
    key = engine.registry.withLock { registry in
      registry.stateCount += 1
      return StreamKey(state: registry.stateCount)
    }
  }

  deinit {
    engine?.submit(StateLeave(key: key), _Header(origin: origin))
  }
}

/// An observer's beginning on a state, with the latest value as its first turn.
private struct StateJoin<Value: Sendable & Equatable>: StreamEntry {
  let cell: StateCell<Value>
  let observer: _TypedObserver<ResponseState<Value>>

  static func _take(_ address: _EntryAddress, _ engine: _Engine) {
    let join = _move(address)
    guard !join.observer.isCancelled.load(ordering: .acquiring) else { return }
    engine.link(join.observer)
    let turn = engine.beginNumbered(address)
    join.observer.body(ResponseState(join.cell.latest.withLock { $0 }, of: join.cell), turn)
  }
}

/// A state's end, in the queue: its route goes.
struct StateLeave: StreamEntry {
  let key: StreamKey

  static func _take(_ address: _EntryAddress, _ engine: _Engine) {
    engine.state.pointee.routes.remove(_move(address).key)
  }
}

/// What is written of a state.
private enum StateKey: String, CodingKey {
  case name, value
}
