import EventCommands
import EventMVVM
import EventRPC

/// The events of a session, and their subscriptions.
final class EventFeed: Sendable {
  /// How many subscriptions a session has at most: each is checked at each event.
  static let mostSubscriptions = 64

  private struct State {
    var count = 0
    var subscriptions: [EventSubscription] = []
    /// The last ended one of each selection of types: its last message may not be written yet.
    var ended: [EventSubscription] = []
  }

  /// The available types.
  var types: EventTypes { source.types }
  var log: EventLog { source.log }
  private let source: EventSource
  private let notifier: Notifier
  private let maxQueuedEvents: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - source: The source of the events.
  ///   - notifier: Sends them.
  ///   - maxQueuedEvents: How many events may wait for one subscription.
  init(_ source: EventSource, _ notifier: Notifier, maxQueuedEvents: Int) {
    self.source = source
    self.notifier = notifier
    self.maxQueuedEvents = maxQueuedEvents
  }

  /// Starts to store events, if that has not begun: sessions without subscriptions pay nothing.
  func begin() {
    source.listen(self) { $0.send() }
    source.begin()
  }

  /// Calls back once all events so far are written; on the home thread, or in the
  /// background.
  func whenWritten(_ body: @escaping @Sendable () -> Void) { source.whenWritten(body) }

  /// Whether all subscriptions are up to date; nil if there is none.
  var isUpToDate: Bool? {
    let subscriptions = state.withLock { $0.subscriptions }
    return subscriptions.isEmpty ? nil : subscriptions.allSatisfy(\.isUpToDate)
  }

  /// Returns where subscriptions resume, including ended ones.
  ///
  /// - Parameter first: The beginning of subscriptions without a number of their own.
  /// - Returns: The positions; nil if there was no subscription.
  func resumePoints(after first: EventPositions) -> EventPositions? {
    let (ended, running) = state.withLock { ($0.ended, $0.subscriptions) }
    guard !ended.isEmpty || !running.isEmpty else { return nil }
    return first.moved(by: ended.map { ($0.types, $0.place) }, running.map { ($0.types, $0.place) })
  }

  /// Adds a subscription; nil if there are too many.
  func subscribe(_ types: Set<String>?, from next: UInt64) -> EventSubscription? {
    state.withLock { state in
      guard state.subscriptions.count < Self.mostSubscriptions else { return nil }
      state.count += 1
      let subscription = EventSubscription(
        state.count,
        types,
        from: next,
        log,
        notifier,
        maxQueuedEvents: maxQueuedEvents
      ) { [weak self] number in _ = self?.remove(number) }
      state.subscriptions.append(subscription)
      return subscription
    }
  }

  /// Ends a subscription; nil if there is none with that number.
  func remove(_ number: Int) -> EventSubscription? {
    state.withLock { state in
      guard let index = state.subscriptions.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      let subscription = state.subscriptions.remove(at: index)
      state.ended.removeAll { $0.types == subscription.types }
      if state.ended.count == Self.mostSubscriptions { state.ended.removeFirst() }
      state.ended.append(subscription)
      return subscription
    }
  }

  private func send() {
    for subscription in state.withLock({ $0.subscriptions }) { subscription.send() }
  }
}
