import EventMVVMTesting
import Foundation
import Testing

/// Power losses at any operation of recorded work; what was not synced is dropped, torn or kept.
@Suite(.hangLimit) struct PowerLossTests {
  @Test func `what was printed is there, and steps are whole, after a power loss`() async throws {
    let count = Amount.of(brief: 150, long: 850)
    let ends = try await sideBySide(Amount.of(brief: 4, long: 12)) { number in
      var losses = try PowerLosses(number)
      try losses.run(.init(count: count))
      return (losses.tally, losses.problems)
    }
    for problem in ends.flatMap(\.1) { Issue.record("seed \(Amount.seed), \(problem)") }
    func sum(_ count: (PowerLosses.Tally) -> Int) -> Int { ends.map { count($0.0) }.reduce(0, +) }
    print(
      """
      power loss: \(sum(\.losses)) in \(sum(\.operations)) operations, \(sum(\.acknowledged)) of \
      them behind an acknowledgement; behind \(sum(\.opened)) the program went on
      """
    )
    #expect(sum(\.losses) >= Amount.of(brief: 600, long: 10_000))
    #expect(sum(\.acknowledged) >= Amount.of(brief: 400, long: 8_000))
  }

  @Test func `a disk that forgets to sync the log is found out`() async throws {
    let problems = try await sideBySide(1) { number in
      var losses = try PowerLosses(number)
      try losses.run(.init(count: 40, forgetsSyncsOf: "-wal"))
      return losses.problems
    }
    #expect(problems[0].contains { $0.contains("LOST") }, "\(problems[0])")
  }
}
