#if os(Linux)
  import EventMVVMTesting
  import ProcessTesting
  import Testing

  /// Typing, moving and deleting, as the screen shows it.
  @Suite(.hangLimit) struct EditingTests {
    @Test func `an entry is typed, run, and the next one asked for`() throws {
      let session = try LineSession()
      session.terminal.type("add Milk")
      try session.terminal.wait(for: ["todo> add Milk"], cursor: 0, 14)
      session.terminal.type(Key.enter)
      try session.terminal.wait(
        for: ["todo> add Milk", "entry: add Milk", "todo>"],
        cursor: 2,
        6
      )
      session.end()
      #expect(
        session.terminal.screen.lines == ["todo> add Milk", "entry: add Milk", "todo>", "end"]
      )
    }

    @Test func `a wide character, a mark and an emoji are one step each`() throws {
      let session = try LineSession()
      session.terminal.type("漢e\u{301}👨‍👩‍👧🇨🇭x")
      try session.terminal.wait(for: ["todo> 漢e\u{301}👨‍👩‍👧🇨🇭x"], cursor: 0, 14)
      session.terminal.type(Key.left + Key.left)
      try session.terminal.wait(for: ["todo> 漢e\u{301}👨‍👩‍👧🇨🇭x"], cursor: 0, 11)
      session.terminal.type(Key.backspace)
      try session.terminal.wait(for: ["todo> 漢e\u{301}🇨🇭x"], cursor: 0, 9)
      session.terminal.type(Key.left)
      try session.terminal.wait(for: ["todo> 漢e\u{301}🇨🇭x"], cursor: 0, 8)
      session.terminal.type(Key.delete)
      try session.terminal.wait(for: ["todo> 漢🇨🇭x"], cursor: 0, 8)
      session.terminal.type("e\u{301}" + Key.enter)
      try session.terminal.wait { $0.lines.contains("entry: 漢e\u{301}🇨🇭x") }
      session.end()
    }

    @Test func `a line that is longer than the screen is wide wraps, and can be edited`() throws {
      let session = try LineSession(columns: 20)
      session.terminal.type("add one two three four")
      try session.terminal.wait(
        for: ["todo> add one two th", "ree four"],
        cursor: 1,
        8
      )
      session.terminal.type(Key.home + "!")
      try session.terminal.wait(
        for: ["todo> !add one two t", "hree four"],
        cursor: 0,
        7
      )
      session.terminal.type(Key.end)
      try session.terminal.wait(
        for: ["todo> !add one two t", "hree four"],
        cursor: 1,
        9
      )
      // To the last column and no further: the cursor is in the next row.
      session.terminal.type(Key.control("u") + "12345678901234")
      try session.terminal.wait(for: ["todo> 12345678901234"], cursor: 1, 0)
      session.terminal.type("漢")
      try session.terminal.wait(for: ["todo> 12345678901234", "漢"], cursor: 1, 2)
      // A wide character does not stand in half a row.
      session.terminal.type(Key.left + Key.backspace)
      try session.terminal.wait(for: ["todo> 1234567890123", "漢"], cursor: 1, 0)
      session.terminal.type(Key.enter)
      try session.terminal.wait { $0.lines.contains("entry: 1234567890123") }
      session.end()
    }

    @Test func `control characters of a text are shown, and do nothing`() throws {
      let session = try LineSession()
      session.terminal.type(Key.pasted("a\u{1B}[31mb\u{7}\u{202E}c\u{200B}"))
      try session.terminal.wait(for: ["todo> a^[[31mb^G\\u{202E}c\\u{200B}"])
      session.terminal.type(Key.enter)
      try session.terminal.wait {
        $0.lines.contains("entry: a\\u{1B}[31mb\\u{7}\\u{202E}c\\u{200B")
      }
      session.terminal.type(Key.up)
      try session.terminal.wait { $0.lines.last == "todo> a^[[31mb^G\\u{202E}c\\u{200B}" }
      #expect(session.terminal.screen.bells == 0)
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `^C drops the line, and ^D leaves on an empty one`() throws {
      let session = try LineSession()
      session.terminal.type("add" + Key.control("d"))
      try session.terminal.wait { $0.bells == 1 }
      session.terminal.type(Key.control("c"))
      try session.terminal.wait(for: ["todo> add^C", "interrupted", "todo>"], cursor: 2, 6)
      session.end()
    }

    @Test func `^L clears the screen, and keeps the line`() throws {
      let session = try LineSession()
      session.terminal.type("one" + Key.enter + "two")
      try session.terminal.wait(for: ["todo> one", "entry: one", "todo> two"])
      session.terminal.type(Key.control("l"))
      try session.terminal.wait(for: ["todo> two"], cursor: 0, 9)
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `an open quote goes on on the next line, and all is one entry`() throws {
      let session = try LineSession()
      session.terminal.type("add \"Milk" + Key.enter)
      try session.terminal.wait(for: ["todo> add \"Milk", "…"], cursor: 1, 2)
      session.terminal.type("and eggs\"" + Key.up)
      try session.terminal.wait(for: ["todo> add \"Milk", "… and eggs\""], cursor: 0, 15)
      session.terminal.type("!" + Key.down + Key.enter)
      try session.terminal.wait { $0.lines.last == "todo>" }
      #expect(
        session.terminal.screen.lines == [
          "todo> add \"Milk!", "… and eggs\"", "entry: add \"Milk!\\u{A}and eggs\"", "todo>",
        ]
      )
      session.terminal.type(Key.up)
      try session.terminal.wait { $0.lines.suffix(2) == ["todo> add \"Milk!", "… and eggs\""] }
      session.terminal.type(Key.control("c"))
      try session.terminal.wait {
        $0.lines.suffix(3) == ["… and eggs\"^C", "interrupted", "todo>"]
      }
      session.end()
    }

    @Test func `an entry higher than the screen is shown around the cursor`() throws {
      let session = try LineSession(columns: 20, rows: 4)
      session.terminal.type(Key.pasted("1\n2\n3\n4\n5\n6"))
      try session.terminal.wait(for: ["… 3", "… 4", "… 5", "… 6"], cursor: 3, 3)
      for _ in 0..<5 { session.terminal.type(Key.up) }
      try session.terminal.wait(for: ["todo> 1", "… 2", "… 3", "… 4"], cursor: 0, 7)
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `what is pasted is one entry, to be looked at before it runs`() throws {
      let session = try LineSession()
      #expect(session.terminal.screen.marksPaste)
      session.terminal.type(Key.pasted("add one\r\nadd\ttwo\radd three\r"))
      try session.terminal.wait(
        for: ["todo> add one", "… add   two", "… add three"],
        cursor: 2,
        11
      )
      session.terminal.type(Key.enter)
      try session.terminal.wait { $0.lines.last == "todo>" }
      #expect(
        session.terminal.screen.lines.dropFirst(3) == [
          "entry: add one\\u{A}add\\u{9}two\\u{A}add t", "hree", "todo>",
        ]
      )
      session.end()
    }

    @Test(arguments: [true, false])
    func `20 kB are pasted, with marks and without`(_ isMarked: Bool) throws {
      let session = try LineSession()
      let text = String(repeating: "add Milk and eggs 漢 ", count: 1000)
      session.terminal.type("count " + (isMarked ? Key.pasted(text) : text) + Key.enter)
      try session.terminal.wait { $0.lines.suffix(2) == ["22006 bytes, 1 lines", "todo>"] }
      session.end()
    }

    @Test func `keys without a meaning leave nothing in the line`() throws {
      let session = try LineSession()
      session.terminal.type("a\u{1B}[5~\u{1B}[15;2~\u{1B}OPb\u{1B}[Ic")
      try session.terminal.wait(for: ["todo> abc"])
      session.terminal.type(Key.control("c"))
      session.end()
    }

    @Test func `a text can stand there at first`() throws {
      let session = try LineSession(["BEGINNING": "x"])
      try session.terminal.wait(for: ["todo> x"], cursor: 0, 7)
      session.terminal.type("y" + Key.enter)
      try session.terminal.wait(for: ["todo> xy", "entry: xy", "todo> x"])
    }
  }
#endif
