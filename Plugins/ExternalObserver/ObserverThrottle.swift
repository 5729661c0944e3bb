import EventMVVM
import EventRPC
import EventServing
import Foundation

/// Keeps an observer from using more than its share of the machine, by reading from it more slowly.
///
/// Its requests together use the processor for at most a fiftieth of the time, once ten
/// milliseconds are used up, and it is read at most a mebibyte a second, once four are. Waiting is
/// done on the thread that reads, so that only the program waits, with its pipe full.
///
/// The processor time of a request can't be separated from concurrent work of the process, and so
/// is bounded by the time that the request took by the clock: waiting for a disk costs nothing, and
/// a request during a script may be charged too much rather than too little.
final class ObserverThrottle: RPCThrottle {
  /// How many invalid messages are answered before the program is ended.
  static let mostFaults = 100
  /// The share of each second that requests may use.
  private static let share = 0.02
  /// The time that requests may use before that, in seconds.
  private static let start = 0.01
  private static let bytesPerSecond = 1_048_576.0
  /// The longest wait of the next part of a list, in seconds, where no more time will be allowed.
  private static let longestWait = 3600.0
  /// The most that a request is charged: one that waits for a script does no work.
  private static let longest = 0.1

  private struct State {
    var time = Allowance(most: start, perSecond: share)
    var bytes = Allowance(most: 4 * bytesPerSecond, perSecond: bytesPerSecond)
    var lastRead = ContinuousClock.now
    /// The processor time of the process at the last check.
    var lastUse: Double
    /// Whether a thread waits here.
    var isWaiting = false
    var isOver = false
    var faults = 0

    /// Charges the time that was used since the last check, up to a limit in seconds.
    mutating func pay(_ use: Double, atMost seconds: Double) {
      _ = time.take(min(use - lastUse, seconds, longest))
      lastUse = use
    }

    /// Returns the seconds to wait until nothing is owed.
    mutating func debt() -> Double { isOver ? 0 : max(time.take(0), bytes.take(0)) }
  }

  private let state: Locked<State>
  private let use: @Sendable () -> Double
  private let whenHopeless: @Sendable () -> Void

  /// - Parameters:
  ///   - use: The seconds that the process has used the processor.
  ///   - whenHopeless: Called once, after too many invalid messages.
  init(
    use: @escaping @Sendable () -> Double = processTime,
    whenHopeless: @escaping @Sendable () -> Void
  ) {
    self.use = use
    self.whenHopeless = whenHopeless
    state = Locked(State(lastUse: use()))
  }

  /// Notes that the observer is busy.
  func noteBusy() {
    state.withLock { $0.lastRead = .now }
  }

  /// How long it has been idle without sending anything.
  var silence: Duration {
    state.withLock { $0.isWaiting ? .zero : $0.lastRead.duration(to: .now) }
  }

  /// Allows it a little more at once, as the process is about to end: a fiftieth of the time that
  /// the process has used.
  func hurry() {
    let more = max(Self.start, use() * Self.share)
    state.withLock { $0.time.raise(to: more) }
  }

  /// Stops the allowance from growing: only the rest may be used.
  func stop() {
    state.withLock { $0.time.stop() }
  }

  /// Ends the throttling.
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

  /// Continues work that is done in parts, once the last part is paid for; any thread.
  func afterPart(_ goOn: @escaping @Sendable () -> Void) {
    let use = use()
    let wait = state.withLock { state in
      state.pay(use, atMost: Self.longest)
      return state.debt()
    }
    guard wait > 0 else { return goOn() }
    Alarm.shared.after(min(wait, Self.longestWait)) { [self] in
      // Concurrent work in the meantime is not its own.
      let use = self.use()
      state.withLock { $0.lastUse = use }
      goOn()
    }
  }

  /// The seconds until nothing is owed.
  var debt: Double { state.withLock { $0.debt() } }

  /// Waits until nothing is owed.
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

  /// Returns the processor time of this process, in seconds.
  @Sendable static func processTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// An allowance that is used up, and grows back with time.
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
  /// - Returns: The seconds to wait until it is available.
  mutating func take(_ amount: Double, at now: ContinuousClock.Instant = .now) -> Double {
    left = min(most, left + last.duration(to: now) / .seconds(1) * perSecond) - amount
    last = now
    return left >= 0 ? 0 : -left / perSecond
  }

  /// Stops the growth.
  mutating func stop() {
    perSecond = 0
  }

  /// Raises it to at least an amount.
  mutating func raise(to amount: Double) {
    left = max(left, amount)
  }
}
