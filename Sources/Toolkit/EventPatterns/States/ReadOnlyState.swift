import EventCommands
public import EventMVVM
public import EventValues

/// A state that only its holder sets, such as a store or a reactor (S77, S97); for reading and
/// deriving.
///
/// It retains its holder, and so do states that are derived from it.
///
/// ```swift
/// private let joined = Locked<ReadOnlyState<Letters>?>(nil)
/// var state: ReadOnlyState<Letters>? { joined.withLock { $0 } }
/// ```
public final class ReadOnlyState<Value: Sendable & Equatable>: ReadableState {
  private let state: State<Value>
  private let holder: any AnyObject & Sendable

  init(_ state: State<Value>, of holder: any AnyObject & Sendable) {
    self.state = state
    self.holder = holder
  }

  /// The latest delivered value; any thread.
  public var value: Value { state.value }

  /// Observes it: the latest value as the first turn, then each change; without an owner, as long
  /// as the state lives.
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

  /// Returns its value under a name for programs; its holder is not retained.
  public func named(
    _ name: StateName,
    writing write: @escaping @Sendable (Value) -> [UInt8]
  ) -> NamedState {
    state.named(name, writing: write)
  }
}
