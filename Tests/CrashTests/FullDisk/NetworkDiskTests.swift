import EventMVVMTesting
import Foundation
import Testing

/// Network file systems, or what the program takes for one: a tmpfs that the table of mounts calls
/// so.
@Suite(.hangLimit) struct NetworkDiskTests {
  @Test(arguments: ["nfs", "nfs4", "cifs"])
  func `a store on a network file system is refused, and nothing is touched`(_ kind: String) throws
  {
    let disk = try Tmpfs(bytes: 1 << 20)
    var program = try Program(disk.folder)
    program.prefix = disk.prefix
    var shim = Shim(disk.folder.path)
    shim.mounts = try mounts(of: disk, as: kind, for: program)

    for words in [["add", "X"], ["list"], ["doctor"]] {
      let outcome = try program.run(words, shim)
      #expect(outcome.ending == .exited(4), "\(outcome)")
      #expect(
        outcome.errors == """
          error: \(program.store): is on a network file system (\(kind)), where processes can't be \
          kept apart; name a file on a disk of this machine with --store

          """
      )
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.outside) == [])
  }

  @Test func `the same disk under its own name is used`() throws {
    let disk = try Tmpfs(bytes: 1 << 20)
    var program = try Program(disk.folder)
    program.prefix = disk.prefix
    let outcome = try program.run(["add", "X"])
    #expect(outcome.ending == .exited(0), "\(outcome)")
    #expect(outcome.output == "Added #1 X\n")
  }

  /// A table of mounts as it is for the programs in there, but for the kind of this one.
  private func mounts(of disk: Tmpfs, as kind: String, for program: Program) throws -> String {
    let table = String(decoding: try disk.mounts(), as: UTF8.self)
    let lines = table.split(separator: "\n")
      .map { line in
        line.contains(" \(disk.folder.path) ")
          ? line.replacing("- tmpfs", with: "- \(kind)") : line[...]
      }
    let file = program.scratch / "mounts"
    try writeBytes(Array((lines.joined(separator: "\n") + "\n").utf8), to: file)
    return file
  }
}
