import EventValues

/// One word of a command.
public struct Word: Sendable, Equatable {
  /// The text of the word, with its quotes and escapes resolved.
  public let text: String
  /// The offset of its first byte in the source; of an argument, its index.
  public let offset: Int
  /// Whether no part of it was quoted or escaped; only such a word can be an option.
  public let isBare: Bool

  /// Creates a word.
  public init(text: String, offset: Int, isBare: Bool) {
    self.text = text
    self.offset = offset
    self.isBare = isBare
  }
}

/// The words of one command.
public struct ScriptLine: Sendable, Equatable {
  /// The words in order, at least one if the line was read from a source.
  public let words: [Word]
  /// The offset of the first word.
  public let offset: Int

  /// Creates a line of words.
  public init(words: [Word], offset: Int) {
    self.words = words
    self.offset = offset
  }
}

/// Splits a script into the words of its commands, one line at a time.
///
///     script  := { line NL }                     UTF-8; a BOM is dropped, NUL is refused
///     NL      := [ CR ] LF
///     line    := [ command ] [ '#' comment ]     '#' first in the line, or before a blank, the
///     command := word { ws word }                line's end, '#' or '!'; #42 is a word
///     word    := bare | '…' | "…" with \" \\ \n | \c
///     text    := <<EOF … EOF                     the lines between, literally
///
/// At the start of any other word `#` is an error, as it may be meant as a label or as a comment. An
/// apostrophe between two letters is a letter of the word: `Don't`.
///
/// White space is the tab and, outside of quotes, whatever Unicode calls a space (Zs): the no-break
/// space that Alt-Space types looks like any other. Adjacent parts of a word are joined, and quotes may
/// contain a newline. A carriage return is dropped before a newline and at the end of the source, and
/// is literal within quotes and texts; anywhere else it is an error, since it looks like the end of
/// a line and is none. The bare word `<<NAME`, its name made of ASCII letters, digits and `_` and not
/// starting with a digit, stands for the lines after the line it is on, up to the line that is
/// `NAME` and nothing else; several are read in order. `<<` with anything else is an ordinary word.
///
/// No input traps. Time and memory are proportional to the source.
public struct Tokenizer: Sendable {
  private let source: SourceText
  /// The next byte to read.
  private var position: Int
  /// The error of the first byte not yet reported that no script may contain.
  private var fault: SyntaxError?
  /// The number of lines with a quote or a text that was still open at the end of the source.
  private(set) var openEnds = 0

  /// Starts reading a source; scans its bytes once for NUL and for what is not UTF-8.
  public init(_ source: SourceText) {
    self.source = source
    position = source.markLength
    fault = source.firstFault(from: 0)
  }

  /// Continues in a source already found free of faults, at the first word of a line.
  public init(resuming source: SourceText, at offset: Int) {
    self.source = source
    position = offset
    fault = nil
  }

  /// Reads the next line that has a command or an error; nil at the end of the source.
  ///
  /// Blank lines and comments are skipped. A line with an error yields no words, and reading
  /// continues after it; after a quote that is never closed it continues after the line that opens
  /// the quote, while a text `<<EOF` that never ends, and the third such quote, consume the rest of
  /// the source. Each line has at most one syntax error, and one more for each physical line with a
  /// byte that is refused.
  public mutating func next() -> Result<ScriptLine, SyntaxError>? {
    while true {
      if let fault, fault.offset < position {
        self.fault = source.firstFault(afterLineOf: fault.offset)
        return .failure(fault)
      }
      guard position < source.bytes.count else { return nil }
      let (words, error) = source.bytes.withUnsafeBufferPointer { bytes in
        var reader = LineReader(bytes, position: position)
        reader.readLine()
        position = reader.position
        if reader.endsInside { noteOpenEnd() }
        return (reader.words, reader.error)
      }
      if let error { return .failure(error) }
      let isSound = fault.map { $0.offset >= position } ?? true
      guard isSound, let first = words.first else { continue }
      return .success(ScriptLine(words: words, offset: first.offset))
    }
  }

  /// Reads a whole source: the lines without errors, and all errors in order.
  public static func lines(
    _ source: SourceText
  ) -> (lines: [ScriptLine], errors: [SyntaxError]) {
    var tokenizer = Tokenizer(source)
    var lines: [ScriptLine] = []
    var errors: [SyntaxError] = []
    while let result = tokenizer.next() {
      switch result {
      case .success(let line): lines.append(line)
      case .failure(let error): errors.append(error)
      }
    }
    errors.sort { $0.offset < $1.offset }
    return (lines, errors)
  }

