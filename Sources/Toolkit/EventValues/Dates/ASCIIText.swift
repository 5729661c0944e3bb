/// Writes texts of digits and ASCII punctuation into the memory of a string.
struct ASCIIWriter {
  // The memory is lent by `String` for the duration of a closure, and each byte is checked to be
  // inside it.
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  @inline(__always)
  mutating func write(byte: UInt8) {
    precondition(count < bytes.count, "a text is longer than its room")
    bytes[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func write(_ character: Unicode.Scalar) {
    write(byte: UInt8(truncatingIfNeeded: character.value))
  }

  /// Writes a number that is not negative, with leading zeros up to the number of digits.
  mutating func write(_ number: Int, digits: Int) {
    // Most are months, days, hours, minutes.
    if digits == 2, number < 100 {
      write(byte: 0x30 + UInt8(truncatingIfNeeded: number / 10))
      return write(byte: 0x30 + UInt8(truncatingIfNeeded: number % 10))
    }
    var unit = 1
    var left = digits
    while left > 1 || number / unit > 9 {
      unit *= 10
      left -= 1
    }
    while unit > 0 {
      write(byte: 0x30 + UInt8(truncatingIfNeeded: number / unit % 10))
      unit /= 10
    }
  }

  mutating func write(_ day: CivilDay) {
    write(day.year, digits: 4)
    write("-")
    write(day.month, digits: 2)
    write("-")
    write(day.day, digits: 2)
  }
}

extension String {
  /// Creates a string of at most that many ASCII characters.
  @inline(__always)
  init(asciiCapacity: Int, _ body: (inout ASCIIWriter) -> Void) {
    self.init(unsafeUninitializedCapacity: asciiCapacity) { bytes in
      var writer = ASCIIWriter(bytes)
      body(&writer)
      return writer.count
    }
  }
}

/// Reads texts of digits and ASCII punctuation from the front.
struct ASCIIReader {
  // The bytes are lent by a string for the duration of a closure; a substring checks its bounds
  // with every byte, and takes ten times as long.
  private let bytes: UnsafeBufferPointer<UInt8>
  private var next = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Reads a text as a whole.
  ///
  /// - Returns: The value of the body; nil also if characters are left.
  static func read<Value>(_ text: String, _ body: (inout ASCIIReader) -> Value?) -> Value? {
    var text = text
    return text.withUTF8 { bytes in
      var reader = ASCIIReader(bytes)
      guard let value = body(&reader), reader.isAtEnd else { return nil }
      return value
    }
  }

  var isAtEnd: Bool { next == bytes.count }

  private var byte: UInt8? { next < bytes.count ? bytes[next] : nil }

  mutating func readByte() -> UInt8? {
    guard let byte else { return nil }
    next += 1
    return byte
  }

  /// Reads that character if it comes next.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte, UInt32(byte) == character.value else { return false }
    next += 1
    return true
  }

  mutating func readDigit() -> Int? {
    guard let byte, (0x30...0x39).contains(byte) else { return nil }
    next += 1
    return Int(byte) - 0x30
  }

  mutating func readNumber(digits: Int) -> Int? {
    readNumber(digits: digits...digits)
  }

  /// Reads as many digits as there are, up to the upper bound; nil if there are fewer than the
  /// lower.
  mutating func readNumber(digits: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < digits.upperBound, let digit = readDigit() {
      value = value * 10 + digit
      count += 1
    }
    return count >= digits.lowerBound ? value : nil
  }

  mutating func readDay() -> CivilDay? {
    guard
      let year = readNumber(digits: 4), skip("-"),
      let month = readNumber(digits: 2), skip("-"),
      let day = readNumber(digits: 2)
    else { return nil }
    return CivilDay(year: year, month: month, day: day)
  }
}
