public import EventMVVM

/// State that its owner alone changes, in the turns of its handlers (S97): a screen's, say.
///
/// The owner knows at once what it has made of the model; views have it as a ``state``, whose
/// changes are events, so that a trace tells which one brought them about. Where reducers are to
/// change it, use a ``Store``.
public final class StateContainer<Model: Sendable & Equatable>: Sendable {
  /// What it holds, for views; changes travel under its name.
  public var state: ReadOnlyState<Model> { ReadOnlyState(held, of: self) }
  /// What it holds, as its owner left it; any thread.
  public var model: Model { latest.withLock { $0 } }
  private let held: State<Model>
  private let latest: Locked<Model>

  /// Declares a container.
  ///
  /// - Parameters:
  ///   - initial: The model before the first change (S86).
  ///   - name: What it is called, in traces.
  ///   - stream: The shared stream.
  public init(_ initial: Model, name: String, on stream: EventStream) {
    held = State(initial, name: name, on: stream)
    latest = Locked(initial)
  }

  /// Changes the model.
  ///
  /// - Parameters:
  ///   - turn: The turn of the event that is the reason.
  ///   - change: Changes it.
  /// - Throws: What the change throws, which leaves the model as it was.
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
