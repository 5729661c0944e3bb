import EventCommands
import EventMVVM
import JSONText

/// The buffered bytes of a recording: a line is one JSON object, and ends with a
/// checksum.
struct RecordingLine {
  /// The bytes.
  private(set) var bytes: [UInt8] = []
  private var start = 0

  /// Begins a line.
  mutating func begin() {
    start = bytes.count
    bytes.append(UInt8(ascii: "{"))
  }

  /// Ends a line with a checksum of its contents.
  mutating func end() {
    let check = RecordingCheck.of(bytes[start...])
    literal(#","check":""#)
    for place in stride(from: 28, through: 0, by: -4) {
      let digit = UInt8(check >> UInt32(place) & 15)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
    }
    literal("\"}\n")
  }

  mutating func literal(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ event: EventLine, type: [UInt8], body: [UInt8]?, session: UInt64) {
    event.append(to: &bytes, type: type, body: body, session: session)
  }

  mutating func append(_ json: [UInt8]) { bytes.append(contentsOf: json) }

  mutating func append(_ number: UInt64) {
    bytes.append(contentsOf: String(number).utf8)
  }

  mutating func append(_ text: String) {
    var json = JSONWriter()
    json.value(text)
    bytes.append(contentsOf: json.bytes)
  }

  /// Removes and returns the bytes.
  mutating func take() -> [UInt8] {
    defer {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    }
    return bytes
  }
}

/// A checksum that shows whether a line is unchanged (FNV-1a, 32 bits): no protection from
/// malice.
enum RecordingCheck {
  /// The length of the checksum and the end of the line, in bytes without the newline.
  static let length = 20

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash
  }

  /// Whether a whole line, without its newline, is unchanged.
  static func holds(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > length else { return false }
    let text = String(of(line.dropLast(length)), radix: 16)
    let check = String(repeating: "0", count: 8 - text.count) + text
    return line.suffix(length).elementsEqual(",\"check\":\"\(check)\"}".utf8)
  }
}