  /// Whether the source ends inside a quote or a text `<<EOF`, so that a prompt asks for more.
  ///
  /// Other errors do not count.
  public static func isIncomplete(_ bytes: [UInt8]) -> Bool {
    var continuation = Continuation()
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: .newline).map { $0 + 1 } ?? rest.endIndex
      continuation.take(rest[..<end])
      rest = rest[end...]
    }
    return continuation.isOpen
  }

  /// Returns the name in the bare word `<<NAME`; nil if the word is anything else.
  static func heredocName(_ word: [UInt8]) -> ArraySlice<UInt8>? {
    guard word.starts(with: [.lessThan, .lessThan]) else { return nil }
    let name = word.dropFirst(2)
    guard let first = name.first, !(.zero ... .nine).contains(first) else { return nil }
    let isName = name.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
      default: false
      }
    }
    return isName ? name : nil
  }

  /// Consumes the rest of the source at the third quote that is never closed.
  ///
  /// Finding that a quote is never closed scans the whole source, and each line could have one.
  private mutating func noteOpenEnd() {
    openEnds += 1
    if openEnds > 2 { position = source.bytes.count }
  }
}

// MARK: - Lines

/// A reader of one logical line, with the texts that it refers to.
private struct LineReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte to read.
  private(set) var position: Int
  private(set) var words: [Word] = []
  /// The first error of the line.
  private(set) var error: SyntaxError?
  private(set) var endsInside = false
  /// The words whose texts are still to be read.
  private var heredocs: [(word: Int, name: String)] = []
  /// A buffer for texts that are not one run of bytes.
  private var parts: [UInt8] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  mutating func readLine() {
    if readWords() { position = min(position + 1, bytes.count) }
    if !heredocs.isEmpty { readHeredocs() }
  }

  /// Reads up to the newline; false if a quote of the last word is never closed.
  private mutating func readWords() -> Bool {
    while true {
      skipBlanks()
      guard position < bytes.count, bytes[position] != .newline else { return true }
      if bytes[position] == .hash, !isNumberReference(at: position) {
        if !words.isEmpty, !CommentMark.begins(bytes[position...]) {
          fail(CommentMark.unclear(bytes[position...]), at: position)
        }
        skipComment()
        return true
      }
      if words.isEmpty { words.reserveCapacity(8) }
      guard readWord() else { return false }
    }
  }

  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case .space, .tab: position += 1
      case .carriageReturn: skipCarriageReturns()
      default:
        let length = WideSpace.length(bytes[position...])
        guard length > 0 else { return }
        position += length
      }
    }
  }

  /// Skips the rest of the physical line.
  private mutating func skipComment() {
    let end = endOfLine(from: position)
    while position < end {
      position = firstIndex(
        from: position,
        marks: { $0.bytes(equalTo: .carriageReturn) | $0.bytes(equalTo: .newline) },
        where: { $0 == .carriageReturn || $0 == .newline }
      )
      if position < end { skipCarriageReturns() }
    }
  }

  /// Skips adjacent carriage returns, which are an error unless the line ends after them.
  private mutating func skipCarriageReturns() {
    let start = position
    while position < bytes.count, bytes[position] == .carriageReturn { position += 1 }
    guard position < bytes.count, bytes[position] != .newline else { return }
    fail("a carriage return ends no line here; end each line with a newline", at: start)
  }

  /// Whether the rest of the word that begins with this `#` is a number, or several.
  private func isNumberReference(at start: Int) -> Bool {
    CommentMark.isNumber(bytes[start...])
  }

  /// Sets the error unless the line has an earlier one.
  private mutating func fail(_ message: String, at offset: Int) {
    if let error, error.offset <= offset { return }
    error = SyntaxError(message: message, offset: offset)
  }
}

// MARK: - Words

extension LineReader {
  /// Reads the word that begins here; false if one of its quotes is never closed.
  private mutating func readWord() -> Bool {
    let start = position
    let (text, end) = singleRun(at: start)
    guard isEndOfWord(end) else { return readParts() }
    position = end
    append(string(text), offset: start, isBare: text.lowerBound == start)
    return true
  }

  /// Returns the text of a word that is one run of bare bytes or one quote that needs no change,
  /// and the end of that run, which is not the end of the word if more of it follows.
  private func singleRun(at start: Int) -> (text: Range<Int>, end: Int) {
    let quote = bytes[start]
    guard quote == .singleQuote || quote == .doubleQuote else {
      var end = endOfBareRun(from: start)
      while isApostrophe(end) { end = endOfBareRun(from: end + 1) }
      return (start..<end, end)
    }
    let end = endOfQuotedRun(from: start + 1, quote: quote)
    guard end < bytes.count, bytes[end] == quote else { return (start..<start, start) }
    return (start + 1..<end, end + 1)
  }

