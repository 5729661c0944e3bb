import EventCommands
import EventMVVM
import EventRPC

/// The events of a session, and those who are sent them.
final class EventFeed: Sendable {
  /// How many subscriptions a session has at most: each is looked at with each event.
  static let mostSubscriptions = 64

  private struct State {
    var hasBegun = false
    var count = 0
    var subscriptions: [EventSubscription] = []
  }

  /// The types that there are.
  let types: EventTypes
  let log = EventLog()
  private let port: ViewPort
  private let herald: Herald
  private let state = Locked(State())

  init(_ catalogue: Catalogue, _ port: ViewPort, _ herald: Herald) {
    types = EventTypes(catalogue)
    self.port = port
    self.herald = herald
  }

  /// Keeps events from now on, if it does not yet: nobody pays for what nobody asks for.
  func begin() {
    let hasBegun = state.withLock { state in
      defer { state.hasBegun = true }
      return state.hasBegun
    }
    guard !hasBegun else { return }
    types.observe(port, log) { [weak self] in self?.send() }
  }

  /// Adds a subscription; nil if there are too many.
  func subscribe(_ types: Set<String>?, from next: UInt64) -> EventSubscription? {
    state.withLock { state in
      guard state.subscriptions.count < Self.mostSubscriptions else { return nil }
      state.count += 1
      let subscription = EventSubscription(state.count, types, from: next, log, herald) {
        [weak self] number in _ = self?.remove(number)
      }
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
