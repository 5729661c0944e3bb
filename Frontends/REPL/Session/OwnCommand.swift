import EventCommands

/// A line that is for the REPL itself: it begins with a dot.
enum OwnCommand {
  case quit
  case help
  case mode(isJSON: Bool)
  case read(String)
  /// Chooses a context; nil shows which there are.
  case context(String?)
  case unknown(String)

  /// The lines and their effects.
  static let all = [
    (".help", "Lists these lines"), (".mode table|json", "How results are shown"),
    (".quit", "Leaves, as ^D does"),
    (".read FILE", "Runs a script: all of it takes effect, or nothing does"),
    (contextLine, "What lists and additions are about from now on"),
  ]

  private static let contextLine = "context NAME|none"
  /// The word that chooses a context, where it is no command.
  static let contextVerb = "context"

  /// The text of `.help`.
  static var overview: String {
    all.map { $0.0.padded(to: 18) + $0.1 }.joined(separator: "\n")
  }

  /// The path of a line that reads a file; nil if it is another line.
  static func begunPath(_ text: String) -> String? {
    let start = ".read "
    guard text.hasPrefix(start) else { return nil }
    return String(text.dropFirst(start.count).drop { $0 == " " })
  }

  /// Reads a line at a prompt; nil if it is another line.
  static func typed(_ text: String, in catalogue: Catalogue) -> OwnCommand? {
    let words = text.split(separator: " ")
    guard let verb = words.first, verb == contextVerb, catalogue[contextVerb] == nil else {
      return OwnCommand(text)
    }
    guard words.count <= 2 else { return .unknown("'context' is followed by one name") }
    return .context(words.dropFirst().first.map(String.init))
  }

  /// Reads a line that begins with a dot; nil if it is another line.
  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard let verb = words.first, verb.hasPrefix(".") else { return nil }
    let rest = words.dropFirst().joined(separator: " ")
    switch (verb, rest) {
    case (".quit", ""), (".exit", ""): self = .quit
    case (".help", ""): self = .help
    case (".mode", "table"): self = .mode(isJSON: false)
    case (".mode", "json"): self = .mode(isJSON: true)
    case (".mode", _): self = .unknown("'.mode' is followed by table or json")
    case (".read", ""): self = .unknown("'.read' is followed by a file")
    case (".read", let path): self = .read(path)
    default: self = .unknown("no line '\(verb)'; '.help' lists them")
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
