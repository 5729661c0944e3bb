import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  /// A process that is killed while others work.
  @Suite(.hangLimit) struct KilledTests {
    @Test(arguments: StorePlace.inLongTests)
    func `a script that is killed leaves neither a lock nor a part of itself`(
      _ kind: StorePlace
    ) throws {
      let store = try SharedStore(on: kind)
      try store.run("add", "Before")
      for round in 1...Load.times(3) {
        let script = try store.stoppedScript()
        let adders = try (1...4)
          .map { name in
            try store.loop("\(name)", 3, #"try todostream add "Todo \#(round).$1.$n""#)
          }
        script.send(SIGKILL)
        #expect(try script.outcome().status == 128 + SIGKILL)
        #expect(try adders.flatMap { try $0.outcome().errors } == [])
        let todos = try store.todos()
        #expect(todos.filter { $0.title.hasPrefix("Part ") } == [])
        #expect(todos.map(\.id) == Array(1...1 + 12 * round))
      }
      #expect(try store.isIntact())
    }

    @Test(arguments: StorePlace.here)
    func `what a killed process has printed is there, and the others' is, too`(
      _ kind: StorePlace
    ) throws {
      for _ in 1...Load.times(2) {
        let store = try SharedStore(on: kind)
        let adders = try (1...4)
          .map { name in
            try store.start(
              "run",
              "--keep-going",
              "-",
              input: (1...100).map { "add 'Todo \(name).\($0)'" }
            )
          }
        while try adders[0].printed().count(where: \.isNewline) < 20 {
          try #require(adders[0].isRunning)
        }
        adders[0].send(SIGKILL)
        let outcomes = try adders.map { try $0.outcome() }
        #expect(outcomes.map(\.status) == [128 + SIGKILL, 0, 0, 0])
        #expect(outcomes.flatMap(\.errors) == [])

        let stored = Set(try store.todos().map { "Added #\($0.id) \($0.title)" })
        #expect(outcomes.flatMap(\.output).filter { !stored.contains($0) } == [])
        // It may have been killed between a commit and its line of output.
        #expect((0...1).contains(stored.count - outcomes.flatMap(\.output).count))
        #expect(try store.isIntact())
      }
    }
  }
}
