/// How messages are separated on a pipe.
package enum Framing: UInt8, Sendable, Equatable {
  /// `Content-Length` headers before each message, as in the Language Server Protocol.
  case headers
  /// One message a line, as in the Model Context Protocol.
  case lines

  /// Creates the framing from the first byte that is not blank: a letter begins a header, any other
  /// byte a message.
  package init(first byte: UInt8) {
    self = (0x41...0x5A).contains(byte & 0xDF) ? .headers : .lines
  }

  /// Returns a message with its framing, in one piece: two writes could be read as two pieces.
  package func frame(_ message: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    frame.reserveCapacity(message.count + Self.mostBytes)
    append(message, to: &frame)
    return frame
  }

  /// The most bytes of framing around a message.
  static let mostBytes = 40

  /// Appends a message with its framing.
  func append(_ message: [UInt8], to frames: inout [UInt8]) {
    switch self {
    case .lines:
      frames += message
      frames.append(UInt8(ascii: "\n"))
    case .headers:
      frames += Self.beforeLength
      Self.append(message.count, to: &frames)
      frames += Self.afterLength
      frames += message
    }
  }

  // Created once, as each message has them.
  private static let beforeLength = Array("Content-Length: ".utf8)
  private static let afterLength = Array("\r\n\r\n".utf8)

  /// Appends a number of bytes in decimal.
  private static func append(_ count: Int, to frame: inout [UInt8]) {
    if count > 9 { append(count / 10, to: &frame) }
    frame.append(UInt8(ascii: "0") + UInt8(count % 10))
  }
}

/// A fault in the bytes between two messages.
package enum FrameFault: Error, Sendable, Equatable {
  /// Headers without `Content-Length`.
  case lengthMissing
  /// Two lengths that differ.
  case lengthsConflict
  /// A length that is no number, or negative.
  case lengthInvalid
  /// A message beyond the limit.
  case messageTooLong
  /// Headers without an end.
  case headersTooLong
  /// The input ended inside a message.
  case inputEnded

  /// The fault, for the developer of the other end.
  package var message: String {
    switch self {
    case .lengthMissing: "a message has no Content-Length"
    case .lengthsConflict: "a message has two Content-Lengths that differ"
    case .lengthInvalid: "a Content-Length is no number of bytes"
    case .messageTooLong: "a message has at most \(FrameReader.longestMessage) bytes"
    case .headersTooLong:
      "the headers of a message have at most \(FrameReader.longestHeaders) bytes"
    case .inputEnded: "the input ended inside a message"
    }
  }
}
