public import EventMVVM

/// State that changes by mutations alone: an action leads to mutations, at once or over time, and
/// each is reduced (S99).
///
/// An action is an event. Its effects are in two places: `mutate` does the work, asynchronous where
/// it must be, and emits mutations; `reduce` is pure and synchronous, and applies a mutation to
/// the model. So a model never changes between two mutations. Mutations in a unit are reduced when
/// the unit is committed, and never when it is rolled back (promise 11).
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
    /// The latest: an earlier one is cancelled, and its later mutations are dropped (S91).
    case latest
  }

  /// Receives the mutations of a run, from any thread.
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

    /// Emits a mutation, unless the run was cancelled.
    public func callAsFunction(_ mutation: Mutation) {
      if !cancelled() { emit(mutation) }
    }

    /// Whether the run was cancelled; its task is as well.
    public var isCancelled: Bool { cancelled() }
  }

  /// Its model, for views.
  public var state: ReadOnlyState<Model> { ReadOnlyState(held, of: self) }
  private let held: State<Model>
  private let stream: EventStream
  private let model: Locked<Model>
  private let runs = Locked<[StreamKey: Run]>([:])

  /// Declares a reactor with its initial model.
  ///
  /// - Parameters:
  ///   - initial: The model before the first mutation (S86).
  ///   - name: Its name in traces.
  ///   - stream: The shared stream.
  ///   - reduce: Applies a mutation to the model; pure, on the home thread.
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

  /// Registers an action whose mutations are available at once.
  ///
  /// - Parameters:
  ///   - type: The action.
  ///   - mutate: Returns the mutations of an action, given the present model.
  /// - Returns: The reactor, for chaining.
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

  /// Registers an action that takes time.
  ///
  /// - Parameters:
  ///   - type: The action.
  ///   - count: Which runs count where they overlap.
  ///   - mutate: Does the work off the home thread, given the model at its beginning.
  /// - Returns: The reactor, for chaining.
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

/// A mutation of a reactor's model; a fact, so that a rolled-back one is never reduced.
private struct ResponseMutation<Model: Sendable & Equatable, Mutation: Sendable & Equatable>:
  ModelEvent, ViewModelEvent, Fact
{
  let mutation: Mutation
  /// The identity of its state.
  let reactor: StreamKey
}

/// A run of an action, which its reactor can cancel.
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
      // The first to end cancels the other one.
      await group.next()
      group.cancelAll()
    }
  }
}
