import Platform
import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// Locks that other processes hold, and files that are none.
@Suite(.hangLimit) struct FileLockTests {
  @Test func `a lock of another process is waited for as long as was said`() throws {
    let place = try Workplace()
    let (ready, go) = (try NamedPipe("ready", in: place), try NamedPipe("go", in: place))
    let holder = try place.start(
      "exec 9>file; flock -x 9; echo x >ready; read -r line <go; flock -u 9"
    )
    try ready.waitUntilWritten(bytes: 2)
    let file = open(place.folder.path + "/file", O_RDWR | O_CLOEXEC)
    defer { close(file) }
    #expect(!lockFile(file, within: .zero))
    #expect(!lockFile(file, LOCK_SH, within: .milliseconds(20)))
    try go.write("go")
    #expect(try holder.outcome() == .init())
    #expect(lockFile(file))
  }

  @Test func `only an ordinary file is read, and only if it is no longer than is wanted`() throws {
    let place = try Workplace()
    let made = try place.start("printf hello >file; mkfifo pipe; mkdir folder")
    #expect(try made.outcome() == .init())
    func read(_ name: String, _ most: Int = 5) throws -> [UInt8] {
      try OrdinaryFile.read(place.folder.path + "/" + name, atMost: most)
    }
    #expect(try read("file") == Array("hello".utf8))
    #expect(throws: OrdinaryFile.Refusal.tooLong) { try read("file", 4) }
    #expect(throws: OrdinaryFile.Refusal.notOrdinary) { try read("pipe") }
    #expect(throws: OrdinaryFile.Refusal.notOrdinary) { try read("folder") }
    #expect(throws: OrdinaryFile.Refusal.unreadable(ENOENT)) { try read("none") }
  }
}
