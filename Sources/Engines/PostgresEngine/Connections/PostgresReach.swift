import EventMVVM

/// Whether the server of an engine can be reached, as far as its sessions know.
///
/// While it can't, and a watch connects again and again, the other sessions fail at once.
final class PostgresReach: Sendable {
  private struct State {
    var problem: PostgresConnection.Problem?
    var isWatched = false
    /// How long the last connection took to be made.
    var lasted: Duration?
  }

  private let state = Locked(State())

  /// Why a watch can't reach the server at the moment; nil if it can, or there is no watch.
  var problem: PostgresConnection.Problem? {
    state.withLock { $0.isWatched ? $0.problem : nil }
  }

  /// How long to wait for a connection, in seconds.
  ///
  /// Beside a watch, that is three times as long as for the last one: a short attempt is repeated soon
  /// after the server is back, and a slow network still gets its time.
  var timeout: Int {
    state.withLock { state in
      guard state.isWatched else { return 10 }
      guard let lasted = state.lasted else { return 5 }
      return max(2, Int((3 * (lasted / .seconds(1))).rounded(.up)))
    }
  }

  /// Notes that a watch connects again and again, or no longer does.
  func watch(_ isWatched: Bool) {
    state.withLock { ($0.problem, $0.isWatched) = (nil, isWatched) }
  }

  /// Notes that no connection could be made.
  func lose(_ problem: PostgresConnection.Problem) { state.withLock { $0.problem = problem } }

  /// Notes that a connection was made, and how long that took.
  func connect(in duration: Duration) { state.withLock { $0.lasted = duration } }

  /// Notes that the server can be reached.
  func regain() { state.withLock { $0.problem = nil } }
}
