import Foundation
import JSONText

/// Adds the lines of a recording to its contents, one after the other.
struct LineReader {
  private(set) var contents = RecordingContents()
  /// The number of lines.
  private var line = 0
  private var typeIndices: [String: UInt16] = [:]
  private var originIndices: [Int64: UInt16] = [:]
  private var rootIndices: [String: Int] = [:]
  private var subjectIndices: [ChangeTopic: UInt16] = [:]
  /// The latest revision of each record.
  private var revisions: [Record: Int64] = [:]
  /// The roots that began as units, and their changes before which nothing of them was written.
  private var units: [RootKey: Int] = [:]

  private struct Record: Hashable {
    let subject: UInt16
    let number: Int64
  }

  /// What the body of an event says that ends a unit without effect.
  private static let rolledBack = Needle(Array(#""rolledBack""#.utf8))
  /// The most problems that are listed.
  private static let mostProblems = 20
  /// The latest instant that JavaScript can name.
  private static let latest: Int64 = 8_640_000_000_000_000
  /// How many causes are looked at for the request that an event answers.
  private static let mostSteps = 1024

  /// Reads the first line.
  ///
  /// - Throws: A `RecordingProblem` if it is not that of a recording.
  mutating func readHeader(_ bytes: [UInt8]) throws(RecordingProblem) {
    line = 1
    guard let json = try? JSON(parsing: bytes), case .integer(1)? = json["recording"],
      case .string(let program)? = json["program"], case .string(let session)? = json["session"],
      case .integer(let start)? = json["start"]
    else { throw RecordingProblem("this is no recording that this program can read", line: 1) }
    var header = RecordingContents.Header()
    (header.program, header.session, header.start) = (program, session, start)
    if case .string(let zone)? = json["zone"]?["name"] { header.zone = zone }
    if case .bool(let isInteractive)? = json["interactive"] { header.isInteractive = isInteractive }
    if case .array(let plugins)? = json["plugins"] {
      header.plugins = plugins.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
    contents.header = header
  }

  /// Reads one of the other lines.
  mutating func read(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) {
    line += 1
    var reader = ByteReader(bytes)
    if reader.take(#"{"seq":"#) {
      if !readEvent(bytes, &reader, at: offset) { note("this is no event") }
    } else if reader.take(#"{"event":"#) || reader.take(#"{"origin":"#)
      || reader.take(#"{"ends":"#) || reader.take(#"{"complete":"#) || reader.take(#"{"dropped":"#)
    {
      if let json = try? JSON(parsing: Array(bytes)) {
        readFact(json)
      } else {
        note("this is not JSON")
      }
    }
  }

  /// Notes how much of the file has been read.
  mutating func advance(to indexed: UInt64, of size: UInt64) {
    (contents.indexed, contents.size) = (indexed, size)
  }

  private mutating func note(_ problem: String) {
    guard contents.problems.count < Self.mostProblems else { return }
    contents.problems.append("line \(line): \(problem)")
  }

  // MARK: Facts

  private mutating func readFact(_ json: JSON) {
    if case .string(let name)? = json["event"] {
      let index = Int(type(named: name))
      if case .string(let layer)? = json["layer"] {
        contents.types[index].layer = EventType.Layer(rawValue: layer)
      }
      if case .string(let kind)? = json["kind"] {
        contents.types[index].kind = EventType.Kind(rawValue: kind)
      }
      if case .string(let reply)? = json["reply"] { contents.types[index].reply = reply }
    } else if case .integer(let number)? = json["origin"], case .string(let name)? = json["name"] {
      originIndices[number] = UInt16(clamping: contents.origins.count)
      contents.origins.append((name, 0))
    } else if case .integer(let root)? = json["ends"], case .bool(false)? = json["kept"] {
      revert(RootKey(rawValue: UInt64(clamping: root)))
    } else if case .integer(let count)? = json["dropped"] {
      contents.dropped = Int(clamping: count)
    } else if json["complete"] != nil {
      contents.isWhole = true
    }
  }

  private mutating func type(named name: String) -> UInt16 {
    if let index = typeIndices[name] { return index }
    let index = UInt16(clamping: contents.types.count)
    typeIndices[name] = index
    contents.types.append(EventType(name))
    return index
  }

  private mutating func subject(_ name: String, isState: Bool) -> UInt16 {
    let subject = ChangeTopic(name: name, isState: isState)
    if let index = subjectIndices[subject] { return index }
    let index = UInt16(clamping: contents.subjects.count)
    subjectIndices[subject] = index
    contents.subjects.append(subject)
    return index
  }

  // MARK: Events

  /// Reads an event, whose members have the order in which they are recorded.
  private mutating func readEvent(
    _ bytes: UnsafeRawBufferPointer,
    _ reader: inout ByteReader,
    at offset: UInt64
  ) -> Bool {
    var entry = EventEntry()
    guard let sequence = reader.takeNumber() else { return false }
    entry.sequence = sequence
    if reader.take(#","cause":"#) {
      guard let cause = reader.takeNumber() else { return false }
      if let position = contents.position(of: cause) {
        let cause = contents.events[position]
        entry.cause = UInt32(position)
        entry.depth = cause.depth &+ 1
        // What such an event leads to serves its sender alone, too.
        entry.marks = cause.marks.intersection(.housekeeping)
      }
    }
    guard reader.take(#","root":"#), let root = root(&reader) else { return false }
    entry.root = root
    guard reader.take(#","origin":"#), let origin = reader.takeInteger(),
      let index = originIndices[origin], reader.take(#","time":"#),
      let time = reader.takeInteger()
    else { return false }
    (entry.origin, entry.time) = (index, min(max(time, -Self.latest), Self.latest))
    entry.name = UInt32(reader.index)
    guard reader.take(#","type":"#), let name = reader.takeString() else { return false }
    entry.type = type(named: text(name))
    if reader.take(#","input":true"#) { entry.marks.insert(.input) }
    if reader.take(#","housekeeping":true"#) { entry.marks.insert(.housekeeping) }
    if reader.take(#","source":"#) { _ = reader.takeString() }
    if reader.take(#","body":"#) {
      entry.body = UInt32(reader.index)
      if reader.take(#"{"failure":"#) { entry.marks.insert(.failed) }
    }
    (entry.offset, entry.length) = (offset, UInt32(bytes.count))
    add(entry, bytes)
    return true
  }

  private func text(_ written: UnsafeRawBufferPointer) -> String {
    String(decoding: written, as: UTF8.self)
  }

  private mutating func root(_ reader: inout ByteReader) -> RootKey? {
    if let number = reader.takeNumber() { return RootKey(rawValue: number & ~(1 << 63)) }
    guard let name = reader.takeString().map({ text($0) }) else { return nil }
    if let index = rootIndices[name] { return RootKey(external: index) }
    rootIndices[name] = contents.externalRoots.count
    contents.externalRoots.append(name)
    return RootKey(external: contents.externalRoots.count - 1)
  }

  private mutating func add(_ entry: EventEntry, _ bytes: UnsafeRawBufferPointer) {
    var entry = entry
    let type = Int(entry.type)
    contents.types[type].count += 1
    if entry.marks.contains(.housekeeping) { contents.types[type].housekeeping += 1 }
    contents.origins[Int(entry.origin)].count += 1
    if contents.types[type].kind == .response { entry.request = request(answeredBy: entry) }
    let position = UInt32(contents.events.count)
    if entry.cause == EventEntry.none, contents.types[type].name == "RequestUnit" {
      units[entry.root] = contents.changes.count
    }
    contents.events.append(entry)
    if contents.types[type].name == "ResponseUnit", entry.body > 0,
      Self.rolledBack.place(in: bytes, Int(entry.body)..<bytes.count) != nil
    {
      revert(entry.root)
    }
    guard let source = contents.types[type].changes, entry.body > 0 else { return }
    let body = UnsafeRawBufferPointer(rebasing: bytes[Int(entry.body)...])
    readChanges(source, body, at: position)
  }

  /// The nearest of the causes that requests a reply of that type, among the last ``mostSteps``.
  private func request(answeredBy entry: EventEntry) -> UInt32 {
    let reply = contents.types[Int(entry.type)].name
    var (position, steps) = (entry.cause, 0)
    while position != EventEntry.none, steps < Self.mostSteps {
      let cause = contents.events[Int(position)]
      if contents.types[Int(cause.type)].reply == reply { return position }
      position = cause.cause
      steps += 1
    }
    return EventEntry.none
  }

  // MARK: Changes

  private mutating func readChanges(
    _ source: ChangeSource,
    _ body: UnsafeRawBufferPointer,
    at position: UInt32
  ) {
    switch source {
    case .state:
      var reader = ByteReader(body)
      var name: String?
      _ = reader.takeObject { member, value in
        if member.isText("name") { name = value.takeString().map { text($0) } }
      }
      guard let name else { return }
      append(.state, subject(name, isState: true), RecordElement(number: 0), position, 0)
    case .seen(let kind), .written(let kind):
      let isWritten = if case .written = source { true } else { false }
      let subject = subject(kind, isState: false)
      var elements: [(RecordElement, Int)] = []
      RecordElement.each(in: body) { elements.append(($0, $1)) }
      for (element, index) in elements {
        append(isWritten ? .written : .seen, subject, element, position, index)
      }
    }
  }

  private mutating func append(
    _ form: Change.Form,
    _ subject: UInt16,
    _ element: RecordElement,
    _ position: UInt32,
    _ index: Int
  ) {
    guard let number = element.number else { return }
    let record = Record(subject: subject, number: number)
    if form != .state {
      // It is read again, or a change is announced once it is committed.
      if let known = revisions[record], element.revision <= known { return }
      revisions[record] = element.revision
    }
    contents.changes.append(
      Change(
        form: form,
        subject: subject,
        number: number,
        revision: element.revision,
        position: position,
        source: position,
        element: UInt32(index)
      )
    )
  }

  /// Reverts what a unit has written.
  private mutating func revert(_ root: RootKey) {
    guard let first = units.removeValue(forKey: root), !contents.events.isEmpty else { return }
    let position = UInt32(contents.events.count - 1)
    for index in (first..<contents.changes.count).reversed() {
      let change = contents.changes[index]
      guard change.form == .written, contents.events[Int(change.position)].root == root else {
        continue
      }
      revisions[Record(subject: change.subject, number: change.number)] = nil
      contents.changes.append(
        Change(
          form: .reverted,
          subject: change.subject,
          number: change.number,
          revision: 0,
          position: position,
          source: change.source,
          element: change.element
        )
      )
    }
  }
}

/// Why a recording can't be read.
public struct RecordingProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reason, and the line where there is one.
  public let description: String

  init(_ text: String, line: Int? = nil) {
    description = line.map { "line \($0): \(text)" } ?? text
  }
}
