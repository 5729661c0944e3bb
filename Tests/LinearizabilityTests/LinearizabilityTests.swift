import EventMVVMTesting
import Foundation
import Testing

/// Random histories of one store, each of which must have happened in the order of its change log.
///
/// Twenty seeds unless `LINEARIZABILITY_SEEDS` says how many; the first is 1, or
/// `LINEARIZABILITY_SEED`.
@Suite(.serialized, .hangLimit) struct LinearizabilityTests {
  @Test(arguments: Seeds.groups)
  func `answers of clients agree with the order of the log and with real time`(
    _ seeds: ClosedRange<Int>
  ) throws {
    var tally = Tally()
    for seed in seeds {
      let history = try RandomHistory(seed: seed)
      tally.count(history)
      guard !history.problems.isEmpty else { continue }
      let kept = try history.keep(as: seed)
      Issue.record(
        "seed \(seed), kept in \(kept):\n\(history.problems.joined(separator: "\n"))"
      )
    }
    print("seeds \(seeds.lowerBound) to \(seeds.upperBound): \(tally)")
    // Histories without steps prove nothing.
    #expect(tally.steps > seeds.count)
  }
}

/// Which histories are tried.
private enum Seeds {
  /// Twenty in each, so that each has a limit of its own.
  static let groups: [ClosedRange<Int>] = {
    let first = number("LINEARIZABILITY_SEED") ?? 1
    let count = max(1, number("LINEARIZABILITY_SEEDS") ?? 20)
    return stride(from: first, to: first + count, by: 20)
      .map { $0...min($0 + 19, first + count - 1) }
  }()

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}

/// What was seen.
private struct Tally: CustomStringConvertible {
  private(set) var steps = 0
  private var operations = 0
  private var unanswered = 0
  private var refused = 0
  private var overlapping = 0

  mutating func count(_ history: RandomHistory) {
    steps += history.contents.log.steps.count
    for (index, operation) in history.operations.enumerated() {
      operations += 1
      if operation.answer == .unknown { unanswered += 1 }
      if case .refused = operation.answer { refused += 1 }
      let earlier = history.operations.prefix(index)
      if earlier.contains(where: { $0.client != operation.client && $0.end > operation.begin }) {
        overlapping += 1
      }
    }
  }

  var description: String {
    "\(operations) operations, \(overlapping) of them while another one was under way, "
      + "\(refused) refused, \(unanswered) killed; \(steps) steps"
  }
}

extension RandomHistory {
  /// Writes it to a file, and gives the file's path.
  fileprivate func keep(as seed: Int) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../.build/linearizability").standardizedFileURL
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "\(seed).txt")
    let text =
      problems + ["", "The operations:"] + operations.map(\.description)
      + ["", "The steps:"] + contents.log.steps.map { "\($0)" }
    try Data((text.joined(separator: "\n") + "\n").utf8).write(to: file)
    return file.path
  }
}
