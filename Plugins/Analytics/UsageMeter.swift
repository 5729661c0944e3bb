import EventCommands
import EventMVVM
import JSONText

/// Counts the events on the stream.
///
/// It stores types and numbers, and determines their names on demand: most processes run one
/// command without a report. For these it uses lists, which are short, and no dictionaries:
/// instantiating the type of one costs such a process up to a tenth of its command.
///
/// Unchecked: the home thread alone uses it.
final class UsageMeter: EventObserver, @unchecked Sendable {
  /// The counts of a type of event.
  fileprivate struct Kind {
    let type: any Event.Type
    var count = 0
    // The following is for requests alone.
    var origins: [(origin: Origin, count: Int)] = []
    var times = Histogram()
    var failures: [(kind: String, count: Int)] = []
  }

  /// A pending request.
  private struct Pending {
    let root: Root
    let reply: StreamKey
    /// The index of its kind.
    let kind: Int
    let begin: UInt64
  }

  /// The most pending requests; others are counted and not timed.
  private static let mostPending = 64

  private let ticks: @Sendable () -> UInt64
  // Not checked for overlapping access: an event is observed, or the meter is read, and no handler
  // runs inside another one (promise 2).
  @exclusivity(unchecked) private var kinds: [Kind] = []
  /// The types of ``kinds``.
  @exclusivity(unchecked) private var keys: [StreamKey] = []
  @exclusivity(unchecked) private var pending: [Pending] = []
  /// The number of requests: commands and their consequences.
  private(set) var requestCount = 0
  /// The time of the first event; nil before that.
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

  /// The reply answers the latest request of its kind with the same root.
  private func end<E: Event>(_ root: Root, _ reply: StreamKey, _ response: E) {
    var index = pending.count - 1
    while index >= 0, pending[index].reply != reply || pending[index].root != root { index -= 1 }
    guard index >= 0 else { return }
    let request = pending.remove(at: index)
    kinds[request.kind].times.add(nanoseconds: ticks() &- request.begin)
    guard let problem = response._problem else { return }
    kinds[request.kind].count(failure: (problem as? Failure)?.kind.name ?? "other")
  }

  /// Returns the counts so far; of requests, only commands.
  ///
  /// - Parameter name: Returns the name of an origin.
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
