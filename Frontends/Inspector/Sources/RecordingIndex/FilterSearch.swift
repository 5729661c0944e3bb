import Dispatch
import Foundation
import Synchronization

/// Finds the events that fit a filter, in what is known of a recording at a moment; on all processors.
final class FilterSearch: Sendable {
  private let filter: Filter
  private let file: RecordingFile
  private let contents: RecordingContents
  private let envelope: EnvelopeTest
  private let sample: [UInt8]
  /// Those that no thread uses.
  private let idle = Mutex<[LineSearch]>([])

  /// How much of the file shows which bytes are rare.
  private static let sampleSize = 1 << 15

  init(_ filter: Filter, _ file: RecordingFile, _ contents: RecordingContents) {
    self.filter = filter
    self.file = file
    self.contents = contents
    envelope = EnvelopeTest(filter, contents)
    sample = file.bytes(Self.sampleSize, at: contents.indexed / 2)
  }

  /// Returns the positions of the events that fit, for each of some ranges.
  func positions(in ranges: [Range<Int>]) -> [[UInt32]] {
    guard ranges.count > 1 else { return ranges.map { positions(of: $0) } }
    let found = Mutex([[UInt32]](repeating: [], count: ranges.count))
    DispatchQueue.concurrentPerform(iterations: ranges.count) { index in
      let positions = positions(of: ranges[index])
      found.withLock { $0[index] = positions }
    }
    return found.withLock { $0 }
  }

  private func positions(of range: Range<Int>) -> [UInt32] {
    let search = idle.withLock { $0.popLast() } ?? LineSearch(filter, file, sample)
    defer { idle.withLock { $0.append(search) } }
    var found: [UInt32] = []
    var candidates: [EventEntry] = []
    contents.events.forEachPart(of: range) { events, first in
      for index in events.indices where envelope.fits(events[index]) {
        found.append(UInt32(first + index))
        if search.isNeeded { candidates.append(events[index]) }
      }
    }
    return search.isNeeded ? search.fitting(found, candidates) : found
  }
}

/// Reads the lines of events, many at a time, and tests them.
private final class LineSearch: @unchecked Sendable {
  // Unchecked: it is handed from thread to thread, and one at a time has it.
  private let file: RecordingFile
  private let tests: [LineTest]
  private var buffer: [UInt8] = []

  /// How much is read at once: as much as a processor keeps near, in bytes.
  private static let portion = 1 << 18
  /// How much between two lines is read with them, not passed over, in bytes.
  private static let gap = 1 << 13

  init(_ filter: Filter, _ file: RecordingFile, _ sample: [UInt8]) {
    self.file = file
    let tests = filter.words.compactMap { LineTest($0, sample) }
    self.tests = tests.filter(\.isFast) + tests.filter { !$0.isFast }
  }

  /// Whether lines are tested at all.
  var isNeeded: Bool { !tests.isEmpty }

  /// Returns the positions of those events whose lines fit.
  func fitting(_ positions: [UInt32], _ events: [EventEntry]) -> [UInt32] {
    var found: [UInt32] = []
    var first = 0
    while first < events.count {
      let (start, end) = group(events, from: first)
      let lines = (first..<end)
        .map { index in
          LineRange(positions[index], events[index], at: Int(events[index].offset - start))
        }
      let last = events[end - 1]
      read(Int(last.offset - start) + Int(last.length), at: start)
      buffer.withUnsafeBytes { bytes in
        let fitting = tests.reduce(lines) { $0.isEmpty ? $0 : $1.fitting($0, bytes) }
        found += fitting.map(\.position)
      }
      first = end
    }
    return found
  }

  /// Where the lines from one on begin that are read together, and the index after the last of them.
  private func group(_ events: [EventEntry], from first: Int) -> (start: UInt64, end: Int) {
    let start = events[first].offset
    var end = first + 1
    while end < events.count {
      let (last, next) = (events[end - 1], events[end])
      guard next.offset - (last.offset + UInt64(last.length)) <= Self.gap,
        next.offset + UInt64(next.length) - start <= Self.portion
      else { break }
      end += 1
    }
    return (start, end)
  }

  private func read(_ count: Int, at offset: UInt64) {
    if buffer.count < count || buffer.count > max(count, Self.portion) {
      buffer = [UInt8](repeating: 0, count: max(count, Self.portion))
    }
    buffer.withUnsafeMutableBytes { bytes in
      let wanted = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
      let read = file.read(into: wanted, at: offset)
      // A file that has become shorter has fewer.
      for index in read..<count { wanted[index] = 32 }
    }
  }
}
