import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  /// A store that is not there yet, and several who need it at the same moment.
  @Suite(.hangLimit) struct CreationTests {
    @Test func `eight processes make a new store at once, and each finds its todo in it`() throws {
      for _ in 1...Load.times(10) {
        let store = try SharedStore()
        let adders = try store.startAtOnce((1...8).map { "exec todostream add 'Todo \($0)'" })
        let outcomes = try adders.map { try $0.outcome() }
        expectEight(outcomes, try store.todos())
      }
    }

    @Test func `eight processes make the folder of the default store at once`() throws {
      for _ in 1...Load.times(5) {
        let store = try SharedStore()
        let adders = try store.startAtOnce(
          (1...8).map { "unset TODOSTREAM_STORE; exec todostream add 'Todo \($0)'" }
        )
        let outcomes = try adders.map { try $0.outcome() }
        let path = store.place.folder.appending(path: "data/todostream/todos.sqlite").path
        expectEight(outcomes, try store.todos("--store", path))
      }
    }

    /// Every todo is there under the number that was printed for it.
    private func expectEight(_ outcomes: [Job.Outcome], _ todos: [SharedStore.Todo]) {
      #expect(outcomes.flatMap(\.errors) == [])
      #expect(outcomes.map(\.status) == [0, 0, 0, 0, 0, 0, 0, 0])
      #expect(todos.map(\.title).sorted() == (1...8).map { "Todo \($0)" })
      let printed = outcomes.flatMap(\.output)
      #expect(printed.sorted() == todos.map { "Added #\($0.id) \($0.title)" }.sorted())
    }

    @Test func `those who only look at a new store do not disturb those who write to it`() throws {
      for _ in 1...Load.times(5) {
        let store = try SharedStore()
        let jobs = try store.startAtOnce(
          (1...4).flatMap { ["exec todostream list", "exec todostream --quiet add 'Todo \($0)'"] }
        )
        let outcomes = try jobs.map { try $0.outcome() }
        #expect(outcomes.flatMap(\.errors) == [])
        #expect(outcomes.map(\.status) == [0, 0, 0, 0, 0, 0, 0, 0])
        let titles = try store.todos().map(\.title)
        #expect(titles.sorted() == ["Todo 1", "Todo 2", "Todo 3", "Todo 4"])
      }
    }
  }
}
