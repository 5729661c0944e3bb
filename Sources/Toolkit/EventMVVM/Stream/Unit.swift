import Synchronization

/// Requests bracketed into one: committed together or rolled back together (promise 11).
///
/// Everything inside has the unit as its root. Replies flow inside it; facts are emitted when it is
/// committed, and never when it is rolled back. Requests of other roots that write wait until it
/// ends; those that read do not. A unit that is released without an end is rolled back, and so is one
/// without requests for ten seconds while others wait (``Environment/longestStall``): later
/// requests in it are cancelled, and its end fails.
///
/// ```swift
/// port.begin(.allOrNothing) { result, _ in
///   guard let unit = try? result.get() else { return }
///   unit.request(RequestGreeting(name: "Ann")) { _, _ in
///     unit.request(RequestGreeting(name: "Bob")) { _, _ in
///       unit.commit { _, _ in log.append("both, or neither") }
///     }
///   }
/// }
/// ```
public final class StreamUnit: Sendable {
  /// How a unit treats its requests.
  public enum Mode: Sendable, Equatable, Codable {
    /// All of them take effect, or none.
    case allOrNothing
    /// Each of them is independent: its own root, nothing waits.
    case keepGoing
    /// They run, and are always rolled back.
    case rehearse
  }

  private let router: _Router
  private let origin: Origin
  /// Nil where each request is independent.
  private let open: OpenUnit?
  /// Whether it belongs to a frontend, whose requests are inputs.
  private let isInput: Bool
  private let isEnding = Atomic<Bool>(false)

  init(_ router: _Router, _ origin: Origin, _ open: OpenUnit?, isInput: Bool) {
    self.router = router
    self.origin = origin
    self.open = open
    self.isInput = isInput
  }

  deinit { end(.rolledBack) { _, _ in } }

  /// Takes over its end, as a replay does: nothing else ends it, not even its release.
  func takeEnd() -> OpenUnit? { beginsEnding() ? open : nil }

  /// Marks the unit as ending; returns false if it was before.
  private func beginsEnding() -> Bool {
    !isEnding.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Sends a request inside the unit, from any thread, and calls back with its reply.
  public func request<R: Request & ViewModelEvent>(
    _ request: R,
    file: StaticString = #fileID,
    line: UInt = #line,
    then: @escaping (Result<R.Reply, Interruption>, borrowing ViewTurn) -> Void
  ) {
    let conversation = Conversation(of: R.self, in: open?.conversation, origin) { result, turn in
      then(result, ViewTurn(turn))
    }
    var header = _Header(origin: origin, isInput: isInput, source: _Source(file, line))
    if let open {
      header.cause = open.root.number
      header.root = open.root
    }
    router.submit(request, header, conversation)
  }

  /// Commits the unit, once none of its work is running.
  ///
  /// - Parameter then: Called on the home thread; with a failure if nothing was committed.
  public func commit(then: @escaping (Result<Void, Failure>, borrowing ViewTurn) -> Void) {
    end(open?.mode == .rehearse ? .rolledBack : .committed, then: then)
  }

  /// Rolls back the unit, once none of its work is running.
  ///
  /// - Parameter then: Called on the home thread.
  public func rollBack(then: @escaping (Result<Void, Failure>, borrowing ViewTurn) -> Void) {
    end(.rolledBack, then: then)
  }

  /// Cancels its requests whose work has not begun; the unit itself stays open.
  public func cancel() {
    if let open { router.markCancelled(open.conversation) }
  }

  private func end(
    _ outcome: ResponseUnit.Outcome,
    then: @escaping (Result<Void, Failure>, borrowing ViewTurn) -> Void
  ) {
    guard beginsEnding() else { return }
    let closing = UnitClosing(unit: open, outcome: outcome) { result, turn in
      then(result, ViewTurn(turn))
    }
    router.submit(closing, _Header(origin: origin, isInput: isInput))
  }
}

/// Backs a unit by a transaction; a stream has at most one, such as `RecordServer`.
public protocol UnitParticipant: AnyObject, Sendable {
  /// Opens the transaction; a throw refuses the unit.
  func begin(_ unit: Root) throws
  /// Commits it, at once or off the home thread; until it is done, requests of other roots that
  /// write wait.
  ///
  /// - Parameters:
  ///   - unit: The unit.
  ///   - then: To be called once, from any thread; with a failure if nothing was committed.
  func commit(_ unit: Root, then: @escaping @Sendable (Result<Void, Failure>) -> Void)
  /// Rolls it back.
  func rollBack(_ unit: Root)
}

/// States that a unit has begun.
public struct RequestUnit: ModelEvent, ViewModelEvent, Codable {
  /// How it treats its requests.
  public let mode: StreamUnit.Mode
}

/// States how a unit has ended.
///
/// ```swift
/// stream.on(ResponseUnit.self, owner: shown) { shown, unit, turn in
///   guard unit.outcome == .rolledBack else { return }
///   // The profile may show data that was rolled back.
///   turn.request(RequestRecords<User>()) { [weak shown] result, turn in
///     guard let users = try? result.get().result.get() else { return }
///     shown?.follow(users, isRolledBack: true, turn)
///   }
/// }
/// ```
public struct ResponseUnit: ModelEvent, ViewModelEvent, Codable {
  /// How a unit can end.
  public enum Outcome: Sendable, Equatable, Codable {
    /// Everything in it took effect.
    case committed
    /// Nothing in it took effect.
    case rolledBack
  }

  /// How it has ended.
  public let outcome: Outcome
}

extension EventStream {
  /// Begins a unit, once no other is open.
  ///
  /// - Parameters:
  ///   - mode: How it treats its requests.
  ///   - then: Called on the home thread with the unit, or with the reason why there is none.
  public func begin(
    _ mode: StreamUnit.Mode,
    then: @escaping (Result<StreamUnit, Failure>, borrowing Turn) -> Void
  ) {
    router.submit(UnitBeginning(mode: mode, isInput: isFrontends, then: then), header())
  }

  /// Sets the participant that backs units by transactions, for as long as it lives; only the first
  /// one is used.
  public func participate(_ participant: any UnitParticipant) {
    router.registry.withLock { registry in
      if registry.participant == nil { registry.participant = participant }
    }
  }
}
