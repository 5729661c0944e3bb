public import EventMVVM

/// Whose write it is, as the change log records it.
public struct Author: Sendable, Equatable {
  /// The intent of the write.
  public let root: Root
  /// The name of the frontend or plugin whose intent it was.
  public let origin: String
  /// The time.
  public let time: Instant

  /// Names an author.
  public init(root: Root, origin: String, time: Instant) {
    self.root = root
    self.origin = origin
    self.time = time
  }

  /// The author of what is written in the turn of an event.
  public init(_ turn: borrowing Turn) {
    self.init(root: turn.root, origin: turn.originName, time: turn.time)
  }
}
