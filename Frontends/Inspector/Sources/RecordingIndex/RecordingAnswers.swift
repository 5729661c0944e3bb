import Foundation
import JSONText
import Synchronization

/// Answers questions about a recording, each as one JSON object; any thread.
///
/// What a question needs is read from the file when it is asked. Numbers of events are those of the recording
/// (`seq`), times milliseconds since 1970.
public final class RecordingAnswers: Sendable {
  /// Why a question has no answer.
  public struct Refusal: Error, Sendable {
    /// The reason.
    public let text: String
    /// The place in the filter, in characters from 1.
    public var column: Int?

    /// Creates a refusal.
    public init(_ text: String, column: Int? = nil) {
      self.text = text
      self.column = column
    }
  }

  /// The index of the recording.
  public let index: RecordingIndex
  private let selections = Mutex<[Selection]>([])
  /// The first difference to another recording, between so many events.
  let comparison = Mutex<(counts: (Int, Int), place: Int?)?>(nil)
  /// How many filters' results are kept.
  private static let mostSelections = 8
  /// How long an answer waits for the first results, in seconds.
  static let patience = 0.08

  /// Creates the answers about a recording.
  public init(_ index: RecordingIndex) { self.index = index }

  /// Returns the events that fit a filter: the search for them, which is kept for the next question.
  func selection(_ text: String, all: Bool) throws(Refusal) -> Selection {
    let filter: Filter
    do throws(Filter.Problem) {
      filter = try Filter(text, hidesHousekeeping: !all)
    } catch {
      throw Refusal(error.text, column: error.column)
    }
    return selections.withLock { selections in
      if let place = selections.firstIndex(where: { $0.filter == filter }) {
        let known = selections.remove(at: place)
        selections.append(known)
        return known
      }
      if selections.count == Self.mostSelections { selections.removeFirst().cancel() }
      let new = Selection(filter, index)
      selections.append(new)
      return new
    }
  }

  // MARK: The recording

  /// Describes the recording as a whole, as far as it is read.
  ///
  /// - Parameter more: Adds members.
  /// - Returns: The description.
  public func recording(_ more: (inout JSONWriter) -> Void) -> [UInt8] {
    let contents = index.contents
    return Self.object { json in
      json.member("name", index.name)
      json.member("program", contents.header.program)
      json.member("session", contents.header.session)
      json.member("start", contents.header.start)
      json.member("zone", contents.header.zone)
      json.member("interactive", contents.header.isInteractive)
      json.member("plugins", JSON.array(contents.header.plugins.map { .string($0) }))
      progress(contents, &json)
      more(&json)
      json.key("types")
      json.array { json in
        for type in contents.types {
          json.object { json in
            json.member("name", type.name)
            json.member("layer", type.layer?.rawValue)
            json.member("kind", type.kind?.rawValue)
            json.member("count", type.count)
            json.member("housekeeping", type.count > 0 && type.housekeeping == type.count)
          }
        }
      }
      json.key("origins")
      json.array { json in
        for origin in contents.origins {
          json.object {
            $0.member("name", origin.name); $0.member("count", origin.count)
          }
        }
      }
      json.member("problems", JSON.array(contents.problems.map { .string($0) }))
    }
  }

  /// Says how much is read.
  public func progress() -> [UInt8] {
    Self.object { progress(index.contents, &$0) }
  }

  private func progress(_ contents: RecordingContents, _ json: inout JSONWriter) {
    json.member("bytes", Int64(clamping: contents.size))
    json.member("indexed", Int64(clamping: contents.indexed))
    json.member("events", contents.count)
    json.member("dropped", contents.dropped)
    json.member("isWhole", contents.isWhole)
    json.member("live", !contents.isWhole && !index.isClosed)
  }

  // MARK: Lists of events

  /// Lists events that fit a filter.
  ///
  /// - Parameters:
  ///   - filter: The words of the filter; see ``Filter``.
  ///   - all: Whether events that only update their sender are listed, too.
  ///   - first: The first, among those that fit; nil for the last ones.
  ///   - limit: How many at most.
  /// - Returns: The events that have been found so far, and how far the search is.
  /// - Throws: Why the filter can't be read.
  public func events(
    _ filter: String,
    all: Bool,
    from first: Int?,
    limit: Int
  ) throws(Refusal) -> [UInt8] {
    let selection = try selection(filter, all: all)
    let wanted = first.map { $0 + limit } ?? .max
    let (result, contents) = selection.result(wanted: wanted, waiting: Self.patience)
    let start = min(first ?? max(0, result.count - limit), result.count)
    let end = min(result.count, start + limit)
    return Self.object { json in
      json.member("total", result.count)
      json.member("scanned", result.tested)
      json.member("events", contents.count)
      json.member("done", result.tested == contents.count)
      json.member("from", start)
      rows((start..<end).map { ($0, result.position($0)) }, contents, &json)
    }
  }

  /// Lists the events of a root in their order.
  public func tree(_ name: String, from first: Int, limit: Int) throws(Refusal) -> [UInt8] {
    let contents = index.contents
    let positions = try positions(ofRoot: name, contents)
    let range = min(first, positions.count)..<min(positions.count, first + limit)
    return Self.object { json in
      json.member("root", name)
      json.member("total", positions.count)
      json.member("start", positions.first.map { contents.events[$0].time })
      json.member("end", positions.last.map { contents.events[$0].time })
      rows(range.map { ($0, positions[$0]) }, contents, &json)
    }
  }

  /// The positions of the events of a root.
  func positions(ofRoot name: String, _ contents: RecordingContents) throws(Refusal) -> [Int] {
    guard let root = contents.root(named: name) else { throw Refusal("there is no root '\(name)'") }
    let positions = contents.positions(of: root)
    guard !positions.isEmpty else { throw Refusal("there is no root '\(name)'") }
    return positions
  }

