public import EventCommands
public import EventMVVM
public import EventValues
import JSONText

/// A value that is always available, and that a view may read (S76) and not set (S77).
///
/// It is a `State`, or derived from states.
///
/// ```swift
/// final class OrderButton: Sendable {
///   let isEnabled: DerivedState<Bool>
///
///   init<First: ReadableState<Bool>, Second: ReadableState<Bool>>(
///     _ hasCheck: First,
///     _ isEditing: Second,
///     _ stream: EventStream
///   ) {
///     isEnabled = hasCheck.combined(with: isEditing, "canOrder", on: stream) { $0 && !$1 }
///   }
/// }
/// ```
public protocol ReadableState<Value>: AnyObject, Sendable {
  /// The type of its value.
  associatedtype Value: Sendable & Equatable
  /// The latest delivered value; any thread.
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
  /// Observes it without an owner, as frontends do: the latest value first, then each change, and
  /// no turn for the beginning, so that it is in no recording.
  ///
  /// - Parameter take: Called on the home thread.
  /// - Returns: The subscription, to end it by.
  func watch(_ take: @escaping @Sendable (Value) -> Void) -> Subscription
  /// Returns its value under a name for programs; neither it nor its holder is retained.
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
/// Its initial value results from the values of its sources where it is declared (S86). A change
/// of a source is an event, and the change that follows from it is another one after it; equal
/// values are not repeated. Of two sources that change in one turn, it shows the first change
/// before the second: what must change together is one value (S79). It retains its sources.
///
/// ```swift
/// let count = State(0, name: "count", on: stream)
/// let label = count.map("label", on: stream) { $0 == 0 ? "nothing yet" : "\($0) pieces" }
/// ```
public final class DerivedState<Value: Sendable & Equatable>: ReadableState {
  private let state: State<Value>
  /// The last value that was set, queued ones included: an equal value takes no turn.
  private let last: Locked<Value>
  private let sources: [any ReadableState]

  /// Follows one state.
  ///
  /// - Parameters:
  ///   - source: The state that it follows.
  ///   - name: The name under which it appears in traces and to editors.
  ///   - stream: The stream that its changes travel on.
  ///   - rule: Computes its value from that of the source; pure.
  public convenience init<Source: ReadableState>(
    of source: Source,
    name: String,
    on stream: EventStream,
    _ rule: @escaping @Sendable (Source.Value) -> Value
  ) {
    self.init(of: source, from: rule(source.value), name: name, on: stream, rule)
  }

  /// Follows one state where the rule returns a value, and else stays unchanged.
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
  ///   - second: Another state that it follows.
  ///   - name: The name under which it appears in traces and to editors.
  ///   - stream: The stream that its changes travel on.
  ///   - rule: Computes its value from theirs; pure.
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

  /// The latest delivered value; any thread.
  public var value: Value { state.value }

  /// Observes it: the latest value as the first turn, then each change.
  @discardableResult
  public func observe(
    owner: AnyObject? = nil,
    _ body: @escaping (Value, borrowing Turn) -> Void
  ) -> Subscription {
    state.observe(owner: owner, body)
  }

  /// Observes it without an owner: the latest value first, then each change, in no turn of its own.
  public func watch(_ take: @escaping @Sendable (Value) -> Void) -> Subscription {
    state.watch(take)
  }
}

extension ReadableState {
  /// Returns a state that follows this one by a rule.
  public func map<Other>(
    _ name: String,
    on stream: EventStream,
    _ rule: @escaping @Sendable (Value) -> Other
  ) -> DerivedState<Other> {
    DerivedState(of: self, name: name, on: stream, rule)
  }

  /// Returns a state that follows this one where a value is admitted, and else stays unchanged; its
  /// initial value is the current one, admitted or not.
  public func filter(
    _ name: String,
    on stream: EventStream,
    _ isAdmitted: @escaping @Sendable (Value) -> Bool
  ) -> DerivedState<Value> {
    DerivedState(of: self, from: value, name: name, on: stream) { isAdmitted($0) ? $0 : nil }
  }

  /// Returns a state that follows this one and another by a rule.
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
  /// Returns this state's value under a name for programs; the state is not retained.
  public func named(
    _ name: StateName,
    writing write: @escaping @Sendable (Value) -> [UInt8]
  ) -> NamedState {
    NamedState(name) { [weak self] take in
      self?.watch { value in take(write(value)) }
    }
  }

  /// Returns this state's value, shown like a result.
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

  /// Returns this state's value by a rule, which is pure.
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
  /// Returns this state under a name for programs; it is not retained.
  public func named(_ name: StateName) -> NamedState { named(name, { $0 }) }
}

extension ReadableState<Bool> {
  /// Returns a state that is true while this one is not.
  public func not(_ name: String, on stream: EventStream) -> DerivedState<Bool> {
    map(name, on: stream) { !$0 }
  }
}
