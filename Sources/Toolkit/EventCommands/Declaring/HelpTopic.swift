import EventMVVM
import JSONText

/// Where a command stands on the first page of help.
public enum HelpTopic: Sendable, CaseIterable {
  /// Among those that show something; so is what only reads, unless it says otherwise.
  case look
  /// Among those that change something; so is what writes, unless it says otherwise.
  case change
  /// Among those that undo something.
  case undo
  /// Among those that lead to a screen.
  case screens
  /// On none but the page of all commands.
  case rare

  /// The heading on the page; nil where it is on none.
  var heading: String? {
    switch self {
    case .look: "To look"
    case .change: "To change"
    case .undo: "To undo"
    case .screens: "To open"
    case .rare: nil
    }
  }
}

extension CommandSpec {
  /// Sets where the command stands on the first page of help.
  public consuming func topic(_ topic: HelpTopic) -> Self {
    var copy = self
    copy.topic = topic
    return copy
  }

  /// Adds lines that show how the command is used, for its help and the manual page; the first one is on the
  /// first page of help, too.
  public consuming func example(_ lines: String...) -> Self {
    var copy = self
    copy.examples += lines
    return copy
  }
}

extension Command {
  /// Its place on the first page of help.
  static var topic: HelpTopic { command.topic ?? (writes ? .change : .look) }
  /// Lines that show how it is used.
  public static var examples: [String] { command.examples }

  /// Its first example, or the words that it takes.
  package static var shortUsage: String {
    // The name itself may have a hyphen.
    examples.first
      ?? verb
      + command.usage.dropFirst(verb.count).prefix { $0 != "-" }.split(separator: " ")
      .filter { $0 != "[" }.map { " " + $0 }.joined(by: "")
  }
}
