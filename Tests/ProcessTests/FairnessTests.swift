import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  /// Writers that never pause, each transaction following the last at once.
  @Suite(.hangLimit) struct FairnessTests {
    @Test(arguments: StorePlace.inLongTests)
    func `beside writers that never pause, nobody waits in vain`(
      _ kind: StorePlace
    ) throws {
      let store = try SharedStore(on: kind)
      let count = Load.times(300)
      let busy = try (1...6)
        .map { name in
          try store.start(
            "--quiet",
            "run",
            "--keep-going",
            "-",
            input: (1...count).map { "add 'Todo \(name).\($0)'" }
          )
        }
      var adds = 0
      while busy.contains(where: \.isRunning) {
        adds += 1
        let outcome = try store.run("--quiet", "add", "Between \(adds)")
        #expect(outcome == Job.Outcome())
      }
      let outcomes = try busy.map { try $0.outcome() }
      #expect(outcomes == Array(repeating: Job.Outcome(), count: 6))
      let todos = try store.todos()
      #expect(todos.count == adds + 6 * count)
    }
  }
}
