/// The grammar of scripts, read off its documentation one byte after another.
///
/// It is slow, and has no eye for where an error stands; the real one has to give the same words.
struct PlainTokenizer {
  private let all: [UInt8]
  private var rest: ArraySlice<UInt8>
  private var names: [(word: Int, name: [UInt8])] = []

  /// The words of each line; nil if there is any error.
  static func words(_ bytes: [UInt8]) -> [[String]]? {
    var tokenizer = PlainTokenizer(bytes)
    var lines: [[String]] = []
    while !tokenizer.rest.isEmpty {
      guard let line = tokenizer.line() else { return nil }
      if !line.isEmpty { lines.append(line.map { String(decoding: $0, as: UTF8.self) }) }
    }
    return lines
  }

  /// Drops the byte order mark, and each carriage return before a newline or the end.
  private init(_ bytes: [UInt8]) {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let isLast = { $0 + 1 == bytes.count || bytes[$0 + 1] == .newline }
    all = bytes.indices.filter { bytes[$0] != .return || !isLast($0) }.map { bytes[$0] }
    rest = all[...]
  }

  private mutating func line() -> [[UInt8]]? {
    var words: [[UInt8]] = []
    names = []
    while true {
      guard skipBlanks() else { return nil }
      if rest.first == .hash, !startsNumber {
        let next = rest.dropFirst().first
        let marks: [UInt8?] = [.space, .tab, .return, .newline, .hash, UInt8(ascii: "!"), nil]
        guard words.isEmpty || marks.contains(next) else { return nil }
        let comment = rest.prefix { $0 != .newline }
        let end = comment.lastIndex { $0 != .return } ?? comment.startIndex
        guard !comment[..<end].contains(.return) else { return nil }
        rest = rest.dropFirst(comment.count)
      }
      guard let first = rest.first, first != .newline else { break }
      guard let (word, isBare) = word() else { return nil }
      if isBare, let name = Self.name(word) { names.append((words.count, name)) }
      words.append(word)
    }
    rest = rest.dropFirst()
    for (word, name) in names {
      guard let text = text(until: name) else { return nil }
      words[word] = text
    }
    return words
  }

  /// Skips white space; false at a carriage return that ends no line.
  private mutating func skipBlanks() -> Bool {
    while let byte = rest.first {
      switch byte {
      case .space, .tab: rest = rest.dropFirst()
      case .return: guard dropReturns() else { return false }
      case _ where wideSpace > 0: rest = rest.dropFirst(wideSpace)
      default: return true
      }
    }
    return true
  }

  /// Drops carriage returns; false unless the line ends after them.
  private mutating func dropReturns() -> Bool {
    rest = rest.drop { $0 == .return }
    return rest.first.map { $0 == .newline } ?? true
  }

  /// The bytes of the space that is not ASCII at the beginning; 0 if there is none.
  private var wideSpace: Int {
    guard let first = rest.first, first >= 0xC2,
      let scalar = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first,
      scalar.properties.generalCategory == .spaceSeparator
    else { return 0 }
    return String(scalar).utf8.count
  }

  /// Whether the word that begins with `#` has a digit behind it, and nothing that is not a part of several
  /// numbers.
  private var startsNumber: Bool {
    let digits = rest.dropFirst().prefix { ![.space, .tab, .newline].contains($0) }
      .filter { $0 != .return }
    guard let first = digits.first, (0x30...0x39).contains(first) else { return false }
    return digits.allSatisfy { (0x30...0x39).contains($0) || "#,-".utf8.contains($0) }
  }

  /// Whether the quote at an index stands between two letters, of which the first may have marks.
  private func isApostrophe(_ index: Int) -> Bool {
    let before = String(decoding: all[max(0, index - 16)..<index], as: UTF8.self).unicodeScalars
    let after = String(decoding: all[(index + 1)...].prefix(4), as: UTF8.self).unicodeScalars
    let letter = before.reversed().prefix(4)
      .first { $0.properties.isAlphabetic || $0.properties.generalCategory != .nonspacingMark }
    return letter?.properties.isAlphabetic == true && after.first?.properties.isAlphabetic == true
  }

  private mutating func word() -> (text: [UInt8], isBare: Bool)? {
    var text: [UInt8] = []
    var isBare = true
    while let byte = rest.first, ![.space, .tab, .newline].contains(byte), wideSpace == 0 {
      let index = rest.startIndex
      if byte == .return {
        guard dropReturns() else { return nil }
        continue
      }
      rest = rest.dropFirst()
      switch byte {
      case .quote where isApostrophe(index): text.append(byte)
      case .quote, .doubleQuote:
        guard let part = quoted(by: byte) else { return nil }
        text += part
        isBare = false
      case .backslash:
        guard let escaped = rest.popFirst(), escaped != .newline, escaped != .return else {
          return nil
        }
        text.append(escaped)
        isBare = false
      default: text.append(byte)
      }
    }
    return (text, isBare)
  }

  private mutating func quoted(by quote: UInt8) -> [UInt8]? {
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return text }
      guard byte == .backslash, quote == .doubleQuote else {
        text.append(byte)
        continue
      }
      switch rest.popFirst() {
      case .doubleQuote: text.append(.doubleQuote)
      case .backslash: text.append(.backslash)
      case UInt8(ascii: "n"): text.append(.newline)
      default: return nil
      }
    }
    return nil
  }

  /// The name in `<<NAME`.
  private static func name(_ word: [UInt8]) -> [UInt8]? {
    let word = String(decoding: word, as: UTF8.self)
    return word.wholeMatch(of: /<<([A-Za-z_][A-Za-z0-9_]*)/).map { Array($0.1.utf8) }
  }

  /// The lines up to the one that is the name, without the last newline.
  private mutating func text(until name: [UInt8]) -> [UInt8]? {
    var text: [UInt8] = []
    while !rest.isEmpty {
      let line = rest.prefix { $0 != .newline }
      rest = rest.dropFirst(line.count + 1)
      if line.elementsEqual(name) { return text.dropLast() }
      text += line + [.newline]
    }
    return nil
  }
}

extension UInt8 {
  fileprivate static let tab: UInt8 = 0x09
  fileprivate static let newline: UInt8 = 0x0A
  fileprivate static let `return`: UInt8 = 0x0D
  fileprivate static let space: UInt8 = 0x20
  fileprivate static let doubleQuote: UInt8 = 0x22
  fileprivate static let hash: UInt8 = 0x23
  fileprivate static let quote: UInt8 = 0x27
  fileprivate static let backslash: UInt8 = 0x5C
}
