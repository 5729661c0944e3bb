import Synchronization

/// An observer's registration on the stream.
///
/// It ends when it is cancelled, when its owner is deallocated, or with the stream; releasing this
/// value does not end it.
///
/// ```swift
/// let hall = stream.on(ResponseGreeting.self) { _, _ in log.append("hall") }
/// stream.on(ResponseGreeting.self, owner: screens[0]) { screen, _, _ in log.append(screen.name) }
/// stream.send(RequestGreeting())
/// #expect(log == ["hall", "kitchen"])
///
/// hall.cancel()
/// ```
public struct Subscription: Sendable {
  /// Nil if the stream had ended before.
  let router: _Router?
  let observer: _Observer

  /// Ends it, from any thread: once this has returned, no further delivery begins (promise 4).
  public func cancel() {
    guard !observer.isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    router?.submit(Leave(observer: observer), _Header(origin: .application))
  }
}

extension EventStream {
  /// Observes one event type for as long as the stream lives.
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - body: Called on the home thread with each event of the type, in order.
  /// - Returns: The subscription, to end it by.
  @discardableResult @inlinable
  public func on<E: Event>(
    _ type: E.Type,
    _ body: @escaping (E, borrowing Turn) -> Void
  ) -> Subscription {
    let observer = _TypedObserver(key: StreamKey(E.self), owner: nil, body: body)
    return router.join(observer, header())
  }

  /// Observes one event type for as long as `owner` lives (S10, S12, S73).
  ///
  /// ```swift
  /// stream.on(ResponseImage.self, owner: self) { model, found, turn in
  ///   guard model.facts.withLock({ $0.load == found.load }) else { return }
  ///   model.assign(turn) { $0.picture = found.picture }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - owner: The object with which the subscription ends; retained only while `body`
  ///     runs.
  ///   - body: Called on the home thread with the owner and each event of the type, in order.
  /// - Returns: The subscription, to end it by.
  @discardableResult @inlinable
  public func on<E: Event, Owner: AnyObject>(
    _ type: E.Type,
    owner: Owner,
    _ body: @escaping (Owner, E, borrowing Turn) -> Void
  ) -> Subscription {
    let observer = _TypedObserver<E>(key: StreamKey(E.self), owner: owner) {
      [weak owner] event, turn in
      if let owner { body(owner, event, turn) } else { turn.router.noteEnd(StreamKey(E.self)) }
    }
    return router.join(observer, header())
  }

  /// Observes every event, before the observers of its type (S6).
  ///
  /// ```swift
  /// stream.observeAll { event, _ in print(event) }
  /// ```
  @discardableResult
  public func observeAll(_ body: @escaping (any Event, borrowing Turn) -> Void) -> Subscription {
    observeAll(with: ClosureObserver(body))
  }

  /// Observes every event with its static type, before the observers of its type.
  ///
  /// An `any Event` is boxed for each observer, in memory of its own unless it is small; here
  /// nothing is. For an observer that looks at very many events and retains none.
  ///
  /// - Parameter observer: Called with each event; retained until the subscription ends.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public func observeAll(with observer: some EventObserver) -> Subscription {
    router.join(EveryObserver(observer), header())
  }

  /// How many subscriptions the stream holds, including ended ones that are not swept yet.
  public var subscriptionCount: Int {
    precondition(router.isHome, "subscriptionCount belongs to the stream's home thread")
    let state = router.state
    return state.pointee.all.count
      + state.pointee.routes.routes.reduce(0) { $0 + $1.pointee.count }
  }
}

/// An observer of events of every type; see ``EventStream/observeAll(with:)``.
///
/// ```swift
/// final class Census: EventObserver {
///   var counts: [String: Int] = [:]
///   func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
///     counts[E.name, default: 0] += 1
///   }
/// }
/// ```
public protocol EventObserver: AnyObject {
  /// Called on the home thread with each event, in order.
  func observe<E: Event>(_ event: E, _ turn: borrowing Turn)
}

/// Observes every event by a closure.
private final class ClosureObserver: EventObserver {
  private let body: (any Event, borrowing Turn) -> Void

  init(_ body: @escaping (any Event, borrowing Turn) -> Void) {
    self.body = body
  }

  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) { body(event, turn) }
}

extension _Router {
  @usableFromInline
  func join(_ observer: _Observer, _ header: _Header) -> Subscription {
    submit(Join(observer: observer), header)
    return Subscription(router: self, observer: observer)
  }
}

/// The queue entry that begins a subscription.
struct Join: StreamEntry {
  let observer: _Observer

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    router.link(_move(address).observer)
  }
}

/// The queue entry that ends a subscription.
struct Leave: StreamEntry {
  let observer: _Observer

  static func _take(_ address: _EntryAddress, _ router: _Router) {
    router.unlink(_move(address).observer)
  }
}
