import EventMVVMTesting
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

extension Chance {
  /// A sequence of its own for each number.
  init(_ number: Int) {
    self.init(Amount.seed &* 0x9E37_79B9 &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
  }
}
