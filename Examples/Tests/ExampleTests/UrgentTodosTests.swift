#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// A program that observes the todo manager.
  @Suite(.hangLimit) struct UrgentTodosTests {
    @Test func `the example in Swift makes what is urgent urgent`() throws {
      let place = try Workplace(for: "UrgentTodos")
      let program = try Workplace.binaries(with: "UrgentTodos").appending(path: "UrgentTodos").path
      let outcome =
        try place.start(
          "todostream --observer '\(program)'",
          input: ["add 'Call Bob !!'", "add 'Call Ann'"],
          variables: ["TODOSTREAM_OBSERVER_SECONDS": "120"]
        )
        .outcome()
      #expect(outcome == .init(output: ["Added #1 Call Bob !!", "Added #2 Call Ann"]))
      let list = try place.start("todostream --json list --priority high").outcome()
      #expect(list.output.joined().contains(#""id":1,"#))
      #expect(list.output.joined().contains(#""title":"Call Bob","#))
      #expect(!list.output.joined().contains(#""id":2,"#))
    }
  }
#endif
