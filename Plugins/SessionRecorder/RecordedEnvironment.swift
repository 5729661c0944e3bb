package import EventMVVM

/// The environment of a recorded session: its clock shows the times of the events, and its ids are
/// those that they drew.
package final class RecordedEnvironment: Sendable {
  private struct State {
    var now: Instant
    var ids: ArraySlice<UniqueID> = []
  }

  private let state: Locked<State>
  private let header: RecordingHeader

  /// Creates the environment in which a session began.
  package init(_ header: RecordingHeader) {
    self.header = header
    state = Locked(State(now: header.start))
  }

  /// The environment, for a stream.
  package var environment: Environment {
    var environment = Environment(
      now: { [self] in state.withLock { $0.now } },
      makeID: { [self] in
        // An id that was not drawn in the recording appears as a divergence.
        state.withLock { $0.ids.popFirst() } ?? UniqueID(high: 0, low: 0)
      },
      zone: header.zone,
      session: header.session
    )
    environment.rules = header.rules
    return environment
  }

  /// Moves on to an event.
  func move(to event: Recording.RecordedEvent) {
    state.withLock { state in
      state.now = event.time
      state.ids = event.ids[...]
    }
  }
}
