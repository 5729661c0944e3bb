#if os(Linux)
  import EventMVVMTesting
  import ProcessTesting
  import Testing

  /// What helps while an entry is typed, and what others do meanwhile.
  @Suite(.hangLimit) struct AidsTests {
    // MARK: Completing

    @Test func `tab inserts what all candidates begin with, and lists them with summaries`() throws
    {
      let session = try LineSession()
      session.terminal.type("a\t")
      try session.terminal.wait(
        for: ["todo> add", "add      What add does", "address  What address does"],
        cursor: 0,
        9
      )
      // The next key takes the list away.
      session.terminal.type("r")
      try session.terminal.wait(for: ["todo> addr"], cursor: 0, 10)
      session.terminal.type("\t")
      try session.terminal.wait(for: ["todo> address"], cursor: 0, 14)
      session.terminal.type(Key.enter)
      try session.terminal.wait(for: ["todo> address", "entry: address", "todo>"])
      session.end()
    }

    @Test func `candidates without summaries stand in columns`() throws {
      let session = try LineSession(columns: 40, rows: 12)
      session.terminal.type("list item2\t")
      try session.terminal.wait(
        for: [
          "todo> list item2", "item2   item22  item25  item28", "item20  item23  item26  item29",
          "item21  item24  item27",
        ],
        cursor: 0,
        16
      )
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `a list that does not fit says how much is missing`() throws {
      let session = try LineSession(columns: 20, rows: 4)
      session.terminal.type("list \t")
      try session.terminal.wait(
        for: ["todo> list item", "item1   item2", "item3   item4", "… 26 more"],
        cursor: 0,
        15
      )
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `tab rings where there is nothing to complete`() throws {
      let session = try LineSession()
      session.terminal.type("x\t")
      try session.terminal.wait { $0.bells == 1 && $0.lines == ["todo> x"] }
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `a word with a letter of two bytes is completed`() throws {
      let session = try LineSession()
      session.terminal.type("lö\t")
      try session.terminal.wait(for: ["todo> löschen"], cursor: 0, 14)
      session.terminal.type(Key.control("c"))
      session.end()
    }

    // MARK: Hints and colours

    @Test func `a hint stands in grey behind the line, and is taken at its end`() throws {
      let session = try LineSession(colour: true)
      session.terminal.type("add Milk and eggs" + Key.enter)
      try session.terminal.wait {
        $0.styledLines == [
          "⟨1:todo> ⟩⟨36:add⟩ Milk and eggs", "entry: add Milk and eggs", "⟨1:todo> ⟩",
        ]
      }
      session.terminal.type("ad")
      try session.terminal.wait {
        $0.styledLines.last == "⟨1:todo> ⟩ad⟨90:d Milk and eggs⟩" && $0.cursor == (2, 8)
      }
      session.terminal.type("d" + Key.left)
      try session.terminal.wait { $0.styledLines.last == "⟨1:todo> ⟩⟨36:add⟩" }
      session.terminal.type(Key.right + "\u{1B}[1;5C")
      try session.terminal.wait {
        $0.styledLines.last == "⟨1:todo> ⟩⟨36:add⟩ Milk⟨90: and eggs⟩" && $0.cursor == (2, 14)
      }
      session.terminal.type(Key.control("e"))
      try session.terminal.wait {
        $0.styledLines.last == "⟨1:todo> ⟩⟨36:add⟩ Milk and eggs" && $0.cursor == (2, 23)
      }
      session.terminal.type(Key.control("u") + "add M")
      try session.terminal.wait { $0.styledLines.last?.hasSuffix("⟨90:ilk and eggs⟩") == true }
      // What is run is what was typed.
      session.terminal.type(Key.enter)
      try session.terminal.wait {
        $0.styledLines.suffix(3) == ["⟨1:todo> ⟩⟨36:add⟩ M", "entry: add M", "⟨1:todo> ⟩"]
      }
      session.end()
    }

    @Test func `without colour there are neither styles nor hints`() throws {
      let session = try LineSession()
      session.terminal.type("add Milk" + Key.enter)
      try session.terminal.wait { $0.lines.suffix(2) == ["entry: add Milk", "todo>"] }
      session.terminal.type("add")
      try session.terminal.wait { $0.lines.last == "todo> add" }
      session.terminal.type(Key.control("c"))
      session.end()
      let written = String(decoding: session.terminal.written, as: UTF8.self)
      #expect(!written.contains(/\u{1B}\[[0-9;]*m/))
    }

    // MARK: What others do

    @Test func `what is announced stands above the prompt, and the line is as it was`() throws {
      let session = try LineSession(columns: 20)
      session.terminal.type("add one two three four" + Key.home)
      try session.terminal.wait(for: ["todo> add one two th", "ree four"], cursor: 0, 6)
      try session.tell("announce #3 was done by another")
      try session.terminal.wait(
        for: ["#3 was done by anoth", "er", "todo> add one two th", "ree four"],
        cursor: 2,
        6
      )
      session.terminal.type(Key.enter)
      try session.terminal.wait {
        $0.lines.suffix(3) == ["entry: add one two t", "hree four", "todo>"]
      }
      session.end()
    }

    @Test func `it does so in an entry of several lines, and at the bottom of the screen`() throws {
      let session = try LineSession(columns: 20, rows: 4)
      session.terminal.type("a \"b" + Key.enter + "c")
      try session.terminal.wait(for: ["todo> a \"b", "… c"], cursor: 1, 3)
      for number in 1...3 { try session.tell("announce #\(number)") }
      try session.terminal.wait(for: ["#2", "#3", "todo> a \"b", "… c"], cursor: 3, 3)
      #expect(session.terminal.screen.allLines.first == "#1")
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `the prompt changes while an entry is typed`() throws {
      let session = try LineSession()
      session.terminal.type("abc")
      try session.terminal.wait(for: ["todo> abc"])
      try session.tell("prompt #3 Milk ›")
      try session.terminal.wait(for: ["#3 Milk ›abc"], cursor: 0, 12)
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `what stands at the right gives way to the line`() throws {
      let session = try LineSession(columns: 20)
      try session.tell("right 3 open")
      try session.terminal.wait(for: ["todo>        3 open"], cursor: 0, 6)
      session.terminal.type("add Mi")
      try session.terminal.wait(for: ["todo> add Mi 3 open"], cursor: 0, 12)
      session.terminal.type("l")
      try session.terminal.wait(for: ["todo> add Mil"], cursor: 0, 13)
      session.terminal.type(Key.backspace)
      try session.terminal.wait(for: ["todo> add Mi 3 open"], cursor: 0, 12)
      // It does not stay where an entry was.
      session.terminal.type(Key.enter)
      try session.terminal.wait(
        for: ["todo> add Mi", "entry: add Mi", "todo>        3 open"],
        cursor: 2,
        6
      )
      session.end()
    }

    @Test func `an editor that is told to stop takes no more`() throws {
      let session = try LineSession()
      session.terminal.type("abc")
      try session.terminal.wait(for: ["todo> abc"])
      try session.tell("stop")
      #expect(session.terminal.outcome() == 0)
      #expect(session.terminal.screen.lines == ["todo> abc", "end"])
      session.expectRestored()
    }

    // MARK: Waiting

    @Test func `while it waits it shows how far it is, and what is typed waits, too`() throws {
      let session = try LineSession()
      session.terminal.type("wait" + Key.enter)
      try session.terminal.wait(for: ["todo> wait"], cursor: 1, 0)
      try session.tell("status 10 %")
      try session.terminal.wait(for: ["todo> wait", "10 %"])
      try session.tell("announce #3 was done")
      try session.terminal.wait(for: ["todo> wait", "#3 was done", "10 %"])
      try session.tell("status 90 %")
      try session.terminal.wait(for: ["todo> wait", "#3 was done", "90 %"])
      session.terminal.type("next")
      try session.tell("go")
      try session.terminal.wait(
        for: ["todo> wait", "#3 was done", "waited: over", "todo> next"],
        cursor: 3,
        10
      )
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `^C ends the waiting`() throws {
      let session = try LineSession()
      session.terminal.type("wait" + Key.enter)
      try session.tell("status on it")
      try session.terminal.wait(for: ["todo> wait", "on it"])
      session.terminal.type(Key.control("c"))
      try session.terminal.wait(for: ["todo> wait", "waited: interrupted", "todo>"])
      session.end()
    }

    @Test func `who has been lent the terminal is not disturbed`() throws {
      let session = try LineSession()
      session.terminal.type("lend" + Key.enter)
      try session.terminal.wait(for: ["todo> lend", "lent"])
      session.expectRestored()
      try session.tell("prompt #3 Milk ›")
      try session.tell("announce #3 was done")
      try session.tell("go")
      try session.terminal.wait(for: ["todo> lend", "lent", "#3 was done", "back", "todo>"])
      session.end()
    }
  }
#endif