  private func isApostrophe(_ index: Int) -> Bool {
    index < bytes.count && bytes[index] == .singleQuote && Apostrophe.isOne(in: bytes, at: index)
  }

  private func isEndOfWord(_ index: Int) -> Bool {
    guard index < bytes.count else { return true }
    switch bytes[index] {
    case .space, .tab, .newline: return true
    case .carriageReturn: return isBeforeNewline(index)
    default: return WideSpace.length(bytes[index...]) > 0
    }
  }

  /// Whether the next byte is a newline or the end of the source.
  private func isBeforeNewline(_ index: Int) -> Bool {
    index + 1 >= bytes.count || bytes[index + 1] == .newline
  }

  private mutating func append(_ text: String, offset: Int, isBare: Bool) {
    if isBare, bytes[offset] == .lessThan, let name = Tokenizer.heredocName(Array(text.utf8)) {
      heredocs.append((words.count, String(decoding: name, as: UTF8.self)))
    }
    words.append(Word(text: text, offset: offset, isBare: isBare))
  }
}

// MARK: - Words of several parts

extension LineReader {
  /// Reads a word whose bytes are not its text; false if one of its quotes is never closed.
  private mutating func readParts() -> Bool {
    let start = position
    var isBare = true
    parts.removeAll(keepingCapacity: true)
    while position < bytes.count {
      switch bytes[position] {
      case .space, .tab, .newline:
        append(String(decoding: parts, as: UTF8.self), offset: start, isBare: isBare)
        return true
      case .carriageReturn:
        skipCarriageReturns()
      case .singleQuote where isApostrophe(position):
        takePart(upTo: position + 1)
      case .singleQuote, .doubleQuote:
        isBare = false
        guard readQuote() else { return false }
      case .backslash:
        isBare = false
        readEscape()
      default:
        let end = endOfBareRun(from: position)
        guard end > position else {
          append(String(decoding: parts, as: UTF8.self), offset: start, isBare: isBare)
          return true
        }
        takePart(upTo: end)
      }
    }
    append(String(decoding: parts, as: UTF8.self), offset: start, isBare: isBare)
    return true
  }

  private mutating func takePart(upTo end: Int) {
    parts.append(contentsOf: bytes[position..<end])
    position = end
  }

  /// Reads `\c` outside of quotes.
  private mutating func readEscape() {
    let start = position
    position += 1
    if position < bytes.count, bytes[position] == .carriageReturn { skipCarriageReturns() }
    guard position < bytes.count, bytes[position] != .newline else {
      return fail("a backslash cannot end a line", at: start)
    }
    takePart(upTo: position + 1)
  }

  /// Reads to the closing quote; without one, moves to the line after its start and returns false.
  private mutating func readQuote() -> Bool {
    let start = position
    let quote = bytes[start]
    position += 1
    while true {
      takePart(upTo: endOfQuotedRun(from: position, quote: quote))
      guard position < bytes.count else { break }
      switch bytes[position] {
      case quote:
        position += 1
        return true
      case .carriageReturn where isBeforeNewline(position): position += 1
      case .backslash: readQuotedEscape()
      default: takePart(upTo: position + 1)
      }
    }
    endsInside = true
    fail("the quote \(Character(Unicode.Scalar(quote))) is never closed", at: start)
    position = min(endOfLine(from: start) + 1, bytes.count)
    return false
  }

  /// Reads `\"`, `\\` or `\n` in double quotes; anything else is an error and taken literally.
  private mutating func readQuotedEscape() {
    switch position + 1 < bytes.count ? bytes[position + 1] : nil {
    case .doubleQuote, .backslash:
      position += 1
      takePart(upTo: position + 1)
    case .lowercaseN:
      position += 2
      parts.append(.newline)
    case .newline, .carriageReturn, nil:
      fail("a backslash cannot end a line", at: position)
      takePart(upTo: position + 1)
    default:
      fail(unknownEscape(), at: position)
      takePart(upTo: position + 1)
    }
  }

  private func unknownEscape() -> String {
    let next = String(decoding: bytes[(position + 1)...].prefix(4), as: UTF8.self).unicodeScalars
    let shown = escapedForTerminal(String(next.prefix(1)))
    return #"unknown escape '\\#(shown)'; in double quotes there are \", \\ and \n"#
  }
}

