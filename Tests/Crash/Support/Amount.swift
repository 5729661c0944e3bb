import Foundation

/// How much is tried: a little in every run of the tests, much by `make crash CRASH=long`.
enum Amount {
  static let isLong = ProcessInfo.processInfo.environment["CRASH"] == "long"

  /// One of two numbers.
  static func of(brief: Int, long: Int) -> Int { isLong ? long : brief }

  /// Where chance begins: always the same in brief runs, elsewhere in each long one, and where
  /// `CRASH_SEED` says.
  static let seed: UInt64 = {
    if let text = ProcessInfo.processInfo.environment["CRASH_SEED"], let seed = UInt64(text) {
      return seed
    }
    return isLong ? UInt64.random(in: 0..<1_000_000) : 1
  }()
}

/// Chance that can be had again (SplitMix64, Steele and others, 2014).
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  /// A sequence of its own for each number.
  init(_ number: Int) {
    state = Amount.seed &* 0x9E37_79B9 &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True once in so many times.
  mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

  mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
