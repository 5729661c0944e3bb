import EventMVVMTesting
import Foundation
import Testing

/// kill -9, at random times and at each sort of operation.
@Suite(.hangLimit) struct KillTests {
  /// Several rounds share a store, so that later ones recover what earlier ones left.
  @Test func `what was printed is there, and steps are whole, after kill -9`() async throws {
    let stores = Amount.of(brief: 2, long: 12)
    let rounds = Amount.of(brief: 50, long: 52)
    let least = Amount.of(brief: 3, long: 20)
    let ends = try await sideBySide(stores) { number in
      var store = try KilledStore(number)
      try store.run(rounds: rounds, meeting: least / stores + 1)
      return (store.tally, store.problems)
    }
    var tally = KillTally()
    for (number, end) in ends.enumerated() {
      tally += end.0
      for problem in end.1 { Issue.record("seed \(Amount.seed), store \(number): \(problem)") }
    }
    print("kill -9: \(tally)")
    for stage in Stage.allCases {
      #expect(tally.stages[stage, default: 0] >= least, "\(stage)")
    }
  }

  /// A step of hundreds of todos comes back whole, or stays.
  @Test func `an undo or a redo is done or not, and todos and steps agree, after kill -9`()
    async throws
  {
    let stores = Amount.of(brief: 2, long: 8)
    let rounds = Amount.of(brief: 15, long: 25)
    let least = Amount.of(brief: 1, long: 15)
    let ends = try await sideBySide(stores) { number in
      var store = try KilledReversals(number)
      try store.run(rounds: rounds, meeting: least / stores + 1)
      return (store.tally, store.long, store.problems)
    }
    var tally = KillTally()
    for (number, end) in ends.enumerated() {
      tally += end.0
      for problem in end.2 { Issue.record("seed \(Amount.seed), store \(number): \(problem)") }
    }
    print(
      "kill -9 during undo and redo: \(tally); \(ends.map(\.1).reduce(0, +)) of hundreds of todos"
    )
    for stage in Stage.allCases {
      #expect(tally.stages[stage, default: 0] >= least, "\(stage)")
    }
  }
}
