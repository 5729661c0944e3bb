public import EventMVVM

extension Instant {
  /// The instant in UTC as ISO 8601 with milliseconds, such as `2026-11-20T10:00:00.000Z`.
  ///
  /// Years outside 0000…9999 have a sign and at least six digits, the expanded representation of
  /// ISO 8601 as ECMAScript writes it: `+012026-11-20T10:00:00.000Z`. Year 0 is 1 BC.
  public var iso8601: String {
    let (days, time) = milliseconds.quotientAndRemainder(flooringBy: 86_400_000)
    let date = civilFromDays(Int(days))
    return String(asciiCapacity: 32) { writer in
      writer.writeExpandedYear(date.year)
      writer.write("-")
      writer.write(date.month, digits: 2)
      writer.write("-")
      writer.write(date.day, digits: 2)
      writer.write("T")
      writer.write(Int(time / 3_600_000), digits: 2)
      writer.write(":")
      writer.write(Int(time / 60_000 % 60), digits: 2)
      writer.write(":")
      writer.write(Int(time / 1000 % 60), digits: 2)
      writer.write(".")
      writer.write(Int(time % 1000), digits: 3)
      writer.write("Z")
    }
  }

  /// Reads an instant written as ISO 8601; nil if it is anything else or out of range.
  ///
  /// The form is `YYYY-MM-DDTHH:MM[:SS[.fraction]]` followed by `Z` or an offset `±HH:MM`; the year
  /// may also be a sign and six to nine digits, but not `-000000`. Digits of the fraction beyond
  /// the milliseconds are dropped. Second 60 and hour 24 are refused. Whatever `iso8601` writes
  /// reads back as the same instant.
  @inlinable
  public init?(iso8601 text: some StringProtocol) {
    self.init(written: String(text))
  }

  @usableFromInline
  init?(written text: String) {
    let milliseconds = ASCIIReader.read(text) { reader -> Int64? in
      guard
        let date = reader.readExpandedDate(), reader.skip("T"),
        let time = reader.readTimeOfDay(),
        let offset = reader.readOffset()
      else { return nil }
      // The first and last day are only partly in range, so their midnight does not fit Int64.
      let days = Int128(daysFromCivil(year: date.year, month: date.month, day: date.day))
      return Int64(exactly: days * 86_400_000 + Int128(time) - Int128(offset) * 1000)
    }
    guard let milliseconds else { return nil }
    self.init(milliseconds: milliseconds)
  }
}

extension ASCIIWriter {
  fileprivate mutating func writeExpandedYear(_ year: Int) {
    guard !(0...9999).contains(year) else { return write(year, digits: 4) }
    write(year < 0 ? "-" : "+")
    write(abs(year), digits: 6)
  }
}

extension ASCIIReader {
  fileprivate mutating func readExpandedDate() -> (year: Int, month: Int, day: Int)? {
    guard
      let year = readExpandedYear(), skip("-"),
      let month = readNumber(digits: 2), (1...12).contains(month), skip("-"),
      let day = readNumber(digits: 2), (1...daysInMonth(month, ofYear: year)).contains(day)
    else { return nil }
    return (year, month, day)
  }

  private mutating func readExpandedYear() -> Int? {
    if skip("+") { return readNumber(digits: 6...9) }
    guard skip("-") else { return readNumber(digits: 4) }
    guard let year = readNumber(digits: 6...9), year != 0 else { return nil }
    return -year
  }

  /// The milliseconds since midnight.
  fileprivate mutating func readTimeOfDay() -> Int? {
    guard
      let hour = readNumber(digits: 2), hour < 24, skip(":"),
      let minute = readNumber(digits: 2), minute < 60
    else { return nil }
    let minutes = (hour * 60 + minute) * 60_000
    guard skip(":") else { return minutes }
    guard let second = readNumber(digits: 2), second < 60 else { return nil }
    guard skip(".") else { return minutes + second * 1000 }
    guard let fraction = readMilliseconds() else { return nil }
    return minutes + second * 1000 + fraction
  }

  /// One or more digits of a fraction, of which the first three count.
  private mutating func readMilliseconds() -> Int? {
    guard var value = readDigit() else { return nil }
    var count = 1
    while let digit = readDigit() {
      count += 1
      if count <= 3 { value = value * 10 + digit }
    }
    return count == 1 ? value * 100 : count == 2 ? value * 10 : value
  }

  /// The seconds local time is ahead of UTC.
  private mutating func readSignedOffset(_ sign: Int) -> Int? {
    guard
      let hour = readNumber(digits: 2), hour < 24, skip(":"),
      let minute = readNumber(digits: 2), minute < 60
    else { return nil }
    return sign * (hour * 3600 + minute * 60)
  }

  fileprivate mutating func readOffset() -> Int? {
    if skip("Z") { return 0 }
    if skip("+") { return readSignedOffset(1) }
    return skip("-") ? readSignedOffset(-1) : nil
  }
}
