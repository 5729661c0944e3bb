import EventMVVM

/// Whether the server of an engine can be reached, as far as its sessions know.
///
/// While it can't, and a watch connects again and again, the other sessions fail at once.
final class PostgresReach: Sendable {
  private let state = Locked<(problem: PostgresConnection.Problem?, isWatched: Bool)>((nil, false))

  /// Why a watch can't reach the server at the moment; nil if it can, or there is no watch.
  var problem: PostgresConnection.Problem? {
    state.withLock { $0.isWatched ? $0.problem : nil }
  }

  /// Notes that a watch connects again and again, or no longer does.
  func watch(_ isWatched: Bool) { state.withLock { $0 = (nil, isWatched) } }

  /// Notes that no connection could be made.
  func lose(_ problem: PostgresConnection.Problem) { state.withLock { $0.problem = problem } }

  /// Notes that a connection was made.
  func regain() { state.withLock { $0.problem = nil } }
}
