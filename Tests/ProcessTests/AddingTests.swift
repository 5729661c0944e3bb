import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  @Suite(.hangLimit) struct AddingTests {
    @Test(arguments: StorePlace.inLongTests)
    func `ten loops of processes add todos, and each has a number of its own`(
      _ kind: StorePlace
    ) throws {
      let store = try SharedStore(on: kind)
      let count = Load.times(25)
      let adders = try (1...10)
        .map { name in
          try store.loop("\(name)", count, #"try todostream add "Todo $1.$n""#)
        }
      try expectAll(count, of: adders, in: store)
    }

    @Test(arguments: StorePlace.here)
    func `ten processes that stay add a hundred todos each, line by line`(_ kind: StorePlace) throws
    {
      let store = try SharedStore(on: kind)
      let count = Load.times(100)
      let adders = try (1...10)
        .map { name in
          try store.start(
            "run",
            "--keep-going",
            "-",
            input: (1...count).map { "add 'Todo \(name).\($0)'" }
          )
        }
      try expectAll(count, of: adders, in: store)
    }

    /// Every todo is there under the number that was printed for it.
    private func expectAll(_ count: Int, of adders: [Job], in store: SharedStore) throws {
      let outcomes = try adders.map { try $0.outcome() }
      #expect(outcomes.flatMap(\.errors) == [])
      #expect(outcomes.map(\.status) == Array(repeating: 0, count: 10))
      let todos = try store.todos()
      #expect(todos.map(\.id) == Array(1...10 * count))
      #expect(todos.map(\.revision) == Array(1...10 * count))
      let titles = (1...10).flatMap { name in (1...count).map { "Todo \(name).\($0)" } }
      #expect(todos.map(\.title).sorted() == titles.sorted())
      #expect(
        outcomes.flatMap(\.output).sorted()
          == todos.map { "Added #\($0.id) \($0.title)" }.sorted()
      )
    }
  }
}
