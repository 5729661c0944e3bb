import EventMVVMTesting
import Foundation
import Testing

/// Clocks that are wrong by a lifetime.
@Suite(.hangLimit) struct ClockTests {
  @Test(
    arguments: [
      (-14_182_980, "1969-07-20T20:17:00.000Z", "1969-07-21"),
      (-1, "1969-12-31T23:59:59.000Z", "1970-01-01"),
      (4_420_483_200, "2110-01-30T00:00:00.000Z", "2110-01-31"),
    ]
  )
  func `work is done at any time`(_ clock: Int, _ now: String, _ tomorrow: String) throws {
    let program = try Program(try Folder("clock"))
    var shim = Shim(program.folder.path)
    shim.clock = clock
    for words in [
      ["add", "X", "--due", "tomorrow"], ["done", "1"], ["reopen", "1"], ["done", "1"],
    ] {
      let outcome = try program.run(["--json"] + words, shim)
      #expect(outcome.ending == .exited(0), "\(words): \(outcome)")
    }
    let list = try program.run(["--json", "list", "--all"], shim)
    #expect(list.output.contains(#""createdAt":"\#(now)""#), "\(list)")
    #expect(list.output.contains(#""completedAt":"\#(now)""#), "\(list)")
    #expect(list.output.contains(#""due":"\#(tomorrow)""#), "\(list)")
  }

  @Test func `a clock that goes back by a lifetime between two commands stops nothing`() throws {
    let program = try Program(try Folder("clock"))
    var shim = Shim(program.folder.path)
    for clock in [4_420_483_200, -14_182_980, 1_800_000_000] {
      shim.clock = clock
      let outcome = try program.run(Invocation.add("at \(clock)").words, shim)
      #expect(outcome.ending == .exited(0), "\(outcome)")
    }
    let contents = try Contents(program.store, afterRestart: true)
    #expect(try History(contents.changes).problems(of: contents, acknowledged: 3) == [])
  }
}
