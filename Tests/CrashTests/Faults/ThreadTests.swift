import EventMVVMTesting
import Foundation
import Testing

/// A system that has no thread to spare: whatever is asked for is done, or refused in words, and
/// soon.
@Suite(.hangLimit) struct ThreadTests {
  private static let refusal =
    "error: The system has no thread to spare: end other programs, or raise the limit of processes ('ulimit -u').\n"
  private static let conversation = """
    {"jsonrpc":"2.0","id":1,"method":"initialize"}
    {"jsonrpc":"2.0","id":2,"method":"state/subscribe","params":{"name":"todo/counts"}}
    {"jsonrpc":"2.0","id":3,"method":"todo/add","params":{"title":"Served"}}
    {"jsonrpc":"2.0","id":4,"method":"shutdown"}
    {"jsonrpc":"2.0","method":"exit"}

    """

  @Test(arguments: 0...8)
  func `work is done with so many threads, or refused`(_ threads: Int) throws {
    let program = try Program(try Folder("threads"))
    #expect(
      try program.run(["--record", program.folder / "session", "add", "X"]).ending == .exited(0)
    )
    var shim = Shim(program.folder.path)
    shim.threads = threads
    let cases: [(words: [String], input: String, needed: Int)] = [
      (["add", "A"], "", 1), (["list"], "", 1), (["run", "-"], "add B\ndone 1\n", 1),
      (["run", "--keep-going", "-"], "add C\ndone 2\n", 1),
      (["replay", program.folder / "session"], "", 2),
      (["serve", "--stdio"], Self.conversation, 6),
    ]
    for (words, input, needed) in cases {
      let outcome = try program.run(words, input: input, shim)
      if threads < needed {
        #expect(outcome.ending == .exited(1), "\(words): \(outcome)")
        #expect(outcome.errors == Self.refusal, "\(words)")
      } else {
        #expect(outcome.ending == .exited(0), "\(words): \(outcome)")
        #expect(outcome.errors == "", "\(words)")
      }
    }
  }
}
