import EventMVVM
import Foundation

/// A line on the terminal that says how far a script has come: drawn after half a second, ten times a
/// second at most, and erased before anything else is printed.
final class ProgressLine {
  private let total: Int
  private let descriptor: Int32?
  private let now: @Sendable () -> Instant
  private var next: Instant
  private var isDrawn = false

  /// Begins to count.
  ///
  /// - Parameters:
  ///   - total: How many steps there are.
  ///   - options: Whether there is a terminal to draw on, and which.
  ///   - now: The clock.
  init(_ total: Int, _ options: BatchOptions, now: @escaping @Sendable () -> Instant) {
    self.total = total
    self.now = now
    descriptor = options.showsProgress && !options.isQuiet ? options.messages : nil
    next = descriptor == nil ? Instant(milliseconds: 0) : now().adding(milliseconds: 500)
  }

  /// Notes that so many steps are done; the clock is read for one step in 64.
  func advance(to done: Int) {
    guard descriptor != nil, done % 64 == 0 else { return }
    let time = now()
    guard time >= next else { return }
    next = time.adding(milliseconds: 100)
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
