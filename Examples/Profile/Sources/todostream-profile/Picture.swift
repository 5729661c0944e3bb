import EventMVVM

// The size of an image, read from its first bytes: PNG, GIF and JPEG.

extension Picture {
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  init(_ bytes: [UInt8]) throws(Failure) {
    let size = Self.png(bytes) ?? Self.gif(bytes) ?? Self.jpeg(bytes)
    let sides = 1...65_535
    guard let size, sides.contains(size.width), sides.contains(size.height) else {
      throw Failure(.service, "What is there is no image.")
    }
    self.init(width: size.width, height: size.height, bytes: bytes.count)
  }

  private typealias Size = (width: Int, height: Int)

  private static func png(_ bytes: [UInt8]) -> Size? {
    guard bytes.starts(with: png), bytes.count >= 24 else { return nil }
    let number = { (offset: Int) in bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(16), number(20))
  }

  private static func gif(_ bytes: [UInt8]) -> Size? {
    guard bytes.starts(with: "GIF8".utf8), bytes.count >= 10 else { return nil }
    return (Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
  }

  /// The size is in the first segment that begins a frame.
  private static func jpeg(_ bytes: [UInt8]) -> Size? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    let number = { (offset: Int) in Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
    var offset = 2
    while offset + 9 <= bytes.count, bytes[offset] == 0xFF {
      let isFrame = (0xC0...0xCF).contains(bytes[offset + 1])
      if isFrame, ![0xC4, 0xC8, 0xCC].contains(bytes[offset + 1]) {
        return (number(offset + 7), number(offset + 5))
      }
      offset += 2 + max(2, number(offset + 2))
    }
    return nil
  }
}
