#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension StringProtocol {
  /// Whether two texts are the same, byte for byte: the comparison for text that users typed.
  ///
  /// The operator `==` also treats two spellings of a character as equal, so that an edit from one
  /// to the other would be lost, and sorts combining marks for it: with half a million of them in a
  /// row it practically never ends. This takes time in proportion to the length.
  @inlinable
  public func isIdentical(to other: some StringProtocol) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Contiguous texts are compared in memory; comparing their views counts as well.
    let areEqual = utf8.withContiguousStorageIfAvailable { bytes in
      other.utf8.withContiguousStorageIfAvailable { bytes.hasBytes(of: $0) }
    }
    return (areEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether the text begins with another, byte for byte.
  public func starts(withText other: some StringProtocol) -> Bool {
    utf8.starts(with: other.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes are the same; the counts are equal.
  @usableFromInline
  func hasBytes(of other: Self) -> Bool {
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

extension String {
  /// Whether a byte is one of its UTF-8.
  package func hasByte(_ byte: UInt8) -> Bool {
    let isFound = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false
    }
    return isFound ?? utf8.contains(byte)
  }

  /// Whether the text begins with another, byte for byte.
  ///
  /// Not generic, as a generic function makes a process search its conformances when it is first
  /// called.
  public func starts(withText other: String) -> Bool {
    let count = other.utf8.count
    guard utf8.count >= count else { return false }
    return String(utf8.prefix(count)).map { $0.isIdentical(to: other) } ?? false
  }
}

extension [String] {
  /// Whether one of the texts is this one, byte for byte.
  package func containsText(_ text: String) -> Bool {
    for own in self where own.isIdentical(to: text) { return true }
    return false
  }
}

/// A set of texts that are compared byte for byte; inserting and searching take constant time.
public struct TextSet {
  /// The number of texts compared one by one, which is quicker than hashing for so few, and spares a
  /// process the search of its conformances.
  private static let compared = 16

  private var few: [String] = []
  private var many: Set<ExactName> = []

  /// Creates an empty set.
  public init() {}

  /// Creates a set of texts.
  public init(_ texts: [String]) {
    for text in texts { insert(text) }
  }

  /// Whether the text is in it.
  public func contains(_ text: String) -> Bool {
    many.isEmpty ? few.containsText(text) : many.contains(ExactName(text: text))
  }

  /// Inserts a text.
  ///
  /// - Returns: Whether it was not in the set before.
  @discardableResult
  public mutating func insert(_ text: String) -> Bool {
    if many.isEmpty {
      guard !few.containsText(text) else { return false }
      guard few.count == Self.compared else {
        few.append(text)
        return true
      }
      for text in few { many.insert(ExactName(text: text)) }
      few = []
    }
    return many.insert(ExactName(text: text)).inserted
  }
}

extension [String] {
  /// The texts in their order, each once, byte for byte.
  package var eachOnce: [String] {
    var known = TextSet()
    // Not `filter`: a process would search its conformances for it.
    var result: [String] = []
    for text in self where known.insert(text) { result.append(text) }
    return result
  }
}

extension Sequence<String> {
  /// Whether one of the texts is this one, byte for byte.
  package func containsText(_ text: String) -> Bool {
    contains { $0.isIdentical(to: text) }
  }
}

extension [String] {
  /// Whether both are the same texts in the same order, byte for byte.
  public func isIdentical(to other: [String]) -> Bool {
    elementsEqual(other) { $0.isIdentical(to: $1) }
  }
}

extension String? {
  /// Whether both are the same text, byte for byte, or both are nil.
  public func isIdentical(to other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isIdentical(to: other)
  }
}

extension [String] {
  /// Joins them, as `joined(separator:)` does.
  ///
  /// That function is generic, and its first call searches the conformances of the whole program:
  /// 290 000 instructions, a fiftieth of the cost of adding a record.
  package func joined(by separator: String) -> String {
    var result = ""
    var isFirst = true
    for text in self {
      if !isFirst { result += separator }
      result += text
      isFirst = false
    }
    return result
  }
}
