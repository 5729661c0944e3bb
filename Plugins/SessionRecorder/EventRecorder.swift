import EventCommands
import EventMVVM
import JSONText

/// Records every event of a stream; used by the home thread alone.
final class EventRecorder: EventObserver {
  private let file: RecordingFile
  private let session: UInt64
  /// Whether a request is on disk before its answer is read: not worth it in one job.
  private let flushesReplies: Bool
  private let encoder = BodyEncoder()
  // Not checked for overlapping access: no handler runs inside another one (promise 2).
  @exclusivity(unchecked) private var types: [ObjectIdentifier: [UInt8]] = [:]
  @exclusivity(unchecked) private var origins: [Origin: [UInt8]] = [:]
  /// The entries since the last line that had a turn without an event.
  @exclusivity(unchecked) private var passed: [any StreamEntry.Type] = []
  /// The number of events.
  private(set) var count: UInt64 = 0

  init(
    _ file: RecordingFile,
    session: UInt64,
    flushesReplies: Bool
  ) {
    self.file = file
    self.session = session
    self.flushesReplies = flushesReplies
  }

  func observe<E: Event>(_ event: E, _ turn: borrowing Turn) {
    count += 1
    let type = types[ObjectIdentifier(E.self)] ?? declare(E.self)
    let origin = origins[turn.origin] ?? declare(turn.origin, turn.originName)
    let body = (try? encoder.body(of: event)) ?? nil
    let (sequence, cause, root, time) = (turn.sequence, turn.cause, turn.root, turn.time)
    let (isInput, isHousekeeping) = (turn.isInput, turn.isHousekeeping)
    // Before an entry that the stream has queued, a replay finds them in the queue.
    if isInput { writePassed() } else { passed.removeAll(keepingCapacity: true) }
    file.write { line in
      line.literal(#""seq":"#)
      line.append(sequence)
      if let cause {
        line.literal(#","cause":"#)
        line.append(cause)
      }
      line.literal(#","root":"#)
      if root.session == session {
        line.append(root.number)
      } else {
        line.append(root.description)
      }
      line.literal(#","origin":"#)
      line.append(origin)
      line.literal(#","time":"#)
      if time.milliseconds < 0 { line.literal("-") }
      line.append(time.milliseconds.magnitude)
      line.literal(#","type":"#)
      line.append(type)
      if isInput { line.literal(#","input":true"#) }
      if isHousekeeping { line.literal(#","housekeeping":true"#) }
      if let body {
        line.literal(#","body":"#)
        line.append(body)
      }
    }
    // The input that ends a process is in the file before that happens.
    if isInput || (flushesReplies && E._isResponse) { file.flush() }
  }

  /// Notes an entry that had its turn without an event.
  func pass(_ entry: any StreamEntry.Type) { passed.append(entry) }

  /// Writes the entries that had their turn without an event, before an input.
  func writePassed() {
    for entry in passed {
      let name = types[ObjectIdentifier(entry)] ?? Self.json(entry.recordedName)
      file.write { line in
        line.literal(#""passed":"#)
        line.append(name)
      }
    }
    passed.removeAll(keepingCapacity: true)
  }

  private static func json(_ text: String) -> [UInt8] {
    var json = JSONWriter()
    json.value(text)
    return json.bytes
  }

  /// Writes the fields of a type and, for readers of the recording, what it is, before its first event.
  private func declare<E: Event>(_ type: E.Type) -> [UInt8] {
    let name = Self.json(E.name)
    var shape = JSONWriter()
    shape.value(EventShape(of: type).json)
    file.write { line in
      line.literal(#""event":"#)
      line.append(name)
      line.literal(#","version":"#)
      line.append(UInt64(E.version))
      line.literal(#","shape":"#)
      line.append(shape.bytes)
      if let layer = EventKind.layer(of: type) {
        line.literal(#","layer":"#)
        line.append(layer)
      }
      if let kind = EventKind.kind(of: type) {
        line.literal(#","kind":"#)
        line.append(kind)
      }
      if let reply = EventKind.reply(to: type) {
        line.literal(#","reply":"#)
        line.append(reply)
      }
    }
    types[ObjectIdentifier(type)] = name
    return name
  }

  /// Writes the name of an origin, before its first use.
  private func declare(_ origin: Origin, _ name: String) -> [UInt8] {
    let number = (try? encoder.value(origin)) ?? []
    file.write { line in
      line.literal(#""origin":"#)
      line.append(number)
      line.literal(#","name":"#)
      line.append(name)
    }
    origins[origin] = number
    return number
  }
}
