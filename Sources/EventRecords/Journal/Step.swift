public import EventMVVM

/// What one intent has changed for good: a command, a whole script, an undo.
///
/// A domain that keeps a journal of its changes has one for each root that changed something,
/// written in the very transaction of the change.
public struct Step: Sendable, Equatable, Codable {
  /// What sort of step it is.
  public enum Kind: Sendable, Equatable, Codable {
    /// A change.
    case change
    /// It took a change back.
    case undo(of: Int)
    /// It took an undo back.
    case redo(of: Int)
  }

  /// Its place in the journal; rising, not without gaps.
  public let number: Int
  /// The intent, unique across processes.
  public let root: Root
  /// The name of the frontend or plugin whose intent it was.
  public let origin: String
  /// The time.
  public let time: Instant
  /// What sort of step it is.
  public let kind: Kind
  /// Whether a later step has undone it, and that step is not undone itself.
  public let isUndone: Bool

  /// Describes a step.
  public init(
    number: Int,
    root: Root,
    origin: String,
    time: Instant,
    kind: Kind,
    isUndone: Bool
  ) {
    self.number = number
    self.root = root
    self.origin = origin
    self.time = time
    self.kind = kind
    self.isUndone = isUndone
  }
}

/// Which steps of a journal to read.
public enum StepQuery: Sendable, Equatable, Codable {
  /// The newest, newest first, at most so many.
  case newest(Int)
  /// The latest change that is not undone.
  case toUndo(by: StepMaker?)
  /// The latest undo that is not undone itself, unless something was changed after it.
  case toRedo(by: StepMaker?)
  /// The one of this number.
  case number(Int)
  /// The one of this intent.
  case root(Root)
}

/// Whose steps are meant: those of a frontend or plugin in a session; where it has none left there,
/// those under its name in all sessions.
public struct StepMaker: Sendable, Equatable, Codable {
  /// The session.
  public let session: UInt64
  /// The name of its frontend or plugin.
  public let origin: String

  /// Names a maker of steps.
  public init(session: UInt64, origin: String) {
    self.session = session
    self.origin = origin
  }
}
