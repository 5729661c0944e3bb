/// Reads a script line by line, and determines whether it must be continued: whether a quote or a
/// text `<<EOF` is still open.
///
/// Its result equals that of ``Tokenizer`` for all input. Each byte is examined once, so the time
/// is proportional to the number of bytes, however many lines there are.
public struct Continuation: Sendable {
  private enum Place {
    /// Outside of words.
    case between
    /// In a word, outside of quotes.
    case word
    /// In a quote that this character closes.
    case quote(UInt8)
    /// In the lines of a text.
    case text
  }

  private var place = Place.between
  /// The bytes of the word so far; nil if there is no word, or if it can't be `<<EOF`.
  private var bareWord: [UInt8]?
  /// The names of the texts that are still to be read: in order while their line is read, then in
  /// reverse.
  private var names: [ArraySlice<UInt8>] = []
  private var isAtStart = true
  /// The line that is read.
  private var line: [UInt8] = []

  /// Starts before the first line of a source.
  public init() {}

  /// Whether the source must be continued: a prompt asks for more, and the end of a source is an
  /// error.
  public var isOpen: Bool { missing != nil }

  /// What ends what is open: a quote, or the name of a text; nil if nothing is open.
  package var missing: String? {
    switch place {
    case .quote(let quote): String(UnicodeScalar(quote))
    case .text: names.last.map { String(decoding: $0, as: UTF8.self) }
    case .between, .word: names.first.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Reads the next line, with its newline unless it is the last of the source.
  public mutating func take(_ line: some Sequence<UInt8>) {
    self.line = Array(line)
    var rest = self.line[...]
    if isAtStart, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    isAtStart = false
    if case .text = place { return takeText(rest) }
    while !rest.isEmpty { takeByte(&rest) }
    endLine()
  }
}

// MARK: - Commands

extension Continuation {
  /// Reads the next byte, and the bytes that belong to it.
  private mutating func takeByte(_ rest: inout ArraySlice<UInt8>) {
    switch place {
    case .quote(let quote): takeQuoted(&rest, quote)
    case .word: takeOfWord(&rest)
    case .between, .text:
      switch rest.first {
      case .space, .tab, .carriageReturn, .newline: rest.removeFirst()
      case .hash where !CommentMark.isNumber(rest): rest = rest.suffix(0)
      case _ where WideSpace.length(rest) > 0: rest = rest.dropFirst(WideSpace.length(rest))
      default:
        place = .word
        bareWord = []
      }
    }
  }

  private mutating func takeOfWord(_ rest: inout ArraySlice<UInt8>) {
    let space = WideSpace.length(rest)
    guard space == 0 else {
      rest = rest.dropFirst(space)
      return endWord()
    }
    let index = rest.startIndex
    let byte = rest.removeFirst()
    switch byte {
    case .singleQuote where Apostrophe.isOne(in: line, at: index): bareWord?.append(byte)
    case .space, .tab, .newline: endWord()
    case .carriageReturn: break
    case .singleQuote, .doubleQuote:
      place = .quote(byte)
      bareWord = nil
    case .backslash:
      bareWord = nil
      rest = rest.drop { $0 == .carriageReturn }
      if let next = rest.first, next != .newline { rest.removeFirst() }
    default:
      // Only a word that begins like `<<EOF` is worth keeping.
      if bareWord?.isEmpty == true, byte != .lessThan { bareWord = nil }
      bareWord?.append(byte)
    }
  }

  private mutating func takeQuoted(_ rest: inout ArraySlice<UInt8>, _ quote: UInt8) {
    let byte = rest.removeFirst()
    if byte == quote {
      place = .word
    } else if byte == .backslash, quote == .doubleQuote, let next = rest.first,
      next == .doubleQuote || next == .backslash
    {
      rest.removeFirst()
    }
  }

  private mutating func endWord() {
    place = .between
    if let name = bareWord.flatMap(Tokenizer.heredocName) { names.append(name) }
    bareWord = nil
  }

  private mutating func endLine() {
    if case .word = place { endWord() }
    guard case .between = place, !names.isEmpty else { return }
    names.reverse()
    place = .text
  }
}

// MARK: - Texts

extension Continuation {
  private mutating func takeText(_ line: ArraySlice<UInt8>) {
    var text = line
    if text.last == .newline { text.removeLast() }
    if text.last == .carriageReturn { text.removeLast() }
    guard let name = names.last, text == name else { return }
    names.removeLast()
    if names.isEmpty { place = .between }
  }
}
