#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The terminal stays usable, whatever happens.
  @Suite(.hangLimit) struct SafetyTests {
    @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
    func `the terminal is given back when the program is told to end`(_ signal: Int32) throws {
      let session = try LineSession()
      session.terminal.type("abc")
      try session.terminal.wait(for: ["todo> abc"])
      #expect(!session.terminal.isCooked)
      session.terminal.send(signal)
      #expect(session.terminal.outcome() == 128 + signal)
      session.expectRestored()
      #expect(session.terminal.screen.cursor == (1, 0))
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGTRAP, SIGBUS, SIGILL, SIGFPE])
    func `the terminal is given back after a crash while an entry is typed`(
      _ signal: Int32
    ) throws {
      let session = try LineSession()
      session.terminal.type("abc")
      try session.terminal.wait(for: ["todo> abc"])
      session.terminal.send(signal)
      #expect(session.terminal.outcome() == 128 + signal)
      session.expectRestored()
    }

    @Test(
      arguments: [
        ("segv", SIGSEGV), ("abort", SIGABRT), ("trap", SIGILL), ("overflow", SIGSEGV),
      ])
    func `the terminal is given back after a crash by an own fault`(
      _ how: String,
      _ signal: Int32
    ) throws {
      let session = try LineSession(columns: 80)
      session.terminal.type("crash now \(how)")
      try session.terminal.wait(for: ["todo> crash now \(how)"])
      try session.tell("crash \(how)")
      let outcome = session.terminal.outcome()
      #expect(outcome == 128 + signal || (how == "trap" && outcome == 128 + SIGTRAP))
      session.expectRestored()
    }

    @Test func `the terminal is given back by exit`() throws {
      let session = try LineSession()
      session.terminal.type("abc")
      try session.terminal.wait(for: ["todo> abc"])
      try session.tell("exit")
      #expect(session.terminal.outcome() == 7)
      session.expectRestored()
    }

    @Test func `SIGINT from elsewhere drops the line`() throws {
      let session = try LineSession()
      session.terminal.type("abc")
      try session.terminal.wait(for: ["todo> abc"])
      session.terminal.send(SIGINT)
      try session.terminal.wait(for: ["todo> abc^C", "interrupted", "todo>"])
      session.end()
    }

    @Test func `^Z stops the program, and fg brings the line back`() throws {
      let session = try LineSession(shell: true)
      session.terminal.type(session.program + Key.enter)
      try session.terminal.wait { $0.lines.last == "todo>" }
      session.terminal.type(Key.control("l") + "abc")
      try session.terminal.wait(for: ["todo> abc"])
      session.terminal.type(Key.control("z"))
      try session.terminal.wait { $0.lines.last == "$" }
      #expect(!session.terminal.screen.marksPaste)
      session.terminal.type("fg" + Key.enter)
      try session.terminal.wait { $0.lines.last == "todo> abc" && $0.cursor.column == 9 }
      #expect(session.terminal.screen.marksPaste)
      #expect(session.terminal.screen.lines.count { $0.hasPrefix("todo>") } == 2)
      session.terminal.type("d" + Key.enter)
      try session.terminal.wait { $0.lines.suffix(2) == ["entry: abcd", "todo>"] }
      session.terminal.type(Key.control("d"))
      try session.terminal.wait { $0.lines.suffix(2) == ["end", "$"] }
      session.terminal.type("exit" + Key.enter)
      #expect(session.terminal.outcome() == 0)
    }

    @Test func `a program that was stopped from elsewhere has its line again`() throws {
      let session = try LineSession()
      session.terminal.type("abc")
      try session.terminal.wait(for: ["todo> abc"])
      session.terminal.send(SIGSTOP)
      #expect(session.terminal.waitUntilStopped())
      session.terminal.send(SIGCONT)
      session.terminal.type("d")
      try session.terminal.wait { $0.lines.last == "todo> abcd" }
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `a narrower and a wider screen show the line once`() throws {
      let session = try LineSession(columns: 40)
      session.terminal.type("one" + Key.enter)
      try session.terminal.wait(for: ["todo> one", "entry: one", "todo>"])
      session.terminal.type("add one two three four five")
      try session.terminal.wait { $0.lines.last == "todo> add one two three four five" }
      session.terminal.resize(columns: 20, rows: 12)
      try session.terminal.wait {
        $0.lines == [
          "todo> one", "entry: one", "todo> add one two th", "ree four five",
        ] && $0.cursor == (3, 13)
      }
      session.terminal.type("!")
      try session.terminal.wait { $0.lines.last == "ree four five!" }
      session.terminal.resize(columns: 12, rows: 12)
      session.terminal.type("?")
      try session.terminal.wait(
        for: ["todo> one", "entry: one", "todo> add on", "e two three", "four five!?"]
      )
      session.terminal.resize(columns: 60, rows: 10)
      session.terminal.type("#")
      try session.terminal.wait(
        for: ["todo> one", "entry: one", "todo> add one two three four five!?#"],
        cursor: 2,
        36
      )
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test(arguments: ["dumb", "no-such-terminal", ""])
    func `a terminal without escape sequences gets none`(_ name: String) throws {
      let place = try Workplace(for: "LineEditorDriver")
      let terminal = try Terminal()
      let program = try Workplace.binaries(with: "LineEditorDriver")
        .appending(path: "LineEditorDriver").path
      var environment = place.environment
      environment["TERM"] = name.isEmpty ? nil : name
      try terminal.start([program], environment: environment)
      #expect(terminal.outcome() == 3)
      #expect(String(decoding: terminal.written, as: UTF8.self) == "no terminal\r\n")
      #expect(terminal.isCooked)
    }

    @Test func `where there is no terminal nothing is started`() throws {
      let place = try Workplace(for: "LineEditorDriver")
      let program = try Workplace.binaries(with: "LineEditorDriver")
        .appending(path: "LineEditorDriver").path
      let outcome = try place.start(#"exec "$1""#, [program]).outcome()
      #expect(outcome == Job.Outcome(output: ["no terminal"], status: 3))
    }
  }

  /// Keys as people have set them.
  @Suite(.hangLimit) struct KeysTests {
    @Test func `the keys of vi, by editrc`() throws {
      let place = try LineSession.placeWithKeys("bind -v\n")
      let session = try LineSession(place: place)
      session.terminal.type("add milk" + Key.escape)
      try session.terminal.wait(for: ["todo> add milk"], cursor: 0, 13)
      session.terminal.type(Key.escape + "b")
      try session.terminal.wait(for: ["todo> add milk"], cursor: 0, 10)
      session.terminal.type("v")
      try session.terminal.wait { $0.bells == 1 && $0.lines == ["todo> add milk"] }
      session.terminal.type(":")
      try session.terminal.wait { $0.bells == 2 && $0.lines == ["todo> add milk"] }
      session.terminal.type("x0")
      try session.terminal.wait(for: ["todo> add ilk"], cursor: 0, 6)
      session.terminal.type("wiM" + Key.end + "!" + Key.enter)
      try session.terminal.wait(for: ["todo> add Milk!", "entry: add Milk!", "todo>"])
      session.terminal.type("x" + Key.up + "?" + Key.escape + "dd")
      try session.terminal.wait(for: ["todo> add Milk!", "entry: add Milk!", "todo>"])
      session.terminal.type("ik" + Key.escape + "k")
      try session.terminal.wait { $0.lines.last == "todo> add Milk!" }
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `own keys, and what is meant for another program`() throws {
      let place = try LineSession.placeWithKeys(
        """
        # a comment
        other:bind ^X ed-delete-prev-char
        driver:bind ^T ed-move-to-beg
        bind "\\e[15~" ed-kill-line
        history size 5
        edit off

        """
      )
      let session = try LineSession(place: place)
      session.terminal.type("abc" + Key.control("t") + "x")
      try session.terminal.wait(for: ["todo> xabc"], cursor: 0, 7)
      session.terminal.type("\u{1B}[15~")
      try session.terminal.wait(for: ["todo> x"], cursor: 0, 7)
      session.terminal.type(Key.enter)
      try session.terminal.wait(for: ["todo> x", "entry: x", "todo>"])
      session.end()
    }
  }
#endif
