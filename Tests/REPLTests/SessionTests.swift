#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The program as a person has it at a terminal.
  @Suite(.hangLimit) struct SessionTests {
    @Test func `commands are run as they are entered, and their results shown`() throws {
      let session = try Session()
      try session.enter("add Buy milk --tag home", until: "Added #1 Buy milk  +home")
      try session.enter("list", until: "#1 [ ] Buy milk  +home")
      session.end()
      #expect(
        try session.place.start("todostream list").outcome().output == ["#1 [ ] Buy milk  +home"]
      )
    }

    @Test func `what is typed from habit is understood, and a date is said`() throws {
      let session = try Session()
      try session.enter(
        "add Don't forget --due 2199-12-01",
        until: "Added #1 Don't forget  due Sun 1 Dec 2199"
      )
      try session.enter("ls", until: "#1 [ ] Don't forget  due Sun 1 Dec 2199")
      try session.enter(
        "mod 1 --due due+1w",
        until: "Changed #1: due Sun 1 Dec 2199 → Sun 8 Dec 2199"
      )
      try session.enter("1", prompt: "#1 Don't forget ›")
      try session.enter("back", prompt: "todostream ›")
      try session.enter(
        "add Call --due tomorrow 9am",
        until: "error: --due: 'tomorrow 9am' is one value: write it in quotes, or tomorrowT9am"
      )
      try session.enter(
        "? dates",
        until: "page: weekend, 1-5 dec, mon..fri, '..next week', -7d.."
      )
      session.terminal.type(":q" + Key.enter)
      #expect(session.terminal.outcome() == 0)
    }

    @Test func `how things stand is shown at the right, and follows what is done`() throws {
      let session = try Session()
      session.terminal.type("add Pay --due 2020-01-01" + Key.enter)
      try session.terminal.wait { $0.lines.last?.hasSuffix("1 open, 1 overdue") == true }
      session.terminal.type("done 1" + Key.enter)
      try session.terminal.wait { $0.lines.last?.hasSuffix(" 0 open") == true }
      session.end()
    }

    @Test func `S45 what another process does is shown above the line that is being typed`() throws
    {
      let session = try Session()
      session.terminal.type("add Half a")
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › add Half a ") == true }
      _ = try session.place.start("todostream add From outside").outcome()
      try session.terminal.wait {
        $0.lines.contains("cli + #1 [ ] From outside")
          && $0.lines.last?.hasPrefix("todostream › add Half a ") == true
      }
      _ = try session.place.start("todostream delete 1").outcome()
      try session.terminal.wait { $0.lines.contains("cli - #1 [ ] From outside  (deleted)") }
      try session.enter(" line", until: "Added #2 Half a line")
      session.end()
    }

    @Test func `what a script did is taken back here`() throws {
      let session = try Session()
      _ = try session.place.start("printf 'add A\\nadd B\\n' | todostream").outcome()
      try session.terminal.wait { $0.lines.contains("batch + #2 [ ] B") }
      try session.enter("undo", until: "  - #2 B")
      try session.enter(
        "list --all --json",
        until: "error: --json belongs to the whole process, not to a line"
      )
      session.end()
      #expect(try session.place.start("todostream list --all").outcome().output == [])
    }

    @Test func `an error points at the word, and says what may have been meant`() throws {
      let session = try Session()
      try session.enter("ad Milk", until: "error: no command 'ad'; did you mean 'add'?")
      #expect(session.terminal.screen.lines.suffix(3).prefix(2) == ["  ad Milk", "  ^"])
      try session.enter("done 9", until: "error: There is no todo #9.")
      #expect(session.terminal.screen.lines.suffix(2).first == "       ^")
      session.end()
    }

    @Test func `an open quote and a text go on in the next line, and are one command`() throws {
      let session = try Session()
      session.terminal.type("add Shop --subtitle <<END" + Key.enter)
      let advice = "… a line END ends the text; ^C leaves"
      try session.terminal.wait { $0.lines.last == advice }
      session.terminal.type("milk" + Key.enter)
      try session.terminal.wait { $0.lines.last == advice && $0.lines.contains("… milk") }
      try session.enter("END", until: "Added #1 Shop")
      session.terminal.type("show 1" + Key.enter)
      try session.terminal.wait {
        $0.lines.contains("  subtitle  milk") && $0.prompt == "#1 Shop ›"
      }
      session.terminal.type("back" + Key.enter)
      session.end()
    }

    @Test func `an open quote says how to leave, and what was typed is one key up`() throws {
      let session = try Session()
      session.terminal.type("add Milk \"and bread" + Key.enter)
      try session.terminal.wait {
        $0.lines.last == "… \" is still open: close it, or leave with ^C"
      }
      session.terminal.type(Key.control("C"))
      try session.terminal.wait { $0.prompt == "todostream ›" }
      session.terminal.type(Key.up)
      try session.terminal.wait { $0.lines.contains("todostream › add Milk \"and bread") }
      session.terminal.type("\"" + Key.enter)
      try session.terminal.wait { $0.lines.contains("Added #1 Milk and bread") }
      session.end()
    }

    @Test func `a command that asks is carried out only if the answer is yes`() throws {
      let session = try Session()
      for (index, title) in ["A", "B", "C", "D"].enumerated() {
        try session.enter("add \(title)", until: "Added #\(index + 1) \(title)")
      }
      session.terminal.type("delete 1 2 3 4" + Key.enter)
      try session.terminal.wait { $0.lines.last?.hasPrefix("Delete 4 todos? [y/N]") == true }
      session.terminal.type("n" + Key.enter)
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream ›") == true }
      session.terminal.type("delete 1 2 3 4" + Key.enter)
      try session.terminal.wait { $0.lines.last?.hasPrefix("Delete 4 todos? [y/N]") == true }
      session.terminal.type("y" + Key.enter)
      try session.terminal.wait { $0.lines.contains("Deleted #4 D") }
      session.end()
    }

    @Test func `what is not there is named before a person is asked`() throws {
      let session = try Session()
      for (index, title) in ["A", "B", "C", "D"].enumerated() {
        try session.enter("add \(title)", until: "Added #\(index + 1) \(title)")
      }
      try session.enter("delete 1 2 3 99", until: "error: There is no todo #99.")
      try session.enter("delete 4", until: "Deleted #4 D")
      let brings = "error: #4 is deleted; 'restore 4' brings it back."
      try session.enter("delete 1 2 3 4", until: brings)
      #expect(!session.terminal.screen.lines.contains { $0.hasPrefix("Delete 4 todos?") })
      session.end()
    }

    @Test func `verbs, options and what is in the store are completed`() throws {
      let session = try Session()
      try session.enter("add Milk --tag 'two words'", until: "Added #1 Milk  +two words")
      session.terminal.type("tog\t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › toggle ") == true }
      session.terminal.type(Key.control("U") + "list --tag t\t")
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("todostream › list --tag 'two words'") == true
      }
      session.terminal.type(Key.enter)
      try session.terminal.wait { $0.lines.contains("#1 [ ] Milk  +two words") }
      session.end()
    }

    @Test func `files are completed where one is wanted`() throws {
      let place = try Workplace()
      let folder = place.folder.appending(path: "my plans")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try "add A\n"
        .write(
          to: folder.appending(path: "one.todo"),
          atomically: true,
          encoding: .utf8
        )
      let session = try Session(columns: 200, place: place)
      session.terminal.type("backup \(place.folder.path)/my\t")
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("todostream › backup '\(folder.path)/'") == true
      }
      session.terminal.type(Key.control("U") + ".read \(place.folder.path)/my\t")
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("todostream › .read \(folder.path)/") == true
      }
      session.terminal.type("o\t")
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("todostream › .read \(folder.path)/one.todo") == true
      }
      session.terminal.type(Key.enter)
      try session.terminal.wait { $0.lines.contains("Added #1 A") }
    }

    @Test func `its own lines begin with a dot`() throws {
      let session = try Session(columns: 200)
      try session.enter(".mode json", until: "todostream › .mode json")
      try session.enter("list", until: "[]")
      try session.enter(".mode", until: "error: '.mode' is followed by table or json")
      try session.enter(".nap", until: "error: no line '.nap'; '.help' lists them")
      let script = session.place.folder.appending(path: "two.todo")
      try "add A\nadd B\nad C\n".write(to: script, atomically: true, encoding: .utf8)
      try session.enter(
        ".read \(script.path)",
        until: "\(script.path):3:1: error: no command 'ad'; did you mean 'add'?"
      )
      try "add A\ndone 9\n".write(to: script, atomically: true, encoding: .utf8)
      try session.enter(".read \(script.path)", until: "Nothing was changed.")
      try "add A\nadd B\nadd C\nadd D\ndelete 1 2 3 4\n"
        .write(to: script, atomically: true, encoding: .utf8)
      session.terminal.type(".read \(script.path)" + Key.enter)
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("\(script.path):5: Delete 4 todos? [y/N]") == true
      }
      try session.enter("n", until: "Nothing was changed.")
      let bad = String(repeating: "ad C\n", count: 30)
      try bad.write(to: script, atomically: true, encoding: .utf8)
      try session.enter(".read \(script.path)", until: "… and 10 more errors")
      session.terminal.type(".quit" + Key.enter)
      #expect(session.terminal.outcome() == 0)
    }

    @Test func `what is longer than the screen goes through the pager`() throws {
      let place = try Workplace()
      _ = try place.start("for i in 1 2 3 4 5 6 7 8 9; do echo add T$i; done | todostream")
        .outcome()
      let session = try Session(rows: 8, place: place)
      try session.enter("list", until: "page: #1 [ ] T1")
      session.end()
    }

    @Test func `a line fits the screen`() throws {
      let session = try Session(columns: 46)
      try session.enter(
        "add 'A title that is longer than a line' --priority high",
        until: "high"
      )
      try session.enter("list", until: "#1 [ ] A title that is longer than a l…  !high")
      // Labels give way to the title, which `show` has whole.
      try session.enter(
        "edit 1 --tag home,garden --project house --priority normal",
        until: "→ home, garden, project none → house"
      )
      try session.enter("list", until: "#1 [ ] A title that is longer than a line  +…")
      session.terminal.type("show 1" + Key.enter)
      try session.terminal.wait {
        $0.lines.contains("#1 [ ] A title that is longer than a line")
          && $0.lines.contains("  project   house")
      }
      session.terminal.type("back" + Key.enter)
      session.end()
    }

    @Test func `a list of nothing says so, and which labels there are`() throws {
      let session = try Session()
      try session.enter("list --all", until: "There are no todos; 'add TITLE' makes one.")
      try session.enter(
        "list",
        until: "No todo is left; 'add TITLE' makes one, 'list --all' shows all."
      )
      try session.enter(
        "add Milk --tag home,shop --project errands",
        until: "Added #1 Milk  +home +shop  project: errands"
      )
      try session.enter(
        "list --tag nosuch",
        until: "No todo matches --tag nosuch; tags are home, shop."
      )
      try session.enter(
        "list bread --project nosuch",
        until: "No todo matches bread --project nosuch; 'project' can be errands."
      )
      try session.enter("list --done --overdue", until: "No todo matches --done --overdue.")
      #expect(try session.place.start("todostream list --done").outcome().output == [])
      session.end()
    }

    @Test func `a title has its columns where the line has too few, and fields have the next`()
      throws
    {
      let session = try Session(columns: 34)
      let title = "Ask everybody in the house about the garden"
      session.terminal.type("add \(title) --priority high" + Key.enter)
      try session.terminal.wait { $0.lines.contains { $0.hasSuffix("!high") } }
      try session.enter("list", until: "       !high")
      #expect(session.terminal.screen.lines.contains("#1 [ ] Ask everybody in the house…"))
      session.end()
    }

    @Test func `nothing that users typed is obeyed by the terminal`() throws {
      let place = try Workplace()
      _ = try place.start("todostream add \"$(printf 'a\\033[31mb')\"").outcome()
      let session = try Session(place: place)
      try session.enter("list", until: "#1 [ ] a\\u{1B}[31mb")
      session.end()
    }
  }
#endif
