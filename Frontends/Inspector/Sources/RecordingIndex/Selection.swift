import Dispatch
import Foundation
import Synchronization

/// The events that fit a filter, which are looked for in the background; any thread.
final class Selection: Sendable {
  private struct State {
    var matches = Blocks<UInt32>()
    /// How many events were tested.
    var tested = 0
    var isRunning = false
  }

  /// The result so far.
  struct Result: Sendable {
    /// The positions of the events that fit; nil if all do.
    var matches: Blocks<UInt32>?
    /// How many events were tested.
    var tested: Int

    /// The number of events that fit.
    var count: Int { matches?.count ?? tested }
    /// Returns the position of the n-th event that fits.
    func position(_ index: Int) -> Int { matches.map { Int($0[index]) } ?? index }
  }

  let filter: Filter
  private let index: RecordingIndex
  private let state = Mutex(State())
  private let isCancelled = Atomic(false)
  private let news = NSCondition()
  /// How many events a processor tests at a time.
  private static let portion = 4096
  /// How many times as many are tested between two looks at the outside, at most.
  private static let mostPortions = 16

  init(_ filter: Filter, _ index: RecordingIndex) {
    self.filter = filter
    self.index = index
  }

  /// Ends the search.
  func cancel() { isCancelled.store(true, ordering: .releasing) }

  /// Returns what has been found; waits a while for as many as are wanted.
  ///
  /// - Parameters:
  ///   - wanted: How many are enough.
  ///   - seconds: How long it waits at most.
  /// - Returns: The result, and what is known of the recording.
  func result(wanted: Int, waiting seconds: Double) -> (Result, RecordingContents) {
    let contents = index.contents
    guard !filter.isEverything else {
      return (Result(matches: nil, tested: contents.count), contents)
    }
    begin()
    let deadline = Date(timeIntervalSinceNow: seconds)
    news.lock()
    defer { news.unlock() }
    while true {
      let (result, isRunning) = state.withLock {
        (Result(matches: $0.matches, tested: $0.tested), $0.isRunning)
      }
      guard isRunning, result.count < wanted, news.wait(until: deadline) else {
        return (result, index.contents)
      }
    }
  }

  private func begin() {
    let contents = index.contents
    let begins = state.withLock { state in
      guard !state.isRunning, state.tested < contents.count else { return false }
      state.isRunning = true
      return true
    }
    guard begins else { return }
    DispatchQueue.global(qos: .userInitiated).async { [self] in search() }
  }

  /// Tests all events that are there: a few at first, so that the first ones are soon found, then more at a time.
  private func search() {
    var contents = index.contents
    var search = FilterSearch(filter, index.file, contents)
    var portions = 2
    while !isCancelled.load(ordering: .acquiring) {
      let first = state.withLock { $0.tested }
      if first == contents.count {
        contents = index.contents
        let isOver = state.withLock { state in
          state.isRunning = first < contents.count
          return !state.isRunning
        }
        if isOver { break }
        search = FilterSearch(filter, index.file, contents)
      }
      let end = min(contents.count, first + portions * Self.portion)
      let found = search.positions(
        in: stride(from: first, to: end, by: Self.portion).map { $0..<min(end, $0 + Self.portion) }
      )
      state.withLock { state in
        for positions in found {
          for position in positions { state.matches.append(position) }
        }
        state.tested = end
      }
      portions = min(portions * 2, Self.mostPortions)
      announce()
    }
    state.withLock { $0.isRunning = false }
    announce()
  }

  private func announce() {
    news.lock()
    news.broadcast()
    news.unlock()
  }
}
