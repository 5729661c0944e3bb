import EventMVVMTesting
import ProcessTesting
import Testing

/// A script whose end is long in coming keeps nobody waiting.
@Suite(.hangLimit) struct StalledPipeTests {
  @Test func `a script fed by a stalled pipe holds no lock on the store`() throws {
    let place = try Workplace()
    let pipe = try NamedPipe("script", in: place)
    let script = try place.start("exec todostream <script")
    try pipe.write("add From the script")
    #expect(
      try place.start("todostream add From a command").outcome()
        == .init(output: ["Added #1 From a command"])
    )
    try waitUntil("the script has been opened, and read so far") { try pipe.isEmpty }
    pipe.end()
    #expect(try script.outcome() == .init(output: ["Added #2 From the script"]))
    #expect(
      try place.start("todostream list").outcome()
        == .init(output: ["#2 [ ] From the script", "#1 [ ] From a command"])
    )
  }
}
