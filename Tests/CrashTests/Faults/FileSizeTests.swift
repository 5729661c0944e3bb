import EventMVVMTesting
import Testing

/// A limit on the size of files (`ulimit -f`), in blocks of 512 bytes.
@Suite(.hangLimit) struct FileSizeTests {
  private static let message =
    "the file may not grow beyond the limit of 'ulimit -f'"

  @Test(arguments: [1, 8, 16, 63, 64, 65, 128, 200, 400])
  func `what can't be stored is told, nothing is killed, and what was told is there`(
    blocks: Int
  ) throws {
    var program = try Program(try Folder("limit"))
    program.prefix = ["/bin/sh", "-c", "ulimit -f \(blocks); exec \"$@\"", "sh"]
    let title = String(repeating: "x", count: 3000)
    var acknowledged = 0
    for _ in 0..<40 {
      let outcome = try program.run(["--json", "add", title])
      acknowledged = max(acknowledged, outcome.acknowledged)
      if outcome.ending == .exited(0) { continue }
      #expect(outcome.ending == .exited(4), "\(outcome)")
      #expect(outcome.storeMessage?.contains(Self.message) == true, "\(outcome)")
    }
    program.prefix = []
    let list = try program.run(["--json", "list"])
    #expect(list.ending == .exited(0), "\(list)")
    #expect(newestRevision(in: list.output.replacing("},{", with: "},\n{")) >= acknowledged)
    #expect(try program.run(["doctor"]).ending == .exited(0))
  }

  @Test func `results that are too long for a file are told, and nothing is killed`() throws {
    var program = try Program(try Folder("limit"))
    let title = String(repeating: "x", count: 2000)
    let lines = (1...100).map { "add 'Todo \($0) \(title)'\n" }
    #expect(try program.run(["--quiet", "run", "-"], input: lines.joined()).ending == .exited(0))
    // What a reader shares with other processes has 32 KiB.
    program.prefix = ["/bin/sh", "-c", "ulimit -f 128; exec \"$@\"", "sh"]
    let outcome = try program.run(["list"])
    #expect(outcome.ending == .exited(1), "\(outcome)")
    #expect(outcome.errors.hasSuffix("the results can't be written: File too large\n"))
  }
}
