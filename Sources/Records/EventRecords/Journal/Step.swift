public import EventMVVM

/// The committed changes of one root: a command, a whole script, an undo.
///
/// A domain with a journal of its changes has one for each root that changed something, written in
/// the same transaction as the change.
public struct Step: Sendable, Equatable, Codable {
  /// The kind of a step.
  public enum Kind: Sendable, Equatable, Codable {
    /// A change.
    case change
    /// It undid a change.
    case undo(of: Int)
    /// It undid an undo.
    case redo(of: Int)
  }

  /// Its number in the journal; ascending, with gaps.
  public let number: Int
  /// The root, unique across processes.
  public let root: Root
  /// The name of the frontend or plugin that sent the root.
  public let origin: String
  /// The time.
  public let time: Instant
  /// The kind of the step.
  public let kind: Kind
  /// Whether a later step has undone it, and that step is not undone itself.
  public let isUndone: Bool

  /// Creates a step.
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

/// A query for steps of a journal.
///
/// ```swift
/// try ask(RequestReversal(.toUndo(by: nil), conflicts: force ? .overwrite : .skip))
/// ```
public enum StepQuery: Sendable, Equatable, Codable {
  /// The newest, newest first, up to this number.
  case newest(Int)
  /// The latest change that is not undone.
  case toUndo(by: StepMaker?)
  /// The latest undo that is not undone itself, unless something was changed after it.
  case toRedo(by: StepMaker?)
  /// The step with this number.
  case number(Int)
  /// The step of this root.
  case root(Root)

  /// Whether reading the steps may take more than some milliseconds.
  var mayFindMany: Bool {
    if case .newest(let limit) = self { limit > RecordServer.few } else { false }
  }
}

/// The maker of steps: a frontend or plugin in a session; where that has none left there, all of
/// its name in all sessions.
public struct StepMaker: Sendable, Equatable, Codable {
  /// The session.
  public let session: UInt64
  /// The name of its frontend or plugin.
  public let origin: String

  /// Creates a maker.
  public init(session: UInt64, origin: String) {
    self.session = session
    self.origin = origin
  }
}
