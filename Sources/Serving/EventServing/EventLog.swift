import EventCommands
import EventMVVM
import JSONText

/// The latest view-model events, in their wire form, by number.
///
/// It stores as many as fit into its bounds. Events are written once, for any number of
/// subscriptions. Events of an all-or-nothing unit can't be read before the unit is committed, and
/// never if it is rolled back; nor can later events of other roots, so that numbers rise for every
/// reader. One thread appends, others read.
final class EventLog: Sendable {
  /// An event in its wire form.
  struct Entry: Sendable {
    /// Its number in the one order of the stream; numbers rise, and skip events that no view
    /// receives.
    let sequence: UInt64
    /// The name of its type.
    let type: String
    /// The first event of the chain of causes.
    let root: Root
    /// The whole event, as JSON.
    let json: [UInt8]
  }

  /// Some events, and the position after them.
  struct Slice: Sendable {
    var entries: [Entry] = []
    /// The number of the next event to read.
    var next: UInt64 = 1
    /// Whether events from the requested number on were dropped before these.
    var isMissing = false
    /// How many events of the chosen types have ever been dropped.
    var dropped = 0
  }

  /// How many events are stored at most.
  static let mostEntries = 65_536
  /// How many bytes of events are stored at most.
  static let mostBytes = 16_777_216

  private struct State {
    var entries: [Entry] = []
    var first = 0
    var bytes = 0
    var head: UInt64 = 0
    /// The dropped events.
    var dropped = Dropped()
    /// The open units, and their dropped events.
    var open: [Root: Dropped] = [:]
    /// The index of the first event that can't be read yet; nil if all can be.
    var hidden: Int?

    /// The end of the events that can be read.
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

    /// Frees the memory before the first entry, if it is enough.
    mutating func tidy() {
      guard first > 4096, first * 2 > entries.count else { return }
      entries.removeFirst(first)
      hidden = hidden.map { $0 - first }
      first = 0
    }
  }

  /// The dropped events: the number of the last, and the count of each type.
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

  /// The number of the first stored event; that of the next one if none is stored.
  var first: UInt64 {
    state.withLock { state in
      state.first < state.end
        ? state.entries[state.first].sequence : max(state.head, state.dropped.last) + 1
    }
  }

  /// Appends the next event.
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

  /// Hides all events from now on until a unit has ended.
  func hide(_ unit: Root) {
    state.withLock { state in
      state.open[unit] = Dropped()
      if state.hidden == nil { state.hidden = state.entries.count }
    }
  }

  /// Shows the events since a unit began, or drops the events of the unit.
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
  ///   - number: The number of the first event.
  ///   - types: The types; nil for all.
  ///   - limit: The most events.
  ///   - bytes: The most bytes, which the first event may exceed.
  /// - Returns: The events, and the position after them.
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

  /// Returns how many events there are from a number on, of all types.
  func count(from number: UInt64) -> Int {
    state.withLock { $0.end - Self.index(of: number, in: $0) }
  }

  /// Returns how many events of some types came before a number; nil if that can't be determined
  /// any more.
  func count(before number: UInt64, _ types: Set<String>?) -> Int? {
    state.withLock { state in
      if number <= 1 { return 0 }
      guard state.dropped.last < number else { return nil }
      let kept = state.entries[state.first..<Self.index(of: number, in: state)]
      return state.dropped.count(of: types) + kept.count { types?.contains($0.type) != false }
    }
  }

  /// Returns the first entry that can be read from a number on, by bisection.
  private static func index(of number: UInt64, in state: State) -> Int {
    var (low, high) = (min(state.first, state.end), state.end)
    while low < high {
      let middle = (low + high) / 2
      if state.entries[middle].sequence < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
