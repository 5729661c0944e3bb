/// A reproducible random generator, so that a failure can be repeated by its seed (SplitMix64;
/// Steele, Lea and Flood, 2014).
///
/// ```swift
/// let (moved, other) = (chance.pick(1...9), chance.pick(1...9))
/// guard moved != other else { continue }
/// let side: ManualSide = chance.below(2) == 0 ? .before : .after
/// ```
public struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates the sequence of a seed.
  public init(_ seed: UInt64) {
    state = seed
  }

  /// Returns the next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number of a range, uniformly distributed.
  public mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// Returns true with a probability of one in `times`.
  public mutating func once(in times: Int) -> Bool { pick(1...times) == 1 }
}
