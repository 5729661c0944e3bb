import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

@testable import Platform

/// What a command that writes a file does to one that is there.
@Suite(.hangLimit) struct OutputFileTests {
  private let place: Workplace

  init() throws {
    place = try Workplace()
  }

  private func path(_ name: String) -> String { place.folder.appending(path: name).path }

  private func make(_ name: String, _ contents: String) throws -> String {
    try Data(contents.utf8).write(to: URL(filePath: path(name)))
    return path(name)
  }

  private func output(_ path: String) -> OutputFile {
    OutputFile(path) { $0.starts(with: "ours".utf8) }
  }

  private func contents(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Appends `text` as a command does.
  private func append(_ text: String, to path: String, isForced: Bool = false) throws {
    let file = try output(path).openToAppend(isForced: isForced)
    #expect(writeAll(Array(text.utf8), to: file) == nil)
    close(file)
  }

  @Test func `a new file is written, and one of our own replaced or continued`() throws {
    let file = path("new")
    try output(file).write(Array("ours 1".utf8), isForced: false)
    try output(file).write(Array("ours 2".utf8), isForced: false)
    #expect(try contents(file) == "ours 2")
    try append(" 3", to: file)
    #expect(try contents(file) == "ours 2 3")
    try append("ours 4", to: path("other"))
    #expect(try contents(path("other")) == "ours 4")
    let left = try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted()
    #expect(left == ["home", "new", "other"])
  }

  @Test func `a file of somebody else is refused, unless a person insists`() throws {
    let file = try make("letter", "Dear Ann")
    let refusal = OutputFile.Refusal(
      message: "'\(file)' is there already, and this command has not written it: "
        + "name another file, or add --force."
    )
    #expect(throws: refusal) { try output(file).write([1], isForced: false) }
    #expect(throws: refusal) { try append("x", to: file) }
    #expect(try contents(file) == "Dear Ann")
    try append(", 1", to: file, isForced: true)
    #expect(try contents(file) == "Dear Ann, 1")
    try output(file).write(Array("ours".utf8), isForced: true)
    #expect(try contents(file) == "ours")
  }

  @Test func `an empty file is continued, as nothing is lost by it, and not replaced`() throws {
    let file = try make("empty", "")
    #expect(throws: OutputFile.Refusal.self) { try output(file).write([1], isForced: false) }
    try append("ours", to: file)
    #expect(try contents(file) == "ours")
  }

  @Test(arguments: [
    "todos", "todos-wal", "todos-shm", "todos-journal", "todos-bell", "link", "hard",
  ])
  func `a store, its side files and its links are refused even then`(_ name: String) throws {
    let store = try make("todos", "SQLite format 3\0and pages")
    for side in ["-wal", "-shm"] { _ = try make("todos" + side, "") }
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "todos")
    try FileManager.default.linkItem(atPath: store, toPath: path("hard"))
    let before = try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted()
    let refusal = OutputFile.Refusal(
      message: "'\(path(name))' is a store, or in use by this program: name another file."
    )
    #expect(throws: refusal) { try output(path(name)).write([1], isForced: true) }
    #expect(throws: refusal) { try append("x", to: path(name), isForced: true) }
    #expect(try contents(store) == "SQLite format 3\0and pages")
    let after = try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted()
    #expect(after == before)
  }

  @Test func `an emptied store is known by what lies beside it`() throws {
    let store = try make("todos", "")
    _ = try make("todos-bell", "7")
    #expect(throws: OutputFile.Refusal.self) { try append("x", to: store, isForced: true) }
    #expect(try contents(store) == "")
  }

  @Test func `a file that the process has open is refused without being opened again`() throws {
    let file = try make("open", "ours")
    let descriptor = open(file, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    var wanted = flock()
    wanted.l_type = Int16(F_WRLCK)
    try #require(fcntl(descriptor, F_SETLK, &wanted) == 0)
    #expect(throws: OutputFile.Refusal.self) { try output(file).write([1], isForced: true) }
    // Another process finds the lock still held, which closing a second descriptor would have given
    // up.
    let other = try place.start(
      #"python3 -c 'from fcntl import *; import sys; lockf(open(sys.argv[1], "r+"), LOCK_EX|LOCK_NB)' "#
        + #""$1" 2>/dev/null"#,
      [file]
    )
    #expect(try other.outcome().status == 1)
  }

  @Test func `what is no ordinary file is refused`() throws {
    try #require(mkfifo(path("pipe"), 0o600) == 0)
    let stray = path("stray")
    try FileManager.default.createSymbolicLink(atPath: stray, withDestinationPath: "nowhere")
    for path in [path("pipe"), path("stray"), path("home"), "/dev/null"] {
      let refusal = OutputFile.Refusal(message: "'\(path)' is no ordinary file: name another.")
      #expect(throws: refusal) { try output(path).write([1], isForced: true) }
      #expect(throws: refusal) { try append("x", to: path, isForced: true) }
    }
  }
}
