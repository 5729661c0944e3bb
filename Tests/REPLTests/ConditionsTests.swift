#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The program under conditions that people bring about: without colour, on a poor terminal, with
  /// a history that can't be kept, beside others.
  @Suite(.hangLimit) struct ConditionsTests {
    @Test(
      arguments: [
        (["--color", "auto"], "", "⟨1:todostream › show⟩ ⟨90:NUMBER [NUMBER…] [--as-of WHEN]⟩"),
        (["--color", "auto"], "1", "todostream › show"),
        (["--color", "never"], "", "todostream › show"),
        (["--color", "always"], "1", "⟨1:todostream › show⟩ ⟨90:NUMBER [NUMBER…] [--as-of WHEN]⟩"),
      ])
    func `colours and hints are there, or both are not`(
      _ words: [String],
      _ noColour: String,
      _ seen: String
    ) throws {
      let session = try Session(words: words, variables: ["NO_COLOR": noColour])
      session.terminal.type("show ")
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("todostream › show") == true && $0.cursor.column == 18
      }
      let line = try #require(session.terminal.screen.styledLines.last)
      #expect(line.hasPrefix(seen), "\(line)")
      session.terminal.type(Key.control("U"))
      session.end()
    }

    @Test(
      arguments: [
        ("mkdir -p state/todostream/history", "it is no file"),
        (
          "mkdir state && ln -s ../home/x state/link && mkdir state/todostream && ln -s ../link state/todostream/history",
          "it is a symbolic link"
        ),
        ("touch state", "Not a directory"),
      ])
    func `a history that can't be used is named once, with what to do, and the session goes on`(
      _ obstacle: String,
      _ reason: String
    ) throws {
      let place = try Workplace()
      #expect(try place.start(obstacle).outcome().status == 0)
      let session = try Session(columns: 200, place: place)
      let path = "\(place.folder.path)/state/todostream/history"
      let warning =
        "warning: what is entered is not kept: \(path): \(reason); it is as soon as that is mended"
      try session.terminal.wait { $0.lines.contains(warning) && $0.prompt != nil }
      try session.enter("add One", until: "Added #1 One")
      try session.enter("add Two", until: "Added #2 Two")
      #expect(session.terminal.screen.lines.filter { $0.hasPrefix("warning:") } == [warning])
      _ = try place.start("rm -rf state").outcome()
      try session.enter("add Three", until: "Added #3 Three")
      session.end()
      #expect(try place.start("cat state/todostream/history").outcome().output == ["add Three"])
    }

    @Test func `lines that are pasted wait for Enter, and run in order`() throws {
      let session = try Session()
      session.terminal.type(Key.pasted("add One\nadd Two\nad Three\nadd Four\n"))
      try session.terminal.wait { $0.lines.last == "… add Four" }
      session.terminal.type(Key.enter)
      try session.terminal.wait {
        $0.lines.contains("error: no command 'ad'; did you mean 'add'?") && $0.prompt != nil
      }
      try session.enter("list", until: "#2 [ ] Two")
      #expect(!session.terminal.screen.lines.contains { $0.hasSuffix("[ ] Four") })
      session.end()
    }

    @Test func `^R, ^C and a narrower screen leave no garbage`() throws {
      let session = try Session(columns: 60)
      try session.enter("add Buy milk and bread", until: "Added #1 Buy milk and bread")
      session.terminal.type(Key.control("R") + "bread")
      // What is still on its way would be shown on a screen of the other size: the count of what is
      // open follows the addition, and the cursor comes last.
      try session.terminal.wait {
        $0.lines.last == "search 'bread': add Buy milk and bread               1 open"
          && $0.cursor.column == 33
      }
      session.terminal.resize(columns: 30, rows: 24)
      session.terminal.type(Key.right)
      try session.terminal.wait(
        for: [
          "Try 'add Call Bob due:fri'; 'h", "elp' says more, ^D leaves.",
          "todostream › add Buy milk and", "bread", "Added #1 Buy milk and bread",
          "todostream › add Buy milk and", "bread",
        ]
      )
      session.terminal.type(Key.control("C"))
      try session.terminal.wait { $0.prompt == "todostream ›" && $0.lines.contains("bread^C") }
      session.end()
    }

    @Test func `^Z stops the program, and fg brings its line back`() throws {
      let place = try Workplace()
      let terminal = try Terminal()
      try terminal.start(
        ["/bin/sh", "-i"],
        environment: place.environment.merging(["PS1": "$ ", "NO_COLOR": "1"]) { $1 }
      )
      try terminal.wait { $0.lines.last == "$" }
      terminal.type("todostream" + Key.enter)
      try terminal.wait { $0.prompt == "todostream ›" }
      terminal.type("add Half")
      try terminal.wait { $0.lines.last?.hasPrefix("todostream › add Half") == true }
      terminal.type(Key.control("Z"))
      try terminal.wait { $0.lines.last == "$" }
      _ = try place.start("todostream add Meanwhile").outcome()
      terminal.type("fg" + Key.enter)
      try terminal.wait {
        $0.lines.last?.hasPrefix("todostream › add Half") == true
          && $0.lines.contains("cli + #1 [ ] Meanwhile")
      }
      terminal.type(" a line" + Key.enter)
      try terminal.wait { $0.lines.contains("Added #2 Half a line") && $0.prompt != nil }
      terminal.type("\u{4}")
      try terminal.wait { $0.lines.last == "$" }
      terminal.type("exit" + Key.enter)
      #expect(terminal.outcome() == 0)
    }

    @Test func `.editrc has keys for the program by its name`() throws {
      let place = try Workplace()
      try "todostream:bind -v\nother:bind -r\n"
        .write(
          to: place.folder.appending(path: "home/.editrc"),
          atomically: true,
          encoding: .utf8
        )
      let session = try Session(place: place)
      session.terminal.type("add Mlk\u{1B}hii\u{1B}A!" + Key.enter)
      try session.terminal.wait { $0.lines.contains("Added #1 Milk!") && $0.prompt != nil }
      session.end()
    }

    @Test func `two REPLs, a script and a one-shot share a store, and all is seen`() throws {
      let place = try Workplace()
      let (first, second) = (try Session(place: place), try Session(place: place))
      second.terminal.type("add Half")
      try second.terminal.wait { $0.lines.last?.hasPrefix("todostream › add Half") == true }
      try first.enter("add From the first", until: "Added #1 From the first")
      try second.terminal.wait { $0.lines.contains("repl + #1 [ ] From the first") }
      let jobs = [
        try place.start("todostream add From a one-shot"),
        try place.start("printf 'add Script 1\\nadd Script 2\\n' | todostream"),
      ]
      second.terminal.type(" a line" + Key.enter)
      for job in jobs { #expect(try job.outcome().status == 0) }
      for session in [first, second] {
        try session.terminal.wait { screen in
          let lines = screen.allLines.map { $0.drop { $0 != "]" } }
          return ["] From a one-shot", "] Script 1", "] Script 2"].allSatisfy(lines.contains(_:))
            && screen.prompt != nil
        }
      }
      try first.terminal.wait { screen in
        screen.allLines.contains { $0.hasPrefix("repl + #") && $0.hasSuffix("] Half a line") }
          && screen.lines.last?.hasSuffix("5 open") == true
      }
      try second.terminal.wait { screen in
        screen.allLines.contains { $0.hasPrefix("Added #") && $0.hasSuffix(" Half a line") }
          && screen.lines.last?.hasSuffix("5 open") == true
      }
      first.end()
      second.end()
      let titles = try place.start("todostream list --sort title").outcome().output
        .map { String($0.drop { $0 != "]" }.dropFirst(2)) }
      #expect(
        titles == ["From a one-shot", "From the first", "Half a line", "Script 1", "Script 2"]
      )
    }
  }
#endif
