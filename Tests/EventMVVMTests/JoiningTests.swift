import EventMVVMTesting
import Testing

@testable import EventMVVM

/// Writes down what is asked of it.
private struct Noting: Plugin {
  let name: String
  let log: Log

  func join(_ stream: EventStream) { log.add("\(name) joins") }
  func start() { log.add("\(name) starts") }
}

@Suite(.hangLimit) struct JoiningTests {
  private let log = Log()
  private let context = AppContext()

  @Test func `each starts when it has joined, and of several that are gathered all join before`() {
    context.add(Noting(name: "a", log: log))
    context.gather {
      context.add(Noting(name: "b", log: log))
      context.add(Noting(name: "c", log: log))
    }
    context.add(Noting(name: "d", log: log))
    #expect(
      log.lines == [
        "a joins", "a starts", "b joins", "c joins", "b starts", "c starts", "d joins", "d starts",
      ]
    )
  }

  @Test func `where those who are gathered do not fit together, nobody starts`() {
    #expect(throws: ConfigurationError.self) {
      try context.gather {
        context.add(Noting(name: "a", log: log), Noting(name: "a", log: log))
        try context.check()
      }
    }
    #expect(log.lines == ["a joins", "a joins"])
  }
}
