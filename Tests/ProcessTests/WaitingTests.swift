import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  /// Writers that wait for another process.
  @Suite(.hangLimit) struct WaitingTests {
    @Test func `a writer waits for a long script and gets its turn; a reader does not wait`() throws
    {
      let store = try SharedStore()
      try store.run("add", "Before")
      // It has its turn, and can't begin.
      let transaction = try SQLiteSession(in: store, "BEGIN IMMEDIATE", end: "COMMIT")
      let script = try store.start("--quiet", "run", "-", input: (1...500).map { "add Part \($0)" })
      try store.waitUntilItsTurn()
      let writer = try store.start("add", "After")
      #expect(try store.todos().map(\.title) == ["Before"])
      #expect(script.isRunning)
      #expect(writer.isRunning)

      try transaction.end()
      #expect(try script.outcome() == Job.Outcome())
      #expect(try writer.outcome() == Job.Outcome(output: ["Added #502 After"]))
      #expect(try store.todos().count == 502)
    }

    @Test func `a writer that waits for longer than five seconds fails and writes nothing`() throws
    {
      let (beside, behind) = (try SharedStore(), try SharedStore())
      for store in [beside, behind] { try store.run("add", "Before") }
      let script = try beside.stoppedScript()
      let transaction = try SQLiteSession(in: behind, "BEGIN IMMEDIATE", end: "COMMIT")

      let start = ContinuousClock.now
      let writers = [
        try beside.start("add", "Late"), try beside.start("run", "-", input: ["add Late"]),
        try behind.start("add", "Late"), try behind.start("run", "-", input: ["add Late"]),
      ]
      let outcomes = try writers.map { try $0.outcome() }
      #expect(start.duration(to: .now) >= .seconds(5))
      #expect(outcomes.map(\.status) == [4, 4, 4, 4])
      #expect(outcomes.flatMap(\.output) == [])
      for (store, outcome) in zip([beside, beside, behind, behind], outcomes) {
        #expect(outcome.errors.first?.hasPrefix("error: \(store.path)") == true)
        #expect(outcome.errors.first?.contains("is locked by another process") == true)
      }

      try transaction.end()
      script.send(SIGKILL)
      #expect(try script.outcome().status == 128 + SIGKILL)
      for store in [beside, behind] {
        #expect(try store.todos().map(\.title) == ["Before"])
        #expect(try store.run("add", "Now") == Job.Outcome(output: ["Added #2 Now"]))
      }
    }
  }
}
