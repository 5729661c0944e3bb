import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  /// Two processes at one todo.
  @Suite(.hangLimit) struct SameTodoTests {
    @Test(arguments: StorePlace.inLongTests)
    func `two that edit different fields both get their way, each time`(_ kind: StorePlace) throws {
      let store = try SharedStore(on: kind)
      try store.run("add", "Todo")
      for round in 1...Load.times(20) {
        let editors = [
          try store.start("edit", "1", "--title", "Title \(round)"),
          try store.start("edit", "1", "--subtitle", "Notes \(round)"),
        ]
        #expect(try editors.map { try $0.outcome().status } == [0, 0])
        let todo = try store.todos().first
        #expect(todo?.title == "Title \(round)")
        #expect(todo?.subtitle == "Notes \(round)")
        #expect(todo?.revision == 1 + 2 * round)
      }
    }

    @Test(arguments: StorePlace.here)
    func `two that saw the same and edit different fields both get their way`(
      _ kind: StorePlace
    ) throws {
      let store = try SharedStore(on: kind)
      try store.run("add", "Todo")
      for round in 1...Load.times(10) {
        let seen = "\(2 * round - 1)"
        let editors = [
          try store.start("edit", "1", "--title", "Title \(round)", "--expected-revision", seen),
          try store.start("edit", "1", "--subtitle", "Notes \(round)", "--expected-revision", seen),
        ]
        #expect(try editors.map { try $0.outcome().status } == [0, 0])
        let todo = try store.todos().first
        #expect(todo?.title == "Title \(round)")
        #expect(todo?.subtitle == "Notes \(round)")
        #expect(todo?.revision == 1 + 2 * round)
      }
    }

    @Test(arguments: StorePlace.inLongTests)
    func `of two that saw the same and edit the same field, one is told of both values`(
      _ kind: StorePlace
    )
      throws
    {
      let store = try SharedStore(on: kind)
      try store.run("add", "Title 0")
      for round in 1...Load.times(20) {
        let seen = try #require(try store.todos().first)
        let outcomes = try ["Left", "Right"]
          .map { side in
            try store.start(
              "edit",
              "1",
              "--title",
              "\(side) \(round)",
              "--expected-revision",
              "\(seen.revision)"
            )
          }
          .map { try $0.outcome() }

        let now = try #require(try store.todos().first)
        #expect(now.revision == seen.revision + 1)
        #expect(Set(outcomes.map(\.status)) == [0, 1])
        #expect(
          outcomes.filter { $0.status == 0 }.map(\.output) == [
            ["Changed #1: title \(seen.title) → \(now.title)"]
          ]
        )
        #expect(
          outcomes.filter { $0.status == 1 }.map(\.errors) == [
            [
              "error: Somebody changed the title of #1 meanwhile: you saw '\(seen.title)', "
                + "now it is '\(now.title)'."
            ]
          ]
        )
      }
    }
  }
}
