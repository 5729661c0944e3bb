import CSearch

/// Bytes that are searched for in many others.
struct Needle: Sendable {
  let bytes: [UInt8]
  /// Whether ASCII letters fit in either case; then the letters of the bytes are in lower case.
  let ignoresCase: Bool
  /// The indices of two bytes by which places are found.
  private let first: Int
  private let second: Int

  /// How many of the bytes are compared for how rare they are.
  private static let mostChoices = 24

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, at least one.
  ///   - ignoresCase: Whether ASCII letters fit in either case.
  ///   - sample: Bytes like those that are searched: what is rarest in them finds the places.
  init(_ bytes: [UInt8], ignoresCase: Bool = false, in sample: [UInt8] = []) {
    precondition(!bytes.isEmpty, "nothing is found anywhere")
    self.bytes = bytes
    self.ignoresCase = ignoresCase
    func fits(_ index: Int, _ byte: UInt8) -> Bool {
      byte == bytes[index] || ignoresCase && byte.isLetter && byte ^ 32 == bytes[index]
    }
    let choices = 0..<min(bytes.count, Self.mostChoices)
    let counts = choices.map { index in sample.count { fits(index, $0) } }
    let first = choices.min { counts[$0] < counts[$1] } ?? 0
    let places = sample.indices.filter { fits(first, sample[$0]) }
    // Bytes that are rare, but come together, find no fewer places than one of them.
    let common = choices.map { index in
      places.count { place in
        let other = place + index - first
        return sample.indices.contains(other) && fits(index, sample[other])
      }
    }
    self.first = first
    second = choices.filter { $0 != first }.min { common[$0] < common[$1] } ?? first
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

extension UInt8 {
  /// Whether it is an ASCII letter.
  var isLetter: Bool { (self | 32) &- 97 < 26 }
}
