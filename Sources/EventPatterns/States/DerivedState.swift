public import EventCommands
public import EventMVVM
import JSONText

/// A value that is always there, and that a view may read (S76) and not set (S77).
///
/// It is a `State`, or what is derived from states.
public protocol ReadableState<Value>: AnyObject, Sendable {
  /// What it holds.
  associatedtype Value: Sendable & Equatable
  /// The latest value that had its turn; any thread.
  var value: Value { get }
  /// Observes it: the latest value as the first turn, then each change; for as long as `owner`
  /// lives.
  ///
  /// - Parameters:
  ///   - owner: The object with which the subscription ends; nil means the state itself.
  ///   - body: Called on the home thread.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  func observe(
    owner: AnyObject?,
    _ body: @escaping (Value, borrowing Turn) -> Void
  ) -> Subscription
  /// Observes it from outside, as frontends do: the latest value first, then each change, with no
  /// turn for the beginning, so that it is in no recording.
  ///
  /// - Parameter take: Called on the home thread.
  /// - Returns: The subscription, to end it by.
  func watch(_ take: @escaping @Sendable (Value) -> Void) -> Subscription
  /// What it says under a name that programs know; neither it nor what holds it is retained.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - write: Writes a value as JSON; pure, on the home thread.
  /// - Returns: The named state, to be shown.
  func named(
    _ name: StateName,
    writing write: @escaping @Sendable (Value) -> [UInt8]
  ) -> NamedState
}

extension State: ReadableState {}

/// A state that is computed from others by a rule, and is never set.
///
/// Its initial value is the rule's, of their values where it is declared (S86). A change of a
/// source is an event, and the change that follows from it another one after it; equal values are
/// not repeated. Of two sources that change in one turn, it shows the first change before the
/// second: what must change together is one value (S79). It retains its sources.
public final class DerivedState<Value: Sendable & Equatable>: ReadableState {
  private let state: State<Value>
  /// What was set last, or is on its way: an equal value takes no turn.
  private let last: Locked<Value>
  private let sources: [any ReadableState]

  /// Follows one state.
  ///
  /// - Parameters:
  ///   - source: The state that it follows.
  ///   - name: The name under which it appears in traces and to editors.
  ///   - stream: The stream that its changes travel on.
  ///   - rule: What its value is, given that of the source; pure.
  public convenience init<Source: ReadableState>(
    of source: Source,
    name: String,
    on stream: EventStream,
    _ rule: @escaping @Sendable (Source.Value) -> Value
  ) {
    self.init(of: source, from: rule(source.value), name: name, on: stream, rule)
  }

  /// Follows one state where the rule has a value, and else stays as it was.
  fileprivate init<Source: ReadableState>(
    of source: Source,
    from initial: Value,
    name: String,
    on stream: EventStream,
    _ rule: @escaping @Sendable (Source.Value) -> Value?
  ) {
    state = State(initial, name: name, on: stream)
    last = Locked(initial)
    sources = [source]
    source.observe(owner: self) { [state, last] value, turn in
      if let value = rule(value) { Self.set(state, last, to: value, turn) }
    }
  }

  /// Follows two states.
  ///
  /// - Parameters:
  ///   - first: A state that it follows.
  ///   - second: The other one.
  ///   - name: The name under which it appears in traces and to editors.
  ///   - stream: The stream that its changes travel on.
  ///   - rule: What its value is, given theirs; pure.
  public init<First: ReadableState, Second: ReadableState>(
    of first: First,
    _ second: Second,
    name: String,
    on stream: EventStream,
    _ rule: @escaping @Sendable (First.Value, Second.Value) -> Value
  ) {
    let initial = rule(first.value, second.value)
    state = State(initial, name: name, on: stream)
    last = Locked(initial)
    sources = [first, second]
    first.observe(owner: self) { [state, last, unowned second] value, turn in
      Self.set(state, last, to: rule(value, second.value), turn)
    }
    second.observe(owner: self) { [state, last, unowned first] value, turn in
      Self.set(state, last, to: rule(first.value, value), turn)
    }
  }

  private static func set(
    _ state: State<Value>,
    _ last: Locked<Value>,
    to value: Value,
    _ turn: borrowing Turn
  ) {
    let isNew = last.withLock { last in
      defer { last = value }
      return last != value
    }
    if isNew { turn.set(state, to: value) }
  }

  /// The latest value that had its turn; any thread.
  public var value: Value { state.value }

  /// Observes it: the latest value as the first turn, then each change.
  @discardableResult
  public func observe(
    owner: AnyObject? = nil,
    _ body: @escaping (Value, borrowing Turn) -> Void
  ) -> Subscription {
    state.observe(owner: owner, body)
  }

  /// Observes it from outside: the latest value first, then each change, in no turn of its own.
  public func watch(_ take: @escaping @Sendable (Value) -> Void) -> Subscription {
    state.watch(take)
  }
}

extension ReadableState {
  /// A state that follows this one by a rule.
  public func map<Other>(
    _ name: String,
    on stream: EventStream,
    _ rule: @escaping @Sendable (Value) -> Other
  ) -> DerivedState<Other> {
    DerivedState(of: self, name: name, on: stream, rule)
  }

  /// A state that follows this one where a value is admitted, and else stays as it was; it begins
  /// with the value that is there, admitted or not.
  public func filter(
    _ name: String,
    on stream: EventStream,
    _ isAdmitted: @escaping @Sendable (Value) -> Bool
  ) -> DerivedState<Value> {
    DerivedState(of: self, from: value, name: name, on: stream) { isAdmitted($0) ? $0 : nil }
  }

  /// A state that follows this one and another by a rule.
  public func combined<Second: ReadableState, Other>(
    with other: Second,
    _ name: String,
    on stream: EventStream,
    _ rule: @escaping @Sendable (Value, Second.Value) -> Other
  ) -> DerivedState<Other> {
    DerivedState(of: self, other, name: name, on: stream, rule)
  }
}

extension ReadableState {
  /// What this state says under a name that programs know; the state is not retained.
  public func named(
    _ name: StateName,
    writing write: @escaping @Sendable (Value) -> [UInt8]
  ) -> NamedState {
    NamedState(name) { [weak self] take in
      self?.watch { value in take(write(value)) }
    }
  }

  /// What this state says, shown as a result is.
  public func named(
    _ name: StateName,
    showing rule: @escaping @Sendable (Value) -> some CommandResult
  ) -> NamedState {
    named(
      name,
      writing: { value in
        var json = JSONWriter()
        rule(value).write(to: &json)
        return json.bytes
      }
    )
  }

  /// What this state says by a rule, which is pure.
  public func named(
    _ name: StateName,
    _ rule: @escaping @Sendable (Value) -> some Encodable & SendableMetatype
  ) -> NamedState {
    named(
      name,
      writing: { value in
        let text = (try? BodyEncoder().value(rule(value))) ?? []
        return text.isEmpty ? Array("null".utf8) : text
      }
    )
  }
}

extension ReadableState where Value: Encodable {
  /// This state under a name that programs know; it is not retained.
  public func named(_ name: StateName) -> NamedState { named(name, { $0 }) }
}

extension ReadableState<Bool> {
  /// A state that is true while this one is not.
  public func not(_ name: String, on stream: EventStream) -> DerivedState<Bool> {
    map(name, on: stream) { !$0 }
  }
}
