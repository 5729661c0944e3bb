@testable import Demo
import EventCommands
import EventMVVM
import EventMVVMTesting
import Testing

@Suite(.hangLimit) struct ResultsFrontendTests {
  /// What is written, a line for each time, and how it ends.
  private func run(
    _ words: String...
  ) throws -> (output: [String], status: EventCommands.ExitStatus) {
    let context = AppContext()
    var catalogue = Catalogue()
    context.add(Greeter(), Counter())
    catalogue.add("greeter", [RequestGreeting.self])
    catalogue.add("counter", [RequestCountdown.self])
    try context.check(catalogue)

    let output = Locked<[String]>([])
    let frontend = ResultsFrontend(
      catalogue: catalogue,
      words: words.enumerated().map { Word(text: $1, offset: $0, isBare: true) },
      write: { bytes in output.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    )
    let status = frontend.run(context.port(named: frontend.name))
    return (output.withLock { $0 }, status)
  }

  @Test func `a result is one JSON value`() throws {
    let (output, status) = try run("greet", "Ann")
    #expect(output == [#"{"message":"Hello, Ann!"}"# + "\n"])
    #expect(status == .success)
  }

  @Test func `a list comes in parts`() throws {
    #expect(try run("countdown", "3").output == ["[3,2,1]\n"])
    let output = try run("countdown", "2500").output
    #expect(output.count == 3)
    #expect(output[0].hasPrefix("[2500,2499,"))
    #expect(output[1].hasPrefix(",1500,1499,"))
    #expect(output[2].hasSuffix(",2,1]\n"))
  }

  @Test func `an error is JSON, and has its exit status`() throws {
    let (output, status) = try run("great", "Ann")
    #expect(
      output == [#"{"kind":"usage","message":"no command 'great'; did you mean 'greet'?"}"#]
    )
    #expect(status == .usage)
  }
}

/// What else a frontend may want to do.
@Suite(.hangLimit) struct FrontendTechniques {
  private let context = AppContext()
  private var port: ViewPort { context.port(named: "view") }

  @Test func `a view follows what happens for as long as it lives`() {
    context.add(Greeter())
    var log: [String] = []
    let screen = Screen(name: "kitchen")
    port.on(ResponseGreeting.self, owner: screen) { screen, _, turn in
      log.append("\(screen.name) saw event \(turn.sequence)")
    }
    port.send(RequestGreeting())
    #expect(log == ["kitchen saw event 2"])
    withExtendedLifetime(screen) {}
  }

  @Test func `several requests become one unit`() {
    context.add(Greeter())
    var log: [String] = []
    port.begin(.allOrNothing) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestGreeting(name: "Ann")) { _, _ in
        unit.request(RequestGreeting(name: "Bob")) { _, _ in
          unit.commit { _, _ in log.append("both, or neither") }
        }
      }
    }
    port.run { !log.isEmpty }
    #expect(log == ["both, or neither"])
  }
}
