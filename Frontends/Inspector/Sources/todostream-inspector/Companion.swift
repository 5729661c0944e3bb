import Foundation
import RecordingIndex
import Synchronization

/// Ends this program when it has no use any more: the program whose events it shows has ended, and no page is open.
final class Companion: Sendable {
  private let pages = Mutex((open: 0, hadOne: false, last: ContinuousClock.now))
  /// How long it waits for a first page, after the end of the other program.
  private static let firstPatience = Duration.seconds(60)
  /// How long it waits for another page.
  private static let patience = Duration.seconds(5)

  /// A page was opened.
  func open() {
    pages.withLock { pages in
      pages.open += 1
      pages.hadOne = true
    }
  }

  /// A page was closed.
  func close() {
    pages.withLock { pages in
      pages.open -= 1
      pages.last = .now
    }
  }

  /// Waits until this program has no use any more.
  ///
  /// - Parameters:
  ///   - process: The number of the other program, which has started this one.
  ///   - index: The index of its events.
  /// - Throws: That the task was cancelled.
  func wait(beside process: Int32, _ index: RecordingIndex) async throws {
    while getppid() == process { try await Task.sleep(for: .milliseconds(200)) }
    // What is in the file is read.
    try await Task.sleep(for: .seconds(1))
    index.close()
    pages.withLock { $0.last = .now }
    while !isOver { try await Task.sleep(for: .milliseconds(500)) }
  }

  private var isOver: Bool {
    pages.withLock { pages in
      pages.open == 0
        && pages.last.duration(to: .now) > (pages.hadOne ? Self.patience : Self.firstPatience)
    }
  }
}
