import EventMVVM

/// Admits a few reads at once, in the order in which they came: each may use a connection and a thread.
///
/// Used by any thread.
final class ReadAdmission: Sendable {
  private struct State {
    var free = 4
    /// The reads that wait, by the number of their arrival.
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var last = 0

    /// Removes and returns the one that has waited longest.
    mutating func next() -> CheckedContinuation<Void, Never>? {
      waiting.isEmpty ? nil : waiting.removeValue(forKey: last - waiting.count + 1)
    }
  }

  private let state = Locked(State())

  /// Returns as soon as fewer than four others are running.
  func begin() async {
    await withCheckedContinuation { continuation in
      let isAdmitted = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.last += 1
        state.waiting[state.last] = continuation
        return false
      }
      if isAdmitted { continuation.resume() }
    }
  }

  /// Notes that one is over.
  func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      let next = state.next()
      if next == nil { state.free += 1 }
      return next
    }
    next?.resume()
  }
}
