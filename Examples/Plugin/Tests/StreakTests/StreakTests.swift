import EventCommands
import EventMVVM
import EventMVVMTesting
import Testing

@testable import Streak

@Suite(.hangLimit) struct StreakTests {
  @Test func `it keeps the plugin laws`() { PluginLaws.check { Streak() } }

  @Test func `it counts what was asked for`() throws {
    let context = AppContext()
    context.add(Streak())
    let port = context.port(named: "test")
    var answers: [String] = []
    for _ in 1...2 {
      port.request(RequestStreak()) { result, _ in
        if let message = try? result.get().result.get() { answers.append(message.text) }
      }
    }
    #expect(answers == ["1 so far. Go on!", "2 so far. Go on!"])
  }
}
