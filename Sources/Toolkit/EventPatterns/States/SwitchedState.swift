public import EventMVVM

/// A state that follows a state inside the value of another state: a view that is bound to it is
/// bound again when its view model is swapped (S92).
///
/// From the turn of the swap on, changes of the former view model have no effect. It retains the
/// state that it follows, which may be one that was derived for it.
///
/// ```swift
/// held = State(nil, name: "viewModel", on: stream)
/// loading = Overlay("loading", on: stream)
/// display = SwitchedState(of: held, or: nil, name: "shown", on: stream) { $0?.display }
/// ```
public final class SwitchedState<Value: Sendable & Equatable>: ReadableState {
  private let state: State<Value>
  private let source: any ReadableState
  private let followed = Locked<Followed?>(nil)

  private struct Followed {
    let state: any ReadableState
    let subscription: Subscription
  }

  /// Follows a state inside the value of a state.
  ///
  /// - Parameters:
  ///   - source: The state whose value holds it.
  ///   - none: The value while it holds nothing to follow.
  ///   - name: The name under which it appears in traces and to editors.
  ///   - stream: The stream that its changes travel on.
  ///   - inner: Returns the state to follow for a value of the source; nil for none.
  public init<Source: ReadableState, Inner: ReadableState<Value>>(
    of source: Source,
    or none: Value,
    name: String,
    on stream: EventStream,
    _ inner: @escaping @Sendable (Source.Value) -> Inner?
  ) {
    state = State(inner(source.value)?.value ?? none, name: name, on: stream)
    self.source = source
    source.observe(owner: self) { [weak self, state] held, turn in
      guard let self else { return }
      follow(nil)
      guard let inner = inner(held) else { return turn.set(state, to: none) }
      let subscription = inner.observe(owner: self) { value, turn in turn.set(state, to: value) }
      follow(Followed(state: inner, subscription: subscription))
    }
  }

  /// Follows another state; the former one is released after the lock.
  private func follow(_ next: Followed?) {
    let last = followed.withLock { followed in
      defer { followed = next }
      return followed
    }
    last?.subscription.cancel()
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
