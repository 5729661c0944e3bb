import EventMVVM
import Foundation

/// Calls back after a time, on a thread of its own that lasts as long as the process.
///
/// Where the system has no thread it calls back at once, on the calling thread: work that was
/// scheduled for later and together is then done immediately and singly. Dispatch would block that
/// thread instead.
package final class Alarm: Sendable {
  /// The shared alarm, for short work.
  package static let shared = Alarm()

  private typealias Call = (time: ContinuousClock.Instant, body: @Sendable () -> Void)

  private struct State {
    var calls: [Call] = []
    /// Wakes the thread; nil if there is none.
    var pipe: (reading: Int32, writing: Int32)?

    /// Removes and returns the calls whose time has come, in order.
    mutating func due() -> [Call] {
      let now = ContinuousClock.now
      let due = calls.filter { $0.time <= now }
      if !due.isEmpty { calls.removeAll { $0.time <= now } }
      return due.sorted { $0.time < $1.time }
    }
  }

  private let state = Locked(State())

  /// Creates an alarm; the thread starts with the first call.
  package init() {}

  /// Calls back once, on the thread of the alarm or this one.
  ///
  /// - Parameters:
  ///   - seconds: The delay.
  ///   - body: Called without a lock.
  package func after(_ seconds: Double, _ body: @escaping @Sendable () -> Void) {
    let time = ContinuousClock.now.advanced(by: .seconds(seconds))
    let isTaken = state.withLock { state in
      if state.pipe == nil { state.pipe = begin() }
      guard let pipe = state.pipe else { return false }
      let isFirst = state.calls.allSatisfy { time < $0.time }
      state.calls.append((time, body))
      // The thread sleeps until the first call in its list.
      if isFirst { _ = write(pipe.writing, [0], 1) }
      return true
    }
    if !isTaken { body() }
  }

  /// Starts the thread.
  private func begin() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let reading = ends[0]
    if startThread({ [self] in wait(reading) }) { return (ends[0], ends[1]) }
    for end in ends { close(end) }
    return nil
  }

  private func wait(_ reading: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      for call in state.withLock({ $0.due() }) { call.body() }
      let next = state.withLock { $0.calls.map(\.time).min() }
      let left = next.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) }
      var place = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      _ = poll(&place, 1, left.map { Int32(min(max(0, $0.rounded(.up)), 1e6)) } ?? -1)
      while read(reading, &bytes, bytes.count) > 0 {}
    }
  }
}
