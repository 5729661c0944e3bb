import Foundation

/// What one of several observers saw, boiled down to a number that depends on the order.
final class Witness: @unchecked Sendable {
  // Unchecked: everything is guarded by the lock.
  private let lock = NSLock()
  private var digest = 0
  private var seen = 0

  /// Notes an event, from any thread.
  func see(_ number: Int) {
    lock.withLock {
      digest = digest &* 31 &+ number
      seen += 1
    }
  }

  var testimony: [Int] { lock.withLock { [digest, seen] } }
}

/// Eight observers of one stream.
struct Witnesses {
  static let number = 8
  let all = (0..<number).map { _ in Witness() }

  /// Whether all of them saw the same events in the same order.
  var agree: Bool { Set(all.map(\.testimony)).count == 1 }
}
