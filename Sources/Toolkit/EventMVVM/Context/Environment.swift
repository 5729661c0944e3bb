/// What a stream takes from outside: clock, ids, time zone and executor.
///
/// Handlers take time and ids from here, through their turn, and never from the system, so that
/// tests are synchronous and replays exact.
///
/// ```swift
/// var environment = Environment()
/// environment.now = { Instant(milliseconds: 1_800_000_000_000) }
/// environment.zone = .fixed(seconds: 9 * 3600)
/// process = AppContext(environment: environment)
/// ```
public struct Environment: Sendable {
  /// The clock.
  public var now: @Sendable () -> Instant
  /// The source of new ids.
  public var makeID: @Sendable () -> UniqueID
  /// The user's time zone.
  public var zone: ZoneRule
  /// Where asynchronous handlers run that specify no executor; nil is the global one.
  public var executor: (any TaskExecutor)?
  /// The session that the stream's roots belong to.
  public var session: UInt64

  /// How long a unit may stay idle while others wait for its end, in milliseconds; after that it is
  /// rolled back.
  public var longestStall = 10_000

  /// The version of the rules that programs go by; a replay goes by that of its recording, so that what was added since
  /// leaves it as it was.
  public var rules = 1

  /// Creates an environment; each part is the system's unless given, and the zone is UTC.
  public init(
    now: @escaping @Sendable () -> Instant = { .now() },
    makeID: @escaping @Sendable () -> UniqueID = { .random() },
    zone: ZoneRule = .utc,
    executor: (any TaskExecutor)? = nil,
    session: UInt64 = .random(in: 1 ... .max)
  ) {
    (self.now, self.makeID, self.zone) = (now, makeID, zone)
    (self.executor, self.session) = (executor, session)
  }
}
