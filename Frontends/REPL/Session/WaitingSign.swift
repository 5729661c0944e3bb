import EventCommands
import EventMVVM

/// The text in place of the prompt while a person waits.
enum WaitingSign {
  /// A command is running.
  static let working = StyledText("working … ^C cancels", .dim)
  /// Returns the text of a state in progress, in its own words: `sending`.
  static func underWay(_ words: String) -> StyledText {
    StyledText("\(words) … ^C cancels", .dim)
  }
  /// The person has cancelled it, and it has not ended yet.
  static let cancelling = StyledText("cancelling …", .dim)

  /// Returns the progress of a script: a bar, and numbers.
  static func progress(_ done: Int, of total: Int) -> StyledText {
    let share = done * 100 / max(total, 1)
    let width = 20
    let filled = share * width / 100
    var text = StyledText()
    text.append("[" + String(repeating: "=", count: filled), .cyan)
    text.append(String(repeating: " ", count: width - filled) + "]", .cyan)
    text.append(" \(share)% (\(done) of \(total)) … ^C rolls it back", .dim)
    return text
  }
}

/// Shows the progress of a script while the editor waits for it.
final class ScriptProgress: Sendable {
  private let total: Int
  private let screen: LineScreen
  private let pace: Locked<Pace>

  init(_ total: Int, on screen: LineScreen, now: @escaping @Sendable () -> Instant) {
    self.total = total
    self.screen = screen
    pace = Locked(Pace(after: 0, now: now))
  }

  /// Updates the number of completed commands.
  func advance(to done: Int) {
    guard pace.withLock({ $0.isDue(at: done) }) else { return }
    screen.setStatus(WaitingSign.progress(done, of: total))
  }
}
