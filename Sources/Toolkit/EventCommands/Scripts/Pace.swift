package import EventMVVM

/// Decides when to report the progress of long work to a person: not at first, and at most ten
/// times a second.
package struct Pace {
  private let now: @Sendable () -> Instant
  private var next: Instant

  /// Starts the delay before the first report.
  ///
  /// - Parameters:
  ///   - delay: The milliseconds before the first report.
  ///   - now: The clock.
  package init(after delay: Int64, now: @escaping @Sendable () -> Instant) {
    self.now = now
    next = now().adding(milliseconds: delay)
  }

  /// Whether a report is due once this much is done; the clock is read for one count in 64.
  package mutating func isDue(at done: Int) -> Bool {
    guard done % 64 == 0 else { return false }
    let time = now()
    guard time >= next else { return false }
    next = time.adding(milliseconds: 100)
    return true
  }
}
