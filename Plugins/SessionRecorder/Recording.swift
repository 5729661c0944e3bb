import EventCommands
package import EventMVVM
import EventValues
import Foundation
import Platform
import JSONText

/// A recorded session, read from its file.
///
/// A recording that was cut off has no end: its incomplete last line is ignored.
package struct Recording: Sendable {
  /// A recorded event type.
  struct RecordedType: Sendable {
    let version: Int
    let shape: EventShape
  }

  /// A recorded event; its body is read from the text when it is needed.
  struct RecordedEvent: Sendable {
    let line: Int
    let sequence: UInt64
    let cause: UInt64?
    let root: Root
    let origin: UInt32
    let time: Instant
    let type: String
    let isInput: Bool
    let hasBody: Bool
    /// Whether the line is unchanged.
    let isIntact: Bool
    /// The number of events that led to it.
    let depth: Int
    /// The ids that were drawn while it was handled.
    var ids: [UniqueID] = []
    /// The lines of external changes that were found while it was handled.
    var outside: [Int] = []
    /// The requests that were found to be cancelled while it was handled.
    var cancelled: [UInt64] = []
  }

  /// An entry of the recording.
  enum Entry: Sendable {
    case event(RecordedEvent)
    case released(UInt64)
    case cancelled(UInt64)
    case unitEnds(Root, ResponseUnit.Outcome)
    /// An entry with this name had its turn, and produced no event.
    case passed(String, line: Int)
  }

  /// The file's name.
  package let name: String
  /// The description of the session as a whole.
  package private(set) var header: RecordingHeader
  /// The data that the domain began with; nil for none.
  package private(set) var startingState: [UInt8]?
  /// Why that data is missing, if there was some.
  package private(set) var missingState: String?
  /// Whether it includes the end of the session.
  package private(set) var isWhole = false
  /// Whether the session ended before all consequences were delivered.
  private(set) var endsUnderWay = false
  private(set) var entries: [Entry] = []
  /// The indices of events among the entries, in the order of their sequences.
  private var places: [Int] = []
  private(set) var types: [String: RecordedType] = [:]
  private(set) var origins: [UInt32: String] = [:]
  /// The number of events.
  package private(set) var eventCount = 0
  private let bytes: [UInt8]
  private let lines: [Range<Int>]

  /// Reads a file.
  ///
  /// - Throws: A usage error with the line that can't be read.
  package init(path: String) throws(Failure) {
    let bytes: [UInt8]
    do throws(SystemProblem) { bytes = try OrdinaryFile.contents(path) } catch {
      throw Failure(.usage, "\(path): it can't be read: \(error.text)")
    }
    try self.init(bytes, named: path)
  }

  /// Reads the text of a recording.
  ///
  /// - Throws: A usage error with the line that can't be read.
  package init(_ bytes: [UInt8], named name: String) throws(Failure) {
    self.bytes = bytes
    self.name = name
    lines = Self.lines(of: bytes)
    guard let first = lines.first,
      let json = try? JSON(parsing: bytes[first], limits: .ofRecordings),
      let header = RecordingHeader(json)
    else { throw Failure(.usage, "\(name):1: this is no recording that this program can read") }
    self.header = header
    for index in lines.indices {
      try read(index)
    }
  }

  /// Returns the complete lines.
  private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(start..<end)
      start = end + 1
    }
    return lines
  }

  private mutating func read(_ index: Int) throws(Failure) {
    let line = bytes[lines[index]]
    guard let json = try? JSON(parsing: line, limits: .ofRecordings) else {
      throw problem(index, "this is not JSON")
    }
    // Work in progress at the end of the session is no part of it.
    guard !isWhole else { return }
    let isIntact = RecordingCheck.holds(line)
    if json["seq"] != nil { return try readEvent(json, index, isIntact) }
    guard isIntact else { throw problem(index, "the line was changed since it was recorded") }
    guard index > 0 else { return }
    guard try readEntry(json, index) || readFact(json) else {
      throw problem(index, "this is nothing that a recording says")
    }
  }

  private mutating func readEvent(_ json: JSON, _ index: Int, _ isIntact: Bool) throws(Failure) {
    guard let sequence = json.number("seq"), sequence > 0,
      sequence >= lastSequence,
      case .string(let type)? = json["type"],
      let origin = json.number("origin").flatMap({ UInt32(exactly: $0) }),
      case .integer(let time)? = json["time"], let root = root(json["root"])
    else { throw problem(index, "this is no event") }
    guard types[type] != nil else { throw problem(index, "nothing is said of \(type)") }
    guard origins[origin] != nil else { throw problem(index, "nobody is number \(origin)") }
    eventCount += 1
    lastSequence = sequence
    let cause = json.number("cause")
    let depth = cause.flatMap { event($0) }.map { $0.sequence < sequence ? $0.depth + 1 : 0 } ?? 0
    places.append(entries.count)
    entries.append(
      .event(
        RecordedEvent(
          line: index + 1,
          sequence: sequence,
          cause: cause,
          root: root,
          origin: origin,
          time: Instant(milliseconds: time),
          type: type,
          isInput: json["input"] != nil,
          hasBody: json["body"] != nil,
          isIntact: isIntact,
          depth: depth
        )
      )
    )
  }

  private var lastSequence: UInt64 = 0
  /// The greatest number of an origin: memory is reserved up to it.
  private static let mostOrigins: UInt64 = 65_535

  private func root(_ json: JSON?) -> Root? {
    switch json {
    case .integer(let number): Root(session: header.session, number: UInt64(clamping: number))
    case .string(let text): Root(text)
    default: nil
    }
  }

  /// Reads an entry that is no event; false for any other line.
  private mutating func readEntry(_ json: JSON, _ index: Int) throws(Failure) -> Bool {
    if let sequence = json.number("released") {
      entries.append(.released(sequence))
    } else if let sequence = json.number("cancelled"), json["amid"] != nil {
      changeLastEvent { $0.cancelled.append(sequence) }
    } else if let sequence = json.number("cancelled") {
      entries.append(.cancelled(sequence))
    } else if let root = json.number("ends"), case .bool(let kept)? = json["kept"] {
      let unit = Root(session: header.session, number: root)
      entries.append(.unitEnds(unit, kept ? .committed : .rolledBack))
    } else if case .string(let name)? = json["passed"] {
      entries.append(.passed(name, line: index + 1))
    } else if case .string(let text)? = json["id"], let id = UniqueID(text) {
      changeLastEvent { $0.ids.append(id) }
    } else if json["outside"] != nil {
      changeLastEvent { $0.outside.append(index) }
    } else {
      return false
    }
    return true
  }

  /// Changes the last event, during which the following lines happened; there are none before the
  /// first.
  private mutating func changeLastEvent(_ change: (inout RecordedEvent) -> Void) {
    guard let last = places.last, case .event(var event) = entries[last] else { return }
    // A second owner would make each change copy all earlier ones.
    entries[last] = .released(0)
    change(&event)
    entries[last] = .event(event)
  }

  /// Returns the external changes that were found while an event was handled.
  func outside(of event: RecordedEvent) -> [JSON] {
    event.outside.compactMap {
      (try? JSON(parsing: bytes[lines[$0]], limits: .ofRecordings))?["outside"]
    }
  }

  /// Reads a line about types, origins or the whole; false for any other line.
  private mutating func readFact(_ json: JSON) -> Bool {
    if case .string(let name)? = json["event"], let version = json.number("version"),
      let shape = json["shape"].flatMap({ EventShape($0) })
    {
      types[name] = RecordedType(version: Int(clamping: version), shape: shape)
    } else if let origin = json.number("origin"), case .string(let name)? = json["name"],
      origin <= Self.mostOrigins
    {
      origins[UInt32(clamping: origin)] = name
    } else if case .string(let text)? = json["state"], let data = Data(base64Encoded: text) {
      startingState = Array(data)
    } else if case .string(let reason)? = json["noState"] {
      missingState = reason
    } else if json["complete"] != nil, json.number("events") == UInt64(eventCount) {
      isWhole = true
      endsUnderWay = json["underWay"] != nil
    } else {
      return false
    }
    return true
  }

  private func problem(_ index: Int, _ text: String) -> Failure {
    Failure(.usage, "\(name):\(index + 1): \(text)")
  }

  // MARK: Bodies of events

  /// Whether a body equals the one in an event's line.
  ///
  /// It is compared as bytes, without reading the line's JSON.
  func isBody(_ body: [UInt8], of event: RecordedEvent) -> Bool {
    let line = bytes[lines[event.line - 1]].dropLast(RecordingCheck.length)
    let wanted = Array(#","body":"#.utf8) + body
    return line.suffix(wanted.count).elementsEqual(wanted)
  }

  /// Returns the body in an event's line.
  func body(of event: RecordedEvent) -> JSON? {
    (try? JSON(parsing: bytes[lines[event.line - 1]], limits: .ofRecordings))?["body"]
  }

  /// Returns the event with a sequence; nil if there is none.
  func event(_ sequence: UInt64) -> RecordedEvent? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      guard case .event(let event) = entries[places[middle]] else { return nil }
      if event.sequence == sequence { return event }
      if event.sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Returns the chain of causes: the event itself, its cause, and so on to the root.
  func path(to event: RecordedEvent) -> [RecordedEvent] {
    var path = [event]
    while let cause = path[path.count - 1].cause, let earlier = self.event(cause),
      earlier.sequence < path[path.count - 1].sequence
    {
      path.append(earlier)
    }
    return path
  }
}

extension Recording.Entry {
  /// Whether it is an event.
  var isEvent: Bool {
    if case .event = self { true } else { false }
  }
}

extension JSON {
  /// Returns a member that is a whole number from 0.
  func number(_ name: String) -> UInt64? {
    guard case .integer(let value)? = self[name] else { return nil }
    return UInt64(exactly: value)
  }
}

extension JSONLimits {
  /// Those of a line of a recording: the condition of a deep filter has two levels for each of its own.
  static var ofRecordings: JSONLimits { JSONLimits(depth: 512) }
}
