import EventValues

/// The apostrophe inside of a word, which opens no quote.
enum Apostrophe {
  /// Whether the character at an index stands between two letters, of any script.
  static func isOne<Bytes: RandomAccessCollection<UInt8>>(in bytes: Bytes, at index: Int) -> Bool
  where Bytes.Index == Int {
    isLetter(before: index, bytes) && isLetter(from: index + 1, bytes)
  }

  private static func isLetter<Bytes: RandomAccessCollection<UInt8>>(
    from index: Int,
    _ bytes: Bytes
  ) -> Bool where Bytes.Index == Int {
    guard index < bytes.endIndex else { return false }
    return scalar(bytes[index..<min(index + 4, bytes.endIndex)])?.properties.isAlphabetic == true
  }

  /// Marks belong to the letter before them.
  private static func isLetter<Bytes: RandomAccessCollection<UInt8>>(
    before index: Int,
    _ bytes: Bytes
  ) -> Bool where Bytes.Index == Int {
    var end = index
    for _ in 0..<4 {
      var start = end - 1
      while start > bytes.startIndex, start > end - 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
      guard start >= bytes.startIndex, let scalar = scalar(bytes[start..<end]) else { return false }
      if scalar.properties.isAlphabetic { return true }
      guard scalar.properties.generalCategory == .nonspacingMark else { return false }
      end = start
    }
    return false
  }

  private static func scalar(_ bytes: some Sequence<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}

/// The character `#` at the start of a word that is no number.
enum CommentMark {
  /// Whether it begins a comment, also after other words.
  static func begins(_ rest: some Collection<UInt8>) -> Bool {
    switch rest.dropFirst().first {
    case .space, .tab, .carriageReturn, .newline, .hash, UInt8(ascii: "!"), nil: true
    default: false
    }
  }

  /// Whether it begins the number of something, or several: `#42`, `#1,4`.
  static func isNumber(_ rest: some Collection<UInt8>) -> Bool {
    var isFirst = true
    for byte in rest.dropFirst() {
      switch byte {
      case .zero ... .nine: isFirst = false
      case .carriageReturn: break
      case UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: ")"), .hash:
        if isFirst { return false }
      case .space, .tab, .newline: return !isFirst
      default: return false
      }
    }
    return !isFirst
  }

  /// Returns what is wrong with any other.
  static func unclear(_ rest: some Collection<UInt8>) -> String {
    let blanks: [UInt8] = [.space, .tab, .carriageReturn, .newline]
    let name = String(decoding: rest.dropFirst().prefix { !blanks.contains($0) }, as: UTF8.self)
    let shown = name.quotable
    return
      "'#\(shown)' is no word here: a label is +\(shown), a text with it '#\(shown)' in quotes, "
      + "and a comment has a blank after #"
  }
}
