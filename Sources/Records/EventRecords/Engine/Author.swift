public import EventMVVM

/// The author of a write, as the change log records it.
public struct Author: Sendable, Equatable {
  /// The root of the write.
  public let root: Root
  /// The name of the frontend or plugin that sent the root.
  public let origin: String
  /// The time.
  public let time: Instant

  /// Creates an author.
  public init(root: Root, origin: String, time: Instant) {
    self.root = root
    self.origin = origin
    self.time = time
  }

  /// Creates the author of writes in the turn of an event.
  public init(_ turn: borrowing Turn) {
    self.init(root: turn.root, origin: turn.originName, time: turn.time)
  }
}
