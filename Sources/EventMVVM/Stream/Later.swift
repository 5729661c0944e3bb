extension Turn {
  /// Whether more is queued, which will have its turn at once.
  public var isFollowed: Bool { !engine.state.pointee.queue.isEmpty || engine.inbox.hasMail }

  /// Calls back as soon as everything that is queued by now has had its turn: so work can be shared
  /// by all who wait for it.
  ///
  /// It is no event: it has no number, is not observed, and is in no recording.
  ///
  /// - Parameter body: Called on the home thread; not if the stream ends before.
  public func afterQueued(_ body: @escaping @Sendable () -> Void) {
    engine.push(Later(body: body), _Header(origin: origin))
  }
}

/// What is left for later.
struct Later: StreamEntry {
  let body: @Sendable () -> Void

  static func _take(_ payload: _Payload, _ position: _Position, _ engine: _Engine) {
    _move(payload).body()
  }
}
