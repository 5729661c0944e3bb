public import EventCommands
public import EventMVVM
import Dispatch

/// The source of the events of sessions: it writes the events that views receive, once for all
/// sessions.
public final class EventSource: Sendable {
  /// The thread on which events are written.
  public enum Pace: Sendable {
    /// At once, on the home thread, for a process with one client.
    case atOnce
    /// In the background, so that the stream continues meanwhile; listeners are called there.
    case background
  }

  /// A step of the stream, in order.
  private enum Step: Sendable {
    case event(ObservedEvent)
    case unitBegan(Root)
    case unitEnded(Root, isCommitted: Bool)
  }

  private struct State {
    var hasBegun = false
    var listeners: [Listener] = []
    var steps: [Step] = []
    var isWriting = false
  }

  private struct Listener: Sendable {
    weak let owner: (any AnyObject & Sendable)?
    let hear: @Sendable () -> Void
  }

  /// The most events that wait to be written; beyond that the home thread waits for them, some
  /// milliseconds.
  private static let mostSteps = 4096
  /// How long events are collected, in seconds.
  private static let pause = 0.001

  let types: EventTypes
  let log = EventLog()
  private let port: ViewPort
  private let queue: DispatchQueue?
  private let alarm = Alarm()
  private let state = Locked(State())

  /// Creates a source; it begins with the first listener.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue of events.
  ///   - port: The port through which they are observed.
  ///   - pace: The thread on which they are written.
  public init(_ catalogue: Catalogue, _ port: ViewPort, _ pace: Pace = .atOnce) {
    types = EventTypes(catalogue)
    self.port = port
    queue = pace == .background ? DispatchQueue(label: "events") : nil
  }

  /// Starts to store events, if it has not begun.
  public func begin() {
    let hasBegun = state.withLock { state in
      defer { state.hasBegun = true }
      return state.hasBegun
    }
    guard !hasBegun else { return }
    port.on(RequestUnit.self, owner: self) { source, _, turn in
      source.take(.unitBegan(turn.root))
    }
    port.on(ResponseUnit.self, owner: self) { source, event, turn in
      source.take(.unitEnded(turn.root, isCommitted: event.outcome == .committed))
    }
    types.observe(port) { [weak self] event in self?.take(.event(event)) }
  }

  /// Calls a listener after each event for as long as it exists.
  func listen<Owner: AnyObject & Sendable>(
    _ owner: Owner,
    _ hear: @escaping @Sendable (Owner) -> Void
  ) {
    state.withLock { state in
      state.listeners.removeAll { $0.owner == nil }
      guard !state.listeners.contains(where: { $0.owner === owner }) else { return }
      state.listeners.append(
        Listener(owner: owner) { [weak owner] in
          if let owner { hear(owner) }
        }
      )
    }
  }

  /// Waits until all events so far are written; must not be called on the home thread.
  public func settle() {
    queue?.sync { writeAll() }
  }

  /// Calls back once all events so far are written: at once, or on the thread that writes.
  func whenWritten(_ body: @escaping @Sendable () -> Void) {
    guard let queue else { return body() }
    alarm.after(0) { [self] in
      queue.sync { writeAll() }
      body()
    }
  }

  // MARK: Writing

  private func take(_ step: Step) {
    guard let queue else { return write([step]) }
    let (isFree, isFull) = state.withLock { state in
      state.steps.append(step)
      defer { state.isWriting = true }
      return (!state.isWriting, state.steps.count >= Self.mostSteps)
    }
    // Waking a thread costs more than writing an event, so it is woken for many.
    if isFree { alarm.after(Self.pause) { [self] in queue.sync { writeAll() } } }
    if isFull { queue.sync { writeAll() } }
  }

  private func writeAll() {
    while true {
      let steps = state.withLock { state in
        defer { state.steps = [] }
        state.isWriting = !state.steps.isEmpty
        return state.steps
      }
      guard !steps.isEmpty else { return }
      write(steps)
    }
  }

  private func write(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .event(let event): log.append(event.written())
      case .unitBegan(let root): log.hide(root)
      case .unitEnded(let root, let isCommitted): log.show(root, isCommitted: isCommitted)
      }
    }
    for listener in state.withLock({ $0.listeners }) { listener.hear() }
  }
}
