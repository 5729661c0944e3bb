public import EventMVVM

/// State that changes by reducers alone: each applies an event to it (S97, S98).
///
/// An action is an event, and to dispatch it is to send it: every event on the stream can be
/// reduced, regardless of its origin. A reducer is pure and synchronous. It has no turn, so it can
/// send nothing; asynchronous work belongs to the server of a request, and its reply is reduced.
///
/// ```swift
/// let store = Store(Basket(), name: "basket", on: stream)
///   .reducing(ResponseItem.self) { basket, item in basket.items.append(item.name) }
///   .reducing(RequestEmptyBasket.self) { basket, _ in basket.items = [] }
/// ```
///
/// Reducers end with the store: retain it, its ``state``, or a state derived from that.
///
/// Reducers run on the stream's home thread, in the order in which they are registered. Events
/// inside a unit are reduced when the unit is committed, and never when it is rolled back (promise
/// 11).
public final class Store<Model: Sendable & Equatable>: Sendable {
  /// The model for views; changes travel under its name, so that a trace shows which action caused
  /// them.
  public var state: ReadOnlyState<Model> { ReadOnlyState(held, of: self) }
  private let held: State<Model>
  private let stream: EventStream
  private let name: String
  private let mostSteps: Int
  private let past: Locked<Past>

  /// A model and the event that led to it.
  ///
  /// ```swift
  /// var steps: [Store<Inbox>.Step] { container.withLock { $0 }?.steps ?? [] }
  /// ```
  public struct Step: Sendable {
    /// The name of the event that was reduced; nil for the initial model.
    public let event: String?
    /// The subject of the event.
    public let subject: String?
    /// The model after it.
    public let model: Model
  }

  private struct Past {
    var steps: [Step]
    /// The index of the current model; later ones were left by going back.
    var index = 0
  }

  /// Declares a store with its initial model.
  ///
  /// - Parameters:
  ///   - initial: The model before the first event (S86).
  ///   - name: Its name in traces and errors.
  ///   - stream: The shared stream.
  ///   - mostSteps: How many earlier models it keeps.
  public init(
    _ initial: Model,
    name: String,
    on stream: EventStream,
    keeping mostSteps: Int = 100
  ) {
    precondition(mostSteps > 0)
    self.name = name
    self.stream = stream
    self.mostSteps = mostSteps
    held = State(initial, name: name, on: stream)
    past = Locked(Past(steps: [Step(event: nil, subject: nil, model: initial)]))
  }

  /// Registers a reducer.
  ///
  /// - Parameters:
  ///   - type: The events that it reduces.
  ///   - reducer: Applies an event to the model; pure, on the home thread.
  /// - Returns: The store, for chaining.
  @discardableResult
  public func reducing<E: Event>(
    _ type: E.Type,
    _ reducer: @escaping @Sendable (inout Model, E) -> Void
  ) -> Store {
    stream.on(E.self, owner: self) { store, event, turn in
      guard !turn.isInUnit || E.isFact else {
        return turn.send(ResponseKept<Model, E>(event: event, store: store.held.key))
      }
      store.reduce(event, turn, reducer)
    }
    stream.on(ResponseKept<Model, E>.self, owner: self) { store, kept, turn in
      if kept.store == store.held.key { store.reduce(kept.event, turn, reducer) }
    }
    return self
  }

  private func reduce<E: Event>(
    _ event: E,
    _ turn: borrowing Turn,
    _ reducer: (inout Model, E) -> Void
  ) {
    var model = past.withLock { $0.steps[$0.index].model }
    Reducing.$store.withValue(name) { reducer(&model, event) }
    let step = Step(event: E.name, subject: event.subject, model: model)
    past.withLock { past in
      past.steps.removeLast(past.steps.count - 1 - past.index)
      past.steps.append(step)
      past.steps.removeFirst(max(0, past.steps.count - mostSteps))
      past.index = past.steps.count - 1
    }
    turn.set(held, to: model)
  }

  /// Sends an event outside any handler, where no reducer is running.
  ///
  /// - Throws: A failure if a reducer calls it: a reducer only returns a model (S98).
  public func dispatch(_ action: some Event) throws(Failure) {
    if let store = Reducing.store {
      throw Failure(
        .usage,
        "A reducer of '\(store)' dispatches \(type(of: action).name); it only reduces."
      )
    }
    stream.send(action)
  }

  // MARK: The past

  /// The models that are kept, each with the event that led to it; the oldest first.
  public var steps: [Step] { past.withLock { $0.steps } }

  /// The index of the current model among ``steps``.
  public var index: Int { past.withLock { $0.index } }

  /// Goes to an earlier or a later model; the next event is reduced from it.
  ///
  /// - Parameters:
  ///   - index: Its index among ``steps``.
  ///   - turn: The turn of the request.
  /// - Throws: A failure if there is none.
  public func travel(to index: Int, _ turn: borrowing Turn) throws(Failure) {
    let model = past.withLock { past -> Model? in
      guard past.steps.indices.contains(index) else { return nil }
      past.index = index
      return past.steps[index].model
    }
    guard let model else { throw Failure(.notFound, "'\(name)' has no step \(index).", id: index) }
    turn.set(held, to: model)
  }
}

/// The store whose reducer is running on this thread.
private enum Reducing {
  @TaskLocal static var store: String?
}

/// An event of a committed unit, for a store.
private struct ResponseKept<Model: Sendable & Equatable, E: Event>: ModelEvent, ViewModelEvent, Fact
{
  let event: E
  /// The identity of its state.
  let store: StreamKey
}
