import EventCommands
import EventMVVM
import EventRPC

/// The events of a session, and those who are sent them.
final class EventFeed: Sendable {
  /// How many subscriptions a session has at most: each is looked at with each event.
  static let mostSubscriptions = 64

  private struct State {
    var count = 0
    var subscriptions: [EventSubscription] = []
  }

  /// The types that there are.
  var types: EventTypes { source.types }
  var log: EventLog { source.log }
  private let source: EventSource
  private let herald: Herald
  private let mostWaiting: Int
  private let state = Locked(State())

  /// - Parameters:
  ///   - source: Where the events come from.
  ///   - herald: Sends them.
  ///   - mostWaiting: How many may wait for one subscription.
  init(_ source: EventSource, _ herald: Herald, mostWaiting: Int) {
    self.source = source
    self.herald = herald
    self.mostWaiting = mostWaiting
  }

  /// Keeps events from now on, if nobody does yet: nobody pays for what nobody asks for.
  func begin() {
    source.listen(self) { $0.send() }
    source.begin()
  }

  /// How the subscriptions stand; nil if there is none.
  var isUpToDate: Bool? {
    let subscriptions = state.withLock { $0.subscriptions }
    return subscriptions.isEmpty ? nil : subscriptions.allSatisfy(\.isUpToDate)
  }

  /// The number behind the last event that was handed over; nil if none was.
  var next: UInt64? {
    state.withLock { $0.subscriptions }.compactMap(\.nextBehindSent).max()
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
        herald,
        mostWaiting: mostWaiting
      ) { [weak self] number in _ = self?.remove(number) }
      state.subscriptions.append(subscription)
      return subscription
    }
  }

  /// Ends a subscription; nil if there is none of that number.
  func remove(_ number: Int) -> EventSubscription? {
    state.withLock { state in
      state.subscriptions.firstIndex { $0.number == number }
        .map { state.subscriptions.remove(at: $0) }
    }
  }

  private func send() {
    for subscription in state.withLock({ $0.subscriptions }) { subscription.send() }
  }
}
