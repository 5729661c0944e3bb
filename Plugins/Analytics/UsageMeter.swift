import EventCommands
import EventMVVM

/// Counts what is said on the stream.
///
/// Unchecked: the home thread alone uses it.
final class UsageMeter: EventObserver, @unchecked Sendable {
  /// What is known of a type of event.
  private struct Kind {
    let name: String
    /// The verb, if it is a command.
    let verb: String?
    var count = 0
  }

  /// A command that waits for its reply: of one intent and one type of reply there is one at a time.
  private struct Pending: Hashable {
    let root: Root
    let reply: StreamKey
  }

  /// How many commands may wait at once; those beyond are counted and not timed.
  private static let mostPending = 1024

  private let ticks: @Sendable () -> UInt64
  // Not checked for overlapping access: an event is observed, or the meter is read, and no handler runs
  // inside another one (promise 2).
  @exclusivity(unchecked) private var kinds: [StreamKey: Kind] = [:]
  @exclusivity(unchecked) private var pending: [Pending: (verb: String, begin: UInt64)] = [:]
  @exclusivity(unchecked) private var usage = Usage()

  /// - Parameter ticks: A clock that never goes back, in nanoseconds.
  init(ticks: @escaping @Sendable () -> UInt64) {
    self.ticks = ticks
  }

  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
    let key = StreamKey(E.self)
    if kinds[key]?.count == nil {
      kinds[key] = Kind(name: E.name, verb: (E.self as? any Command.Type)?.verb)
    }
    kinds[key]?.count += 1
    if let reply = E._reply {
      guard let verb = kinds[key]?.verb else { return }
      begin(verb, Pending(root: turn.root, reply: reply), turn)
    } else if E._isResponse, !pending.isEmpty {
      end(Pending(root: turn.root, reply: key), event)
    }
  }

  private func begin(_ verb: String, _ command: Pending, _ turn: borrowing Turn) {
    usage.commands[verb, default: [:]][turn.originName, default: 0] += 1
    guard pending.count < Self.mostPending else { return }
    pending[command] = (verb, ticks())
  }

  private func end<E: Event>(_ command: Pending, _ response: E) {
    guard let (verb, begin) = pending.removeValue(forKey: command) else { return }
    usage.times[verb, default: Histogram()].add(nanoseconds: ticks() &- begin)
    if let kind = (response as? any Response)?.failureKind {
      usage.failures[kind, default: 0] += 1
    }
  }

  /// All that was counted so far.
  var total: Usage {
    var total = usage
    for kind in kinds.values { total.events[kind.name, default: 0] += kind.count }
    return total
  }
}

extension Response {
  /// The kind of failure that it carries; nil if it is a success.
  fileprivate var failureKind: String? {
    guard case .failure(let problem) = result else { return nil }
    return (problem as? EventMVVM.Failure)?.kind.name ?? "other"
  }
}
