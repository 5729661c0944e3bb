import EventMVVM

/// A line and a column of a source.
public struct SourcePosition: Sendable, Hashable {
  /// The line, counted from 1.
  public let line: Int
  /// The column, counted from 1 in extended grapheme clusters, which people see as characters.
  public let column: Int

  /// Creates the position of a line and a column, both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// The bytes of a script and its name.
///
/// Positions in it are byte offsets; lines and columns are computed only for those that people see.
public struct SourceText: Sendable {
  /// The name of the source, for people: `plan.todo`, `<stdin>`.
  public let name: String
  /// The bytes as they were read, meant to be UTF-8 but not yet checked.
  public let bytes: [UInt8]
  /// The offset that was last requested, and its line.
  private let known = Locked((offset: 0, line: 1))

  /// Creates a source of any bytes.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Returns the line and column of a byte; an offset outside the source counts as its nearest end.
  ///
  /// A byte inside a character has the column of the character. The time is proportional to the
  /// length of the line and to the distance from the offset that was requested before: all errors
  /// of a source, in order, take one pass.
  public func position(atByte offset: Int) -> SourcePosition {
    let offset = clamped(offset)
    return SourcePosition(line: line(atByte: offset), column: column(atByte: offset))
  }

  /// Returns the physical line around a byte, without its end and without a byte order mark.
  ///
  /// A newline belongs to the line it ends. Bytes that are not UTF-8 read as U+FFFD.
  public func line(containing offset: Int) -> String {
    let start = startOfLine(containing: clamped(offset))
    return String(decoding: bytes[start..<endOfLine(from: start)], as: UTF8.self)
  }
}

extension SourceText {
  /// The length of the byte order mark the source may begin with.
  internal var markLength: Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  private func line(atByte offset: Int) -> Int {
    known.withLock { known in
      known.line += newlines(in: known.offset..<max(known.offset, offset))
      known.line -= newlines(in: offset..<max(known.offset, offset))
      known.offset = offset
      return known.line
    }
  }

  private func newlines(in range: Range<Int>) -> Int {
    bytes[range].reduce(into: 0) { count, byte in count &+= byte == .newline ? 1 : 0 }
  }

  private func clamped(_ offset: Int) -> Int {
    min(max(offset, markLength), bytes.count)
  }

  private func startOfLine(containing offset: Int) -> Int {
    bytes[..<offset].lastIndex(of: .newline).map { $0 + 1 } ?? markLength
  }

  private func endOfLine(from start: Int) -> Int {
    let end = bytes[start...].firstIndex(of: .newline) ?? bytes.count
    return end > start && bytes[end - 1] == .carriageReturn ? end - 1 : end
  }

  private func column(atByte offset: Int) -> Int {
    let line = line(containing: offset)
    let before = String(
      decoding: bytes[startOfLine(containing: offset)..<offset],
      as: UTF8.self
    )
    let length = before.utf8.count
    let target = line.utf8.index(line.startIndex, offsetBy: length, limitedBy: line.endIndex)
    var index = line.startIndex
    var column = 1
    while index < line.endIndex {
      index = line.index(after: index)
      guard index <= target ?? line.endIndex else { break }
      column += 1
    }
    return column
  }
}

extension SourceText {
  /// Returns the error of the first byte from an offset on that no script may contain; nil if none.
  ///
  /// These are NUL and whatever is not well-formed UTF-8 (Unicode 16, table 3-7).
  internal func firstFault(from offset: Int) -> SyntaxError? {
    bytes.withUnsafeBytes { buffer in
      var index = offset
      while index < buffer.count {
        index = Self.endOfPlainBytes(in: buffer, from: index)
        guard index < buffer.count else { break }
        let length = buffer[index] == 0 ? nil : Self.sequenceLength(in: buffer, at: index)
        guard let length else { return Self.fault(byte: buffer[index], at: index) }
        index += length
      }
      return nil
    }
  }

  /// Returns the error of the first such byte after the physical line of another.
  internal func firstFault(afterLineOf offset: Int) -> SyntaxError? {
    bytes[offset...].firstIndex(of: .newline).flatMap { firstFault(from: $0) }
  }

  /// Skips ASCII other than NUL, eight bytes at a time while there are that many.
  private static func endOfPlainBytes(in buffer: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while buffer.count - index >= 8 {
      let word = buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // The top bits of a byte and of that byte less one are both clear only if it is 1…127.
      guard ((word &- 0x0101_0101_0101_0101) | word) & 0x8080_8080_8080_8080 == 0 else { break }
      index += 8
    }
    while index < buffer.count, buffer[index] &- 1 < 0x7F { index += 1 }
    return index
  }

  /// Returns the length of the well-formed sequence that begins at an index; nil if none does.
  private static func sequenceLength(in buffer: UnsafeRawBufferPointer, at index: Int) -> Int? {
    let length: Int
    let second: ClosedRange<UInt8>
    switch buffer[index] {
    case 0x01...0x7F: return 1
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return nil
    }
    guard index + length <= buffer.count, second.contains(buffer[index + 1]) else { return nil }
    for next in index + 2..<max(index + length, index + 2)
    where buffer[next] & 0xC0 != 0x80 { return nil }
    return length
  }

  private static func fault(byte: UInt8, at offset: Int) -> SyntaxError {
    guard byte != 0 else {
      return SyntaxError(message: "a script cannot contain the character NUL", offset: offset)
    }
    let digits = String(byte, radix: 16, uppercase: true)
    return SyntaxError(message: "the byte 0x\(digits) is not valid UTF-8 here", offset: offset)
  }
}

/// The bytes that have a meaning in the language of scripts.
extension UInt8 {
  static var tab: UInt8 { 0x09 }
  static var newline: UInt8 { 0x0A }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var doubleQuote: UInt8 { 0x22 }
  static var hash: UInt8 { 0x23 }
  static var singleQuote: UInt8 { 0x27 }
  static var zero: UInt8 { 0x30 }
  static var nine: UInt8 { 0x39 }
  static var lessThan: UInt8 { 0x3C }
  static var backslash: UInt8 { 0x5C }
  static var lowercaseN: UInt8 { 0x6E }
}
