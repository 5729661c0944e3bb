/// The headers before a message that have been read so far: only one of them matters.
struct FrameHeaders: Sendable {
  /// The header that matters, in lower case, with its colon.
  static let name = Array("content-length:".utf8)
  /// The most bytes of its value, including blanks and the end of the line.
  static let longestValue = 64

  /// The bytes of the lines so far.
  var length = 0
  private var given = ContentLength.missing
  private var hasLines = false

  /// The length in the headers.
  private enum ContentLength: Sendable, Equatable {
    case missing, conflicting, invalid
    case bytes(Int)
  }

  /// Whether no line has been read.
  var isEmpty: Bool { !hasLines }

  /// Reads a line without its line feed.
  mutating func take(_ line: ArraySlice<UInt8>) {
    hasLines = true
    guard Self.isName(line) else { return }
    let number = Self.number(in: line.dropFirst(Self.name.count))
    let length = number.map { ContentLength.bytes($0) } ?? .invalid
    // There may be any number of headers; it suffices to note that two differ.
    given = given == .missing || given == length ? length : .conflicting
  }

  /// Returns the length in the headers.
  func contentLength() throws(FrameFault) -> Int {
    switch given {
    case .missing: throw .lengthMissing
    case .conflicting: throw .lengthsConflict
    case .invalid: throw .lengthInvalid
    case .bytes(let length):
      guard length <= FrameReader.longestMessage else { throw .messageTooLong }
      return length
    }
  }

  /// Whether a line begins with the header that matters, in any case.
  static func isName(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count >= name.count else { return false }
    return zip(line, name)
      .allSatisfy { byte, expected in
        byte == expected || ((0x41...0x5A).contains(byte) && byte | 0x20 == expected)
      }
  }

  /// Returns a number with blanks around it; one beyond all limits counts as the largest.
  static func number(in value: ArraySlice<UInt8>) -> Int? {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard let start = value.firstIndex(where: { !isBlank($0) }),
      let end = value.lastIndex(where: { !isBlank($0) })
    else { return nil }
    var number = 0
    for byte in value[start...end] {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (tens, isTooMuch) = number.multipliedReportingOverflow(by: 10)
      let (sum, isMore) = tens.addingReportingOverflow(Int(byte - 0x30))
      if isTooMuch || isMore { return .max }
      number = sum
    }
    return number
  }
}
