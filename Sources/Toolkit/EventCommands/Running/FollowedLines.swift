public import EventMVVM

/// What a command that goes on tells, one event after another: see ``Command/follows``.
///
/// A frontend that runs such a command writes the lines as they come; they belong to the root of the command.
public struct ResponseFollowedLines: ViewModelEvent, Codable {
  /// The root of the command.
  public let root: Root
  /// The lines, each a JSON value without a newline.
  public let lines: [String]

  /// Creates the event.
  public init(_ lines: [String], of root: Root) { (self.root, self.lines) = (root, lines) }
}
