import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  /// Scripts, all or nothing, beside other processes.
  @Suite(.hangLimit) struct ScriptTests {
    @Test(arguments: StorePlace.here) func `a reader never sees a part of a script`(
      _ kind: StorePlace
    ) throws {
      let store = try SharedStore(on: kind)
      try store.run("add", "First")
      try store.run("add", "Second")
      let rounds = Load.times(4)
      let scripts = try (1...2)
        .map { name in
          try store.loop(
            "\(name)",
            rounds,
            #"""
            {
              echo "edit 1 --title 'By $1.$n'"
              i=0; while [ $i -lt 200 ]; do echo "add 'Part $1.$n' --tag part"; i=$((i + 1)); done
              echo "edit 2 --title 'By $1.$n'"
            } | try todostream --quiet run -
            """#
          )
        }
      let failing = try store.loop(
        "never",
        rounds,
        #"""
        { i=0; while [ $i -lt 200 ]; do echo "add 'Never'"; i=$((i + 1)); done; echo "done 99999"; } |
          todostream --quiet run - 2>/dev/null
        [ $? -eq 1 ] || echo "the failing script ended with another status" >&2
        """#
      )
      let adder = try store.loop("one-shot", rounds * 10, #"try todostream add "One-shot $n""#)

      var readings = 0
      while scripts.contains(where: \.isRunning) || failing.isRunning || adder.isRunning {
        try expectWhole(try store.todos())
        readings += 1
      }
      let todos = try store.todos()
      try expectWhole(todos)
      #expect(todos.count { $0.tags == ["part"] } == 2 * rounds * 200)
      #expect(todos.count { $0.title.hasPrefix("One-shot ") } == rounds * 10)
      #expect(todos.count == 2 + 2 * rounds * 200 + rounds * 10)
      #expect(readings >= 3, "the scripts were too short to be read beside")
      for job in scripts + [failing, adder] {
        let outcome = try job.outcome()
        #expect(outcome.errors == [] && outcome.status == 0)
      }
    }

    /// Both marks of the script that was last, and all or nothing of what each has added.
    private func expectWhole(_ todos: [SharedStore.Todo]) throws {
      let marks = todos.prefix(2).map(\.title)
      #expect(marks == ["First", "Second"] || marks.first == marks.last)
      let parts = Dictionary(grouping: todos.filter { $0.tags == ["part"] }, by: \.title)
      #expect(parts.mapValues(\.count).filter { $0.value != 200 } == [:])
      #expect(todos.filter { $0.title == "Never" } == [])
    }
  }
}
