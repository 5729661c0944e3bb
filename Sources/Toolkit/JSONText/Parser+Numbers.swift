extension Parser {
  /// Reads a number (RFC 8259 §6) whose first byte is a minus sign or a digit.
  mutating func number() throws(JSONError) -> JSON {
    let start = index
    let isNegative = byte == ASCII.minus
    if isNegative { index += 1 }
    let integer = try integerPart(isNegative: isNegative)
    let hasFraction = byte == ASCII.point
    if hasFraction { try digits(expected: "a digit after '.'") }
    let hasExponent = byte | 0x20 == UInt8(ascii: "e")
    if hasExponent { try exponent() }
    guard !hasFraction, !hasExponent else { return .real(try real(from: start)) }
    guard let integer else {
      throw outOfRange("integer", from: start, range: "\(Int64.min) to \(Int64.max)")
    }
    return .integer(integer)
  }

  /// Reads the digits before a point or exponent; nil if they exceed `Int64`.
  ///
  /// The sign takes part because the least integer has no positive counterpart.
  private mutating func integerPart(isNegative: Bool) throws(JSONError) -> Int64? {
    guard ASCII.isDigit(byte) else { throw failure(expected: "a digit after '-'") }
    guard byte != ASCII.zero else {
      index += 1
      guard !ASCII.isDigit(byte) else { throw failure(expected: "no digit after a leading zero") }
      return 0
    }
    var value: Int64 = 0
    var overflows = false
    while ASCII.isDigit(byte) {
      let digit = Int64(byte - ASCII.zero)
      let (tens, tooMany) = value.multipliedReportingOverflow(by: 10)
      let (sum, tooMuch) = tens.addingReportingOverflow(isNegative ? -digit : digit)
      overflows = overflows || tooMany || tooMuch
      value = sum
      index += 1
    }
    return overflows ? nil : value
  }

  private mutating func exponent() throws(JSONError) {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    let isSigned = next == ASCII.plus || next == ASCII.minus
    if isSigned { index += 1 }
    try digits(expected: "a digit in the exponent")
  }

  /// Skips the next byte and the digits after it, of which there must be one.
  private mutating func digits(expected: String) throws(JSONError) {
    index += 1
    guard ASCII.isDigit(byte) else { throw failure(expected: expected) }
    while ASCII.isDigit(byte) { index += 1 }
  }

  private func real(from start: Int) throws(JSONError) -> Double {
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw outOfRange("real", from: start, range: "a magnitude up to 1.7976931348623157e+308")
    }
    return value
  }

  private func outOfRange(_ kind: StaticString, from start: Int, range: String) -> JSONError {
    let shown = String(decoding: bytes[start..<index].prefix(40), as: UTF8.self)
    let rest = index - start > 40 ? "…" : ""
    return failure("\(kind) out of range: expected \(range), found \(shown)\(rest)", at: start)
  }
}
