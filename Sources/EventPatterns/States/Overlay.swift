public import EventMVVM

/// Something that is shown while there is a reason, such as a sign that things are being loaded: an
/// imperative API, `show` and `hide`, as a state that views bind to (S84).
///
/// Its callers need not know each other: it is shown from the first `show` to the `hide` of the
/// last one, and a `hide` too many hides nothing that comes later. What is shown is about now, so
/// that it is sent at once in the middle of a unit, too, and stays so if the unit is rolled back.
/// Any thread.
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

  /// How often it is to be hidden until it is.
  public var depth: Int { reasons.withLock { $0 } }

  /// Shows it for one more reason.
  public func show() { change(by: 1) }

  /// Takes a reason away; where there is none, nothing happens.
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
  /// former, as long as `owner` lives.
  ///
  /// - Parameters:
  ///   - owner: Whose API it is.
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
