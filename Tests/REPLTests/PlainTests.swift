#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// Terminals without escape sequences, and those that libedit does not know: the terminal edits the
  /// lines.
  @Suite(.hangLimit) struct PlainTests {
    @Test(arguments: ["dumb", "xterm-nobody-knows-it", ""])
    func `it is a plain conversation, with a prompt, questions and lines of the prompt's own`(
      _ type: String
    ) throws {
      let place = try Workplace()
      let terminal = try Terminal()
      let program = try Workplace.binaries(with: "todostream").appending(path: "todostream").path
      var environment = place.environment
      environment["TERM"] = type.isEmpty ? nil : type
      try terminal.start([program], environment: environment)
      try terminal.wait { $0.lines.last == "todostream ›" }
      func enter(_ line: String, until shown: String) throws {
        terminal.type(line + "\r")
        try terminal.wait { $0.lines.contains(shown) && $0.lines.last == "todostream ›" }
      }
      try enter("add Plain", until: "Added #1 Plain")
      try enter("ad", until: "error: no command 'ad'; did you mean 'add'?")
      try enter(".mode json", until: "todostream › .mode json")
      try enter(".mode table", until: "todostream › .mode table")
      terminal.type("add 'Two\r")
      try terminal.wait { $0.lines.last == "…" }
      terminal.type("lines'\r")
      try terminal.wait {
        $0.lines.contains("error: A title is one line; put the rest into the subtitle.")
      }
      // What others change is printed on lines of its own, and the prompt again.
      #expect(try place.start("todostream --quiet add Theirs").outcome().status == 0)
      try terminal.wait {
        $0.lines.contains("cli + #2 [ ] Theirs") && $0.lines.last == "todostream ›"
      }
      terminal.type("half")
      terminal.type(Key.control("C"))
      try terminal.wait {
        $0.lines.suffix(2).first?.hasSuffix("^C") == true && $0.lines.last == "todostream ›"
      }
      terminal.type(Key.control("D"))
      #expect(terminal.outcome() == 0)
      #expect(!terminal.written.contains(0x1B))
      #expect(terminal.isCooked)
    }

    @Test func `bytes that are no text change nothing, and are said`() throws {
      let session = try Session(variables: ["TERM": "dumb"])
      session.terminal.type(bytes: [0x61, 0x64, 0x64, 0x20, 0xE4, 0x0D])
      try session.terminal.wait {
        $0.lines.contains {
          $0.contains("error: The line has bytes")
        }
      }
      session.terminal.type(Key.control("D"))
      #expect(session.terminal.outcome() == 0)
    }
  }

  /// What a terminal sends that is no key.
  @Suite(.hangLimit) struct TerminalBytesTests {
    @Test(arguments: [
      "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}",
      "\u{1B}P1+r544e=787465726d\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}^x\u{1B}\\", "\u{0}",
    ])
    func `leaves nothing in the line`(_ sent: String) throws {
      let session = try LineSession()
      session.terminal.type("on" + sent + "e\r")
      try session.terminal.wait { $0.lines.contains("entry: one") }
      session.end()
    }

    @Test func `a byte that is no UTF-8 is not stored as another character`() throws {
      let session = try LineSession()
      session.terminal.type(bytes: [0x6F, 0xE4, 0x6E, 0xC2, 0x85, 0x65, 0x0D])
      try session.terminal.wait { $0.lines.contains("entry: one") }
      #expect(session.terminal.written.contains(7))
      session.end()
    }

    @Test func `an answer without an end does not swallow the next key`() throws {
      let session = try LineSession()
      session.terminal.type("\u{1B}]11;rgb" + "\r")
      session.terminal.type("two\r")
      try session.terminal.wait { $0.lines.contains("entry: two") }
      session.end()
    }
  }

  /// A terminal that counts columns in its own way.
  @Suite(.hangLimit) struct CountedColumnsTests {
    @Test func `tmux, which counts four columns of a skin tone, shows one line that is typed`()
      throws
    {
      let place = try Workplace()
      let script = #"""
        tmux -L "$1" -f /dev/null new-session -d -x 60 -y 12 todostream || exit
        shown() { tmux -L "$1" capture-pane -p; }
        until shown "$1" | grep -q '^todostream ›'; do sleep 0.05; done
        tmux -L "$1" send-keys -l 'add 👍🏽 th'
        until shown "$1" | grep -q ' th'; do sleep 0.05; done
        tmux -L "$1" send-keys BSpace BSpace x
        until shown "$1" | grep -q ' x'; do sleep 0.05; done
        tmux -L "$1" send-keys C-a y
        until shown "$1" | grep -q 'yadd'; do sleep 0.05; done
        shown "$1" | grep -c 'todostream ›'
        shown "$1" | grep -o '0 open$'
        tmux -L "$1" kill-server
        """#
      let name = "columns-\(place.folder.lastPathComponent)"
      let outcome =
        try place.start(script, [name], variables: ["LANG": "C.UTF-8", "TERM": "xterm"])
        .outcome()
      #expect(outcome.output == ["1", "0 open"], "\(outcome)")
    }
  }

  /// Names of files in the home folder.
  @Suite(.hangLimit) struct HomeFolderTests {
    @Test func `a name that begins with ~ is completed and means what it means in a shell`() throws
    {
      let place = try Workplace()
      _ = try place.start("mkdir -p \"$HOME/plans\" && echo 'add Planned' > \"$HOME/plans/a.todo\"")
        .outcome()
      let session = try Session(place: place)
      session.terminal.type(".read ~/pl\t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › .read ~/plans/") == true }
      session.terminal.type("a\t")
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("todostream › .read ~/plans/a.todo") == true
      }
      try session.enter("", until: "Added #1 Planned")
      session.terminal.type("backup ~/pl\t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › backup ~/plans/") == true }
      session.terminal.type("copy.db\r")
      try session.terminal.wait { $0.lines.contains { $0.hasPrefix("Copied 1 todo to ") } }
      try session.enter("add ~/untouched", until: "Added #2 ~/untouched")
      session.end()
      #expect(try place.start("ls \"$HOME/plans\"").outcome().output == ["a.todo", "copy.db"])
    }
  }
#endif
