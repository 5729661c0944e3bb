public import EventMVVM

/// State that its owner alone changes, in the turns of its handlers (S97), such as a screen's.
///
/// The owner reads the changed model at once; views read it as a ``state``, whose changes are
/// events, so that a trace shows the cause of each. Where reducers change it, use a ``Store``.
///
/// ```swift
/// func say(_ text: String, _ turn: borrowing Turn) -> Letter {
///   contents.change(turn) { $0.text = text }
///   return letter
/// }
/// ```
public final class StateContainer<Model: Sendable & Equatable>: Sendable {
  /// The model for views; changes travel under its name.
  public var state: ReadOnlyState<Model> { ReadOnlyState(held, of: self) }
  /// The model as its owner last changed it; any thread.
  public var model: Model { latest.withLock { $0 } }
  private let held: State<Model>
  private let latest: Locked<Model>

  /// Declares a container.
  ///
  /// - Parameters:
  ///   - initial: The model before the first change (S86).
  ///   - name: Its name in traces.
  ///   - stream: The shared stream.
  public init(_ initial: Model, name: String, on stream: EventStream) {
    held = State(initial, name: name, on: stream)
    latest = Locked(initial)
  }

  /// Changes the model.
  ///
  /// - Parameters:
  ///   - turn: The turn of the event that is the cause.
  ///   - change: Changes it.
  /// - Throws: What the change throws; the model is then unchanged.
  public func change<E: Error>(
    _ turn: borrowing Turn,
    _ change: (inout Model) throws(E) -> Void
  ) throws(E) {
    let changed: Model? = try latest.withLock { latest throws(E) in
      var model = latest
      try change(&model)
      guard model != latest else { return nil }
      latest = model
      return model
    }
    if let changed { turn.set(held, to: changed) }
  }
}
