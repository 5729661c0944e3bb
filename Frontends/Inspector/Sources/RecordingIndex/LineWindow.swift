/// A part of a file that is held in memory, so that lines that lie together are read together.
struct LineWindow {
  private let file: RecordingFile
  private var start: UInt64 = 0
  private var bytes: [UInt8] = []

  /// How much is read at once where the next line lies near, in bytes.
  private static let portion = 1 << 18

  init(_ file: RecordingFile) { self.file = file }

  /// Calls back with the line of an event; with blanks if it is no longer in the file.
  mutating func withLine<Result>(
    of event: EventEntry,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let length = Int(event.length)
    if event.offset < start || event.offset + UInt64(length) > start + UInt64(bytes.count) {
      load(event)
    }
    let first = Int(event.offset - start)
    // A file that has become shorter has fewer.
    let range = min(first, bytes.count)..<min(first + length, bytes.count)
    guard range.count == length else {
      return [UInt8](repeating: 32, count: length).withUnsafeBytes(body)
    }
    return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  private mutating func load(_ event: EventEntry) {
    let end = start + UInt64(bytes.count)
    let isNear = event.offset >= start && event.offset < end + 65_536
    start = event.offset
    bytes = file.bytes(max(Int(event.length), isNear || end == 0 ? Self.portion : 0), at: start)
  }
}
