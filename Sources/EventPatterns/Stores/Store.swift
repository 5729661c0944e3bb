public import EventMVVM

/// State that changes by reducers alone: each says what an event makes of it (S97, S98).
///
/// An action is an event, and to dispatch it is to send it: everything that is said on the stream
/// can be reduced, regardless of its origin. A reducer is pure and synchronous. It is given no
/// turn, so that it can send nothing; asynchronous work belongs to the answerer of a request, and
/// its reply is reduced.
///
/// ```swift
/// let store = Store(Basket(), name: "basket", on: stream)
///   .reducing(ResponseItem.self) { basket, item in basket.items.append(item.name) }
///   .reducing(RequestEmptyBasket.self) { basket, _ in basket.items = [] }
/// ```
///
/// Reducers end with the store: keep it, or its ``state``, or what is derived from that.
///
/// Reducers run on the stream's home thread, in the order in which they are listed. What happens
/// inside a unit is reduced when the unit is committed, and never when it is rolled back (promise
/// 11).
public final class Store<Model: Sendable & Equatable>: Sendable {
  /// What it holds; changes travel under its name, so that a trace tells which action brought them
  /// about.
  public var state: ReadOnlyState<Model> { ReadOnlyState(held, of: self) }
  private let held: State<Model>
  private let stream: EventStream
  private let name: String
  private let mostSteps: Int
  private let past: Locked<Past>

  /// A model, and what made it.
  public struct Step: Sendable {
    /// The name of the event that was reduced; nil for the initial model.
    public let event: String?
    /// What the event was about.
    public let subject: String?
    /// Its outcome.
    public let model: Model
  }

  private struct Past {
    var steps: [Step]
    /// Where the store stands; after it is what was gone back from.
    var index = 0
  }

  /// Declares a store that has reduced nothing.
  ///
  /// - Parameters:
  ///   - initial: The model before the first event (S86).
  ///   - name: What it is called, in traces and errors.
  ///   - stream: The shared stream.
  ///   - mostSteps: How many models of the past it keeps.
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

  /// Lists a reducer.
  ///
  /// - Parameters:
  ///   - type: The events that it reduces.
  ///   - reducer: What an event makes of the model; pure, on the home thread.
  /// - Returns: The store, to list the next one.
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

  /// Sends an event from outside of any handler, where nothing is being reduced.
  ///
  /// - Throws: That a reducer calls it: what it makes of an event is a model, and nothing else
  ///   (S98).
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

  /// The models that are kept, each with the event that made it; the oldest first.
  public var steps: [Step] { past.withLock { $0.steps } }

  /// Where among ``steps`` the store stands.
  public var index: Int { past.withLock { $0.index } }

  /// Goes to a model of the past, or back from there; the next event is reduced from it.
  ///
  /// - Parameters:
  ///   - index: Its place among ``steps``.
  ///   - turn: The turn of the request.
  /// - Throws: That there is none.
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

/// The store of which a reducer runs on this thread.
private enum Reducing {
  @TaskLocal static var store: String?
}

/// An event of a unit that was kept, for a store.
private struct ResponseKept<Model: Sendable & Equatable, E: Event>: ModelEvent, ViewModelEvent, Fact
{
  let event: E
  /// The identity of its state.
  let store: StreamKey
}
