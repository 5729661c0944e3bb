/// A value of 128 bits, written as a UUID of RFC 9562.
///
/// The order is that of the 128 bits as one unsigned number, which is also the order of the texts.
///
/// ```swift
/// let uuid = try #require(try write(.add(Specimen(title: "A")))[0].after).uuid
/// #expect(uuid.text == "00000001-abcd-4000-8000-000000000000")
/// ```
public struct UniqueID: Sendable, Hashable {
  /// The first 64 bits, the version among them.
  public let high: UInt64
  /// The last 64 bits, the variant at their top.
  public let low: UInt64

  /// Creates the identifier of exactly these bits; neither version nor variant is checked.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a random identifier of version 4 from the system's source of randomness.
  ///
  /// 122 bits are random; RFC 9562 §5.4 fixes the four of the version and the two of the variant.
  public static func random() -> UniqueID {
    UniqueID(
      high: .random(in: 0 ... .max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
      low: .random(in: 0 ... .max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    )
  }
}

extension UniqueID: Comparable {
  /// Whether the left identifier is the smaller unsigned number of 128 bits.
  public static func < (left: UniqueID, right: UniqueID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}
