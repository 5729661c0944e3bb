extension ViewPort {
  /// Calls back on the home thread behind all that is queued by then: the facts behind a reply, say.
  ///
  /// It is no event: nobody else hears of it, and no recording has it. Any thread may call it.
  package func later(_ body: @escaping @Sendable () -> Void) { stream.later(body) }
}

extension EventStream {
  fileprivate func later(_ body: @escaping @Sendable () -> Void) {
    engine.submit(Later(body: body), _Header(origin: origin))
  }
}

/// A closure for the home thread, in the queue.
private struct Later: StreamEntry {
  let body: @Sendable () -> Void

  static func _take(_ payload: _Payload, _ place: _Place, _ engine: _Engine) {
    _move(payload).body()
  }
}
