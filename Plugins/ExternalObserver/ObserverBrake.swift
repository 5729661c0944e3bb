import EventMVVM
import EventRPC
import Foundation

/// What keeps an observer from taking more than its part of the machine: it is read more slowly.
///
/// Its requests together take at most a twentieth of the time, once thirty milliseconds are used up, and
/// it is read at most a mebibyte a second, once four are. Waiting is done on the thread that reads, so that
/// the program waits with its pipe full, and nobody else does.
final class ObserverBrake: RPCBrake {
  /// How many messages that are none are answered before the program is given up.
  static let mostFaults = 100
  /// Of each second, what requests may take.
  private static let share = 0.05
  private static let bytesPerSecond = 1_048_576.0
  /// What a request counts at most: one that waits for a script is no work.
  private static let longest = 0.1

  private struct State {
    var time = Allowance(most: 0.03, perSecond: share)
    var bytes = Allowance(most: 4 * bytesPerSecond, perSecond: bytesPerSecond)
    var lastRead = ContinuousClock.now
    var isOver = false
    var faults = 0
  }

  private let state = Locked(State())
  private let whenHopeless: @Sendable () -> Void

  /// Calls back, once, when too much of what is said makes no sense.
  init(whenHopeless: @escaping @Sendable () -> Void) {
    self.whenHopeless = whenHopeless
  }

  /// Notes that it has something to do.
  func noteBusy() {
    state.withLock { $0.lastRead = .now }
  }

  /// How long it has had nothing to do, and has said nothing.
  var silence: Duration { state.withLock { $0.lastRead.duration(to: .now) } }

  /// Holds nothing back any more.
  func release() {
    state.withLock { $0.isOver = true }
  }

  func hasRead(_ bytes: Int) {
    wait { state in
      state.lastRead = .now
      return state.bytes.take(Double(bytes))
    }
  }

  func hasServed(in time: Duration, faults: Int) {
    let isHopeless = state.withLock { state in
      defer { state.faults = faults }
      return state.faults <= Self.mostFaults && faults > Self.mostFaults
    }
    if isHopeless { whenHopeless() }
    wait { state in
      state.lastRead = .now
      return state.time.take(min(time / .seconds(1), Self.longest))
    }
  }

  /// Takes something, and waits until it is paid for.
  private func wait(_ take: (inout State) -> Double) {
    var left = state.withLock { take(&$0) }
    while left > 0, !state.withLock({ $0.isOver }) {
      let nap = min(left, 0.05)
      Thread.sleep(forTimeInterval: nap)
      left -= nap
    }
  }
}

/// Something that may be used up, and comes back with time.
struct Allowance {
  private let most: Double
  private let perSecond: Double
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
}
