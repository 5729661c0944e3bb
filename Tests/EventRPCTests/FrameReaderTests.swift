import EventMVVMTesting
import Testing

@testable import EventRPC

@Suite(.hangLimit) struct FrameReaderTests {
  private static let stream =
    "\r\ncontent-length: 2\r\nX: y\r\n\r\n{}" + "Content-Length: x\n\n{}"
    + "Content-Length: 5\n\n[1,2]"
  private static let expected: [FrameReader.Found] = [
    .message(Array("{}".utf8)), .fault(.lengthInvalid), .message(Array("[1,2]".utf8)),
  ]

  /// All that is found in pieces that come one after the other.
  private static func found(in pieces: [[UInt8]]) -> [FrameReader.Found] {
    var reader = FrameReader()
    var found: [FrameReader.Found] = []
    for piece in pieces {
      reader.append(piece)
      while let next = reader.next() { found.append(next) }
    }
    if let last = reader.end() { found.append(last) }
    return found
  }

  @Test func `a stream means the same wherever it is split in two`() {
    let bytes = Array(Self.stream.utf8)
    for index in 0...bytes.count {
      let found = Self.found(in: [Array(bytes[..<index]), Array(bytes[index...])])
      #expect(found == Self.expected, "split at \(index)")
    }
  }

  @Test func `a stream means the same byte by byte`() {
    #expect(Self.found(in: Self.stream.utf8.map { [$0] }) == Self.expected)
  }

  @Test func `lines mean the same byte by byte`() {
    let bytes = Array("\n[1]\r\n\n{}\nlast".utf8)
    #expect(
      Self.found(in: bytes.map { [$0] })
        == [
          .message(Array("[1]\r".utf8)), .message(Array("{}".utf8)),
          .message(Array("last".utf8)),
        ]
    )
  }

  @Test(
    arguments: [
      ("C", Framing.headers), ("z", .headers), ("{", .lines), ("[", .lines), ("1", .lines),
      ("\"", .lines), (" \n{", .lines), ("@", .lines),
    ])
  func `the first byte that is not blank decides`(_ text: String, _ framing: Framing) {
    var reader = FrameReader()
    reader.append(Array(text.utf8))
    _ = reader.next()
    #expect(reader.framing == framing)
  }

  @Test func `what is announced takes no memory`() {
    var reader = FrameReader()
    reader.append(Array("Content-Length: 16777216\r\n\r\n{".utf8))
    #expect(reader.next() == nil)
    #expect(reader.capacity < 1_000_000)
  }

  @Test func `a line without an end is thrown away while it comes`() {
    var reader = FrameReader()
    reader.append(Array("[".utf8))
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    var found: [FrameReader.Found] = []
    for _ in 0..<20 {
      reader.append(piece)
      while let next = reader.next() { found.append(next) }
      #expect(reader.capacity < 40_000_000)
    }
    reader.append(Array("]\n[]\n".utf8))
    while let next = reader.next() { found.append(next) }
    #expect(found == [.fault(.messageTooLong), .message(Array("[]".utf8))])
  }

  @Test func `nonsense behind bad headers is thrown away while it comes`() {
    var reader = FrameReader()
    reader.append(Array("Content-Length: -1\r\n\r\n".utf8))
    #expect(reader.next() == .fault(.lengthInvalid))
    let piece = [UInt8](repeating: 0x78, count: 1 << 20)
    for _ in 0..<16 {
      reader.append(piece)
      #expect(reader.next() == nil)
      #expect(reader.capacity < 5_000_000)
    }
    reader.append(Array("\nContent-Length: 2\r\n\r\n{}".utf8))
    #expect(reader.next() == .message(Array("{}".utf8)))
  }

  @Test func `a message is framed as it came`() {
    #expect(Framing.lines.frame([0x7B, 0x7D]) == Array("{}\n".utf8))
    #expect(Framing.headers.frame([0x7B, 0x7D]) == Array("Content-Length: 2\r\n\r\n{}".utf8))
  }
}
