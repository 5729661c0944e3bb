import Foundation

/// What is known of a recording at a moment: a value, of which a copy is cheap at any size.
///
/// A *position* is the place of an event among the recorded events, from 0.
public struct RecordingContents: Sendable {
  /// The description of the session, from the first line of the recording.
  public struct Header: Sendable {
    /// The program, with its version.
    public var program = ""
    /// The session, in hexadecimal digits, which is part of each root.
    public var session = ""
    /// When it began, in milliseconds since 1970.
    public var start: Int64 = 0
    /// The time zone.
    public var zone = ""
    /// Whether the session was interactive.
    public var isInteractive = false
    /// The plugins that were on.
    public var plugins: [String] = []
  }

  /// The description of the session.
  public internal(set) var header = Header()
  /// The types, by their index.
  public internal(set) var types: [EventType] = []
  /// The names of the origins, by their index, and how many events each has sent.
  public internal(set) var origins: [(name: String, count: Int)] = []
  /// The roots of other sessions, by their index.
  var externalRoots: [String] = []
  var events = Blocks<EventEntry>()
  var changes = Blocks<Change>()
  /// The kinds of records, and the states.
  var subjects: [ChangeTopic] = []
  /// The size of the file, in bytes.
  public internal(set) var size: UInt64 = 0
  /// How much of it has been read, in bytes.
  public internal(set) var indexed: UInt64 = 0
  /// How many events the recording lacks, as they came too fast.
  public internal(set) var dropped = 0
  /// Whether it includes the end of the session.
  public internal(set) var isWhole = false
  /// The lines that can't be read, with the reason; the first ones.
  public internal(set) var problems: [String] = []

  /// The number of events.
  public var count: Int { events.count }

  /// Returns the event at a position.
  public func event(at position: Int) -> EventEntry { events[position] }

  /// Returns the position of the event with a number; nil if there is none.
  public func position(of sequence: UInt64) -> Int? {
    let position = events.firstIndex(notBefore: sequence)
    return position < events.count && events[position].sequence == sequence ? position : nil
  }

  /// Returns the positions of the events of a root.
  func positions(of root: RootKey) -> [Int] {
    var positions: [Int] = []
    events.forEachPart(of: events.indices) { events, first in
      for index in events.indices where events[index].root == root {
        positions.append(first + index)
      }
    }
    return positions
  }

  /// Returns a root as it is named.
  public func name(of root: RootKey) -> String {
    root.externalIndex.map { externalRoots[$0] } ?? String(root.rawValue)
  }

  /// Returns the root with a name; nil if there is none.
  public func root(named name: String) -> RootKey? {
    if let index = externalRoots.firstIndex(of: name) { return RootKey(external: index) }
    return UInt64(name).flatMap { $0 >> 63 == 0 ? RootKey(rawValue: $0) : nil }
  }
}

extension Blocks<EventEntry> {
  /// Returns the position of the first event with this number or a later one.
  func firstIndex(notBefore sequence: UInt64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
