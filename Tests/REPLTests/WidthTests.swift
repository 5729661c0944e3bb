#if os(Linux)
  import EventMVVMTesting
  import ProcessTesting
  import Testing

  /// Terminals that say that they are as wide as none is.
  @Suite(.hangLimit) struct WidthTests {
    @Test func `a terminal of 65535 columns is painted no more than one of a thousand`() throws {
      let session = try Session(columns: 65_535)
      try session.enter(
        "add Buy milk and bread for tomorrow",
        until: "Added #1 Buy milk and bread for tomorrow"
      )
      try session.terminal.wait { $0.lines.last?.hasSuffix("1 open") == true }
      try session.enter("list", until: "#1 [ ] Buy milk and bread for tomorrow")
      session.terminal.type("done \t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › done 1") == true }
      session.terminal.type(Key.control("C"))
      session.end()
      #expect(session.terminal.written.count < 200_000)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a terminal of hardly any columns shows what it can, and all is run`(
      _ columns: Int
    ) throws {
      let session = try LineSession(columns: 40)
      session.terminal.claim(columns: columns, rows: 24)
      try session.tell("right some text")
      session.terminal.type("list item2\t")
      try session.terminal.wait { _ in
        let written = String(decoding: session.terminal.written, as: UTF8.self)
        return written.contains("…") || written.contains("item29")
      }
      session.terminal.type(Key.home + "löschen äöü😀 " + Key.end + Key.up + Key.down)
      session.terminal.claim(columns: 40, rows: 12)
      session.terminal.type(Key.enter)
      try session.terminal.wait { $0.lines.contains("entry: löschen äöü😀 list item2") }
      session.end()
    }
  }
#endif
