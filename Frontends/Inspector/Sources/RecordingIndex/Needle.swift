import CSearch

/// Bytes that are searched for in many others.
struct Needle: Sendable {
  let bytes: [UInt8]
  /// Whether ASCII letters fit in either case; then the letters of the bytes are in lower case.
  let ignoresCase: Bool
  /// The indices of two bytes by which places are found.
  private let first: Int
  private let second: Int

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, at least one.
  ///   - ignoresCase: Whether ASCII letters fit in either case.
  ///   - frequencies: How common bytes are where they are searched for.
  init(_ bytes: [UInt8], ignoresCase: Bool = false, _ frequencies: ByteFrequencies? = nil) {
    precondition(!bytes.isEmpty, "nothing is found anywhere")
    self.bytes = bytes
    self.ignoresCase = ignoresCase
    let ranked = bytes.indices.sorted { left, right in
      guard let frequencies else { return left < right }
      return frequencies.count(bytes[left], ignoresCase)
        < frequencies.count(bytes[right], ignoresCase)
    }
    first = ranked[0]
    second = ranked[min(1, ranked.count - 1)]
  }

  /// Returns the index of the first occurrence that lies in a range of bytes; nil if there is none.
  func place(in bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    guard let start = bytes.baseAddress else { return nil }
    return self.bytes.withUnsafeBufferPointer { own in
      var needle = csearch_needle(
        bytes: own.baseAddress,
        count: own.count,
        first: first,
        second: second,
        ignores_case: ignoresCase ? 1 : 0
      )
      return csearch_find(start + range.lowerBound, range.count, &needle)
        .map { UnsafeRawPointer($0) - start }
    }
  }
}

/// How often each byte occurs in a sample of a recording.
struct ByteFrequencies: Sendable {
  private var counts = [Int](repeating: 0, count: 256)
  /// The size of the sample, in bytes.
  private static let size = 65_536

  /// Counts the bytes in the middle of a part of a file.
  init(_ file: RecordingFile, upTo end: UInt64) {
    for byte in file.bytes(Self.size, at: end / 2) { counts[Int(byte)] += 1 }
  }

  /// How often a byte occurs, for letters in both cases if wanted.
  func count(_ byte: UInt8, _ ignoresCase: Bool) -> Int {
    counts[Int(byte)] + (ignoresCase && byte.isLetter ? counts[Int(byte ^ 32)] : 0)
  }
}

extension UInt8 {
  /// Whether it is an ASCII letter.
  var isLetter: Bool { (self | 32) &- 97 < 26 }
}
