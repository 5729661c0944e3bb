#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  @testable import REPL

  /// What has been entered comes back.
  @Suite(.hangLimit) struct HistoryTests {
    @Test func `older and newer entries, and what was begun`() throws {
      let session = try LineSession()
      for entry in ["one", "two"] {
        session.terminal.type(entry + Key.enter)
        try session.terminal.wait { $0.lines.suffix(2) == ["entry: \(entry)", "todo>"] }
      }
      session.terminal.type("new" + Key.up)
      try session.terminal.wait { $0.lines.last == "todo> two" }
      session.terminal.type(Key.control("p"))
      try session.terminal.wait { $0.lines.last == "todo> one" }
      session.terminal.type(Key.up)
      try session.terminal.wait { $0.bells == 1 }
      session.terminal.type(Key.down + Key.down)
      try session.terminal.wait { $0.lines.last == "todo> new" }
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `^R finds an older entry while its text is typed`() throws {
      let session = try LineSession()
      for entry in ["add Milk", "list", "add milk and eggs"] {
        session.terminal.type(entry + Key.enter)
        try session.terminal.wait { $0.lines.suffix(2) == ["entry: \(entry)", "todo>"] }
      }
      session.terminal.type(Key.control("l") + Key.control("r") + "mil")
      try session.terminal.wait(for: ["search 'mil': add milk and eggs"], cursor: 0, 18)
      session.terminal.type(Key.control("r"))
      try session.terminal.wait(for: ["search 'mil': add Milk"])
      session.terminal.type(Key.control("r"))
      try session.terminal.wait(for: ["no entry with 'mil': add Milk"])
      session.terminal.type(Key.backspace)
      try session.terminal.wait(for: ["search 'mi': add milk and eggs"])
      try session.tell("announce #3 was done")
      try session.terminal.wait(for: ["#3 was done", "search 'mi': add milk and eggs"])
      // A key with another meaning ends the search, and has it.
      session.terminal.type(Key.left)
      try session.terminal.wait(for: ["#3 was done", "todo> add milk and eggs"], cursor: 1, 9)
      session.terminal.type(Key.control("r") + "list" + Key.control("g"))
      try session.terminal.wait(for: ["#3 was done", "todo> add milk and eggs"], cursor: 1, 9)
      session.terminal.type(Key.control("r") + "list" + Key.enter)
      try session.terminal.wait {
        $0.lines == ["#3 was done", "todo> list", "entry: list", "todo>"]
      }
      session.end()
    }

    @Test func `two editors share a history, and lose no line of it`() throws {
      let first = try LineSession()
      let second = try LineSession(place: first.place)
      first.terminal.type("one" + Key.enter)
      try first.terminal.wait { $0.lines.suffix(2) == ["entry: one", "todo>"] }
      second.terminal.type("two" + Key.enter)
      try second.terminal.wait { $0.lines.suffix(2) == ["entry: two", "todo>"] }
      first.terminal.type("three" + Key.enter)
      try first.terminal.wait { $0.lines.suffix(2) == ["entry: three", "todo>"] }
      first.terminal.type(Key.up + Key.up)
      try first.terminal.wait { $0.lines.last == "todo> two" }
      first.terminal.type(Key.control("c"))
      first.end()
      second.end()
      let third = try LineSession(place: first.place)
      third.terminal.type(Key.up + Key.up + Key.up)
      try third.terminal.wait(for: ["todo> one"])
      third.terminal.type(Key.control("c"))
      third.end()
    }

    @Test func `a history that can't be kept is told once`() throws {
      let place = try Workplace(for: "LineEditorDriver")
      let session = try LineSession(
        columns: 70,
        place: place,
        ["HISTORY": "/dev/null/history"]
      )
      try session.terminal.wait(
        for: [
          "warning: what is entered is not kept: /dev/null/history: Not a directo",
          "ry; it is as soon as that is mended", "todo>",
        ]
      )
      session.terminal.type("one" + Key.enter + "two" + Key.enter)
      try session.terminal.wait {
        $0.lines.dropFirst(2) == ["todo> one", "entry: one", "todo> two", "entry: two", "todo>"]
      }
      session.end()
    }
  }

  /// The file behind it.
  @Suite(.hangLimit) struct HistoryFileTests {
    private let place: Workplace
    private let path: String

    init() throws {
      place = try Workplace(for: "LineEditorDriver")
      path = place.folder.appending(path: "state/app/history").path
    }

    private func read() throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    private func write(_ bytes: [UInt8]) throws {
      let file = URL(filePath: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(bytes).write(to: file)
    }

    private func mode(_ path: String) -> mode_t {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `an entry is a line, and comes back with all of its own`() throws {
      let history = LineHistory(path: path)
      history.add("add \"Milk\nand \\n eggs\"")
      history.add("one")
      #expect(try read() == "add \"Milk\\nand \\\\n eggs\"\none\n")
      #expect(LineHistory(path: path).entries == ["add \"Milk\nand \\n eggs\"", "one"])
      #expect(mode(path) == 0o600)
      #expect(mode((path as NSString).deletingLastPathComponent) == 0o700)
    }

    @Test func `an entry stands there once, where it was used last`() throws {
      let history = LineHistory(path: path)
      for entry in ["one", "two", "one"] { history.add(entry) }
      #expect(history.entries == ["two", "one"])
      #expect(LineHistory(path: path).entries == ["two", "one"])
    }

    @Test func `what begins with a blank is not kept`() throws {
      let history = LineHistory(path: path)
      for entry in [" secret", "\tsecret", "", "one"] { history.add(entry) }
      #expect(history.entries == ["one"])
      #expect(try read() == "one\n")
    }

    @Test func `it keeps the newest, and the file does not grow without end`() throws {
      try write(Array((1...100_000).map { "entry number \($0)\n" }.joined().utf8))
      let history = LineHistory(path: path, limit: 1000)
      #expect(history.entries.count == 1000)
      #expect(history.entries.first == "entry number 99001")
      #expect(history.entries.last == "entry number 100000")
      history.add("one")
      #expect(history.entries.first == "entry number 99002")
      let text = try read()
      #expect(text.hasPrefix("entry number 99002\n"))
      #expect(text.hasSuffix("entry number 100000\none\n"))
      #expect(mode(path) == 0o600)
      let folder = (path as NSString).deletingLastPathComponent
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["history"])
    }

    @Test func `a file that was written anew by another is followed`() throws {
      let first = LineHistory(path: path)
      let second = LineHistory(path: path)
      first.add("one")
      second.add("two")
      let anew = path + ".anew"
      try Data("one\ntwo\nthree\n".utf8).write(to: URL(filePath: anew))
      #expect(rename(anew, path) == 0)
      first.add("four")
      #expect(first.entries == ["one", "two", "three", "four"])
      second.add("five")
      #expect(second.entries == ["one", "two", "three", "four", "five"])
      #expect(try read() == "one\ntwo\nthree\nfour\nfive\n")
    }

    @Test func `a damaged file gives what is left of it`() throws {
      try write(
        Array("one\n".utf8) + [0xFF, 0xFE, 0x0A, 0x61, 0x00, 0x0A] + Array("two\ncut".utf8)
      )
      let history = LineHistory(path: path)
      #expect(history.entries == ["one", "two", "cut"])
      #expect(
        history.takeProblem() == "2 lines are no text in the history, and left out: \(path)"
      )
      #expect(history.takeProblem() == nil)
      history.add("three")
      #expect(LineHistory(path: path).entries == ["one", "two", "cut", "three"])
    }

    @Test func `of a file of any size the end is read`() throws {
      try write([])
      let made = try place.start(#"truncate -s 20G "$1" && printf '\nlist\n' >>"$1""#, [path])
      #expect(try made.outcome() == Job.Outcome())
      let history = LineHistory(path: path)
      #expect(history.entries == ["list"])
      #expect(history.takeProblem() == nil)
    }

    @Test func `an entry that is longer than a line may be stays in memory`() throws {
      let history = LineHistory(path: path)
      let long = String(repeating: "x", count: 65_537)
      for entry in [String(long.dropLast()), long, "one"] { history.add(entry) }
      #expect(history.entries.map(\.utf8.count) == [65_536, 65_537, 3])
      #expect(LineHistory(path: path).entries.map(\.utf8.count) == [65_536, 3])
    }

    @Test func `a symbolic link is not followed, and nothing else is written to`() throws {
      let target = place.folder.appending(path: "precious").path
      try Data("precious\n".utf8).write(to: URL(filePath: target))
      try write([])
      unlink(path)
      symlink(target, path)
      let history = LineHistory(path: path)
      history.add("one")
      history.add("two")
      #expect(history.entries == ["one", "two"])
      #expect(
        history.takeProblem()
          == "what is entered is not kept: \(path): it is a symbolic link; it is as soon as that is mended"
      )
      #expect(history.takeProblem() == nil)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious\n")
    }

    @Test func `what others may read is made private`() throws {
      try write(Array("one\n".utf8))
      chmod(path, 0o644)
      LineHistory(path: path).add("two")
      #expect(mode(path) == 0o600)
    }

    @Test func `a hint is what the newest entry goes on with`() {
      let history = LineHistory()
      for entry in ["add Milk", "add Eggs", "list"] { history.add(entry) }
      #expect(history.continuation(of: "add ") == "Eggs")
      #expect(history.continuation(of: "add M") == "ilk")
      #expect(history.continuation(of: "list") == "")
      #expect(history.continuation(of: "") == "")
    }

    @Test func `eight processes at once lose nothing`() throws {
      let program = try Workplace.binaries(with: "LineEditorDriver")
        .appending(path: "LineEditorDriver").path
      let jobs = try (1...8)
        .map {
          try place.start(#"exec "$1" --add "$2" 200 "$3""#, [program, path, "writer\($0)"])
        }
      for job in jobs { #expect(try job.outcome() == Job.Outcome()) }
      #expect(Set(LineHistory(path: path).entries).count == 1600)
    }
  }
#endif
