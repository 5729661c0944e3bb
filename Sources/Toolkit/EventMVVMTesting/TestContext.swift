public import EventMVVM
public import Testing

/// A stream under test: frozen clock, counting ids, synchronous throughout, every event checked.
///
/// Every event on the stream must be expected, in order; an unexpected event is a failure.
///
/// ```swift
/// let test = TestContext()
/// test.add(Greeter())
/// test.send(RequestGreeting())
/// test.expect(ResponseGreeting(.success("Hello, you!")))
/// test.done()
/// ```
///
/// Asynchronous handlers run on an executor that the context owns and drains. It belongs to the
/// thread that created it.
public final class TestContext {
  /// The context that servers and plugins join.
  public let app: AppContext
  /// Where asynchronous handlers run.
  public let executor: DrainExecutor
  private let clock: Locked<Instant>
  private let log = Locked<[Recorded]>([])
  private var asserted = 0
  private let location: SourceLocation

  private struct Recorded {
    let event: any Event
    let envelope: Envelope
  }

  /// Creates a context without plugins.
  ///
  /// - Parameters:
  ///   - now: The time of the frozen clock.
  ///   - zone: The user's time zone.
  ///   - rules: The version of the rules, where a test is of an earlier one.
  ///   - location: The location at which an unexpected event is reported.
  public init(
    now: Instant = Instant(milliseconds: 1_763_632_800_000),
    zone: ZoneRule = .utc,
    rules: Int? = nil,
    location: SourceLocation = #_sourceLocation
  ) {
    let executor = DrainExecutor()
    let clock = Locked(now)
    self.executor = executor
    self.clock = clock
    self.location = location
    var environment = Environment.counting(
      now: { clock.withLock { $0 } },
      zone: zone,
      executor: executor
    )
    environment.rules = rules ?? environment.rules
    app = AppContext(environment: environment)
    app.stream.observeAll { [log] event, turn in
      let recorded = Recorded(event: event, envelope: turn.envelope)
      log.withLock { $0.append(recorded) }
    }
  }

  deinit { done(location) }

  /// The stream under test.
  public var stream: EventStream { app.stream }

  /// The time of the clock.
  public var now: Instant {
    get { clock.withLock { $0 } }
    set { clock.withLock { $0 = newValue } }
  }

  /// Adds servers and plugins.
  public func add(_ plugins: any Plugin...) {
    for plugin in plugins { app.add(plugin) }
  }

  /// Runs everything that is queued, asynchronous handlers included, until nothing is left.
  public func drain() {
    repeat { stream.deliver() } while executor.drain()
  }

  // MARK: Sending

  /// Sends an event, delivers all consequences, and asserts the event itself.
  public func send<E: Event>(_ event: E, _ location: SourceLocation = #_sourceLocation) {
    done(location)
    stream.send(event)
    drain()
    expect(event, location)
  }

  /// Sends a request, delivers all consequences, asserts the request, and returns its reply.
  ///
  /// The events in between remain to be expected.
  @discardableResult
  public func request<R: Request>(
    _ request: R,
    _ location: SourceLocation = #_sourceLocation
  ) -> Result<R.Reply, Interruption>? {
    done(location)
    var answer: Result<R.Reply, Interruption>?
    stream.request(request) { result, _ in answer = result }
    drain()
    expect(request, location)
    return answer
  }

  /// Sends a request, delivers all consequences, and returns what its reply carries; the events
  /// need not be expected.
  ///
  /// - Throws: The reply's failure, or why there is none.
  @discardableResult
  public func value<R: Request>(
    of request: R,
    _ location: SourceLocation = #_sourceLocation
  ) throws -> R.Reply.Value {
    let answer = self.request(request, location)
    skip()
    return try R.Reply._value(of: answer ?? .failure(.unanswered))
  }

  // MARK: Expecting

  /// Expects the next event that was not asserted yet to be this one.
  public func expect<E: Event>(_ expected: E, _ location: SourceLocation = #_sourceLocation) {
    guard let actual: E = next(location) else { return }
    guard actual != expected else { return }
    record("expected \(expected)\n     got \(actual)", location)
  }

  /// Expects the next event that was not asserted yet to be of a type, and returns it.
  @discardableResult
  public func expect<E: Event>(
    _ type: E.Type,
    _ location: SourceLocation = #_sourceLocation
  ) -> E? {
    next(location)
  }

  /// The envelope of the event asserted last.
  public var envelope: Envelope? {
    asserted == 0 ? nil : log.withLock { [asserted] in $0[asserted - 1].envelope }
  }

  /// Expects that every event so far was asserted.
  public func done(_ location: SourceLocation = #_sourceLocation) {
    drain()
    let left = log.withLock { [asserted] in $0.dropFirst(asserted).map { "\($0.event)" } }
    guard !left.isEmpty else { return }
    asserted += left.count
    record("not asserted:\n" + left.joined(separator: "\n"), location)
  }

  /// Accepts all events so far, for the preparation of a test.
  public func skip() {
    drain()
    asserted = log.withLock { $0.count }
  }

  private func next<E: Event>(_ location: SourceLocation) -> E? {
    drain()
    let event = log.withLock { [asserted] log in
      log.indices.contains(asserted) ? log[asserted].event : nil
    }
    guard let event else {
      record("expected \(E.name), but nothing more happened", location)
      return nil
    }
    asserted += 1
    guard let event = event as? E else {
      record("expected \(E.name), got \(event)", location)
      return nil
    }
    return event
  }

  private func record(_ message: String, _ location: SourceLocation) {
    Issue.record(Comment(rawValue: message), sourceLocation: location)
  }
}
