public import EventMVVM

/// An element that is shown while there is a reason, such as a loading indicator: an imperative
/// API, `show` and `hide`, as a state that views bind to (S84).
///
/// Its callers are independent: it is shown from the first `show` to the last matching `hide`, and
/// a surplus `hide` has no effect on a later `show`. It concerns the present, so it is sent at once
/// even inside a unit, and stays so if the unit is rolled back. Any thread.
///
/// ```swift
/// loading = Overlay("loading", on: stream)
/// ```
public final class Overlay: Sendable {
  /// Whether it is shown.
  public var isShown: ReadOnlyState<Bool> { ReadOnlyState(shown, of: self) }
  private let shown: State<Bool>
  private let reasons = Locked(0)

  /// Declares an overlay that is hidden.
  ///
  /// - Parameters:
  ///   - name: The name of its state, in traces.
  ///   - stream: The shared stream.
  public init(_ name: String, on stream: EventStream) {
    shown = State(false, name: name, on: stream)
  }

  /// How many calls of `hide` hide it.
  public var depth: Int { reasons.withLock { $0 } }

  /// Adds a reason to show it.
  public func show() { change(by: 1) }

  /// Removes a reason; where there is none, nothing happens.
  public func hide() { change(by: -1) }

  private func change(by step: Int) {
    // A turn's own `set` would wait for the end of its unit.
    shown.set(
      reasons.withLock { reasons in
        reasons = max(0, reasons + step)
        return reasons > 0
      }
    )
  }

  /// Drives an imperative API by the state: it is shown and hidden in turn, beginning with the
  /// current value, as long as `owner` lives.
  ///
  /// - Parameters:
  ///   - owner: The owner of the API.
  ///   - show: Shows it; called on the home thread.
  ///   - hide: Hides it; called on the home thread, only when it is shown.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public func drive<Owner: AnyObject>(
    owner: Owner,
    show: @escaping (Owner) -> Void,
    hide: @escaping (Owner) -> Void
  ) -> Subscription {
    let wasShown = Locked(false)
    return shown.observe(owner: owner) { [weak owner] isShown, _ in
      let isNew = wasShown.withLock { wasShown in
        defer { wasShown = isShown }
        return wasShown != isShown
      }
      guard isNew, let owner else { return }
      if isShown { show(owner) } else { hide(owner) }
    }
  }
}
