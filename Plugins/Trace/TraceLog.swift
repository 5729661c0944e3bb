import EventMVVM

/// The last roots of a process, with their consequences: bounded, and without the events
/// themselves.
///
/// Requests of people and clients are stored separately from the rest. A script of a hundred
/// thousand lines is one root, so adding an entry takes constant time, and finds its root at once
/// if that is the one of the entry before. Used by the home thread alone.
final class TraceLog: EventObserver {
  /// How many requested roots are stored, and as many others.
  static let mostIntents = 64
  /// How many entries of a root are stored from its beginning, and as many from its end.
  static let mostEntries = 128

  /// The stored data of an event.
  struct Entry: Sendable {
    let sequence: UInt64
    /// The cause; 0 for a root.
    let cause: UInt64
    let type: any Event.Type
    let time: Instant
    let subject: String?
  }

  /// A root and its consequences.
  struct Intent: Sendable {
    private(set) var root: Root
    /// The origin of the root, and so of each of its events.
    private(set) var origin: Origin
    private(set) var count = 0
    private var first: [Entry] = []
    /// A ring buffer, once it is full.
    private var last: [Entry] = []

    init(_ root: Root, _ origin: Origin) {
      self.root = root
      self.origin = origin
    }

    /// Starts over in the same memory.
    mutating func restart(_ root: Root, _ origin: Origin) {
      self.root = root
      self.origin = origin
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

    /// The number of entries that are not stored: they came after the first ones.
    var missed: Int { count - first.count - last.count }

    /// The stored entries, in order.
    var entries: [Entry] {
      let oldest = missed > 0 ? count % mostEntries : 0
      return first + last[oldest...] + last[..<oldest]
    }
  }

  /// A ring buffer of the last roots.
  private struct Ring {
    /// Used as a ring buffer, once it is full.
    private(set) var intents: [Intent] = []
    /// The number of roots so far.
    private var count = 0
    /// The index of the oldest.
    private var oldest: Int { count > intents.count ? count % mostIntents : 0 }

    mutating func add(_ entry: Entry, at slot: Int) { intents[slot].add(entry) }

    /// Returns the index of a root; nil if it is not stored, or no longer.
    ///
    /// They are sorted by their numbers, from the oldest round to the newest.
    func slot(of root: Root) -> Int? {
      var places = 0..<intents.count
      while !places.isEmpty {
        let middle = (places.lowerBound + places.upperBound) / 2
        let slot = (oldest + middle) % mostIntents
        let found = intents[slot].root
        if found == root { return slot }
        places =
          found.number < root.number
          ? middle + 1..<places.upperBound : places.lowerBound..<middle
      }
      return nil
    }

    /// Makes room for a root.
    mutating func begin(_ root: Root, _ origin: Origin) -> Int {
      let slot = count % mostIntents
      count += 1
      if slot < intents.count {
        intents[slot].restart(root, origin)
      } else {
        intents.append(Intent(root, origin))
      }
      return slot
    }

    /// All of them, in the order in which they began.
    var ordered: ArraySlice<Intent> { intents[oldest...] + intents[..<oldest] }
  }

  // Not checked for overlapping access: an event is observed, or the log is read, and no handler
  // runs inside another one (promise 2).

  /// The requested roots.
  @exclusivity(unchecked) private var asked = Ring()
  /// All other roots; separate, so that updates of a prompt displace no requested one.
  @exclusivity(unchecked) private var unasked = Ring()
  /// The root of the latest entry, and its index.
  @exclusivity(unchecked) private var latest = (
    root: Root(session: 0, number: 0), slot: 0, isAsked: false
  )
  /// The highest number of a root so far: roots are numbered in the order in which they begin.
  private var newest: UInt64 = 0

  /// Adds an event to its root.
  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
    let root = turn.root
    if latest.root != root {
      guard let place = root.number > newest ? begin(E.self, turn) : place(of: root) else { return }
      latest = (root, place.slot, place.isAsked)
    }
    let entry = Entry(
      sequence: turn.sequence,
      cause: turn.cause ?? 0,
      type: E.self,
      time: turn.time,
      subject: event.subject
    )
    if latest.isAsked {
      asked.add(entry, at: latest.slot)
    } else {
      unasked.add(entry, at: latest.slot)
    }
  }

  /// Returns the index of a root; nil if it was dropped since, or is a request of the trace itself.
  private func place(of root: Root) -> (slot: Int, isAsked: Bool)? {
    asked.slot(of: root).map { ($0, true) } ?? unasked.slot(of: root).map { ($0, false) }
  }

  /// Makes room for a root, unless it is a request of the trace itself.
  private func begin<E: Event>(
    _ type: E.Type,
    _ turn: borrowing Turn
  ) -> (slot: Int, isAsked: Bool)? {
    let (root, origin) = (turn.root, turn.origin)
    newest = root.number
    guard E.self != RequestTrace.self else { return nil }
    // An event requests or states something, and its name shows which (S2). The first events of
    // most processes are recognised without it.
    let isAsked =
      !turn.isHousekeeping
      && (E._reply != nil || E.self == RequestUnit.self || E.name.hasPrefix("Request"))
    return (isAsked ? asked.begin(root, origin) : unasked.begin(root, origin), isAsked)
  }

  /// Returns the last roots, in the order in which they began.
  ///
  /// - Parameters:
  ///   - wanted: The number of roots.
  ///   - all: Whether roots count that no person or client asked for.
  /// - Returns: The roots.
  func last(_ wanted: Int, all: Bool) -> [Intent] {
    guard all else { return asked.ordered.suffix(wanted) }
    return (asked.ordered + unasked.ordered).sorted { $0.root.number < $1.root.number }
      .suffix(wanted)
  }
}

private let mostIntents = TraceLog.mostIntents
private let mostEntries = TraceLog.mostEntries
