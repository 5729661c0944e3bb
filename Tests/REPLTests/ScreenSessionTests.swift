#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// Screens as a person has them at a terminal.
  @Suite(.hangLimit) struct ScreenSessionTests {
    @Test func `S29 S30 show and edit open the detail, where fields are set, toggled and saved`()
      throws
    {
      let session = try Session()
      try session.enter("add Buy milk", until: "Added #1 Buy milk")
      try session.enter("show 1", prompt: "#1 Buy milk ›")
      try session.enter("set --title 'Buy oat milk' --tag home", prompt: "#1 Buy oat milk* ›")
      try session.enter("toggle priority", prompt: "#1 Buy oat milk* ›")
      #expect(session.terminal.screen.lines.contains("#1 [ ] Buy oat milk  !high  +home"))
      try session.enter("save", until: "Saved #1 Buy oat milk")
      try session.enter("edit 1", prompt: "#1 Buy oat milk ›")
      try session.enter("toggle", prompt: "#1 Buy oat milk* ›")
      try session.enter("cancel", until: "Forgotten what was edited.")
      try session.enter("list --open", until: "#1 [ ] Buy oat milk  !high  +home")
      session.end()
    }

    @Test func `words that write set fields of a new todo and of an open one`() throws {
      let session = try Session()
      try session.enter("new Call Bob +work !high", prompt: "new: Call Bob* ›")
      try session.enter("set -work +home due:2199-12-01", prompt: "new: Call Bob* ›")
      session.terminal.type("set soon" + Key.enter)
      try session.terminal.wait {
        $0.lines.contains("error: 'soon' changes nothing; write due:fri +label, or an option")
      }
      try session.enter("save", until: "Saved #1 Call Bob  !high  due Sun 1 Dec 2199  +home")
      session.terminal.type("add Pay d\t2199-12-02 +h\t" + Key.enter)
      try session.terminal.wait { $0.lines.contains("Added #2 Pay  due Mon 2 Dec 2199  +home") }
      session.end()
    }

    @Test func `S29 the actions of a row act on the todo as it is when they are used`() throws {
      let session = try Session()
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("open list", prompt: "list (1) ›")
      _ = try session.place.start("todostream done 1").outcome()
      try session.terminal.wait { $0.lines.contains("cli ~ #1 [x] Milk") }
      try session.enter("toggle 1", prompt: "list (1) ›")
      #expect(session.terminal.screen.lines.contains("Reopened #1 Milk"))
      _ = try session.place.start("todostream edit 1 --title Jam").outcome()
      try session.terminal.wait { $0.lines.contains("cli ~ #1 [ ] Jam") }
      try session.enter("delete 1", prompt: "list (0) ›")
      #expect(session.terminal.screen.lines.contains("Deleted #1 Jam"))
      try session.enter("back", prompt: "todostream ›")
      session.end()
    }

    @Test func `the order of an open list is no word of its search`() throws {
      let session = try Session()
      for (index, title) in ["oat milk", "--sort", "milk"].enumerated() {
        try session.enter("add -- '\(title)'", until: "Added #\(index + 1) \(title)")
      }
      try session.enter("open list -- milk", prompt: "list -- milk (2) ›")
      try session.enter("rows --sort title", prompt: "list --sort title -- milk (2) ›")
      try session.enter("rows --sort=-due", prompt: "list --sort -due -- milk (2) ›")
      try session.enter("back", prompt: "todostream ›")
      session.end()
    }

    @Test func `S42 S29 a detail says what completing and deleting it would be`() throws {
      let session = try Session(columns: 160)
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("show 1", prompt: "#1 Milk ›")
      #expect(reads(session, /\s+priority +normal/))
      try show(session, /\s+'toggle': Complete, .*, 'toggle deleted': Delete/)
      for line in ["toggle", "toggle deleted"] {
        try session.enter(line, prompt: "#1 Milk\(line == "toggle" ? "" : " (deleted)")* ›")
      }
      try show(session, /\s+'toggle': Uncomplete, .*, 'toggle deleted': Restore/)
      try session.enter("toggle priority", prompt: "#1 Milk (deleted)* ›")
      try session.enter("save", until: "Saved #1 Milk")
      try session.enter("show 1", prompt: "#1 Milk (deleted) ›")
      #expect(
        reads(session, /\s+completed +today .*/)
      )
      try session.enter("back", prompt: "todostream ›")
      session.end()
    }

    @Test func `S47 a detail reads as complete or not, in what priority, and how old`() throws {
      let session = try Session()
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("show 1", prompt: "#1 Milk ›")
      try show(session, /\s+Incomplete, NORMAL, created \d+ seconds? ago/)
      try session.enter("toggle", prompt: "#1 Milk* ›")
      try session.enter("toggle priority", prompt: "#1 Milk* ›")
      try show(session, /\s+Complete, HIGH, created \d+ seconds? ago/)
      try session.enter("cancel", until: "Forgotten what was edited.")
      session.end()
    }

    /// Whether a line of the screen reads so.
    private func reads(_ session: Session, _ line: Regex<Substring>) -> Bool {
      session.terminal.screen.lines.contains { $0.wholeMatch(of: line) != nil }
    }

    /// Shows the open todo, and waits for a line that reads so.
    private func show(_ session: Session, _ line: Regex<Substring>) throws {
      session.terminal.type("show" + Key.enter)
      try session.terminal.wait { screen in
        screen.lines.contains { $0.wholeMatch(of: line) != nil }
          && screen.prompt?.hasPrefix("#1 Milk") == true
      }
    }

    @Test func `S29 of lines that are pasted each is understood on the screen that is open then`()
      throws
    {
      let session = try Session()
      try session.enter("add Milk", until: "Added #1 Milk")
      session.terminal.type(Key.pasted("edit 1\nset --title Jam\nsave\n"))
      try session.terminal.wait { $0.lines.last == "… save" }
      session.terminal.type(Key.enter)
      try session.terminal.wait {
        $0.prompt == "todostream ›" && $0.lines.contains("Saved #1 Jam")
      }
      session.end()
    }

    @Test func `S97 a trace is of what a person asked for, and not of the prompt`() throws {
      let session = try Session(columns: 120, rows: 60)
      try session.enter("trace", until: "Nothing was asked for before this.")
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("done 1", until: "Completed #1 Milk")
      session.terminal.type("trace 9" + Key.enter)
      try session.terminal.wait { screen in
        screen.lines.contains { $0.hasPrefix("  RequestCompleteTodo ") }
          && screen.prompt == "todostream ›"
      }
      let asked = session.terminal.screen.lines.filter { $0.hasPrefix("  Request") }
      #expect(asked.map(Self.firstWord) == ["RequestAddTodo", "RequestCompleteTodo"])
      session.terminal.type("trace 9 --all" + Key.enter)
      try session.terminal.wait { screen in
        screen.lines.contains { $0.hasPrefix("  RequestTodoStatus ") }
          && screen.lines.contains { $0.hasPrefix("  RequestScreens ") }
          && screen.prompt == "todostream ›"
      }
      session.end()
    }

    private static func firstWord(_ line: String) -> String {
      String(line.drop { $0 == " " }.prefix { $0 != " " })
    }

    @Test func `S30 a validation error keeps the editor and the edits`() throws {
      let session = try Session()
      try session.enter("new", prompt: "new todo ›")
      try session.enter("set --due 2030-01-02", prompt: "new todo* ›")
      try session.enter("save", prompt: "new todo* ›")
      #expect(session.terminal.screen.lines.contains("error: Please add a title."))
      try session.enter("set --title Milk", prompt: "new: Milk* ›")
      try session.enter("save", until: "Saved #1 Milk  due Wed 2 Jan 2030")
      try session.enter("list", until: "#1 [ ] Milk  due Wed 2 Jan 2030")
      session.end()
    }

    @Test func `S31 leaving a detail with edits asks before they are given up`() throws {
      let session = try Session()
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("edit 1", prompt: "#1 Milk ›")
      try session.enter("set --title Jam", prompt: "#1 Jam* ›")
      session.terminal.type(Key.control("D"))
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("Discard what was edited? [y/N/save]") == true
      }
      session.terminal.type("n" + Key.enter)
      try session.terminal.wait { $0.prompt == "#1 Jam* ›" }
      session.terminal.type(".quit" + Key.enter)
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("Discard what was edited? [y/N/save]") == true
      }
      session.terminal.type("n" + Key.enter)
      try session.terminal.wait { $0.prompt == "#1 Jam* ›" }
      session.terminal.type(Key.control("D"))
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("Discard what was edited? [y/N/save]") == true
      }
      session.terminal.type("y" + Key.enter)
      try session.terminal.wait { $0.prompt == "todostream ›" }
      session.end()
      #expect(
        try session.place.start("todostream list").outcome().output == ["#1 [ ] Milk"]
      )
    }

    @Test func `who leaves a detail with edits may save them`() throws {
      let session = try Session()
      try session.enter("new Milk", prompt: "new: Milk* ›")
      session.terminal.type("back" + Key.enter)
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("Discard what was edited? [y/N/save]") == true
      }
      try session.enter("s", until: "Saved #1 Milk")
      try session.terminal.wait { $0.prompt == "todostream ›" }
      try session.enter("edit 1", prompt: "#1 Milk ›")
      try session.enter("set --title Jam", prompt: "#1 Jam* ›")
      session.terminal.type("q" + Key.enter)
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("Discard what was edited? [y/N/save]") == true
      }
      session.terminal.type("save" + Key.enter)
      #expect(session.terminal.outcome() == 0)
      #expect(try session.place.start("todostream list").outcome().output == ["#1 [ ] Jam"])
    }

    @Test func `who leaves several details with edits is asked about each`() throws {
      let session = try Session()
      try session.enter("new Milk", prompt: "new: Milk* ›")
      try session.enter("new Jam", prompt: "new: Jam* ›")
      session.terminal.type("quit" + Key.enter)
      let question = "Discard what was edited? [y/N/save]"
      try session.terminal.wait {
        $0.lines.contains { $0.hasPrefix("error: new: Jam has edits") }
          && $0.lines.last?.hasPrefix(question) == true
      }
      session.terminal.type("Y " + Key.enter)
      try session.terminal.wait {
        $0.lines.contains { $0.hasPrefix("error: new: Milk has edits") }
          && $0.lines.last?.hasPrefix(question) == true
      }
      session.terminal.type("save" + Key.enter)
      #expect(session.terminal.outcome() == 0)
      #expect(try session.place.start("todostream list").outcome().output == ["#1 [ ] Milk"])
    }

    @Test func `S26 the prompt follows what another process does to the open todo`() throws {
      let session = try Session()
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("show 1", prompt: "#1 Milk ›")
      session.terminal.type("set --ti")
      try session.terminal.wait { $0.lines.last?.hasPrefix("#1 Milk › set --ti") == true }
      _ = try session.place.start("todostream edit 1 --title Jam").outcome()
      try session.terminal.wait {
        $0.lines.contains("cli ~ #1 [ ] Jam")
          && $0.lines.last?.hasPrefix("#1 Jam › set --ti") == true
      }
      session.terminal.type(Key.control("U") + "back" + Key.enter)
      try session.terminal.wait { $0.prompt == "todostream ›" }
      session.end()
    }

    @Test func `S78 a toast of the topmost screen stands above the prompt, and of no other`() throws
    {
      let session = try Session(columns: 120)
      let toast = "#1 was changed by somebody else where you edited it; 'save' says how."
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("show 1", prompt: "#1 Milk ›")
      try session.enter("set --title Mine", prompt: "#1 Mine* ›")
      session.terminal.type("toggle pri")
      try session.terminal.wait { $0.lines.last?.hasPrefix("#1 Mine* › toggle pri") == true }
      _ = try session.place.start("todostream edit 1 --title Theirs").outcome()
      try session.terminal.wait { screen in
        screen.lines.contains(toast)
          && screen.lines.last?.hasPrefix("#1 Mine* › toggle pri") == true
      }
      session.terminal.type(Key.control("U"))
      try session.enter("new", prompt: "new todo ›")
      _ = try session.place.start("todostream edit 1 --title Others").outcome()
      try session.terminal.wait { $0.lines.contains("cli ~ #1 [ ] Others") }
      try session.enter("back", prompt: "#1 Mine* ›")
      #expect(session.terminal.screen.lines.filter { $0 == toast }.count == 1)
      try session.enter("cancel", until: "Forgotten what was edited.")
      session.end()
    }

    @Test func `where results are JSON, a toast is a line of JSON, too`() throws {
      let session = try Session(columns: 120)
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter(".mode json", until: "todostream › .mode json")
      try session.enter("show 1", prompt: "#1 Milk ›")
      try session.enter("set --title Mine", prompt: "#1 Mine* ›")
      _ = try session.place.start("todostream edit 1 --title Theirs").outcome()
      let text = "#1 was changed by somebody else where you edited it; 'save' says how."
      try session.terminal.wait { screen in
        screen.lines.contains(#"{"toast":{"text":"\#(text)","screen":"detail"}}"#)
      }
      try session.enter("cancel", prompt: "todostream ›")
      session.end()
    }

    @Test func `S71 a conflict shows both values, and is overwritten only if the answer is yes`()
      throws
    {
      let session = try Session(columns: 120)
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("edit 1", prompt: "#1 Milk ›")
      try session.enter("set --title Mine", prompt: "#1 Mine* ›")
      _ = try session.place.start("todostream edit 1 --title Theirs").outcome()
      session.terminal.type("save" + Key.enter)
      try session.terminal.wait {
        $0.lines.contains(
          "error: Somebody changed the title of #1 meanwhile: you saw 'Milk', now it is 'Theirs'."
        ) && $0.lines.last?.hasPrefix("Overwrite it? [y/N]") == true
      }
      session.terminal.type("n" + Key.enter)
      try session.terminal.wait { $0.prompt == "#1 Mine* ›" }
      session.terminal.type("save" + Key.enter)
      try session.terminal.wait { $0.lines.last?.hasPrefix("Overwrite it? [y/N]") == true }
      session.terminal.type("y" + Key.enter)
      try session.terminal.wait {
        $0.prompt == "todostream ›" && $0.lines.contains("Saved #1 Mine")
      }
      session.end()
    }

    @Test
    func `S45 an open list follows what others do, and two of them do not disturb each other`()
      throws
    {
      let session = try Session()
      try session.enter("add Milk --tag home", until: "Added #1 Milk  +home")
      try session.enter("open list --tag home", prompt: "list --tag home (1) ›")
      try session.enter("open list --tag shop", prompt: "list --tag shop (0) ›")
      _ = try session.place.start("todostream add Jam --tag home").outcome()
      try session.terminal.wait { $0.lines.contains("cli + #2 [ ] Jam  +home") }
      try session.enter("rows", prompt: "list --tag shop (0) ›")
      try session.enter("back", prompt: "list --tag home (2) ›")
      session.terminal.type("rows" + Key.enter)
      try session.terminal.wait { $0.lines.contains("#2 [ ] Jam  +home") }
      try session.enter("show 2", prompt: "#2 Jam ›")
      try session.enter("back", prompt: "list --tag home (2) ›")
      try session.enter("back", prompt: "todostream ›")
      session.end()
    }

    @Test func `S96 a link on the command line opens its screen at once`() throws {
      let place = try Workplace()
      _ = try place.start("todostream add Milk --subtitle 'two bottles'").outcome()
      let session = try Session(place: place, words: ["open", "1"], prompt: "#1 Milk ›")
      #expect(session.terminal.screen.lines.contains("  subtitle  two bottles"))
      session.terminal.type(Key.control("D"))
      try session.terminal.wait { $0.prompt == "todostream ›" }
      session.end()
      let second = try Session(place: place, words: ["open", "9"])
      #expect(second.terminal.screen.lines.contains("error: There is no todo #9."))
      second.end()
    }

    @Test func `a script that fails leaves a screen and its edits as they were`() throws {
      let session = try Session(columns: 160)
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("edit 1", prompt: "#1 Milk ›")
      try session.enter("set --title Jam", prompt: "#1 Jam* ›")
      let script = session.place.folder.appending(path: "s.todo")
      try "add Bread\nsave\n".write(to: script, atomically: true, encoding: .utf8)
      session.terminal.type(".read \(script.path)" + Key.enter)
      try session.terminal.wait {
        $0.prompt == "#1 Jam* ›"
          && $0.lines.contains {
            $0.hasSuffix("'save' works only in the detail of a todo")
          }
      }
      try session.enter("cancel", until: "Forgotten what was edited.")
      session.end()
    }

    @Test func `yes to all questions does not give up what was edited`() throws {
      let session = try Session(words: ["--yes"])
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter("edit 1", prompt: "#1 Milk ›")
      try session.enter("set --title Jam", prompt: "#1 Jam* ›")
      for _ in 1...2 {
        session.terminal.type(Key.control("D"))
        try session.terminal.wait {
          $0.lines.last?.hasPrefix("Discard what was edited? [y/N/save]") == true
        }
        session.terminal.type(Key.control("D"))
        try session.terminal.wait { $0.prompt == "#1 Jam* ›" }
      }
      try session.enter("cancel", until: "Forgotten what was edited.")
      session.end()
    }

    @Test func `a draft that gets its date after its rule comes again from that on`() throws {
      let session = try Session(columns: 160)
      try session.enter("new Rent", prompt: "new: Rent* ›")
      try session.enter("set --every '2 weeks'", prompt: "new: Rent* ›")
      try session.enter("set --due 2099-12-07", prompt: "new: Rent* ›")
      try session.enter("save", prompt: "todostream ›")
      try session.enter("done 1", until: "  #1 comes again as #2 on Mon 21 Dec 2099")
      session.end()
    }

    @Test func `edit without a field opens one todo, and is an error for several`() throws {
      let session = try Session(columns: 160)
      try session.enter("add Milk", until: "Added #1 Milk")
      try session.enter(
        "edit 1 1",
        until:
          "error: edit needs something to change, such as --title, --subtitle, --priority, --due; 'help edit' lists all"
      )
      try session.enter("edit 1", prompt: "#1 Milk ›")
      try session.enter("back", prompt: "todostream ›")
      session.end()
    }

    @Test func `what a screen understands is completed there, and nowhere else`() throws {
      let session = try Session()
      try session.enter("add Milk", until: "Added #1 Milk")
      session.terminal.type("sav\t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › sav") == true }
      session.terminal.type(Key.control("U"))
      try session.enter("show 1", prompt: "#1 Milk ›")
      session.terminal.type("sav\t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("#1 Milk › save ") == true }
      session.terminal.type(Key.control("U") + "toggle pr\t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("#1 Milk › toggle priority") == true }
      session.terminal.type(Key.control("U") + "toggle --exp\t")
      try session.terminal.wait {
        $0.lines.last?.hasPrefix("#1 Milk › toggle --expected-revision") == true
      }
      session.terminal.type(Key.control("U") + "open li\t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("#1 Milk › open list ") == true }
      session.terminal.type(Key.control("U"))
      try session.enter("back", prompt: "todostream ›")
      session.end()
    }

    @Test
    func `a title that could turn the terminal round is shown, and cut to half of the screen`()
      throws
    {
      let place = try Workplace()
      _ = try place.start("todostream add \"$(printf 'a\\033[31mb')\"").outcome()
      _ = try place.start("todostream add 日本語の長い題名は半分に切られる").outcome()
      let session = try Session(columns: 40, place: place)
      try session.enter("show 1", prompt: "#1 a\\u{1B}[31mb ›")
      try session.enter("show 2", prompt: "#2 日本語の長い題名… ›")
      try session.enter("back", prompt: "todostream ›")
      session.end()
    }
  }
#endif
