import EventCommands
import EventMVVM
import Foundation

/// A line on the terminal that says how far a script has come: drawn after half a second, ten times
/// a second at most, and erased before anything else is printed.
final class ProgressLine {
  private let total: Int
  private let descriptor: Int32?
  private var pace: Pace?
  private var isDrawn = false

  /// Begins to count.
  ///
  /// - Parameters:
  ///   - total: How many steps there are.
  ///   - console: Whether there is a terminal to draw on, and which.
  ///   - now: The clock.
  init(_ total: Int, _ console: Console, now: @escaping @Sendable () -> Instant) {
    self.total = total
    descriptor = console.showsProgress && !console.isQuiet ? console.messages : nil
    pace = descriptor.map { _ in Pace(after: 500, now: now) }
  }

  /// Notes that so many steps are done.
  func advance(to done: Int) {
    guard pace?.isDue(at: done) == true else { return }
    write("\r\(done * 100 / max(total, 1))% (\(done) of \(total))")
    isDrawn = true
  }

  /// Takes the line off the screen.
  func erase() {
    guard isDrawn else { return }
    isDrawn = false
    // Spaces, as not every terminal knows how to erase.
    write("\r" + String(repeating: " ", count: 2 * "\(total)".count + 11) + "\r")
  }

  private func write(_ text: String) {
    guard let descriptor else { return }
    _ = Foundation.write(descriptor, text, text.utf8.count)
  }
}
