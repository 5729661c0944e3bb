import EventCommands
import EventMVVM
import JSONText

/// Counts what is said on the stream.
///
/// It keeps types and numbers, and finds out what they are called on demand: most processes run one
/// command, and nobody asks. For their sake it keeps lists, which are short, and no dictionaries:
/// to make the type of one costs such a process as much as a tenth of its command.
///
/// Unchecked: the home thread alone uses it.
final class UsageMeter: EventObserver, @unchecked Sendable {
  /// What is known of a type of event.
  fileprivate struct Kind {
    let type: any Event.Type
    var count = 0
    // What follows is for requests alone.
    var origins: [(origin: Origin, count: Int)] = []
    var times = Histogram()
    var failures: [(kind: String, count: Int)] = []
  }

  /// A request that waits for its reply.
  private struct Pending {
    let root: Root
    let reply: StreamKey
    /// Where its kind stands.
    let kind: Int
    let begin: UInt64
  }

  /// How many requests may wait at once; those beyond are counted and not timed.
  private static let mostPending = 64

  private let ticks: @Sendable () -> UInt64
  // Not checked for overlapping access: an event is observed, or the meter is read, and no handler
  // runs inside another one (promise 2).
  @exclusivity(unchecked) private var kinds: [Kind] = []
  /// The types of ``kinds``.
  @exclusivity(unchecked) private var keys: [StreamKey] = []
  @exclusivity(unchecked) private var pending: [Pending] = []
  /// How many requests there were, commands and all that followed from them.
  private(set) var requestCount = 0
  /// When the first event was; nil before that.
  private(set) var since: Instant?

  /// - Parameter ticks: A clock that never goes back, in nanoseconds.
  init(ticks: @escaping @Sendable () -> UInt64) {
    self.ticks = ticks
  }

  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
    let key = StreamKey(E.self)
    if since == nil { since = turn.time }
    let kind = index(of: key, E.self)
    kinds[kind].count += 1
    if let reply = E._reply, !turn.isHousekeeping {
      begin(kind, reply, turn.root, turn.origin)
    } else if E._isResponse, !pending.isEmpty {
      end(turn.root, key, event)
    }
  }

  private func index(of key: StreamKey, _ type: any Event.Type) -> Int {
    for index in keys.indices where keys[index] == key { return index }
    keys.append(key)
    kinds.append(Kind(type: type))
    return kinds.count - 1
  }

  private func begin(_ kind: Int, _ reply: StreamKey, _ root: Root, _ origin: Origin) {
    requestCount += 1
    kinds[kind].count(origin)
    guard pending.count < Self.mostPending else { return }
    pending.append(Pending(root: root, reply: reply, kind: kind, begin: ticks()))
  }

  /// Of one intent the latest request of that kind is the one that is answered.
  private func end<E: Event>(_ root: Root, _ reply: StreamKey, _ response: E) {
    var index = pending.count - 1
    while index >= 0, pending[index].reply != reply || pending[index].root != root { index -= 1 }
    guard index >= 0 else { return }
    let request = pending.remove(at: index)
    kinds[request.kind].times.add(nanoseconds: ticks() &- request.begin)
    guard let problem = response._problem else { return }
    kinds[request.kind].count(failure: (problem as? Failure)?.kind.name ?? "other")
  }

  /// All that was counted so far; of requests, those that are commands.
  ///
  /// - Parameter name: What an origin is called.
  /// - Returns: The statistics.
  func total(_ name: (Origin) -> String) -> Usage {
    var usage = Usage()
    for kind in kinds {
      usage.events[kind.type.name, default: 0] += kind.count
      guard !kind.origins.isEmpty, let verb = (kind.type as? any Command.Type)?.verb else {
        continue
      }
      for (origin, count) in kind.origins {
        usage.commands[verb, default: [:]][name(origin), default: 0] += count
      }
      if kind.times.count > 0 { usage.times[verb, default: Histogram()].add(kind.times) }
      for (failure, count) in kind.failures { usage.failures[failure, default: 0] += count }
    }
    return usage
  }
}

extension UsageMeter.Kind {
  fileprivate mutating func count(_ origin: Origin) {
    for index in origins.indices where origins[index].origin == origin {
      origins[index].count += 1
      return
    }
    origins.append((origin, 1))
  }

  fileprivate mutating func count(failure kind: String) {
    for index in failures.indices where failures[index].kind.isIdentical(to: kind) {
      failures[index].count += 1
      return
    }
    failures.append((kind, 1))
  }
}
