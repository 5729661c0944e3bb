public import EventMVVM

/// The name under which programs watch a state.
///
/// A `Wire` lists it, and the state's owner publishes a state under it: by
/// ``EventMVVM/EventStream``'s `show`, or as a screen that lists its states.
///
/// ```swift
/// static let price = StateName("cart/price", "What is to be paid.")
/// static let canPay = StateName("cart/canPay", "Whether there is something to be paid now.")
/// static let paying = StateName("cart/paying", "Whether it is being paid.", progress: "paying")
/// ```
public struct StateName: Sendable {
  /// Its name for programs: `cart/price`.
  public let name: String
  /// The description of the state, in a line.
  public let summary: String
  /// The text for a person while the state is true, such as `sending`; nil where it does not stand
  /// for running work.
  public let progress: String?

  /// Creates a name.
  public init(_ name: String, _ summary: String, progress: String? = nil) {
    self.name = name
    self.summary = summary
    self.progress = progress
  }
}

/// A state under its name, as frontends observe it: its values are JSON.
///
/// It does not retain the state: its owner does.
///
/// ```swift
/// var states: [NamedState] {
///   [contents.state.named(.letter), sending.isExecuting.named(.sending)]
/// }
/// ```
public struct NamedState: Sendable {
  /// Observes the state with a closure for each value: the latest first, then each change.
  public typealias Observe =
    @Sendable (_ take: @escaping @Sendable ([UInt8]) -> Void) -> Subscription?

  let name: StateName
  let observe: Observe

  /// Creates a named state.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - observe: Observes it; returns nil where the state no longer exists.
  public init(_ name: StateName, observe: @escaping Observe) {
    self.name = name
    self.observe = observe
  }
}

extension EventStream {
  /// Publishes states to every session, under their names, for as long as each exists; while
  /// joining, or on the home thread.
  ///
  /// ```swift
  /// stream.show(states.isShown.named(.badgeShown), states.text.named(.badgeText))
  /// ```
  public func show(_ states: NamedState...) {
    shared(StateBoard.init).show(states)
  }

  /// Publishes states to one session, in place of its former ones; they hide states of every
  /// session with the same names.
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
  public func watch(
    _ name: String,
    _ take: @escaping @Sendable ([UInt8]) -> Void
  ) -> NamedStateWatch {
    let watch = NamedStateWatch(name, origin, take)
    let board = shared(StateBoard.init)
    // The published states and their watches change on the home thread.
    afterQueued { [weak watch] in
      if let watch { board.add(watch) }
    }
    return watch
  }
}

/// The published states by name, and their watches.
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

/// A session's watch of the state that is published under a name.
public final class NamedStateWatch: Sendable {
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
