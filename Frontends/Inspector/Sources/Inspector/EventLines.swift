import EventCommands
import EventMVVM
import EventValues
import JSONText

/// Writes events as the lines of a recording that is read, not replayed: it lacks ids, stored data and checksums.
///
/// One thread uses it.
final class EventLines {
  private let session: UInt64
  private let encoder = BodyEncoder()
  private var types: [ObjectIdentifier: [UInt8]] = [:]
  private var bytes: [UInt8] = []

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
  func declare(_ origin: Origin, _ name: String) {
    line { json in
      json.member("origin", Int64(origin.index))
      json.member("name", name)
    }
  }

  /// Writes how many events were dropped in all.
  func drop(_ count: Int) { line { $0.member("dropped", count) } }

  /// Writes the last line.
  func end() { line { $0.member("complete", true) } }

  /// Writes an event.
  func write<E: Event>(_ event: E, _ line: EventLine) {
    let type = types[ObjectIdentifier(E.self)] ?? declare(E.self)
    let body = (try? encoder.body(of: event)) ?? nil
    bytes.append(UInt8(ascii: "{"))
    line.append(to: &bytes, type: type, body: body, session: session)
    // A recording has a checksum here.
    bytes += #","check":"--------"}"#.utf8
    bytes.append(UInt8(ascii: "\n"))
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
    bytes.append(UInt8(ascii: "\n"))
  }
}
