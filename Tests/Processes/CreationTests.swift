import Foundation
import ProcessTesting
import Testing

extension Processes {
  @Suite struct CreationTests {
    @Test func `eight processes make a new store at once, and each finds its todo in it`() throws {
      for _ in 1...Load.times(8) {
        let store = try SharedStore()
        let adders = try (1...8).map { try store.start("add", "Todo \($0)") }
        let outcomes = try adders.map { try $0.outcome() }
        #expect(outcomes.flatMap(\.errors) == [])
        let todos = try store.todos()
        #expect(todos.map(\.title).sorted() == (1...8).map { "Todo \($0)" })
        #expect(
          outcomes.flatMap(\.output).sorted()
            == todos.map { "Added #\($0.id) \($0.title)" }.sorted()
        )
      }
    }

    @Test func `eight processes make the folder of the default store at once`() throws {
      for _ in 1...Load.times(4) {
        let store = try SharedStore()
        let adders = try (1...8)
          .map {
            try store.place.start(
              #"unset TODOSTREAM_STORE; exec todostream add "Todo $1""#,
              ["\($0)"]
            )
          }
        let outcomes = try adders.map { try $0.outcome() }
        #expect(outcomes.flatMap(\.errors) == [])
        let listed = try store.place.start("unset TODOSTREAM_STORE; todostream list | sort")
          .outcome()
        #expect(
          listed.output
            == outcomes.flatMap(\.output).map { $0.replacing("Added ", with: "") }
            .map { $0.replacing(" Todo", with: " [ ] Todo") }.sorted()
        )
        #expect(listed.output.count == 8)
      }
    }

    @Test func `those who only look at a new store do not disturb those who write to it`() throws {
      for _ in 1...Load.times(4) {
        let store = try SharedStore()
        let readers = try (1...4).map { _ in try store.start("list") }
        let adders = try (1...4).map { try store.start("add", "Todo \($0)") }
        let read = try readers.map { try $0.outcome() }
        let added = try adders.map { try $0.outcome() }
        #expect((read + added).flatMap(\.errors) == [])
        #expect((read + added).map(\.status) == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(
          try store.todos().map(\.title).sorted() == ["Todo 1", "Todo 2", "Todo 3", "Todo 4"]
        )
      }
    }
  }
}
