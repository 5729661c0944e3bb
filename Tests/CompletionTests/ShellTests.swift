#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The scripts, in the shells that they are for.
  @Suite(.hangLimit) struct ShellTests {
    /// A store with labels that are hard to write.
    private func place() throws -> Workplace {
      let place = try Workplace()
      let input = [
        "add Buy milk --tag 'two words' --tag \"it's\" --tag '日本 語' --project 'a@b c'",
        "add 'Es\u{1B}[31mcape' --tag '#hash' --project '~root' --tag 'a$b' --tag 'e\u{1B}[1m'",
      ]
      #expect(try place.start("todostream", input: input).outcome().status == 0)
      return place
    }

    // MARK: What is printed for scripts

    private func candidates(_ words: String, _ place: Workplace) throws -> [String] {
      let outcome = try place.start("todostream completions zsh -- \(words)").outcome()
      #expect(outcome.errors == [])
      #expect(outcome.status == 0)
      return outcome.output
    }

    private static let lines: [(String, [String])] = [
      ("ed", ["words", "edit\tChanges fields of todos."]),
      ("op", ["words", "open\tStarts a prompt with something open, as 'open' does."]),
      ("open l", ["words", "list\tA list that follows changes by others"]),
      ("open list l", ["words"]),
      ("open 1", ["words", "1\tBuy milk"]),
      ("ru", ["words", "run\tRuns scripts as one: all of it takes effect, or nothing doe…"]),
      (
        "help compl", ["words", "completions\tPrints a script by which a shell completes words."]
      ),
      ("completions ''", ["words", "bash", "zsh", "fish"]),
      ("--js", ["words", "--json\tResults as JSON, one value a line; errors as JSON"]),
      ("add Milk --pri", ["words", "--priority\tHow much it matters"]),
      ("add Milk --q", ["words", "--quiet\tNo confirmations"]),
      ("add Milk --priority h", ["words", "high"]),
      ("list --sort -d", ["words", "-due"]),
      ("list -- --do", ["words"]),
      ("list --sort=-d", ["words", "--sort=-due"]),
      ("list --tag=t", ["words", "--tag=two words"]),
      ("list --color=al", ["words", "--color=always"]),
      ("--without=u", ["words", "--without=undo"]),
      ("--color n", ["words", "never"]),
      ("--without u", ["words", "undo"]),
      ("--without undo und", ["words"]),
      ("show ''", ["words", "2\tEs\\u{1B}[31mcape", "1\tBuy milk"]),
      ("list --tag t", ["words", "two words"]),
      ("list --tag e", ["words"]),
      ("list --project ''", ["words", "a@b c", "~root"]),
      ("run ''", ["files"]),
      ("--store ''", ["files"]),
      ("backup ''", ["files"]),
      ("no-such-command ''", ["words"]),
    ]

    @Test(arguments: lines)
    func `what could stand there is what the line says so far`(
      _ words: String,
      _ expected: [String]
    ) throws {
      #expect(try candidates(words, place()) == expected)
    }

    @Test func `a date is said what it is`() throws {
      let found = try candidates("--json add Milk --due to", place())
        .map {
          String($0.split(separator: ",")[0])
        }
      #expect(found == ["words", "today\ttoday", "tomorrow\ttomorrow"])
    }

    @Test func `at first there are the commands, and what only the process understands`() throws {
      let found = try candidates("''", place())
      #expect(found.contains("add\tAdds a todo."))
      #expect(found.contains("completions\tPrints a script by which a shell completes words."))
    }

    @Test func `the store is the one that the line names, and none is made`() throws {
      let place = try place()
      #expect(try candidates("--store other.sqlite show ''", place) == ["words"])
      #expect(try candidates("--store . show ''", place) == ["words"])
      let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
      #expect(files.contains("todos.sqlite"))
      #expect(!files.contains { $0.hasPrefix("other") })
      _ = try place.start("mv todos.sqlite home/moved.sqlite").outcome()
      #expect(
        try place.start("todostream --store home/moved.sqlite completions zsh -- show 1").outcome()
          .output == ["words", "1\tBuy milk"]
      )
      #expect(
        try candidates("--store '~/moved.sqlite' list --tag t", place) == ["words", "two words"]
      )
    }

    @Test func `a script needs the name of a shell, and says which there are`() throws {
      let place = try Workplace()
      #expect(
        try place.start("todostream completions tcsh").outcome().errors == [
          "error: 'tcsh' is not one of bash, zsh, fish"
        ]
      )
      #expect(try place.start("todostream completions").outcome().status == 2)
      #expect(try place.start("todostream completions bash > /dev/full").outcome().status == 1)
    }

    // MARK: bash

    /// What bash is given for a line, in the order in which it is given.
    private func bash(_ line: String, type: Int = 9, _ place: Workplace) throws -> [String] {
      let script = """
        source <(todostream completions bash)
        COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=\(type) COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
        _todostream todostream
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let outcome = try place.start("exec /bin/bash -uc \"$1\" bash \"$2\"", [script, line])
        .outcome()
      #expect(outcome.errors == [])
      return outcome.output
    }

    @Test(
      arguments: [
        ("todostream ed", ["edit"]),
        ("todostream list --tag ", ["\\#hash", "a\\$b", "it\\'s", "two\\ words", "日本\\ 語"]),
        ("todostream list --tag 't", ["two words"]),
        ("todostream list --tag \"a", ["a\\$b"]),
        ("todostream list --project a@b", ["@b\\ c"]),
        ("todostream show 1", ["1"]),
        ("todostream show ", ["2  (Es\\u{1B}[31mcape)", "1  (Buy milk)"]),
        ("todostream list --tag=t", ["two\\ words"]),
        ("todostream list --tag z", [""]),
      ])
    func `bash is given words as it inserts them, and lists titles`(
      _ line: String,
      _ expected: [String]
    ) throws {
      #expect(try bash(line, place()) == expected)
    }

    @Test(arguments: [37, 42])
    func `where bash inserts one candidate after the other there are no titles`(
      _ type: Int
    ) throws {
      #expect(try bash("todostream show ", type: type, place()) == ["2", "1"])
    }

    @Test func `what bash inserts it reads as the label that was meant`() throws {
      let place = try place()
      for word in try bash("todostream list --tag ", place) {
        let script = "eval \"todostream --json list --tag $1\""
        let outcome = try place.start("exec /bin/bash -c \"$1\" bash \"$2\"", [script, word])
          .outcome()
        #expect(outcome.output.first?.hasPrefix("[{\"id\":") == true, "\(word)")
      }
    }

    // MARK: fish

    @Test(
      arguments: [
        ("todostream ed", ["edit\tChanges fields of todos."]),
        ("todostream show ", ["2\tEs\\u{1B}[31mcape", "1\tBuy milk"]),
        ("todostream list --tag t", ["two words"]),
        ("todostream list --tag 'two w", ["two words"]),
        ("todostream list --tag two\\\\ w", ["two words"]),
        ("todostream list --tag z", []),
        ("todostream run som", ["some.todo"]),
        ("todostream list --tag=tw", ["--tag=two words"]),
        ("todostream list --sort=d", ["--sort=due"]),
        ("todostream --qui", ["--quiet\tNo confirmations"]),
        ("todostream list --project=~", ["--project=~root"]),
        ("todostream list --project ", ["a@b c"]),
      ])
    func `fish is given words and titles`(_ line: String, _ expected: [String]) throws {
      let place = try place()
      _ = try place.start("touch some.todo").outcome()
      let outcome =
        try place.start(
          "exec fish --no-config -c 'todostream completions fish | source; complete -C $argv[1]' \"$1\"",
          [line.replacing("\\\\", with: "\\")]
        )
        .outcome()
      #expect(outcome.output == expected)
      #expect(outcome.errors == [])
    }

    // MARK: At the keyboard

    /// A shell with its script, at a terminal.
    private func shell(_ name: String, _ place: Workplace) throws -> Terminal {
      let terminal = try Terminal(columns: 100)
      var environment = place.environment
      environment["TERM"] = "dumb"
      environment["PS1"] = "$ "
      let words =
        switch name {
        case "bash": ["/bin/bash", "--norc", "-i"]
        case "zsh": ["/bin/zsh", "-f", "-i"]
        default: ["/usr/bin/fish", "--no-config", "-i"]
        }
      let loading =
        switch name {
        case "bash": "source <(todostream completions bash)"
        case "zsh": "autoload -U compinit; compinit -D; source <(todostream completions zsh)"
        default: "todostream completions fish | source; function fish_prompt; echo -n '$ '; end"
        }
      try terminal.start(words, environment: environment)
      try terminal.wait { !$0.lines.isEmpty }
      terminal.type("cd \(place.folder.path); \(loading); echo 'rea''dy'\r")
      try terminal.wait { $0.lines.contains("ready") && $0.lines.last == "$" }
      return terminal
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a word is completed as it is quoted, and then means what it should`(
      _ name: String
    ) throws {
      let place = try place()
      let terminal = try shell(name, place)
      for (begun, whole) in [("tw", "two\\ words"), ("'tw", "'two words'")] {
        terminal.type("todostream list --tag \(begun)\t")
        try terminal.wait { $0.lines.last == "$ todostream list --tag \(whole)" }
        terminal.type("; echo 'do''ne' \(whole)\r")
        try terminal.wait { $0.lines.contains("done two words") && $0.lines.last == "$" }
        #expect(
          terminal.screen.lines.suffix(3) == [
            "#1 [ ] Buy milk  +two words +it's +日本 語  project: a@b c", "done two words", "$",
          ]
        )
      }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `where a file is wanted, files are completed`(_ name: String) throws {
      let place = try place()
      _ = try place.start("echo list > 'my plan.todo'").outcome()
      let terminal = try shell(name, place)
      terminal.type("todostream run my\t")
      try terminal.wait { $0.lines.last == "$ todostream run my\\ plan.todo" }
    }

    @Test func `zsh lists titles beside their numbers`() throws {
      let place = try place()
      let terminal = try shell("zsh", place)
      terminal.type("todostream show \t")
      try terminal.wait { $0.lines.contains("1  -- Buy milk") }
      #expect(terminal.screen.lines.contains("2  -- Es\\u{1B}[31mcape"))
      withExtendedLifetime(place) {}
    }
  }
#endif