// MARK: - Texts of several lines

extension LineReader {
  /// Replaces each word `<<NAME` of the line by its text.
  private mutating func readHeredocs() {
    for (index, name) in heredocs {
      let word = words[index]
      guard let text = readHeredoc(until: name) else {
        endsInside = true
        position = bytes.count
        return fail("the text after <<\(name) never ends: no line is '\(name)'", at: word.offset)
      }
      words[index] = Word(text: text, offset: word.offset, isBare: false)
    }
  }

  /// Reads lines up to the one that is the name; nil if there is none.
  private mutating func readHeredoc(until name: String) -> String? {
    let start = position
    while position < bytes.count {
      let line = position
      let end = endOfLine(from: line)
      position = min(end + 1, bytes.count)
      if bytes[line..<endOfText(from: line, to: end)].elementsEqual(name.utf8) {
        return heredocText(start..<line)
      }
    }
    return nil
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// Returns the end of a line without the carriage return before its newline.
  private func endOfText(from start: Int, to end: Int) -> Int {
    end > start && bytes[end - 1] == .carriageReturn ? end - 1 : end
  }

  /// Returns the text of whole lines without the last newline and carriage returns before newlines.
  private mutating func heredocText(_ lines: Range<Int>) -> String {
    guard !lines.isEmpty else { return "" }
    guard bytes[lines].contains(.carriageReturn) else { return string(lines.dropLast()) }
    parts.removeAll(keepingCapacity: true)
    for index in lines where bytes[index] != .carriageReturn || !isBeforeNewline(index) {
      parts.append(bytes[index])
    }
    return String(decoding: parts.dropLast(), as: UTF8.self)
  }
}

// MARK: - Runs of bytes

extension LineReader {
  /// Returns the offset of the newline that ends the physical line, or the end of the source.
  private func endOfLine(from start: Int) -> Int {
    firstIndex(from: start, marks: { $0.bytes(equalTo: .newline) }, where: { $0 == .newline })
  }

  /// Returns the end of the bytes that are literal outside of quotes; the start at a space.
  private func endOfBareRun(from start: Int) -> Int {
    let end = firstIndex(from: start) {
      $0.bytesUpToSpace | $0.bytes(equalTo: .singleQuote) | $0.bytes(equalTo: .doubleQuote)
        | $0.bytes(equalTo: .backslash)
    } where: { byte in
      switch byte {
      case .space, .tab, .newline, .carriageReturn, .singleQuote, .doubleQuote, .backslash: true
      default: false
      }
    }
    return (start..<end).first { bytes[$0] >= 0xC2 && WideSpace.length(bytes[$0...]) > 0 } ?? end
  }

  /// Returns the end of the bytes that are literal between these quotes.
  private func endOfQuotedRun(from start: Int, quote: UInt8) -> Int {
    let escape: UInt8 = quote == .doubleQuote ? .backslash : quote
    return firstIndex(from: start) {
      $0.bytes(equalTo: quote) | $0.bytes(equalTo: escape) | $0.bytes(equalTo: .carriageReturn)
    } where: {
      $0 == quote || $0 == escape || $0 == .carriageReturn
    }
  }

  /// Returns the index of the first matching byte from an index on, or the end of the source.
  ///
  /// Examines eight bytes at a time; the marks may have bytes that do not match.
  @inline(__always)
  private func firstIndex(
    from start: Int,
    marks: (UInt64) -> UInt64,
    where isWanted: (UInt8) -> Bool
  ) -> Int {
    var index = start
    while bytes.count - index >= 8 {
      let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let marked = marks(UInt64(littleEndian: word))
      guard marked != 0 else {
        index += 8
        continue
      }
      index += marked.trailingZeroBitCount / 8
      if isWanted(bytes[index]) { return index }
      index += 1
    }
    while index < bytes.count, !isWanted(bytes[index]) { index += 1 }
    return index
  }
}

extension UInt64 {
  /// The top bit of each byte that is zero; correct up to the first of them.
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// The top bit of each byte that equals a byte; correct up to the first of them.
  fileprivate func bytes(equalTo byte: UInt8) -> UInt64 {
    Self.zeroBytes(self ^ (0x0101_0101_0101_0101 &* UInt64(byte)))
  }

  /// The top bit of each byte that is 0x20 or less; correct up to the first of them.
  fileprivate var bytesUpToSpace: UInt64 {
    (self &- 0x2121_2121_2121_2121) & ~self & 0x8080_8080_8080_8080
  }
}
