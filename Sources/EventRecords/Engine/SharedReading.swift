public import EventMVVM

/// Makes reads that are queued together share one transaction of the store, which costs as much as
/// a read.
///
/// The data of each is no older than its request: all of them were queued when the first was read.
/// Used by the stream's home thread alone.
public final class SharedReading: @unchecked Sendable {
  // Unchecked: the home thread alone uses it.
  private let end: @Sendable () -> Void
  private var isOpen = false

  /// Creates an idle one.
  ///
  /// - Parameter end: Ends the transaction; called on the home thread after the last read that
  ///   shares it.
  public init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  /// Returns the view of a read in this turn: inside a unit with its writes.
  public func view(_ turn: borrowing Turn) -> StorageView {
    if turn.isInUnit { return .insideUnit }
    if isOpen { return .shared }
    guard turn.isFollowed else { return .committed }
    isOpen = true
    turn.afterQueued { [self] in
      isOpen = false
      end()
    }
    return .shared
  }
}
