/// Cancels a task, at once and on any thread, when a conversation is cancelled.
///
/// A stream has few of them, so a linear search is cheap.
final class CancelWatch: Sendable {
  let conversation: Conversation
  let cancel: @Sendable () -> Void

  init(_ conversation: Conversation, cancel: @escaping @Sendable () -> Void) {
    self.conversation = conversation
    self.cancel = cancel
  }
}

extension _Router {
  /// Marks a conversation as cancelled, and notifies its watches.
  func markCancelled(_ conversation: Conversation) {
    conversation.markCancelled()
    let watches = registry.withLock { $0.cancelWatches.filter(\.conversation.isCancelled) }
    // Outside the lock: a task's cancellation handlers may do anything. The watch of a conversation
    // that was cancelled before is called again, which has no effect.
    for watch in watches { watch.cancel() }
  }
}

extension AsyncTurn {
  /// Runs work that is not needed once the conversation is cancelled: its task is cancelled with
  /// it, or with the one that waits for it, at once and from any thread.
  ///
  /// What the work returns or throws is passed on nevertheless, as a reply that has begun is
  /// delivered (promise 6). Work that polls uses ``isCancelled``; this is for work that waits, such
  /// as for a server.
  ///
  /// - Parameter work: The work; it checks `Task.isCancelled` and cancellation handlers.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws.
  public func cancellable<T: Sendable>(
    _ work: @escaping @Sendable () async throws -> T
  ) async throws -> T {
    guard let conversation else { return try await work() }
    let task = Task(executorPreference: router.environment.executor) { try await work() }
    let watch = CancelWatch(conversation, cancel: task.cancel)
    router.registry.withLock { $0.cancelWatches.append(watch) }
    defer { router.registry.withLock { $0.cancelWatches.removeAll { $0 === watch } } }
    // It may have been cancelled before the watch was added.
    if conversation.isCancelled { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
