import EventCommands
import EventMVVM
import JSONText

/// The latest view-model events, as they go over the wire, by number.
///
/// It begins with the first who asks for events, and keeps as many as fit into its bounds. Events are
/// written once, however many subscribe. The home thread appends, other threads read.
final class EventLog: Sendable {
  /// An event as it goes over the wire.
  struct Entry: Sendable {
    /// Its number in the one order of the stream; numbers rise, and leave out what no view sees.
    let sequence: UInt64
    /// The name of its type.
    let type: String
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
    /// The number of the last event that was let go of.
    var lastDropped: UInt64 = 0
  }

  private let state = Locked(State())

  /// The number of the latest event; 0 before the first.
  var head: UInt64 { state.withLock { $0.head } }

  /// The number of the first event that is kept; that of the next one if none is.
  var first: UInt64 {
    state.withLock { state in
      state.first < state.entries.count ? state.entries[state.first].sequence : state.head + 1
    }
  }

  /// Takes the next event.
  func append(_ entry: Entry) {
    state.withLock { state in
      state.entries.append(entry)
      state.head = entry.sequence
      state.bytes += entry.json.count
      while state.entries.count - state.first > Self.mostEntries || state.bytes > Self.mostBytes {
        state.lastDropped = state.entries[state.first].sequence
        state.bytes -= state.entries[state.first].json.count
        state.entries[state.first] = Entry(sequence: 0, type: "", json: [])
        state.first += 1
      }
      if state.first > 4096, state.first * 2 > state.entries.count {
        state.entries.removeFirst(state.first)
        state.first = 0
      }
    }
  }

  /// Reads events from a number on.
  ///
  /// - Parameters:
  ///   - number: The first that is wanted.
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
      slice.isMissing = state.lastDropped >= max(number, 1)
      slice.next = max(state.head + 1, number)
      var room = bytes
      for index in Self.index(of: number, in: state)..<state.entries.count {
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
    state.withLock { $0.entries.count - Self.index(of: number, in: $0) }
  }

  /// The first entry from a number on, by bisection.
  private static func index(of number: UInt64, in state: State) -> Int {
    var (low, high) = (state.first, state.entries.count)
    while low < high {
      let middle = (low + high) / 2
      if state.entries[middle].sequence < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
