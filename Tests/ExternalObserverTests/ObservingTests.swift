#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// The built program, with programs that observe it.
  @Suite(.serialized, .hangLimit) struct ObservingTests {
    // MARK: What is told

    @Test func `one command is told from its beginning, to whoever starts later`() throws {
      let stage = try Stage()
      try stage.write("tap", Stage.tap)
      let outcome = try stage.run("todostream --observer ./tap add Milk")
      #expect(outcome == .init(output: ["Added #1 Milk"]))
      #expect(
        try stage.types()
          == ["RequestAddTodo", "ResponseTodoViewModel", "ResponseChangedTodoViewModels"]
      )
      #expect(try stage.events().map { $0["origin"] } == ["cli", "cli", "cli"])
    }

    @Test func `a change is told without being subscribed to`() throws {
      let stage = try Stage()
      try stage.write(
        "listen",
        #"""
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        echo '{"jsonrpc":"2.0","method":"initialized"}'
        exec cat >"$HOME/listen"
        """#
      )
      let start = ContinuousClock.now
      _ = try stage.run("todostream --observer ./listen add Milk", patience: 20)
      // Who has said that it is ready is let go of before that.
      #expect(start.duration(to: .now) < .seconds(20))
      #expect(
        try stage.lines("listen") { $0.last?.contains("todo/changed") == true }.last
          == #"{"jsonrpc":"2.0","method":"todo/changed","params":{"revision":1,"ids":[1],"origin":"cli"}}"#
      )
    }

    @Test func `a state is told as the process leaves it, however many changes came at once`()
      throws
    {
      let stage = try Stage()
      try stage.write(
        "watch",
        #"""
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        echo '{"jsonrpc":"2.0","id":2,"method":"state/subscribe","params":{"name":"todo/counts"}}'
        exec cat >"$HOME/watch"
        """#
      )
      let outcome = try stage.run(
        "todostream --quiet --observer ./watch run --keep-going -",
        input: (1...200).map { "add 'Todo \($0)'" }
      )
      #expect(outcome == .init(output: []))
      let last =
        #"{"jsonrpc":"2.0","method":"state/changed","params":{"name":"todo/counts","#
        + #""value":{"open":200,"overdue":0}}}"#
      let told = try stage.lines("watch") { $0.contains(last) }
        .filter { $0.contains("state/changed") }
      #expect(told.last == last)
      #expect(told.count < 100)
    }

    @Test func `a script is told once it is kept, and never if it is taken back`() throws {
      let stage = try Stage()
      try stage.write("tap", Stage.tap)
      let failed = try stage.run("todostream --observer ./tap", input: ["add A", "add ' '"])
      #expect(failed.status == 1)
      #expect(try stage.types() == [])
      let rehearsed = try stage.run("todostream --observer ./tap run --dry-run -", input: ["add A"])
      #expect(rehearsed.status == 0)
      #expect(try stage.types() == [])
      let kept = try stage.run("todostream --observer ./tap", input: ["add A", "add B"])
      #expect(kept.status == 0)
      #expect(
        try stage.types() == [
          "RequestAddTodo", "ResponseTodoViewModel", "RequestAddTodo", "ResponseTodoViewModel",
          "ResponseChangedTodoViewModels", "ResponseChangedTodoViewModels",
        ]
      )
    }

    @Test func `what is too much is told as a number`() throws {
      let stage = try Stage()
      try stage.write("tap", Stage.tap)
      let notes = String(repeating: "x", count: 100_000)
      let lines = (1...300).map { "add 'Todo \($0)' --subtitle \(notes)" }
      let outcome = try stage.run("todostream --quiet --observer ./tap", input: lines)
      #expect(outcome.status == 0)
      // The replies alone are 30 MB, and 16 MiB are kept.
      let said = try #require(stage.lines("tap").last { $0.contains("events/overflow") })
      let missed = said.firstMatch(of: /"missed":([0-9]+)/).flatMap { Int($0.1) } ?? 0
      #expect((130...740).contains(missed))
      #expect(try stage.types() == [])
    }

    @Test func `what an observer does waits until a script has ended, in its own name`() throws {
      let stage = try Stage()
      try stage.write(
        "add",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        echo '{"jsonrpc":"2.0","id":2,"method":"todo/add","params":{"title":"mine"}}'
        echo '{"jsonrpc":"2.0","method":"initialized"}'
        exec cat >"$HOME/add"
        """
      )
      let lines = (1...2000).map { "add 'Todo \($0)'" }
      let outcome = try stage.run("todostream --observer ./add", input: lines)
      #expect(outcome.status == 0)
      #expect(outcome.output.count == 2000)
      let shown = try stage.run("todostream list mine; todostream history --limit 2")
      #expect(shown.output.first?.hasSuffix("mine") == true)
      let numbers = outcome.output.compactMap {
        $0.firstMatch(of: /#([0-9]+)/).map { Int($0.1) ?? 0 }
      }
      let mine = shown.output.first?.firstMatch(of: /#([0-9]+)/).flatMap { Int($0.1) } ?? 0
      #expect(Set(numbers + [mine]) == Set(1...2001))
      // Before all of them or behind, but not between two.
      #expect(mine == 1 || mine == 2001)
      #expect(shown.output.contains { $0.contains("observer add") })
    }

    // MARK: What is wrong with a program

    @Test func `one that dies says so once, with its own last words`() throws {
      let stage = try Stage()
      try stage.write("die", #"printf 'one\n\033[31mtwo\033[0m\n' >&2; exit 3"#)
      let outcome = try stage.run("todostream --observer ./die add Milk")
      #expect(
        outcome
          == .init(
            output: ["Added #1 Milk"],
            errors: [
              #"observer 'die' ended with status 3: \u{1B}[31mtwo\u{1B}[0m. It is not started again."#
            ]
          )
      )
      let log = try stage.run("cat state/todostream/observers/die.log")
      #expect(log.output == ["one", "\u{1B}[31mtwo\u{1B}[0m"])
    }

    @Test func `one that is no program says so`() throws {
      let stage = try Stage()
      // Written by a process that is over: what somebody has open for writing can't be executed.
      let outcome = try stage.run(
        "echo 'echo x' >plain; chmod +x plain; todostream --observer ./plain add Milk"
      )
      #expect(outcome.output == ["Added #1 Milk"])
      #expect(
        outcome.errors == [
          "observer 'plain' did not start: it is neither a program nor a script with '#!' and the path "
            + "of one. It is not started again."
        ]
      )
    }

    @Test func `one that hangs is ended, with all that it has started, whatever it ignores`() throws
    {
      let stage = try Stage()
      try stage.write("hang", Self.stubborn)
      let ready = try NamedPipe("ready", in: stage.place)
      let input = try NamedPipe("input", in: stage.place)
      let job = try stage.place.start(
        "exec todostream --observer ./hang serve --stdio <input",
        variables: ["TODOSTREAM_OBSERVER_SECONDS": "5"]
      )
      try ready.waitUntilWritten(bytes: 2)
      #expect(stage.lines("pids").count == 3)
      input.end()
      #expect(
        try job.outcome().errors
          == ["observer 'hang' has not sent 'initialize' before the end, and has heard of nothing."]
      )
      try waitUntilGone(stage)
    }

    @Test func `one that says what makes no sense is answered, and then ended`() throws {
      let stage = try Stage()
      try stage.write(
        "babble",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        yes '{"jsonrpc":1}' | head -n 200
        exec cat >"$HOME/babble"
        """
      )
      let outcome = try stage.run("todostream --observer ./babble add Milk")
      #expect(outcome.output == ["Added #1 Milk"])
      #expect(
        outcome.errors == [
          "observer 'babble' sent more than 100 messages that are none, and was ended. "
            + "It is not started again."
        ]
      )
    }

    @Test func `one that floods harms nobody`() throws {
      let stage = try Stage()
      try stage.write(
        "flood",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        exec yes '{"jsonrpc":"2.0","id":2,"method":"todo/list"}'
        """
      )
      let outcome = try stage.run(
        "todostream --observer ./flood",
        input: ["add A", "add B"],
        patience: 2
      )
      #expect(outcome.output == ["Added #1 A", "Added #2 B"])
      #expect(outcome.status == 0)
    }

    // MARK: Nobody is left behind

    @Test func `what an observer has started may finish when it has ended, group or session`()
      throws
    {
      let stage = try Stage()
      try stage.write(
        "leave",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        finish='trap "echo $0 >>\\"$HOME/finished\\"; exit" TERM; echo $$ >>"$HOME/pids"; while :; do sleep 0.01; done'
        sh -c "$finish" group &
        setsid sh -c "$finish" session &
        while [ "$(wc -l <"$HOME/pids")" -lt 2 ]; do sleep 0.01; done
        exit 0
        """
      )
      let outcome = try stage.run("touch home/pids; todostream --observer ./leave add Milk")
      #expect(outcome == .init(output: ["Added #1 Milk"]))
      #expect(try stage.lines("finished") { $0.count == 2 }.sorted() == ["group", "session"])
      #expect(try survivors(of: stage) == [])
    }

    /// Ignores what it is told, and has started others that do, in sessions of their own.
    private static let stubborn = """
      trap '' TERM INT HUP
      (setsid sh -c 'trap "" TERM; echo $$ >>"$HOME/pids"; while :; do sleep 100; done' &)
      sh -c 'trap "" TERM; echo $$ >>"$HOME/pids"; while :; do sleep 100; done' &
      echo $$ >>"$HOME/pids"
      while [ "$(wc -l <"$HOME/pids")" -lt 3 ]; do sleep 0.01; done
      echo x >"$HOME/../ready"
      while :; do sleep 100; done
      """

    /// The numbers of processes that should be gone, and are not.
    private func survivors(of stage: Stage) throws -> [String] {
      stage.lines("pids").filter { kill(pid_t($0) ?? 0, 0) == 0 }
    }

    /// Waits until nothing is left of what a program has started.
    private func waitUntilGone(_ stage: Stage) throws {
      let left = { "\((try? survivors(of: stage)) ?? [])" }
      try waitUntil("nothing that it started is left", showing: left) {
        try survivors(of: stage).isEmpty
      }
    }

    @Test func `a process that is killed leaves no observer behind`() throws {
      let stage = try Stage()
      try stage.write("hang", Self.stubborn)
      let ready = try NamedPipe("ready", in: stage.place)
      let input = try NamedPipe("input", in: stage.place)
      let job = try stage.place.start("exec todostream --observer ./hang serve --stdio <input")
      try ready.waitUntilWritten(bytes: 2)
      #expect(stage.lines("pids").count == 3)
      #expect(try survivors(of: stage).count == 3)
      job.send(SIGKILL)
      #expect(try job.outcome().status == 128 + SIGKILL)
      input.end()
      try waitUntilGone(stage)
    }

    // MARK: Beginning again

    @Test func `one that dies in a server is started again, and goes on where it was`() throws {
      let stage = try Stage()
      try stage.write(
        "frail",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        echo '{"jsonrpc":"2.0","id":2,"method":"events/subscribe","params":{"types":["RequestAddTodo"]}}'
        while read -r line; do
          case "$line" in *events/append*) echo "$line" >>"$HOME/frail"; echo x >"$HOME/../told"; exit 1;; esac
        done
        """
      )
      let told = try NamedPipe("told", in: stage.place)
      let input = try NamedPipe("input", in: stage.place)
      let job = try stage.place.start("exec todostream --observer ./frail serve --stdio <input")
      try input.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
      try input.write(#"{"jsonrpc":"2.0","id":2,"method":"todo/add","params":{"title":"A"}}"#)
      try told.waitUntilWritten(bytes: 2)
      // What a program has not read when it dies is not told again.
      try job.wait(untilPrinted: "It is started again")
      try input.write(#"{"jsonrpc":"2.0","id":3,"method":"todo/add","params":{"title":"B"}}"#)
      try told.waitUntilWritten(bytes: 2)
      try input.write(#"{"jsonrpc":"2.0","id":4,"method":"shutdown"}"#)
      try input.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      let outcome = try job.outcome()
      #expect(outcome.status == 0)
      #expect(try stage.types("frail") == ["RequestAddTodo", "RequestAddTodo"])
      #expect(
        outcome.errors.first == "observer 'frail' ended with status 1. It is started again in 1 s."
      )
      #expect(
        outcome.output.contains(
          #"{"jsonrpc":"2.0","method":"notice","params":{"level":"error","message":"#
            + #""observer 'frail' ended with status 1. It is started again in 1 s."}}"#
        )
      )
    }

    @Test func `one that is started again finds no screens of the one before it`() throws {
      let stage = try Stage()
      try stage.write(
        "frail",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        echo '{"jsonrpc":"2.0","id":2,"method":"state/subscribe","params":{"name":"screens"}}'
        while read -r line; do
          case "$line" in *state/changed*) ;; *) continue;; esac
          echo "$line" >>"$HOME/screens"
          if [ -e "$HOME/again" ]; then echo x >"$HOME/../told"; continue; fi
          case "$line" in
            *detail*) touch "$HOME/again"; exit 1;;
            *) echo '{"jsonrpc":"2.0","id":3,"method":"todo/show","params":{"id":1}}';;
          esac
        done
        """
      )
      _ = try stage.run("todostream --without observers add Milk")
      let told = try NamedPipe("told", in: stage.place)
      let input = try NamedPipe("input", in: stage.place)
      let job = try stage.place.start("exec todostream --observer ./frail serve --stdio <input")
      try input.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
      try told.waitUntilWritten(bytes: 2)
      input.end()
      _ = try job.outcome()
      #expect(stage.lines("screens").map { $0.contains(#""value":[]}}"#) } == [true, false, true])
    }

    @Test func `one that dies behind what it has not taken is told each event once`() throws {
      let stage = try Stage()
      // The first run reads nothing behind its subscriptions: the change of A does not fit into its
      // pipe.
      try stage.write(
        "frail",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        echo '{"jsonrpc":"2.0","id":2,"method":"events/subscribe","params":{"types":["RequestAddTodo"]}}'
        echo '{"jsonrpc":"2.0","id":3,"method":"events/subscribe","params":{"types":["ResponseChangedTodoViewModels"]}}'
        if [ ! -e "$HOME/again" ]; then
          for answer in 1 2 3; do read -r line; done
          echo x >"$HOME/again"; echo x >"$HOME/../ready"; read -r word <"$HOME/../go"; exit 1
        fi
        exec cat >>"$HOME/frail"
        """
      )
      let (ready, go) = (
        try NamedPipe("ready", in: stage.place), try NamedPipe("go", in: stage.place)
      )
      let input = try NamedPipe("input", in: stage.place)
      let job = try stage.place.start("exec todostream --observer ./frail serve --stdio <input")
      try input.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
      try ready.waitUntilWritten(bytes: 2)
      let notes = String(repeating: "x", count: 200_000)
      try input.write(
        #"{"jsonrpc":"2.0","id":2,"method":"todo/add","params":{"title":"A","subtitle":"\#(notes)"}}"#
      )
      try input.write(#"{"jsonrpc":"2.0","id":3,"method":"todo/add","params":{"title":"B"}}"#)
      try job.wait(untilPrinted: #""id":3,"result""#)
      try go.write("die")
      func told(_ type: String) throws -> Int { try stage.types("frail").count { $0 == type } }
      func waitUntilTold(_ wanted: String, _ isSo: () throws -> Bool) throws {
        let types = { ((try? stage.types("frail")) ?? []).joined(separator: "\n") }
        try waitUntil("the frail one is told \(wanted)", showing: types, isSo)
      }
      try waitUntilTold("two changes") { try told("ResponseChangedTodoViewModels") == 2 }
      try input.write(#"{"jsonrpc":"2.0","id":4,"method":"todo/add","params":{"title":"C"}}"#)
      try waitUntilTold("a third change, and of a request") {
        try told("ResponseChangedTodoViewModels") == 3 && told("RequestAddTodo") > 0
      }
      // That A was asked for was in the pipe, and is not told again; so may B have been, but not C.
      #expect((1...2).contains(try told("RequestAddTodo")))
      input.end()
      _ = try job.outcome()
    }

    @Test func `one that has ended its subscriptions before it dies is not told again`() throws {
      let stage = try Stage()
      try stage.write(
        "frail",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        echo '{"jsonrpc":"2.0","id":2,"method":"events/subscribe","params":{"types":["RequestAddTodo"]}}'
        echo '{"jsonrpc":"2.0","id":3,"method":"events/subscribe","params":{"types":["RequestCompleteTodo"]}}'
        while read -r line; do
          case "$line" in
            *events/append*)
              echo "$line" >>"$HOME/frail"; echo x >"$HOME/../told"
              echo '{"jsonrpc":"2.0","id":4,"method":"events/unsubscribe","params":{"subscription":1}}'
              echo '{"jsonrpc":"2.0","id":5,"method":"events/unsubscribe","params":{"subscription":2}}';;
            *'"id":5,'*) exit 1;;
          esac
        done
        """
      )
      let told = try NamedPipe("told", in: stage.place)
      let input = try NamedPipe("input", in: stage.place)
      let job = try stage.place.start("exec todostream --observer ./frail serve --stdio <input")
      try input.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
      try input.write(#"{"jsonrpc":"2.0","id":2,"method":"todo/add","params":{"title":"A"}}"#)
      try told.waitUntilWritten(bytes: 2)
      try job.wait(untilPrinted: "It is started again")
      try input.write(#"{"jsonrpc":"2.0","id":3,"method":"todo/done","params":{"id":1}}"#)
      try told.waitUntilWritten(bytes: 2)
      input.end()
      _ = try job.outcome()
      #expect(try stage.types("frail") == ["RequestAddTodo", "RequestCompleteTodo"])
    }

    // MARK: Which are started

    @Test func `the programs of the folder observe what writes, and nobody else does`() throws {
      let stage = try Stage()
      try stage.write("config/todostream/observers/tap", Stage.tap)
      _ = try stage.run("todostream add A; todostream list; todostream help; todostream --version")
      #expect(
        try stage.types()
          == ["RequestAddTodo", "ResponseTodoViewModel", "ResponseChangedTodoViewModels"]
      )
      _ = try stage.run(
        "todostream --without observers add B; echo 'add C' | todostream run --check -"
      )
      #expect(try stage.types().count == 3)
    }

    @Test
    func `programs in a folder that other users can change are refused, and the command runs`()
      throws
    {
      let stage = try Stage()
      try stage.write("config/todostream/observers/tap", Stage.tap)
      let outcome = try stage.run("chmod 777 config/todostream && todostream add A")
      let folder = stage.place.folder.path + "/config/todostream"
      #expect(outcome.output == ["Added #1 A"])
      #expect(
        outcome.errors
          == [
            "The observers in '\(folder)/observers' are not started: other users can change "
              + "'\(folder)', through which the way to it leads; 'chmod go-w' forbids that."
          ]
      )
      #expect(try stage.types() == [])
    }

    @Test func `what an observer starts is not observed by the folder again`() throws {
      let stage = try Stage()
      try stage.write(
        "config/todostream/observers/again",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        echo x >>"$HOME/again"
        todostream --store "$HOME/other.sqlite" add Again >>"$HOME/again"
        """
      )
      _ = try stage.run("todostream add A")
      #expect(stage.lines("again") == ["x", "Added #1 Again"])
    }

    @Test func `a program that can't be started is usage, and nothing is done`() throws {
      let stage = try Stage()
      let outcome = try stage.run("todostream --observer ./none add A; echo $?; todostream list")
      #expect(outcome.output == ["2"])
      #expect(
        outcome.errors
          == ["error: The observer './none' can't be started: No such file or directory."]
      )
      let off = try stage.run("todostream --without observers --observer ./none list")
      #expect(off.status == 2)
      #expect(off.errors == ["error: --observer needs the plugin 'observers', which is off."])
    }

    @Test(arguments: ["0", "601", "-1", "1.5", "soon"])
    func `a patience that there can't be is usage, and nothing is done`(_ text: String) throws {
      let stage = try Stage()
      try stage.write("tap", Stage.tap)
      let outcome = try stage.run(
        "TODOSTREAM_OBSERVER_SECONDS=\(text) todostream --observer ./tap add A; echo $?; todostream list"
      )
      #expect(outcome.output == ["2"])
      #expect(
        outcome.errors == [
          "error: $TODOSTREAM_OBSERVER_SECONDS is '\(text)'; it has to be a number from 1 to 600."
        ]
      )
      // Where nobody observes, it is nobody's business.
      let alone = try stage.run("TODOSTREAM_OBSERVER_SECONDS=\(text) todostream add A")
      #expect(alone == .init(output: ["Added #1 A"]))
    }

    @Test func `who has not said hello is waited for as long as one likes`() throws {
      let stage = try Stage()
      try stage.write("hang", "exec cat")
      let start = ContinuousClock.now
      let outcome = try stage.run("todostream --observer ./hang add Milk", patience: 4)
      #expect(start.duration(to: .now) >= .seconds(4))
      #expect(outcome.output == ["Added #1 Milk"])
      #expect(outcome.errors.first?.hasSuffix("and has heard of nothing.") == true)
    }

    @Test func `an observer has its own session, a scrubbed environment and three descriptors`()
      throws
    {
      let stage = try Stage()
      try stage.write(
        "look",
        """
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize"}'
        { env | grep -v '^_=\\|^PWD=' | cut -d = -f 1 | sort; pwd; ls /proc/self/fd | wc -l
          [ "$(ps -o sid= -p $$ | tr -d ' ')" = $$ ] && echo own
          # The last two are the C library's own.
          grep -c 'Sig\\(Blk\\|Ign\\):.*0000000$' /proc/self/status; } >"$HOME/look" 2>&1
        """
      )
      _ = try stage.place
        .start(
          "exec todostream --observer ./look add A 7</dev/null",
          variables: ["SECRET": "x", "TODOSTREAM_OBSERVER_SECONDS": "20"]
        )
        .outcome()
      #expect(
        try stage.lines("look") { $0.count == 13 } == [
          "HOME", "LANG", "PATH", "TODOSTREAM_OBSERVER", "TZ", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
          "XDG_DATA_HOME", "XDG_STATE_HOME", "\(stage.place.folder.path)/home", "4", "own", "2",
        ]
      )
    }

    // MARK: The examples

    @Test func `the program in the article is the example in Python`() throws {
      let article = Stage.examples.appending(
        path: "../../Sources/Todo/todostream/todostream.docc/Observers.md"
      )
      let program = Stage.examples.appending(path: "analytics.py")
      let text = try String(contentsOf: article.standardizedFileURL, encoding: .utf8)
      let code = try String(contentsOf: program, encoding: .utf8)
      #expect(text.contains("```python\n\(code)```\n"))
    }

    @Test func `the example in Python counts commands and failures`() throws {
      let stage = try Stage()
      let program = Stage.examples.appending(path: "analytics.py").path
      for _ in 1...2 {
        let outcome = try stage.run(
          "todostream --observer '\(program)' run --keep-going -",
          input: ["add A", "add B", "done 1", "add ' '"]
        )
        #expect(outcome.errors.filter { $0.contains("observer") } == [])
      }
      #expect(
        stage.lines(".todostream-figures.json").joined()
          == #"{  "failures": 2,  "todo/add": 6,  "todo/done": 2}"#
      )
    }

    @Test func `the example in shell tells of what is added, whatever it is called`() throws {
      let stage = try Stage()
      let program = Stage.examples.appending(path: "notify.sh").path
      let outcome = try stage.run(
        "todostream --observer '\(program)'",
        input: [#"add 'Say "hi" $HOME `id`'"#, "add B --subtitle '\"title\":\"x\"'", "done 1"]
      )
      #expect(outcome.errors == [])
      #expect(
        stage.lines(".todostream-added.log")
          == [#"Added: Say \"hi\" $HOME `id`"#, "Added: B"]
      )
    }
  }
#endif
