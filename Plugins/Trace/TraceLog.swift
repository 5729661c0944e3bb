import EventMVVM

/// The last intents of a process, with what followed from them: bounded, and without the events
/// themselves.
///
/// A script of a hundred thousand lines is one intent, so adding an entry takes constant time, and
/// finds its intent at once if that is the one of the entry before. Used by the home thread alone.
final class TraceLog: EventObserver {
  /// How many intents are kept.
  static let mostIntents = 64
  /// How many entries of an intent are kept from its beginning, and as many from its end.
  static let mostEntries = 128

  /// What is kept of an event.
  struct Entry: Sendable {
    let sequence: UInt64
    /// 0 for a root.
    let cause: UInt64
    let type: any Event.Type
    let origin: Origin
    let time: Instant
    let subject: String?
  }

  /// An intent, and what followed from it.
  struct Intent: Sendable {
    private(set) var root: Root
    private(set) var count = 0
    private var first: [Entry] = []
    /// A ring buffer, once it is full.
    private var last: [Entry] = []

    init(_ root: Root) {
      self.root = root
    }

    /// Begins anew in the same memory.
    mutating func restart(_ root: Root) {
      self.root = root
      count = 0
      first.removeAll(keepingCapacity: true)
      last.removeAll(keepingCapacity: true)
    }

    mutating func add(_ entry: Entry) {
      if count < mostEntries {
        first.append(entry)
      } else if count < 2 * mostEntries {
        last.append(entry)
      } else {
        last[count % mostEntries] = entry
      }
      count += 1
    }

    /// How many entries are not kept: they came after the first.
    var missed: Int { count - first.count - last.count }

    /// Those that are kept, in order.
    var entries: [Entry] {
      let oldest = missed > 0 ? count % mostEntries : 0
      return first + last[oldest...] + last[..<oldest]
    }
  }

  // Not checked for overlapping access: an event is observed, or the log is read, and no handler
  // runs inside another one (promise 2).

  /// A ring buffer, once it is full.
  @exclusivity(unchecked) private var intents: [Intent] = []
  /// How many intents there have been.
  private var count = 0
  /// Where the intent of the latest entry stands.
  @exclusivity(unchecked) private var latest = 0
  /// The highest number of a root so far: roots are numbered in the order in which they begin.
  private var newest: UInt64 = 0

  /// Adds an event to its intent.
  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
    let root = turn.root
    if latest >= intents.count || intents[latest].root != root {
      guard let slot = root.number > newest ? begin(root, E.self) : slot(of: root) else { return }
      latest = slot
    }
    intents[latest]
      .add(
        Entry(
          sequence: turn.sequence,
          cause: turn.cause ?? 0,
          type: E.self,
          origin: turn.origin,
          time: turn.time,
          subject: event.subject
        )
      )
  }

  /// Where an intent stands; nil if it was given up since, or is one about the trace itself.
  ///
  /// They stand in the order of their numbers, from the oldest round to the newest.
  private func slot(of root: Root) -> Int? {
    let oldest = count > intents.count ? count % Self.mostIntents : 0
    var places = 0..<intents.count
    while !places.isEmpty {
      let middle = (places.lowerBound + places.upperBound) / 2
      let slot = (oldest + middle) % Self.mostIntents
      let found = intents[slot].root
      if found == root { return slot }
      places =
        found.number < root.number
        ? middle + 1..<places.upperBound : places.lowerBound..<middle
    }
    return nil
  }

  /// Makes room for an intent, unless it is one about the trace itself.
  private func begin(_ root: Root, _ type: any Event.Type) -> Int? {
    newest = root.number
    guard type != RequestTrace.self else { return nil }
    let slot = count % Self.mostIntents
    count += 1
    if slot < intents.count {
      intents[slot].restart(root)
    } else {
      intents.append(Intent(root))
    }
    return slot
  }

  /// The last so many intents, in the order in which they began.
  func last(_ wanted: Int) -> [Intent] {
    let oldest = count > intents.count ? count % Self.mostIntents : 0
    return Array((intents[oldest...] + intents[..<oldest]).suffix(wanted))
  }
}

private let mostEntries = TraceLog.mostEntries
