public import EventMVVM

/// Who writes, as the change log records it.
public struct Writer: Sendable, Equatable {
  /// The intent of the write.
  public let root: Root
  /// The name of the frontend or plugin whose intent it was.
  public let origin: String
  /// When.
  public let time: Instant

  /// Names a writer.
  public init(root: Root, origin: String, time: Instant) {
    self.root = root
    self.origin = origin
    self.time = time
  }

  /// The writer of an event.
  public init(_ turn: borrowing Turn) {
    self.init(root: turn.root, origin: turn.originName, time: turn.time)
  }
}
