import EventCommands
import EventMVVM
import EventValues
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
  @exclusivity(unchecked) private var origins: Set<Origin> = []
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
    if origins.insert(turn.origin).inserted { declare(turn.origin, turn.originName) }
    let body = (try? encoder.body(of: event)) ?? nil
    let event = EventLine(turn)
    // Before an entry that the stream has queued, a replay finds them in the queue.
    if event.isInput { writePassed() } else { passed.removeAll(keepingCapacity: true) }
    file.write { $0.append(event, type: type, body: body, session: session) }
    // The input that ends a process is in the file before that happens.
    if event.isInput || (flushesReplies && E._isResponse) { file.flush() }
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
  private func declare(_ origin: Origin, _ name: String) {
    let number = (try? encoder.value(origin)) ?? []
    file.write { line in
      line.literal(#""origin":"#)
      line.append(number)
      line.literal(#","name":"#)
      line.append(name)
    }
  }
}
