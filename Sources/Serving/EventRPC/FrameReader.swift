import Foundation

/// Finds the messages in the bytes of a pipe, however they are split into pieces.
///
/// Bytes that are no frame are reported, and then skipped up to the next one: after bad headers
/// that is the next `Content-Length` at the start of a line or right after a closing bracket, as
/// the length of their message is unknown; no JSON text can look like one. Memory is allocated for
/// bytes that have arrived, never for an announced length.
package struct FrameReader: Sendable {
  /// A message or a fault.
  package enum Found: Sendable, Equatable {
    /// A message, which is not parsed yet.
    case message([UInt8])
    /// Bytes that are no message.
    case fault(FrameFault)
  }

  /// The most bytes of a message.
  package static let longestMessage = 16_777_216
  /// The most bytes of the headers of a message.
  package static let longestHeaders = 65_536

  private enum Place {
    /// Before the first byte, which determines the framing.
    case start
    /// Before a line, which is a message.
    case line
    /// In a line that exceeds the limit.
    case longLine
    /// In the headers of a message.
    case headers(FrameHeaders)
    /// In a message of this length.
    case body(Int)
    /// After bytes that were no frame.
    case lost
  }

  /// The framing of messages; nil while there were only blanks.
  package private(set) var framing: Framing?
  private var place = Place.start
  private var bytes: [UInt8] = []
  /// The index of the first unprocessed byte.
  private var first = 0
  /// The index up to which a search has found nothing.
  private var searched = 0

  /// Creates a reader that has read nothing.
  package init() {}

  /// Appends bytes that have arrived.
  package mutating func append(_ more: UnsafeRawBufferPointer) {
    if first == bytes.count {
      reset()
    } else if first > 0 {
      bytes.removeFirst(first)
      searched -= first
      first = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Appends bytes that have arrived.
  package mutating func append(_ more: [UInt8]) {
    more.withUnsafeBytes { append($0) }
  }

  /// Returns the next message or fault; nil if more bytes are needed.
  package mutating func next() -> Found? {
    while true {
      switch place {
      case .start:
        guard begin() else { return nil }
      case .line:
        guard let end = endOfLine() else {
          guard bytes.count - first > Self.longestMessage else { return nil }
          reset()
          place = .longLine
          return .fault(.messageTooLong)
        }
        let line = take(upTo: end - 1)
        skip(to: end)
        if line.count > Self.longestMessage { return .fault(.messageTooLong) }
        if !line.allSatisfy(\.isBlank) { return .message(line) }
      case .longLine:
        guard let end = endOfLine() else {
          reset()
          return nil
        }
        skip(to: end)
        place = .line
      case .headers(let headers):
        switch read(headers) {
        case .more: return nil
        case .body(let length): place = .body(length)
        case .fault(let fault): return .fault(fault)
        }
      case .body(let length):
        guard bytes.count - first >= length else { return nil }
        place = .headers(FrameHeaders())
        return .message(take(upTo: first + length))
      case .lost:
        guard findHeader() else { return nil }
        place = .headers(FrameHeaders())
      }
    }
  }

  /// The bytes so far of a message whose length was announced.
  package var unfinishedMessage: [UInt8] {
    if case .body = place { Array(bytes[first...]) } else { [] }
  }

  /// Returns what is left at the end of input: a last line or a frame without an end.
  package mutating func end() -> Found? {
    defer {
      reset()
      place = framing == .lines ? .line : .lost
    }
    let rest = bytes[first...]
    switch place {
    case .start, .longLine, .lost: return nil
    case .line: return rest.allSatisfy(\.isBlank) ? nil : .message(Array(rest))
    case .headers(let headers):
      return headers.isEmpty && rest.allSatisfy(\.isBlank) ? nil : .fault(.inputEnded)
    case .body: return .fault(.inputEnded)
    }
  }

  // MARK: Bytes

  /// Whether there are unprocessed bytes: another message, or the beginning of one.
  package var hasRest: Bool { first < bytes.count }

  /// The bytes that memory is allocated for.
  var capacity: Int { bytes.capacity }

  private mutating func reset() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.longestHeaders)
    first = 0
    searched = 0
  }

  private mutating func skip(to end: Int) {
    first = end
    searched = end
  }

  private mutating func take(upTo end: Int) -> [UInt8] {
    defer { skip(to: end) }
    return Array(bytes[first..<end])
  }

  /// Returns the index after the next line feed; each byte is examined once.
  private mutating func endOfLine() -> Int? {
    let from = max(first, searched)
    let found = bytes.withUnsafeBytes { bytes -> Int? in
      guard let start = bytes.baseAddress, from < bytes.count else { return nil }
      let end = memchr(start + from, Int32(UInt8(ascii: "\n")), bytes.count - from)
      return end.map { UnsafeRawPointer($0) - start }
    }
    searched = found.map { $0 + 1 } ?? bytes.count
    return found.map { $0 + 1 }
  }

  /// Skips blanks and determines the framing.
  private mutating func begin() -> Bool {
    guard let index = bytes[first...].firstIndex(where: { !$0.isBlank }) else {
      reset()
      return false
    }
    skip(to: index)
    let framing = Framing(first: bytes[index])
    self.framing = framing
    place = framing == .lines ? .line : .headers(FrameHeaders())
    return true
  }

  // MARK: Headers

  private enum Headers {
    case more
    case body(Int)
    case fault(FrameFault)
  }

  /// Reads lines up to an empty one; nothing is consumed before that, in case it has to be read
  /// again.
  private mutating func read(_ begun: FrameHeaders) -> Headers {
    var headers = begun
    while let end = endOfLine() {
      let start = first + headers.length
      let line = bytes[start..<end].dropLast()
      headers.length = end - first
      if line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) {
        if headers.isEmpty {
          // Blank lines between frames are ignored.
          skip(to: end)
          headers = FrameHeaders()
          continue
        }
        return finish(headers)
      }
      headers.take(line)
      if headers.length > Self.longestHeaders { break }
    }
    guard bytes.count - first > Self.longestHeaders else {
      place = .headers(headers)
      return .more
    }
    place = .lost
    searched = first
    return .fault(.headersTooLong)
  }

  private mutating func finish(_ headers: FrameHeaders) -> Headers {
    do {
      let length = try headers.contentLength()
      skip(to: first + headers.length)
      return .body(length)
    } catch {
      place = .lost
      // One byte stays, as the byte before the next header is examined.
      if error != .lengthMissing { skip(to: first + headers.length - 1) }
      searched = first
      return .fault(error)
    }
  }

  /// Searches for the beginning of headers in bytes that are no frame.
  private mutating func findHeader() -> Bool {
    var index = max(searched, first + 1)
    while index + FrameHeaders.name.count <= bytes.count {
      if bytes[index - 1].endsFrame, FrameHeaders.isName(bytes[index...]) {
        let value = bytes[(index + FrameHeaders.name.count)...].prefix(FrameHeaders.longestValue)
        guard let end = value.firstIndex(of: UInt8(ascii: "\n")) else {
          if value.count == FrameHeaders.longestValue {
            index += 1
            continue
          }
          skip(to: index - 1)
          searched = index
          return false
        }
        if FrameHeaders.number(in: value[..<end]) != nil {
          skip(to: index)
          return true
        }
      }
      index += 1
    }
    skip(to: max(first, min(index, bytes.count) - 1))
    searched = index
    return false
  }
}

extension UInt8 {
  /// Whether it is white space of JSON.
  fileprivate var isBlank: Bool {
    switch self {
    case 0x20, 0x09, 0x0A, 0x0D: true
    default: false
    }
  }

  /// Whether a header can begin after it: a line ends, or a message does.
  fileprivate var endsFrame: Bool {
    self == UInt8(ascii: "\n") || self == UInt8(ascii: "}") || self == UInt8(ascii: "]")
  }
}
