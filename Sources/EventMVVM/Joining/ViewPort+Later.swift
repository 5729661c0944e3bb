extension ViewPort {
  /// Calls back on the home thread as soon as everything that is queued by then has had its turn:
  /// after the facts that follow a reply, say.
  ///
  /// It is no event: it is not observed, and is in no recording. Any thread may call it.
  package func afterQueued(_ body: @escaping @Sendable () -> Void) {
    stream.engine.submit(Later(body: body), _Header(origin: stream.origin))
  }
}
