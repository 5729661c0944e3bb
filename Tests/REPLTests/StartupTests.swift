#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// What the REPL does before its first prompt.
  @Suite(.hangLimit) struct StartupTests {
    private let place: Workplace
    private let path: String

    init() throws {
      place = try Workplace()
      path = "\(place.folder.path)/config/todostream/startup.todo"
      _ = try place.start("mkdir -p config/todostream").outcome()
    }

    private func write(_ text: String) throws {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    @Test func `the startup file sets the REPL up, and runs commands`() throws {
      try write("# mine\n  .mode json\n\nadd One --tag a --subtitle 'Notes\n.mode two'\nadd Two\n")
      let session = try Session(columns: 300, place: place)
      let printed = session.terminal.screen.lines
      #expect(printed.contains { $0.contains(#""title":"One","subtitle":"Notes\n.mode two""#) })
      #expect(printed.contains { $0.hasPrefix(#"{"id":2,"uuid":""#) })
      try session.enter(".mode table", until: "todostream › .mode table")
      try session.enter("list --tag a", until: "#1 [ ] One  +a")
      session.end()
    }

    @Test(
      arguments: [
        ("add One\nad Two\n", "2:1: error: no command 'ad'; did you mean 'add'?", "ad Two"),
        ("add One\ndone 9\n", "2:6: error: There is no todo #9.", "done 9"),
        (" .nap\nadd One\n", "1:2: error: no line '.nap'; '.help' lists them", " .nap"),
        (
          "add One\n.mode json\n",
          "2:1: error: a line that begins with a dot stands before the first command", ".mode json"
        ),
        ("add 'One\n", "1:5: error: the quote ' is never closed", "add 'One"),
      ])
    func `an error names its place, nothing is changed, and the prompt comes`(
      _ text: String,
      _ message: String,
      _ line: String
    ) throws {
      try write(text)
      let session = try Session(columns: 200, place: place)
      #expect(session.terminal.screen.lines.prefix(2) == ["\(path):\(message)", "  \(line)"])
      try session.enter("list --all", until: "todostream › list --all")
      session.end()
      #expect(try place.start("todostream list --all").outcome().output == [])
    }

    @Test func `what it opens is open at the first prompt, after its commands`() throws {
      try write("open list --tag a\nadd One --tag a\nadd Two\n")
      let session = try Session(place: place, prompt: "list --tag a (1) ›")
      #expect(session.terminal.screen.lines.contains("#1 [ ] One  +a"))
      try session.enter("back", prompt: "todostream ›")
      session.end()
    }

    @Test func `one that is no file is named, and the prompt comes`() throws {
      _ = try place.start("mkdir config/todostream/startup.todo").outcome()
      let session = try Session(columns: 200, place: place)
      #expect(
        session.terminal.screen.lines.first
          == "warning: '\(path)' is not run: it is no ordinary file."
      )
      session.end()
    }

    @Test func `it is for the REPL alone, and can be left out`() throws {
      try write("add Startup\n")
      #expect(try place.start("todostream list").outcome().output == [])
      #expect(try place.start("echo list | todostream").outcome().output == [])
      let session = try Session(place: place, words: ["--no-startup"])
      session.end()
      #expect(try place.start("todostream list").outcome().output == [])
    }
  }
#endif
