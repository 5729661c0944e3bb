public import EventMVVM

/// The name under which programs watch a state.
///
/// A ``Wire`` lists it, and the state's owner shows a state under it: ``EventMVVM/EventStream``'s
/// `show`, or a screen that lists its states.
public struct StateName: Sendable {
  /// What programs call it: `cart/price`.
  public let name: String
  /// What the state says, in a line.
  public let summary: String
  /// What a person reads while the state is true, such as `sending`; nil where it is no sign of
  /// work that is under way.
  public let progress: String?

  /// Names a state.
  public init(_ name: String, _ summary: String, progress: String? = nil) {
    self.name = name
    self.summary = summary
    self.progress = progress
  }
}

/// A state under its name, as faces observe it: what it holds is JSON for them.
///
/// It does not retain the state: its owner does.
public struct NamedState: Sendable {
  /// Observes the state, given what takes each value: the latest first, then each change.
  public typealias Observe =
    @Sendable (_ take: @escaping @Sendable ([UInt8]) -> Void) -> Subscription?

  let name: StateName
  let observe: Observe

  /// Names a state.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - observe: Observes it; returns nil where the state is gone.
  public init(_ name: StateName, observe: @escaping Observe) {
    self.name = name
    self.observe = observe
  }
}

extension EventStream {
  /// Shows states to every session, under their names, for as long as each exists; while joining,
  /// or on the home thread.
  public func show(_ states: NamedState...) {
    shared(StateBoard.init).show(states)
  }

  /// Shows states to one session, in place of those that it was shown before; they hide others of
  /// their names.
  package func show(_ states: [NamedState], to session: Origin) {
    shared(StateBoard.init).show(states, to: session)
  }
}

extension ViewPort {
  /// Watches the state that has a name for this session.
  ///
  /// The latest value comes first, then each change, and `null` while there is none; equal values
  /// are not repeated.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - take: Called on the home thread with each value as JSON.
  /// - Returns: The watch, which ends when it is released.
  package func watch(
    _ name: String,
    _ take: @escaping @Sendable ([UInt8]) -> Void
  ) -> NamedStateWatch {
    let watch = NamedStateWatch(name, origin, take)
    let board = shared(StateBoard.init)
    // What is shown changes on the home thread, and so does who watches.
    afterQueued { [weak watch] in
      if let watch { board.add(watch) }
    }
    return watch
  }
}

/// Which states are shown under which names, and who watches them.
private final class StateBoard: Sendable {
  private struct Watcher: Sendable {
    weak let watch: NamedStateWatch?
  }

  private struct Contents {
    var everywhere: [String: NamedState] = [:]
    var ofSessions: [Origin: [String: NamedState]] = [:]
    var watchers: [Watcher] = []
  }

  private let contents = Locked(Contents())

  func show(_ states: [NamedState]) {
    contents.withLock { contents in
      for state in states { contents.everywhere[state.name.name] = state }
    }
    for state in states { follow(state.name.name) }
  }

  func show(_ states: [NamedState], to session: Origin) {
    let names = contents.withLock { contents in
      var shown: [String: NamedState] = [:]
      for state in states { shown[state.name.name] = state }
      let before = contents.ofSessions.removeValue(forKey: session) ?? [:]
      if !shown.isEmpty { contents.ofSessions[session] = shown }
      return Set(before.keys).union(shown.keys)
    }
    for name in names { follow(name, in: session) }
  }

  func add(_ watch: NamedStateWatch) {
    contents.withLock { contents in
      contents.watchers.removeAll { $0.watch == nil }
      contents.watchers.append(Watcher(watch: watch))
    }
    watch.follow(state(for: watch))
  }

  private func follow(_ name: String, in session: Origin? = nil) {
    for watcher in contents.withLock({ $0.watchers }) {
      guard let watch = watcher.watch, watch.name == name,
        session == nil || watch.session == session
      else { continue }
      watch.follow(state(for: watch))
    }
  }

  private func state(for watch: NamedStateWatch) -> NamedState? {
    contents.withLock { contents in
      contents.ofSessions[watch.session]?[watch.name] ?? contents.everywhere[watch.name]
    }
  }
}

/// A session's watch of what is shown under a name.
package final class NamedStateWatch: Sendable {
  let name: String
  let session: Origin
  private let take: @Sendable ([UInt8]) -> Void
  private let state = Locked(State())

  private struct State {
    var subscription: Subscription?
    var last: [UInt8]?
  }

  init(_ name: String, _ session: Origin, _ take: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.session = session
    self.take = take
  }

  deinit { state.withLock { $0.subscription }?.cancel() }

  /// Follows another state, or none; on the home thread.
  func follow(_ next: NamedState?) {
    state.withLock { $0.subscription }?.cancel()
    let subscription = next?.observe { [weak self] in self?.hear($0) }
    state.withLock { $0.subscription = subscription }
    if subscription == nil { hear(Array("null".utf8)) }
  }

  private func hear(_ value: [UInt8]) {
    let isNew = state.withLock { state in
      defer { state.last = value }
      return state.last != value
    }
    if isNew { take(value) }
  }
}
