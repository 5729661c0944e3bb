import EventMVVM
import EventRPC
import EventServing
import Foundation

/// What keeps an observer from taking more than its part of the machine: it is read more slowly.
///
/// Its requests together use the processor for at most a fiftieth of the time, once ten
/// milliseconds are used up, and it is read at most a mebibyte a second, once four are. Waiting is
/// done on the thread that reads, so that the program waits with its pipe full, and nobody else
/// does.
///
/// What a request uses is not told apart from what the process does beside it, and so is taken to
/// be no more than the request took by the clock: a disk that is waited for costs nothing, and work
/// beside a script rather too much than too little.
final class ObserverThrottle: RPCThrottle {
  /// How many messages that are none are answered before the program is given up.
  static let mostFaults = 100
  /// Of each second, what requests may take.
  private static let share = 0.02
  /// What requests may use before that, in seconds.
  private static let start = 0.01
  private static let bytesPerSecond = 1_048_576.0
  /// How long the next part of a list waits at most, in seconds: one that nobody can pay for any
  /// more.
  private static let longestWait = 3600.0
  /// What a request counts at most: one that waits for a script is no work.
  private static let longest = 0.1

  private struct State {
    var time = Allowance(most: start, perSecond: share)
    var bytes = Allowance(most: 4 * bytesPerSecond, perSecond: bytesPerSecond)
    var lastRead = ContinuousClock.now
    /// What the process had used when it was last looked at.
    var lastUse: Double
    /// Whether a thread waits here.
    var isWaiting = false
    var isOver = false
    var faults = 0

    /// Pays for what was done since the last look, at most so many seconds.
    mutating func pay(_ use: Double, atMost seconds: Double) {
      _ = time.take(min(use - lastUse, seconds, longest))
      lastUse = use
    }

    /// The seconds to wait until everything is paid for.
    mutating func debt() -> Double { isOver ? 0 : max(time.take(0), bytes.take(0)) }
  }

  private let state: Locked<State>
  private let use: @Sendable () -> Double
  private let whenHopeless: @Sendable () -> Void

  /// - Parameters:
  ///   - use: The seconds that the process has used the processor.
  ///   - whenHopeless: Called once, when too much of what is said makes no sense.
  init(
    use: @escaping @Sendable () -> Double = processTime,
    whenHopeless: @escaping @Sendable () -> Void
  ) {
    self.use = use
    self.whenHopeless = whenHopeless
    state = Locked(State(lastUse: use()))
  }

  /// Notes that it has something to do.
  func noteBusy() {
    state.withLock { $0.lastRead = .now }
  }

  /// How long it has had nothing to do, and has said nothing.
  var silence: Duration {
    state.withLock { $0.isWaiting ? .zero : $0.lastRead.duration(to: .now) }
  }

  /// Lets it use a little more at once, as the process is about to end: a fiftieth of what that has
  /// used.
  func hurry() {
    let more = max(Self.start, use() * Self.share)
    state.withLock { $0.time.raise(to: more) }
  }

  /// Gives nothing back any more: what has been paid for is all that is left to use.
  func stop() {
    state.withLock { $0.time.stop() }
  }

  /// Holds nothing back any more.
  func release() {
    state.withLock { $0.isOver = true }
  }

  func hasRead(_ bytes: Int) {
    let use = use()
    state.withLock { state in
      state.lastRead = .now
      state.lastUse = use
      _ = state.bytes.take(Double(bytes))
    }
    wait()
  }

  func hasServed(in time: Duration, faults: Int) {
    let use = use()
    let isHopeless = state.withLock { state in
      defer { state.faults = faults }
      state.lastRead = .now
      state.pay(use, atMost: time / .seconds(1))
      return state.faults <= Self.mostFaults && faults > Self.mostFaults
    }
    if isHopeless { whenHopeless() }
    wait()
  }

  /// Goes on with something long that is done in parts, once the last part is paid for; any thread.
  func afterPart(_ goOn: @escaping @Sendable () -> Void) {
    let use = use()
    let wait = state.withLock { state in
      state.pay(use, atMost: Self.longest)
      return state.debt()
    }
    guard wait > 0 else { return goOn() }
    Alarm.shared.after(min(wait, Self.longestWait)) { [self] in
      // What others did meanwhile is not its own.
      let use = self.use()
      state.withLock { $0.lastUse = use }
      goOn()
    }
  }

  /// The seconds until everything is paid for.
  var debt: Double { state.withLock { $0.debt() } }

  /// Waits until everything is paid for.
  private func wait() {
    guard debt > 0 else { return }
    state.withLock { $0.isWaiting = true }
    while case let left = debt, left > 0 { Thread.sleep(forTimeInterval: min(left, 0.05)) }
    let use = use()
    state.withLock { state in
      state.isWaiting = false
      state.lastRead = .now
      state.lastUse = use
    }
  }

  /// The seconds that this process has used the processor.
  @Sendable static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Something that may be used up, and comes back with time.
struct Allowance {
  private let most: Double
  private var perSecond: Double
  private var left: Double
  private var last: ContinuousClock.Instant

  init(most: Double, perSecond: Double, from start: ContinuousClock.Instant = .now) {
    last = start
    self.most = most
    self.perSecond = perSecond
    left = most
  }

  /// Takes some of it.
  ///
  /// - Returns: The seconds to wait until it is there.
  mutating func take(_ amount: Double, at now: ContinuousClock.Instant = .now) -> Double {
    left = min(most, left + last.duration(to: now) / .seconds(1) * perSecond) - amount
    last = now
    return left >= 0 ? 0 : -left / perSecond
  }

  /// Returns nothing any more.
  mutating func stop() {
    perSecond = 0
  }

  /// Has at least so much of it be there.
  mutating func raise(to amount: Double) {
    left = max(left, amount)
  }
}
