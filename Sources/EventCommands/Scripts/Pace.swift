package import EventMVVM

/// Says when it is time to tell a person how far a long work has come: not at first, and ten times
/// a second at most.
package struct Pace {
  private let now: @Sendable () -> Instant
  private var next: Instant

  /// Begins to count the time.
  ///
  /// - Parameters:
  ///   - delay: The milliseconds before the first time.
  ///   - now: The clock.
  package init(after delay: Int64, now: @escaping @Sendable () -> Instant) {
    self.now = now
    next = now().adding(milliseconds: delay)
  }

  /// Whether it is time, so many steps being done; the clock is read for one step in 64.
  package mutating func isDue(at done: Int) -> Bool {
    guard done % 64 == 0 else { return false }
    let time = now()
    guard time >= next else { return false }
    next = time.adding(milliseconds: 100)
    return true
  }
}
