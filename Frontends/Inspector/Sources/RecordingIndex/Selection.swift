import CSearch
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
  /// How many events are tested between two looks at the outside.
  private static let portion = 8192

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

  /// Tests all events that are there.
  private func search() {
    var contents = index.contents
    var matcher = FilterMatcher(filter, contents)
    var window = LineWindow(index.file, lowercase: matcher.needsLowercase)
    while !isCancelled.load(ordering: .acquiring) {
      let first = state.withLock { $0.tested }
      if first == contents.count {
        contents = index.contents
        let isOver = state.withLock { state in
          state.isRunning = first < contents.count
          return !state.isRunning
        }
        if isOver { break }
      }
      let end = min(contents.count, first + Self.portion)
      var found: [UInt32] = []
      for position in first..<end {
        let event = contents.events[position]
        guard matcher.fits(event, contents) else { continue }
        if matcher.needsLine {
          let fits = window.withLine(of: event) { matcher.fits(event, line: $0, lowercase: $1) }
          guard fits else { continue }
        }
        found.append(UInt32(position))
      }
      state.withLock { state in
        for position in found { state.matches.append(position) }
        state.tested = end
      }
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

/// A part of a file that is held in memory, so that lines that lie together are read together.
struct LineWindow {
  private let file: RecordingFile
  private let isLowercase: Bool
  private var start: UInt64 = 0
  private var bytes: [UInt8] = []
  private var lowercase: [UInt8] = []

  /// How much is read at once where the next line lies near, in bytes.
  private static let portion = 1 << 18

  init(_ file: RecordingFile, lowercase: Bool = false) {
    self.file = file
    isLowercase = lowercase
  }

  /// Calls back with the line of an event, and in lower case if that was wanted; with fewer bytes if they are no
  /// longer in the file.
  mutating func withLine<Result>(
    of event: EventEntry,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let length = Int(event.length)
    if event.offset < start || event.offset + UInt64(length) > start + UInt64(bytes.count) {
      load(event)
    }
    let first = Int(event.offset - start)
    // A file that has become shorter has fewer.
    let range = min(first, bytes.count)..<min(first + length, bytes.count)
    guard range.count == length else {
      let empty = [UInt8](repeating: 32, count: length)
      return empty.withUnsafeBytes { body($0, $0) }
    }
    return bytes.withUnsafeBytes { line in
      let line = UnsafeRawBufferPointer(rebasing: line[range])
      guard isLowercase else { return body(line, line) }
      return lowercase.withUnsafeBytes { body(line, UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
  }

  private mutating func load(_ event: EventEntry) {
    let end = start + UInt64(bytes.count)
    let isNear = event.offset >= start && event.offset < end + 65_536
    start = event.offset
    bytes = file.bytes(max(Int(event.length), isNear || end == 0 ? Self.portion : 0), at: start)
    guard isLowercase else { return }
    lowercase = [UInt8](unsafeUninitializedCapacity: bytes.count) { lowercase, count in
      csearch_lowercase(bytes, bytes.count, lowercase.baseAddress)
      count = bytes.count
    }
  }
}
