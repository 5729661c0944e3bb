import Dispatch
import Foundation
import Synchronization

/// The index of a recording, which a thread of its own builds while others ask; and goes on building, as long as the
/// recording is written to.
///
/// It holds where each event is, not the events: some 80 bytes for each.
public final class RecordingIndex: Sendable {
  /// The recording's file name, without its folder.
  public let name: String
  /// Its path.
  public let path: String
  let file: RecordingFile
  private let latest: Mutex<RecordingContents>
  private let isEnded = Atomic(false)

  /// How much is read at once, in bytes.
  private static let portion = 1 << 20
  /// The longest line, in bytes.
  private static let longestLine = 1 << 30
  /// How often a file is looked at that may grow, in microseconds.
  private static let pause: UInt32 = 100_000

  /// Opens a recording, and begins to read it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - name: Its name for people; that of the file unless given.
  /// - Throws: A `RecordingProblem` if it is none.
  public init(path: String, name: String? = nil) throws(RecordingProblem) {
    self.path = path
    self.name = name ?? String(path.split(separator: "/").last ?? "")
    file = try RecordingFile(path: path)
    var reader = LineReader()
    let first = try Self.firstLine(of: file)
    try reader.readHeader(first)
    reader.advance(to: UInt64(first.count + 1), of: file.size)
    latest = Mutex(reader.contents)
    Thread.detachNewThread { [weak self, file, reader] in
      Self.read(file, reader) { contents in
        guard let self, !self.isClosed else { return false }
        self.latest.withLock { $0 = contents }
        return true
      }
    }
  }

  /// Whether nothing more is read.
  public var isClosed: Bool { isEnded.load(ordering: .acquiring) }

  /// Ends the reading: the recording is no longer written.
  public func close() { isEnded.store(true, ordering: .releasing) }

  /// What is known so far.
  public var contents: RecordingContents { latest.withLock { $0 } }

  private static func firstLine(of file: RecordingFile) throws(RecordingProblem) -> [UInt8] {
    var count = 4096
    while true {
      let bytes = file.bytes(count, at: 0)
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return Array(bytes[..<end]) }
      guard bytes.count == count, count < portion * 16 else {
        throw RecordingProblem("this is no recording that this program can read", line: 1)
      }
      count *= 4
    }
  }

  /// Reads the lines from the second on.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - reader: What has read the first line.
  ///   - publish: Called with the contents after each portion; false ends it.
  private static func read(
    _ file: RecordingFile,
    _ reader: LineReader,
    _ publish: (RecordingContents) -> Bool
  ) {
    var (reader, offset) = (reader, reader.contents.indexed)
    var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: portion, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = file.read(into: buffer, at: offset)
      let used = lines(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line, start in
        reader.read(line, at: offset + UInt64(start))
      }
      offset += UInt64(used)
      reader.advance(to: offset, of: max(file.size, offset))
      guard publish(reader.contents), !reader.contents.isWhole else { return }
      if count == buffer.count, used == 0 {
        guard buffer.count < longestLine else { return }
        let size = buffer.count * 2
        buffer.deallocate()
        buffer = .allocate(byteCount: size, alignment: 16)
      } else if count < buffer.count {
        usleep(pause)
      }
    }
  }

  /// Calls back with each complete line and where it begins, and returns how many bytes they are.
  private static func lines(
    in bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, Int) -> Void
  ) -> Int {
    var start = 0
    while start < bytes.count, let first = bytes.baseAddress,
      let end = memchr(first + start, 10, bytes.count - start)
    {
      let index = UnsafeRawPointer(end) - first
      body(UnsafeRawBufferPointer(rebasing: bytes[start..<index]), start)
      start = index + 1
    }
    return start
  }
}
