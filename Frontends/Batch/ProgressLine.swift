import EventCommands
import EventMVVM
import Foundation

/// A line on the terminal with the progress of a script: drawn after half a second, ten times
/// a second at most, and erased before anything else is printed.
final class ProgressLine {
  private let total: Int
  private let descriptor: Int32?
  private var pace: Pace?
  private var isDrawn = false

  /// Creates the line.
  ///
  /// - Parameters:
  ///   - total: The number of steps.
  ///   - console: The console, which may have a terminal to draw on.
  ///   - now: The clock.
  init(_ total: Int, _ console: Console, now: @escaping @Sendable () -> Instant) {
    self.total = total
    descriptor = console.showsProgress && !console.isQuiet ? console.messages : nil
    pace = descriptor.map { _ in Pace(after: 500, now: now) }
  }

  /// Updates the number of completed steps.
  func advance(to done: Int) {
    guard pace?.isDue(at: done) == true else { return }
    write("\r\(done * 100 / max(total, 1))% (\(done) of \(total))")
    isDrawn = true
  }

  /// Erases the line.
  func erase() {
    guard isDrawn else { return }
    isDrawn = false
    // Spaces, as not every terminal supports erasing.
    write("\r" + String(repeating: " ", count: 2 * "\(total)".count + 11) + "\r")
  }

  private func write(_ text: String) {
    guard let descriptor else { return }
    _ = Foundation.write(descriptor, text, text.utf8.count)
  }
}
