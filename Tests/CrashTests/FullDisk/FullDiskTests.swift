import EventMVVMTesting
import Foundation
import Testing

/// A real disk that is really full, though a small one.
@Suite(.hangLimit) struct FullDiskTests {
  @Test func `a disk that fills and is freed again loses nothing, and work goes on`() async throws {
    let rounds = Amount.of(brief: 25, long: 300)
    let ends = try await sideBySide(2) { number in
      var disk = try FullDisk(number)
      try disk.run(rounds: rounds)
      return (disk.tally, disk.problems)
    }
    for problem in ends.flatMap(\.1) { Issue.record("seed \(Amount.seed), \(problem)") }
    let full = ends.map(\.0.full).reduce(0, +)
    let acknowledged = ends.map(\.0.acknowledged).reduce(0, +)
    print(
      "full disk: \(2 * rounds) rounds, \(full) of them full, \(acknowledged) changes acknowledged in those"
    )
    #expect(full >= rounds / 2)
  }
}