  private func rows(
    _ places: [(place: Int, position: Int)],
    _ contents: RecordingContents,
    _ json: inout JSONWriter
  ) {
    var window = LineWindow(index.file)
    json.key("rows")
    json.array { json in
      for (place, position) in places {
        json.object { json in row(place, position, contents, &window, &json) }
      }
    }
  }

  /// Writes the members of an event in a list.
  func row(
    _ place: Int,
    _ position: Int,
    _ contents: RecordingContents,
    _ window: inout LineWindow,
    _ json: inout JSONWriter
  ) {
    let event = contents.events[position]
    let type = contents.types[Int(event.type)]
    json.member("position", place)
    json.member("seq", Int64(clamping: event.sequence))
    json.member("cause", cause(of: event, contents))
    json.member("root", contents.name(of: event.root))
    json.member("origin", contents.origins[Int(event.origin)].name)
    json.member("time", event.time)
    json.member("type", type.name)
    json.member("layer", type.layer?.rawValue)
    json.member("kind", type.kind?.rawValue)
    json.member("input", event.isInput)
    json.member("failed", event.isFailed)
    json.member("depth", Int(event.depth))
    json.member("size", Int(event.length))
    let preview =
      event.body == 0 ? nil : window.withLine(of: event) { Self.preview($0, event) }
    json.member("preview", preview)
  }

  private func cause(of event: EventEntry, _ contents: RecordingContents) -> Int64? {
    event.cause == EventEntry.none
      ? nil : Int64(clamping: contents.events[Int(event.cause)].sequence)
  }

  /// The beginning of a body, in whole characters.
  private static func preview(_ line: UnsafeRawBufferPointer, _ event: EventEntry) -> String {
    var end = min(Int(event.body) + 160, max(Int(event.body), line.count - 20))
    while end > Int(event.body), end < line.count, line[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: line[Int(event.body)..<end], as: UTF8.self)
  }

  // MARK: One event

  /// Describes an event in full.
  public func event(_ sequence: UInt64) throws(Refusal) -> [UInt8] {
    let contents = index.contents
    let position = try position(of: sequence, contents)
    let event = contents.events[position]
    var window = LineWindow(index.file)
    var path: [Int] = []
    var cause = event.cause
    while cause != EventEntry.none, path.count < 1000 {
      path.append(Int(cause))
      cause = contents.events[Int(cause)].cause
    }
    let (consequences, reply) = consequences(of: position, contents)
    return Self.object { json in
      row(position, position, contents, &window, &json)
      json.member("body", body(at: position, contents, &window))
      json.member("source", source(of: event, &window))
      json.member("consequences", consequences.count)
      json.member("reply", reply.map { Int64(clamping: contents.events[$0].sequence) })
      json.member("latency", reply.map { contents.events[$0].time - event.time })
      json.member(
        "answers",
        event.request == EventEntry.none
          ? nil : Int64(clamping: contents.events[Int(event.request)].sequence)
      )
      json.key("path")
      json.array { json in
        for place in path { json.object { row(place, place, contents, &window, &$0) } }
      }
    }
  }

  /// The line of code that sent an event; nil if its program was no debug build.
  private func source(of event: EventEntry, _ window: inout LineWindow) -> JSON? {
    let line = window.withLine(of: event) { Array($0) }
    return (try? JSON(parsing: line))?["source"]
  }

  /// Returns the first event that an origin has sent, from a position on; waits a moment for it.
  public func firstInput(of origin: String, after position: Int) -> UInt64? {
    for _ in 0..<20 {
      let contents = index.contents
      let found = contents.events[position...]
        .first {
          $0.isInput && contents.origins[Int($0.origin)].name == origin
        }
      if let found { return found.sequence }
      usleep(25_000)
    }
    return nil
  }

  func position(of sequence: UInt64, _ contents: RecordingContents) throws(Refusal) -> Int {
    guard let position = contents.position(of: sequence) else {
      throw Refusal("there is no event \(sequence)")
    }
    return position
  }

  /// The positions of the events that an event has caused, directly or not, and of its reply.
  func consequences(
    of position: Int,
    _ contents: RecordingContents
  ) -> (positions: [Int], reply: Int?) {
    let root = contents.events[position].root
    var caused: Set<UInt32> = [UInt32(position)]
    var positions: [Int] = []
    var reply: Int?
    for place in (position + 1)..<max(position + 1, contents.count) {
      let event = contents.events[place]
      guard event.root == root, caused.contains(event.cause) else { continue }
      caused.insert(UInt32(place))
      positions.append(place)
      if reply == nil, event.request == UInt32(position) { reply = place }
    }
    return (positions, reply)
  }

  /// The body of an event; nil if it has none.
  func body(
    at position: Int,
    _ contents: RecordingContents,
    _ window: inout LineWindow
  ) -> JSON? {
    let event = contents.events[position]
    guard event.body > 0 else { return nil }
    let line = window.withLine(of: event) { Array($0) }
    return (try? JSON(parsing: line))?["body"]
  }

  /// The body of an event as it is written; empty if it has none.
  func bodyBytes(
    at position: Int,
    _ contents: RecordingContents,
    _ window: inout LineWindow
  ) -> [UInt8] {
    let event = contents.events[position]
    guard event.body > 0 else { return [] }
    return window.withLine(of: event) { line in
      Array(line[Int(event.body)..<max(Int(event.body), line.count - 20)])
    }
  }

  static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object(members)
    return json.takeBytes()
  }
}
