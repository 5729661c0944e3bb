#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// Files that are read without being named: whoever else can change them, and whatever is in
  /// their place.
  @Suite(.hangLimit) struct UnfitFilesTests {
    private let place: Workplace

    init() throws {
      place = try Workplace()
    }

    private func path(_ name: String) -> String { place.folder.appending(path: name).path }

    private func run(_ command: String) throws {
      try #require(try place.start("umask 022; " + command).outcome().status == 0)
    }

    // MARK: The startup file

    @Test(
      arguments: [
        ("chmod 666 startup.todo", "other users can change it; 'chmod go-w' forbids that."),
        (
          "chmod 777 .",
          "other users can change '…/config/todostream', through which the way to it leads; "
            + "'chmod go-w' forbids that."
        ),
        (
          "chmod 777 ..",
          "other users can change '…/config', through which the way to it leads; "
            + "'chmod go-w' forbids that."
        ),
        ("rm startup.todo && mkfifo startup.todo", "it is no ordinary file."),
      ])
    func `a startup file that other users can change, or that is none, is not run`(
      _ obstacle: String,
      _ reason: String
    ) throws {
      try run("mkdir -p config/todostream && echo 'add One' >config/todostream/startup.todo")
      try run("cd config/todostream && \(obstacle)")
      let session = try Session(columns: 300, place: place)
      let path = path("config/todostream/startup.todo")
      let sentence = reason.replacing("…", with: place.folder.path)
      #expect(
        session.terminal.screen.lines.first == "warning: '\(path)' is not run: \(sentence)"
      )
      try session.enter("list --all", until: "todostream › list --all")
      try session.enter("add Two", until: "Added #1 Two")
      session.end()
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"), arguments: ["", "/.."])
    func `a startup file of another user, or in a folder of one, is not run`(
      _ folder: String
    ) throws {
      try run("mkdir -p config/todostream && echo 'add One' >config/todostream/startup.todo")
      let file = path("config/todostream/startup.todo")
      let other = folder.isEmpty ? file : path("config/todostream")
      try #require(chown(other, 65534, gid_t.max) == 0)
      let session = try Session(columns: 300, place: place)
      let reason =
        folder.isEmpty
        ? "it belongs to another user; make a copy of your own."
        : "'\(other)', through which the way to it leads, belongs to another user; "
          + "make a folder of your own."
      #expect(session.terminal.screen.lines.first == "warning: '\(file)' is not run: \(reason)")
      session.end()
    }

    @Test func `a file that is named is read, whoever can change it`() throws {
      try run("echo 'add One' >open.todo && chmod 666 open.todo")
      let session = try Session(columns: 300, place: place)
      try session.enter(".read \(path("open.todo"))", until: "Added #1 One")
      session.end()
    }

    // MARK: Pipes

    @Test(arguments: [false, true])
    func `a pipe that is read is waited for until ^C`(_ isOpen: Bool) throws {
      let pipe = try NamedPipe("pipe", in: place)
      // Without a writer, opening waits; with one that is silent, reading does.
      if !isOpen { pipe.end() }
      let session = try Session(columns: 300, place: place)
      session.terminal.type(".read \(path("pipe"))" + Key.enter)
      try session.terminal.wait { $0.lines.last == "working … ^C cancels" }
      session.terminal.type(Key.control("C"))
      try session.terminal.wait { $0.lines.contains("error: Interrupted.") && $0.prompt != nil }
      try session.enter("add One", until: "Added #1 One")
      session.end()
    }

    @Test func `what comes through a pipe is read to its end`() throws {
      let pipe = try NamedPipe("pipe", in: place)
      let session = try Session(columns: 300, place: place)
      session.terminal.type(".read \(path("pipe"))" + Key.enter)
      try session.terminal.wait { $0.lines.last == "working … ^C cancels" }
      try pipe.write("add One")
      try pipe.write("add Two")
      try waitUntil("the pipe is read") { try pipe.isEmpty }
      pipe.end()
      try session.terminal.wait { $0.lines.contains("Added #2 Two") && $0.prompt != nil }
      session.end()
    }

    // MARK: .editrc

    @Test func `an .editrc that is a pipe is not waited for`() throws {
      try run("mkfifo home/.editrc")
      let session = try Session(columns: 300, place: place)
      #expect(
        session.terminal.screen.lines.first
          == "warning: \(path("home/.editrc")) is not used: it is no ordinary file."
      )
      session.end()
    }

    @Test func `a line of .editrc that libedit has no room for is left out, and the others hold`()
      throws
    {
      let long = String(repeating: "a", count: 5000)
      let lines = ["bind \(long) ed-kill-line", "bind -v", "bind -s ^X \(long)"]
      try lines.joined(separator: "\n")
        .write(toFile: path("home/.editrc"), atomically: true, encoding: .utf8)
      let session = try Session(columns: 300, place: place)
      #expect(
        session.terminal.screen.lines.first
          == "warning: \(path("home/.editrc")): line 1 is not used: it is longer than 1000 bytes."
      )
      session.terminal.type("add Mlk\u{1B}hii\u{1B}A!" + Key.enter)
      try session.terminal.wait { $0.lines.contains("Added #1 Milk!") && $0.prompt != nil }
      #expect(session.terminal.screen.lines.filter { $0.hasPrefix("warning:") }.count == 1)
      session.end()
    }

    // MARK: The history

    @Test func `a history line of 50 MB is left out, and the others are there`() throws {
      try run(
        "mkdir -p state/todostream && cd state/todostream && echo list >history && "
          + "head -c 50000000 /dev/zero | tr '\\0' x >>history && printf '\\nhelp\\n' >>history"
      )
      let session = try Session(columns: 300, place: place)
      let history = path("state/todostream/history")
      try session.terminal.wait {
        $0.lines.first
          == "warning: 1 line is longer than 65536 bytes in the history, and left out: \(history)"
      }
      session.terminal.type(Key.up + Key.up)
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › list") == true }
      session.terminal.type(Key.control("C"))
      session.end()
    }

    @Test func `a history that another program keeps locked is waited for once, and not for ever`()
      throws
    {
      try run("mkdir -p state/todostream && echo list >state/todostream/history")
      let (ready, go) = (try NamedPipe("ready", in: place), try NamedPipe("go", in: place))
      let holder = try place.start(
        "exec 9>>state/todostream/history; flock -x 9; echo x >ready; read -r line <go; flock -u 9"
      )
      try ready.waitUntilWritten(bytes: 2)
      let session = try Session(columns: 300, place: place)
      try session.enter("add One", until: "Added #1 One")
      try session.enter("add Two", until: "Added #2 Two")
      let warning =
        "warning: what is entered is not kept: \(path("state/todostream/history")): "
        + "another program keeps it locked; it is as soon as that is mended"
      #expect(session.terminal.screen.lines.filter { $0.hasPrefix("warning:") } == [warning])
      session.terminal.type(Key.up + Key.up + Key.up)
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › list") == true }
      session.terminal.type(Key.control("C"))
      try go.write("go")
      #expect(try holder.outcome() == .init())
      try session.enter("add Three", until: "Added #3 Three")
      session.end()
      let kept = try place.start("cat state/todostream/history").outcome().output
      #expect(kept == ["list", "add Three"])
    }
  }
#endif
