public import EventMVVM

extension UniqueID {
  /// The identifier as 8-4-4-4-12 lower-case hexadecimal digits.
  public var text: String {
    String(asciiCapacity: 36) { writer in
      writer.writeHex(high >> 32, digits: 8)
      writer.write("-")
      writer.writeHex(high >> 16, digits: 4)
      writer.write("-")
      writer.writeHex(high, digits: 4)
      writer.write("-")
      writer.writeHex(low >> 48, digits: 4)
      writer.write("-")
      writer.writeHex(low, digits: 12)
    }
  }

  /// Reads 8-4-4-4-12 hexadecimal digits of either case; nil if the text is anything else.
  @inlinable
  public init?(_ text: some StringProtocol) {
    self.init(written: String(text))
  }

  @usableFromInline
  init?(written text: String) {
    let id = ASCIIReader.read(text) { reader -> UniqueID? in
      guard
        let a = reader.readHex(digits: 8), reader.skip("-"),
        let b = reader.readHex(digits: 4), reader.skip("-"),
        let c = reader.readHex(digits: 4), reader.skip("-"),
        let d = reader.readHex(digits: 4), reader.skip("-"),
        let e = reader.readHex(digits: 12)
      else { return nil }
      return UniqueID(high: a << 32 | b << 16 | c, low: d << 48 | e)
    }
    guard let id else { return nil }
    self = id
  }
}

extension ASCIIWriter {
  /// Writes the lowest digits of the value.
  fileprivate mutating func writeHex(_ value: UInt64, digits: Int) {
    var place = UInt64(digits * 4)
    while place > 0 {
      place -= 4
      let digit = UInt8(truncatingIfNeeded: value &>> place & 0xF)
      write(byte: digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}

extension ASCIIReader {
  fileprivate mutating func readHex(digits: Int) -> UInt64? {
    var value: UInt64 = 0
    for _ in 0..<digits {
      guard let byte = readByte(), let digit = Self.hexValue(of: byte) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func hexValue(of byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x41...0x46: UInt64(byte - 0x37)
    case 0x61...0x66: UInt64(byte - 0x57)
    default: nil
    }
  }
}
