import EventCommands
import Foundation

/// Reading lines that the terminal itself edits.
extension LineEditor {
  /// Reads an entry, which may have several lines, and sets its outcome.
  ///
  /// Announcements are printed on lines of their own, and the prompt again after them; what was typed
  /// so far stays with the terminal.
  func readPlain() {
    // From now on announcements wait for this thread.
    screen.paint(Array(view.prompt.plain.utf8))
    var lines: [String] = []
    while outcome == nil {
      runPending()
      guard outcome == nil else { break }
      guard let line = input.takeLine() else {
        waitForLine(isBegun: !lines.isEmpty || !input.isEmpty)
        continue
      }
      guard let text = String(validating: line, as: UTF8.self), !line.contains(0) else {
        screen.paint(
          Array("error: The line has bytes that are no text; set the terminal to UTF-8.\n".utf8)
        )
        outcome = .interrupted
        return
      }
      lines.append(text)
      let entry = lines.joined(separator: "\n")
      if assistant.isComplete(entry) {
        outcome = .text(entry)
      } else {
        view.prompt = view.continuation
        screen.paint(Array(view.prompt.plain.utf8))
      }
    }
    if case .text? = outcome { return }
    // What was typed of a line that was dropped is dropped with it. The cursor is after a prompt.
    input.removeAll()
    screen.paint(Array("\n".utf8))
  }

  private func waitForLine(isBegun: Bool) {
    let ready = poll(0, timeout: -1)
    for signal in takeSignals() { obey(signal) }
    guard outcome == nil else { return }
    switch ready {
    case .input:
      // ^D ends the conversation, but an entry that has begun is only dropped.
      guard !readInput() else { return }
      outcome = isBegun ? .interrupted : .end
    case .gone: leaveForGood()
    case .timeout, .other, nil: break
    }
  }
}
