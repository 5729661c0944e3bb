import EventCommands
import EventMVVM
import JSONText

/// The latest view-model events, as they go over the wire, by number.
///
/// It keeps as many as fit into its bounds. Events are written once, however many subscribe. What
/// happens inside a unit that takes effect as a whole is not read before the unit is kept, and
/// never if it is rolled back; nor is what others do meanwhile, so that numbers rise for every
/// reader. One thread appends, others read.
final class EventLog: Sendable {
  /// An event as it goes over the wire.
  struct Entry: Sendable {
    /// Its number in the one order of the stream; numbers rise, and leave out what no view sees.
    let sequence: UInt64
    /// The name of its type.
    let type: String
    /// The intent that started it all.
    let root: Root
    /// All of it, as JSON.
    let json: [UInt8]
  }

  /// Some events, and where to go on.
  struct Slice: Sendable {
    var entries: [Entry] = []
    /// The number from which to read on.
    var next: UInt64 = 1
    /// Whether there were events before these, from the number on, that are not kept any more.
    var isMissing = false
    /// How many events of the chosen types have ever been dropped.
    var dropped = 0
  }

  /// How many events are kept at most.
  static let mostEntries = 65_536
  /// How many bytes of events are kept at most.
  static let mostBytes = 16_777_216

  private struct State {
    var entries: [Entry] = []
    var first = 0
    var bytes = 0
    var head: UInt64 = 0
    /// What was dropped.
    var dropped = Dropped()
    /// The units that are open, and what was dropped of them.
    var open: [Root: Dropped] = [:]
    /// Where the events begin that can't be read yet; nil if all can be.
    var hidden: Int?

    /// Where the events end that can be read.
    var end: Int { hidden ?? entries.count }

    /// Drops the oldest entry.
    mutating func drop() {
      let entry = entries[first]
      if let hidden, first >= hidden, open[entry.root] != nil {
        open[entry.root]?.note(entry)
      } else {
        dropped.note(entry)
      }
      bytes -= entry.json.count
      entries[first] = Entry(sequence: 0, type: "", root: entry.root, json: [])
      first += 1
      if let hidden, hidden < first { self.hidden = first }
    }

    /// Gives the room before the first entry back, if it is worth it.
    mutating func tidy() {
      guard first > 4096, first * 2 > entries.count else { return }
      entries.removeFirst(first)
      hidden = hidden.map { $0 - first }
      first = 0
    }
  }

  /// What was dropped: the last, and how many of each type.
  private struct Dropped {
    var last: UInt64 = 0
    var counts: [String: Int] = [:]

    mutating func note(_ entry: Entry) {
      last = max(last, entry.sequence)
      counts[entry.type, default: 0] += 1
    }

    mutating func add(_ other: Dropped) {
      last = max(last, other.last)
      counts.merge(other.counts) { $0 + $1 }
    }

    func count(of types: Set<String>?) -> Int {
      counts.reduce(0) { types?.contains($1.key) == false ? $0 : $0 + $1.value }
    }
  }

  private let state = Locked(State())

  /// The number of the latest event that can be read; 0 before the first.
  var head: UInt64 { state.withLock { $0.head } }

  /// The number of the first event that is kept; that of the next one if none is.
  var first: UInt64 {
    state.withLock { state in
      state.first < state.end
        ? state.entries[state.first].sequence : max(state.head, state.dropped.last) + 1
    }
  }

  /// Takes the next event.
  func append(_ entry: Entry) {
    state.withLock { state in
      state.entries.append(entry)
      state.bytes += entry.json.count
      if state.hidden == nil { state.head = entry.sequence }
      while state.entries.count - state.first > Self.mostEntries || state.bytes > Self.mostBytes {
        state.drop()
      }
      state.tidy()
    }
  }

  /// Shows nothing more until a unit has ended.
  func hide(_ unit: Root) {
    state.withLock { state in
      state.open[unit] = Dropped()
      if state.hidden == nil { state.hidden = state.entries.count }
    }
  }

  /// Shows what happened since a unit began, or drops what the unit did.
  func show(_ unit: Root, isCommitted: Bool) {
    state.withLock { state in
      guard let dropped = state.open.removeValue(forKey: unit), let hidden = state.hidden else {
        return
      }
      if isCommitted {
        state.dropped.add(dropped)
      } else {
        let rest = state.entries[hidden...].filter { $0.root != unit }
        state.entries.replaceSubrange(hidden..., with: rest)
        state.bytes = state.entries[state.first...].reduce(0) { $0 + $1.json.count }
      }
      guard state.open.isEmpty else { return }
      state.hidden = nil
      if state.first < state.entries.count, let last = state.entries.last {
        state.head = max(state.head, last.sequence)
      }
    }
  }

  /// Reads events from a number on.
  ///
  /// - Parameters:
  ///   - number: The first to return.
  ///   - types: Which types; nil for all.
  ///   - limit: How many at most.
  ///   - bytes: How many bytes at most, but for the first event.
  /// - Returns: The events, and where to go on.
  func read(
    from number: UInt64,
    _ types: Set<String>? = nil,
    limit: Int,
    bytes: Int
  ) -> Slice {
    state.withLock { state in
      var slice = Slice()
      slice.isMissing = state.dropped.last >= max(number, 1)
      if slice.isMissing { slice.dropped = state.dropped.count(of: types) }
      slice.next = max(state.head + 1, number)
      var room = bytes
      for index in Self.index(of: number, in: state)..<state.end {
        let entry = state.entries[index]
        guard types?.contains(entry.type) != false else { continue }
        if slice.entries.count == limit || (!slice.entries.isEmpty && entry.json.count > room) {
          slice.next = entry.sequence
          break
        }
        room -= entry.json.count
        slice.entries.append(entry)
      }
      return slice
    }
  }

  /// How many events there are from a number on, of all types.
  func count(from number: UInt64) -> Int {
    state.withLock { $0.end - Self.index(of: number, in: $0) }
  }

  /// How many events of some types there have been before a number; nil if that is not known any
  /// more.
  func count(before number: UInt64, _ types: Set<String>?) -> Int? {
    state.withLock { state in
      if number <= 1 { return 0 }
      guard state.dropped.last < number else { return nil }
      let kept = state.entries[state.first..<Self.index(of: number, in: state)]
      return state.dropped.count(of: types) + kept.count { types?.contains($0.type) != false }
    }
  }

  /// The first entry that can be read from a number on, by bisection.
  private static func index(of number: UInt64, in state: State) -> Int {
    var (low, high) = (min(state.first, state.end), state.end)
    while low < high {
      let middle = (low + high) / 2
      if state.entries[middle].sequence < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
