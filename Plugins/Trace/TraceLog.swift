import EventMVVM

/// The last intents of a process, with what followed from them: bounded, and without the events
/// themselves.
///
/// What a person or a client has asked for is kept apart from the rest. A script of a hundred thousand lines is one intent, so adding an entry takes constant time, and
/// finds its intent at once if that is the one of the entry before. Used by the home thread alone.
final class TraceLog: EventObserver {
  /// How many intents are kept that somebody asked for, and as many others.
  static let mostIntents = 64
  /// How many entries of an intent are kept from its beginning, and as many from its end.
  static let mostEntries = 128

  /// What is kept of an event.
  struct Entry: Sendable {
    let sequence: UInt64
    /// 0 for a root.
    let cause: UInt64
    let type: any Event.Type
    let time: Instant
    let subject: String?
  }

  /// An intent, and what followed from it.
  struct Intent: Sendable {
    private(set) var root: Root
    /// Whose intent it is, and so the origin of each of its events.
    private(set) var origin: Origin
    private(set) var count = 0
    private var first: [Entry] = []
    /// A ring buffer, once it is full.
    private var last: [Entry] = []

    init(_ root: Root, _ origin: Origin) {
      self.root = root
      self.origin = origin
    }

    /// Begins anew in the same memory.
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

    /// How many entries are not kept: they came after the first.
    var missed: Int { count - first.count - last.count }

    /// Those that are kept, in order.
    var entries: [Entry] {
      let oldest = missed > 0 ? count % mostEntries : 0
      return first + last[oldest...] + last[..<oldest]
    }
  }

  /// The last so many intents.
  private struct Ring {
    /// A ring buffer, once it is full.
    private(set) var intents: [Intent] = []
    /// How many intents there have been.
    private var count = 0
    /// Where the oldest stands.
    private var oldest: Int { count > intents.count ? count % mostIntents : 0 }

    mutating func add(_ entry: Entry, at slot: Int) { intents[slot].add(entry) }

    /// Where an intent stands; nil if it is none of these, or no longer.
    ///
    /// They stand in the order of their numbers, from the oldest round to the newest.
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

    /// Makes room for an intent.
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

  /// What somebody asked for.
  @exclusivity(unchecked) private var asked = Ring()
  /// Everything else; apart, so that a prompt that keeps itself up to date displaces nothing.
  @exclusivity(unchecked) private var unasked = Ring()
  /// The intent of the latest entry, and where it stands.
  @exclusivity(unchecked) private var latest = (
    root: Root(session: 0, number: 0), slot: 0, isAsked: false
  )
  /// The highest number of a root so far: roots are numbered in the order in which they begin.
  private var newest: UInt64 = 0

  /// Adds an event to its intent.
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

  /// Where an intent stands; nil if it was given up since, or is one about the trace itself.
  private func place(of root: Root) -> (slot: Int, isAsked: Bool)? {
    asked.slot(of: root).map { ($0, true) } ?? unasked.slot(of: root).map { ($0, false) }
  }

  /// Makes room for an intent, unless it is one about the trace itself.
  private func begin<E: Event>(
    _ type: E.Type,
    _ turn: borrowing Turn
  ) -> (slot: Int, isAsked: Bool)? {
    let (root, origin) = (turn.root, turn.origin)
    newest = root.number
    guard E.self != RequestTrace.self else { return nil }
    // An event asks for something, or states something, and its name says which (S2).
    // What most processes begin with is known without it.
    let isAsked =
      !turn.isHousekeeping
      && (E._reply != nil || E.self == RequestUnit.self || E.name.hasPrefix("Request"))
    return (isAsked ? asked.begin(root, origin) : unasked.begin(root, origin), isAsked)
  }

  /// The last so many intents, in the order in which they began.
  ///
  /// - Parameters:
  ///   - wanted: How many.
  ///   - all: Whether those count that nobody asked for, too.
  /// - Returns: The intents.
  func last(_ wanted: Int, all: Bool) -> [Intent] {
    guard all else { return asked.ordered.suffix(wanted) }
    return (asked.ordered + unasked.ordered).sorted { $0.root.number < $1.root.number }
      .suffix(wanted)
  }
}

private let mostIntents = TraceLog.mostIntents
private let mostEntries = TraceLog.mostEntries
