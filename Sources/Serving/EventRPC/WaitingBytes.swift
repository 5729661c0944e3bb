import Synchronization

/// The bytes of messages that wait for a reader, counted for one outbox and for all of the process.
///
/// Used by any thread.
final class WaitingBytes: Sendable {
  /// As many as a client that reads never has waiting for long.
  static let few = 65_536

  private static let ofAll = Atomic(0)
  private let own = Atomic(0)

  deinit { clear() }

  /// The bytes that wait for this reader.
  var count: Int { own.load(ordering: .relaxed) }
  /// The same, in one order with what other threads add.
  var exactCount: Int { own.load(ordering: .sequentiallyConsistent) }
  /// Whether almost nothing waits for this reader.
  var areFew: Bool { count <= Self.few }
  /// The bytes that wait for any reader of the process.
  static var ofProcess: Int { ofAll.load(ordering: .relaxed) }

  /// Counts more bytes, or fewer.
  func add(_ count: Int) {
    own.add(count, ordering: .sequentiallyConsistent)
    Self.ofAll.add(count, ordering: .relaxed)
  }

  /// Counts none any more.
  func clear() {
    Self.ofAll.subtract(own.exchange(0, ordering: .relaxed), ordering: .relaxed)
  }
}
