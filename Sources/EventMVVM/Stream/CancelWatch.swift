/// The closures that are called, at once and on any thread, when a conversation is cancelled.
///
/// They are few, so that to look through all of them is cheap, and a stream without watches pays
/// nothing.
struct CancelWatches {
  private var watches: [UInt64: (conversation: Conversation, tell: @Sendable () -> Void)] = [:]
  private var last: UInt64 = 0

  /// Adds a watch.
  mutating func add(_ conversation: Conversation, _ tell: @escaping @Sendable () -> Void) -> UInt64
  {
    last += 1
    watches[last] = (conversation, tell)
    return last
  }

  /// Removes a watch.
  mutating func remove(_ number: UInt64) { watches[number] = nil }

  /// Takes those out whose conversation is cancelled.
  mutating func takeCancelled() -> [@Sendable () -> Void] {
    guard !watches.isEmpty else { return [] }
    let numbers = watches.keys.filter { watches[$0]?.conversation.isCancelled == true }.sorted()
    return numbers.compactMap { watches.removeValue(forKey: $0)?.tell }
  }
}

extension _Engine {
  /// Marks a conversation as cancelled, and notifies its watches.
  func markCancelled(_ conversation: Conversation) {
    conversation.markCancelled()
    // Outside of the lock: a watch may do anything.
    for tell in registry.withLock({ $0.cancelWatches.takeCancelled() }) { tell() }
  }
}

extension AsyncTurn {
  /// Runs work that is not needed once the conversation is cancelled: its task is cancelled with
  /// it, or with the one that waits for it, at once and from any thread.
  ///
  /// What the work returns or throws is passed on all the same, as a reply that has begun is
  /// delivered (promise 6). ``isCancelled`` can be asked; this is for work that waits for something
  /// else, such as a server.
  ///
  /// - Parameter work: The work; it finds out by `Task.isCancelled` and cancellation handlers.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  public func cancellable<T: Sendable>(
    _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    guard let conversation else { return try await work() }
    let task = Task(executorPreference: engine.environment.executor) { try await work() }
    let watch = engine.registry.withLock {
      $0.cancelWatches.add(conversation) { task.cancel() }
    }
    defer { engine.registry.withLock { $0.cancelWatches.remove(watch) } }
    // It may have been cancelled before anybody watched.
    if conversation.isCancelled { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
