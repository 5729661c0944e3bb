package import EventMVVM

/// The tasks of the plugins and frontends in a session.
final class SessionTasks: Sendable {
  private struct State {
    /// Those that run, in the order in which they began.
    var running: [(owner: Int, number: Int, task: Task<Void, Never>)] = []
    var count = 0
    /// Those whose tasks were cancelled, and what is called when the last of theirs has ended.
    var over: [(owner: Int, then: @Sendable () -> Void)] = []

    /// What is called at the end of an owner's tasks; nil if they were not cancelled.
    func end(of owner: Int) -> (@Sendable () -> Void)? {
      over.last { $0.owner == owner }?.then
    }
  }

  private let state = Locked(State())

  /// Starts a task, unless all of its owner were cancelled.
  func add(
    of owner: Int,
    on executor: (any TaskExecutor)?,
    _ body: @escaping @Sendable () async -> Void
  ) {
    state.withLock { state in
      guard state.end(of: owner) == nil else { return }
      state.count += 1
      let number = state.count
      let task = Task(executorPreference: executor) { [self] in
        await body()
        end(number, of: owner)
      }
      state.running.append((owner, number, task))
    }
  }

  private func end(_ number: Int, of owner: Int) {
    let then = state.withLock { state in
      state.running.removeAll { $0.number == number }
      return state.running.contains { $0.owner == owner } ? nil : state.end(of: owner)
    }
    then?()
  }

  /// Cancels the tasks of an owner, the last one first; no other one is started.
  ///
  /// - Parameters:
  ///   - owner: The owner.
  ///   - then: Called when the last of them has ended, on its thread; not if none runs.
  /// - Returns: Whether some run.
  func cancel(of owner: Int, then: @escaping @Sendable () -> Void) -> Bool {
    let tasks = state.withLock { state in
      state.over.append((owner, then))
      return state.running.reversed().filter { $0.owner == owner }.map(\.task)
    }
    for task in tasks { task.cancel() }
    return !tasks.isEmpty
  }
}

extension ProcessSession {
  /// Starts a task that ends with the session, such as a timer.
  ///
  /// When the frontend that the process lives for has ended, the tasks of frontends and then those of
  /// plugins are cancelled, in the order of their lists, those of one of them the last one first.
  /// They are awaited, for a second in all, before its `finish` is called, and so before the store is
  /// closed. What is started later does not run.
  ///
  /// - Parameter body: Runs off the home thread, on the executor of the stream's environment.
  public func task(_ body: @escaping @Sendable () async -> Void) {
    tasks.add(of: owner, on: executor ?? stream?.environment.executor, body)
  }

  /// Cancels its tasks, as a process does at its end; for tests.
  public func cancelTasks() { _ = tasks.cancel(of: owner) {} }

  /// Cancels its tasks.
  ///
  /// - Parameter then: Called when the last of them has ended, on its thread; not if none runs.
  /// - Returns: Whether some run.
  package func endTasks(then: @escaping @Sendable () -> Void) -> Bool {
    tasks.cancel(of: owner, then: then)
  }

  /// The session as a plugin or a frontend gets it, with tasks of its own.
  ///
  /// - Parameters:
  ///   - owner: Its number among them, from 1.
  ///   - name: The name of the plugin; nil for a frontend, which does not get the stream.
  ///   - stream: The stream.
  /// - Returns: The session.
  package func part(_ owner: Int, of name: String?, on stream: EventStream) -> ProcessSession {
    var part = self
    (part.owner, part.executor) = (owner, stream.environment.executor)
    part.stream = name.map { stream.joined(as: $0) }
    return part
  }
}
