import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  @Suite(.hangLimit) struct MixedTests {
    @Test(arguments: StorePlace.inLongTests)
    func `eight processes add, complete, edit and list, and every change is there`(
      _ kind: StorePlace
    ) throws {
      let store = try SharedStore(on: kind)
      let count = Load.times(6)
      try store.run("add", "Everybody's")
      let workers = try (1...8).map { try store.loop("\($0)", count, Self.work) }
      let outcomes = try workers.map { try $0.outcome() }

      #expect(outcomes.flatMap(\.errors) == [])
      #expect(outcomes.map(\.status) == Array(repeating: 0, count: 8))
      let todos = try store.todos()
      let names = (1...8).flatMap { name in (1...count).map { "\(name).\($0)" } }
      #expect(todos.first?.tags == Set(names))
      let own = todos.dropFirst()
      #expect(own.map(\.title).sorted() == names.map { "Todo \($0)" }.sorted())
      #expect(own.filter(\.complete).count == names.count)
      #expect(own.filter { $0.subtitle == "Notes of \($0.title)" }.count == names.count)
      // One revision for each change: none was lost, none was made twice.
      #expect(todos.map(\.revision).max() == 1 + 4 * names.count)
      #expect(try store.isIntact())
    }

    /// What each of them does in each round.
    private static let work = #"""
      number=$(try todostream --json add "Todo $1.$n" | sed 's/{"id":\([0-9]*\),.*/\1/')
      try todostream --quiet edit "$number" --subtitle "Notes of Todo $1.$n"
      try todostream --quiet done "$number"
      try todostream --quiet edit 1 --tag "$1.$n"
      try todostream --json list --all | grep -q "\"title\":\"Todo $1.$n\"" || echo "own todo is missing" >&2
      """#
  }
}
