import EventCommands

/// What people type at a prompt from habit, and the line that it means; in scripts it means nothing.
enum Habit {
  private static let verbs = ["?": "help", "ls": "list", "rm": "delete", "mod": "edit"]

  /// Returns the line that is meant: `list` for `ls`, `show 3` for `3`, `.quit` for `quit`, `exit`, `q` and
  /// `:q`; the line itself where it is another, or begins with a command of that name.
  static func line(_ typed: String, in catalogue: Catalogue) -> String {
    let words = typed.split(separator: " ", maxSplits: 1)
    guard let first = words.first.map(String.init), catalogue[first] == nil else { return typed }
    if words.count == 1 {
      if ["quit", "exit", "q", ":q"].contains(first) { return ".quit" }
      let digits = first.utf8.dropFirst(first.utf8.first == UInt8(ascii: "#") ? 1 : 0)
      let isNumber = !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
      if isNumber, catalogue["show"] != nil { return "show \(first)" }
    }
    guard let verb = verbs[first], catalogue[verb] != nil else { return typed }
    return verb + typed.drop { $0 == " " }.dropFirst(first.count)
  }
}
