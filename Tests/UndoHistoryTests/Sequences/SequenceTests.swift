import EventMVVMTesting
import Foundation
import Testing

/// Undo and redo after whatever people may do: `UNDO_SEQUENCES=5000` tries more of it,
/// `UNDO_SEED=7` other ones.
@Suite(.hangLimit) struct SequenceTests {
  private let count = number("UNDO_SEQUENCES") ?? 60
  private let seed = UInt64(number("UNDO_SEED") ?? 1)

  @Test func `undo goes back through any sequence to an empty store, and redo to its end`() throws {
    try search(.plain, count, Trial.problem)
  }

  @Test func `what fails changes nothing, and by force all is undone, whoever interferes`() throws {
    try search(.contested, count / 3, Contest.problem)
  }

  /// Tries sequences until one has a problem, and reports the least that has one.
  private func search(
    _ reversals: Author.Reversals,
    _ count: Int,
    _ problem: ([Operation]) throws -> Trial.Problem?
  ) throws {
    for place in 0..<count {
      var author = Author(seed: seed &* 1_000_003 &+ UInt64(place), reversals)
      let operations = author.operations(place % 30 + 1)
      guard let first = try problem(operations) else { continue }
      let fewest = try operations.shrunk { try problem($0) != nil }
      let least = try problem(fewest) ?? first
      Issue.record(
        """
        UNDO_SEED=\(seed), sequence \(place): \(least)
        after
        \(fewest.script)
          -- all is undone, and redone
        """
      )
      return
    }
    print("undo: \(count) sequences, \(reversals), UNDO_SEED=\(seed)")
  }

  @Test func `what has a problem shrinks to a script that a person can do again`() {
    let operations: [Operation] = [
      .command("add Milk"), .script(["add Rye", "delete 1", "toggle 2"], by: .other), .restart,
      .command("redo"), .command("undo", by: .other), .command("add Oats"),
    ]
    let fewest = operations.shrunk { operations in
      operations.contains { "\($0)".contains("delete 1") } && operations.contains(.restart)
        && operations.contains(.command("undo", by: .other))
    }
    #expect(
      fewest.script == """
          other: run - <<END
          delete 1
          END
          -- restart
          other: undo
        """
    )
  }
}

private func number(_ variable: String) -> Int? {
  ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
}
