import EventMVVMTesting
import Foundation
import Testing

/// The k-th operation on the files failing, for each that a command makes.
@Suite(.hangLimit) struct FaultTests {
  @Test func `a failing operation loses nothing, and what is said about it is true`() async throws {
    let cases = Situation.all.enumerated()
      .flatMap { number, situation in
        // Briefly, each command meets one sort of fault, at each second operation.
        (Amount.isLong ? Fault.all : [Fault.brief[number % 3]]).map { (situation, $0) }
      }
    let ends = try await sideBySide(cases.count) { number in
      var runs = try FaultyRuns(cases[number].0, cases[number].1)
      let step = Amount.of(brief: 2, long: 1)
      try runs.run(from: 1 + number / 2 % step, by: step)
      return (runs.tally, runs.problems)
    }
    for problem in ends.flatMap(\.1) { Issue.record("\(problem)") }
    let runs = ends.map(\.0.runs).reduce(0, +)
    let succeeded = ends.map(\.0.succeeded).reduce(0, +)
    print("faults: \(runs) operations failed, \(succeeded) of them without consequences")
    let messages = ends.reduce(into: [:]) { $0.merge($1.0.messages, uniquingKeysWith: +) }
    for (message, count) in messages.sorted(by: { $0.value > $1.value }) {
      print("  \(count) × \(message)")
    }
    #expect(runs >= Amount.of(brief: 350, long: 4_000))
  }
}
