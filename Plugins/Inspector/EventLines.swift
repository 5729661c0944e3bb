import EventCommands
import EventMVVM
import JSONText

/// Writes events as the lines of a recording that is read, not replayed: it lacks ids, stored data and checksums.
///
/// One thread at a time uses it.
final class EventLines: @unchecked Sendable {
  /// What an event's line has apart from its type and body.
  struct Envelope: Sendable {
    let sequence: UInt64
    let cause: UInt64?
    let root: Root
    let origin: UInt32
    let time: Instant
    let isInput: Bool
    let isHousekeeping: Bool
  }

  // Unchecked: it is handed over to the thread that writes, before that begins.
  private let session: UInt64
  private let encoder = BodyEncoder()
  private var types: [ObjectIdentifier: [UInt8]] = [:]
  private var bytes: [UInt8] = []
  private var dropped = 0

  init(session: UInt64) { self.session = session }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// Removes and returns the bytes.
  func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Writes the first line.
  func begin(
    program: String,
    start: Instant,
    zone: String,
    isInteractive: Bool,
    plugins: [String]
  ) {
    line { json in
      json.member("recording", 1)
      json.member("program", program)
      json.member("session", String(session, radix: 16))
      json.member("start", start.milliseconds)
      json.member("interactive", isInteractive)
      json.member("zone", ["name": .string(zone)])
      json.member("plugins", JSON.array(plugins.map { .string($0) }))
    }
  }

  /// Writes the name of an origin.
  func declare(_ origin: UInt32, _ name: String) {
    line { json in
      json.member("origin", Int64(origin))
      json.member("name", name)
    }
  }

  /// Says that events were dropped here.
  func drop(_ count: Int) {
    dropped += count
    line { $0.member("dropped", dropped) }
  }

  /// Writes the last line.
  func end() { line { $0.member("complete", true) } }

  /// Writes an event.
  func write<E: Event>(_ event: E, _ envelope: Envelope) {
    let type = types[ObjectIdentifier(E.self)] ?? declare(E.self)
    let body = (try? encoder.body(of: event)) ?? nil
    append(#"{"seq":"#)
    append(envelope.sequence)
    if let cause = envelope.cause {
      append(#","cause":"#)
      append(cause)
    }
    append(#","root":"#)
    if envelope.root.session == session {
      append(envelope.root.number)
    } else {
      bytes += "\"\(envelope.root)\"".utf8
    }
    append(#","origin":"#)
    append(UInt64(envelope.origin))
    append(#","time":"#)
    bytes += String(envelope.time.milliseconds).utf8
    append(#","type":"#)
    bytes += type
    if envelope.isInput { append(#","input":true"#) }
    if envelope.isHousekeeping { append(#","housekeeping":true"#) }
    if let body {
      append(#","body":"#)
      bytes += body
    }
    // A recording has a checksum here.
    append(#","check":"--------"}"#)
    append("\n")
  }

  private func declare<E: Event>(_ type: E.Type) -> [UInt8] {
    line { json in
      json.member("event", E.name)
      json.member("version", E.version)
      json.member("layer", EventKind.layer(of: type))
      json.member("kind", EventKind.kind(of: type))
      json.member("reply", EventKind.reply(to: type))
    }
    var json = JSONWriter()
    json.value(E.name)
    types[ObjectIdentifier(type)] = json.bytes
    return json.bytes
  }

  private func line(_ members: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    json.object(members)
    bytes += json.bytes
    append("\n")
  }

  private func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
  private func append(_ number: UInt64) { bytes += String(number).utf8 }
}
