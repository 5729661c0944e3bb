public import EventMVVM

extension UniqueID {
  /// Creates the identifier of version 5 that follows from a namespace and a name (RFC 9562 §5.5), everywhere the same.
  ///
  /// Its SHA-1 serves as a mix of bits, not as a seal: two names that have the same can be made on purpose.
  ///
  /// - Parameters:
  ///   - namespace: The namespace.
  ///   - name: The name, as its bytes of UTF-8.
  public init(in namespace: UniqueID, name: String) {
    var bytes: [UInt8] = []
    for half in [namespace.high, namespace.low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
      }
    }
    let digest = sha1(bytes + Array(name.utf8))
    self.init(
      high: (UInt64(digest[0]) << 32 | UInt64(digest[1])) & 0xFFFF_FFFF_FFFF_0FFF | 0x5000,
      low: (UInt64(digest[2]) << 32 | UInt64(digest[3])) & 0x3FFF_FFFF_FFFF_FFFF
        | 0x8000_0000_0000_0000
    )
  }
}

/// Returns the five words of the SHA-1 of bytes (RFC 3174).
///
/// The packages that have it bring a library of cryptography with them, for which there is no other use.
func sha1(_ message: [UInt8]) -> [UInt32] {
  var bytes = message + [0x80]
  while bytes.count % 64 != 56 { bytes.append(0) }
  let length = UInt64(message.count) * 8
  for shift in stride(from: 56, through: 0, by: -8) {
    bytes.append(UInt8(truncatingIfNeeded: length >> UInt64(shift)))
  }
  func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word << bits | word >> (32 - bits) }
  var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
  var words = [UInt32](repeating: 0, count: 80)
  for block in stride(from: 0, to: bytes.count, by: 64) {
    for index in 0..<16 {
      let at = block + index * 4
      words[index] =
        UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
        | UInt32(bytes[at + 3])
    }
    for index in 16..<80 {
      words[index] = turned(
        words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16],
        1
      )
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (mix, key): (UInt32, UInt32) =
        switch index {
        case 0..<20: (b & c | ~b & d, 0x5A82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      (a, b, c, d, e) = (turned(a, 5) &+ mix &+ e &+ key &+ words[index], a, turned(b, 30), c, d)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }
  return state
}
