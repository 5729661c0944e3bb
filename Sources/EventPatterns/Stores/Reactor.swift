public import EventMVVM

/// State that changes by mutations alone: an action brings some about, at once or by and by, and
/// each is reduced (S99).
///
/// An action is an event. What it leads to is said in two places: `mutate` does the work,
/// asynchronous where it must be, and emits mutations; `reduce` is pure, synchronous, and says what
/// a mutation makes of the model. So a model never changes between two mutations. What a unit
/// brings about is reduced when the unit is committed, and never when it is rolled back (promise
/// 11).
///
/// ```swift
/// let reactor = Reactor(Inbox(), name: "inbox", on: stream) { (inbox, mutation: Inbox.Mutation) in
///   switch mutation {
///   case .loading(let isLoading): inbox.isLoading = isLoading
///   case .loaded(let messages): inbox.messages = messages
///   }
/// }
/// .mutating(RequestRefresh.self, .latest) { _, _, emit in
///   emit(.loading(true))
///   let messages = await service.messages()
///   emit(.loaded(messages))
///   emit(.loading(false))
/// }
/// ```
public final class Reactor<Model: Sendable & Equatable, Mutation: Sendable & Equatable>: Sendable {
  /// Which runs of an action count.
  public enum Runs: Sendable {
    /// All, however they overlap.
    case all
    /// The latest: an earlier one is cancelled, and what it still emits is dropped (S91).
    case latest
  }

  /// Takes the mutations of a run, from any thread.
  public struct Emitter: Sendable {
    fileprivate let emit: @Sendable (Mutation) -> Void
    private let cancelled: @Sendable () -> Bool

    fileprivate init(
      _ emit: @escaping @Sendable (Mutation) -> Void,
      isCancelled: @escaping @Sendable () -> Bool
    ) {
      self.emit = emit
      cancelled = isCancelled
    }

    /// Emits a mutation; after the run was cancelled, nothing.
    public func callAsFunction(_ mutation: Mutation) {
      if !cancelled() { emit(mutation) }
    }

    /// Whether the run was cancelled; its task is, too.
    public var isCancelled: Bool { cancelled() }
  }

  /// What it holds.
  public var state: ReadOnlyState<Model> { ReadOnlyState(held, of: self) }
  private let held: State<Model>
  private let stream: EventStream
  private let model: Locked<Model>
  private let runs = Locked<[StreamKey: Run]>([:])

  /// Declares a reactor that has seen no action.
  ///
  /// - Parameters:
  ///   - initial: The model before the first mutation (S86).
  ///   - name: What it is called, in traces.
  ///   - stream: The shared stream.
  ///   - reduce: What a mutation makes of the model; pure, on the home thread.
  public init(
    _ initial: Model,
    name: String,
    on stream: EventStream,
    reduce: @escaping @Sendable (inout Model, Mutation) -> Void
  ) {
    self.stream = stream
    held = State(initial, name: name, on: stream)
    model = Locked(initial)
    stream.on(ResponseMutation<Model, Mutation>.self, owner: self) { reactor, event, turn in
      guard event.reactor == reactor.held.key else { return }
      let model = reactor.model.withLock { model in
        reduce(&model, event.mutation)
        return model
      }
      turn.set(reactor.held, to: model)
    }
  }

  /// Lists an action whose mutations are known at once.
  ///
  /// - Parameters:
  ///   - type: The action.
  ///   - mutate: The mutations that an action leads to, given the model as it is.
  /// - Returns: The reactor, to list the next one.
  @discardableResult
  public func mutating<E: Event>(
    _ type: E.Type,
    _ mutate: @escaping @Sendable (E, Model) -> [Mutation]
  ) -> Reactor {
    stream.on(E.self, owner: self) { reactor, event, turn in
      for mutation in mutate(event, reactor.model.withLock { $0 }) {
        turn.send(ResponseMutation<Model, Mutation>(mutation: mutation, reactor: reactor.held.key))
      }
    }
    return self
  }

  /// Lists an action that takes time.
  ///
  /// - Parameters:
  ///   - type: The action.
  ///   - count: Which runs count where they overlap.
  ///   - mutate: Does the work off the home thread, given the model as it was at its beginning.
  /// - Returns: The reactor, to list the next one.
  @discardableResult
  public func mutating<E: Event>(
    _ type: E.Type,
    _ count: Runs,
    _ mutate: @escaping @Sendable (E, Model, Emitter) async -> Void
  ) -> Reactor {
    stream.on(E.self, owner: self) { reactor, event, turn in
      let model = reactor.model.withLock { $0 }
      let run = reactor.begin(StreamKey(E.self), count)
      turn.perform { [weak reactor] held in
        let emitter = Emitter(
          { mutation in
            guard let key = reactor?.held.key else { return }
            held.send(ResponseMutation<Model, Mutation>(mutation: mutation, reactor: key))
          },
          isCancelled: { run.isCancelled || held.isCancelled }
        )
        await run.perform { await mutate(event, model, emitter) }
      }
    }
    return self
  }

  /// Begins a run of an action, and cancels the one before it where only the latest counts.
  private func begin(_ action: StreamKey, _ count: Runs) -> Run {
    let run = Run()
    guard count == .latest else { return run }
    runs.withLock { $0.updateValue(run, forKey: action) }?.cancel()
    return run
  }
}

/// Says that a reactor's model is to change; a fact, as what is rolled back has never been.
private struct ResponseMutation<Model: Sendable & Equatable, Mutation: Sendable & Equatable>:
  ModelEvent, ViewModelEvent, Fact
{
  let mutation: Mutation
  /// The identity of its state.
  let reactor: StreamKey
}

/// A run of an action, which can be cancelled from outside.
private final class Run: Sendable {
  private let (ends, end) = AsyncStream.makeStream(of: Never.self)
  private let cancellation = Locked(false)

  var isCancelled: Bool { cancellation.withLock { $0 } }

  func cancel() {
    cancellation.withLock { $0 = true }
    end.finish()
  }

  /// Does the work; its task is cancelled with the run.
  func perform(_ work: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work() }
      group.addTask { [ends] in for await _ in ends {} }
      // Whichever is over first ends the other one.
      await group.next()
      group.cancelAll()
    }
  }
}
