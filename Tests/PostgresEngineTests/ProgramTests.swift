import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting
import Testing

/// The program itself on a list in PostgreSQL: as on a file, but for the address.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct ProgramTests {
  /// A list of todos with the folder of one machine.
  private struct Desk {
    let list: List
    let place: Workplace
    let address: String

    init(_ list: List? = nil, by way: String? = nil, making: Bool = true) throws {
      self.list = try list ?? List()
      address = self.list.address(by: way)
      place = try Workplace(store: address)
      if making {
        #expect(try run("todostream --quiet store init \"$1\"", self.list.address()) == .init())
      }
    }

    /// What a command of the shell comes to.
    func run(_ command: String, _ arguments: String..., input: [String] = []) throws -> Job.Outcome
    {
      try place.start("exec " + command, arguments, input: input).outcome()
    }

    /// The lines of a command that succeeds.
    func lines(_ command: String, input: [String] = []) throws -> [String] {
      let outcome = try run(command, input: input)
      #expect(outcome.errors == [] && outcome.status == 0, "\(command)")
      return outcome.output
    }
  }

  @Test(arguments: [false, true])
  func `todos are added, done, found, undone and told, directly and through a pooler`(
    _ isPooled: Bool
  ) throws {
    let desk = try Desk(by: isPooled ? try PostgresServer.shared.pooled : nil)
    #expect(try desk.lines("todostream add Buy milk --tag home") == ["Added #1 Buy milk  +home"])
    #expect(try desk.lines("todostream add Call Ann") == ["Added #2 Call Ann"])
    #expect(try desk.lines("todostream done 1") == ["Completed #1 Buy milk"])
    #expect(try desk.lines("todostream list --open") == ["#2 [ ] Call Ann"])
    #expect(try desk.lines("todostream list milk is:done")[0].hasPrefix("#1 [x] Buy milk  done "))
    #expect(try desk.lines("todostream list title:MILK --all").count == 1)
    #expect(try desk.lines("todostream tags") == ["none  1 open, 0 done", "home  0 open, 1 done"])
    #expect(try desk.lines("todostream list --tag home --all").count == 1)
    #expect(try desk.lines("todostream undo")[0].hasPrefix("Undid your last command, "))
    #expect(try desk.lines("todostream list") == ["#2 [ ] Call Ann", "#1 [ ] Buy milk  +home"])
    let history = try desk.lines("todostream history").filter { !$0.hasPrefix("  ") }
    #expect(
      history.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") } == [
        "cli undo", "cli (undone)", "cli", "cli",
      ]
    )
  }

  @Test func `a script is there as a whole or not at all`() throws {
    let desk = try Desk()
    let failed = try desk.run("todostream run -", input: ["add One", "add Two", "done 9"])
    #expect(failed.status == 1)
    #expect(try desk.lines("todostream list") == [])
    #expect(
      try desk.lines("todostream run -", input: ["add One", "add Two", "done 1"]) == [
        "Added #1 One", "Added #2 Two", "Completed #1 One",
      ]
    )
    #expect(try desk.list.rows("SELECT count(*) FROM step") == ["1"])
    #expect(
      try desk.lines("todostream run --keep-going -", input: ["add Three", "undo", "add Four"])[0]
        == "Added #3 Three"
    )
    #expect(
      try desk.lines("todostream list --all") == ["#4 [ ] Four", "#2 [ ] Two", "#1 [x] One"]
    )
  }

  #if os(Linux)
    @Test func `an editor is told what another program adds`() throws {
      let desk = try Desk()
      let editor = try RPCClient(desk.place)
      _ = try editor.call("todo/add", #"{"title":"From the editor"}"#)
      _ = try editor.notified("todo/changed")
      #expect(try desk.lines("todostream add From the shell") == ["Added #2 From the shell"])
      let told = try editor.first {
        $0["method"] == .string("todo/changed") && $0["params"]?["ids"] == .array([.integer(2)])
      }
      #expect(told["params"]?["revision"] == .integer(2))
      _ = try editor.call("shutdown")
      editor.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(editor.end() == 0)
    }
  #endif

  #if os(Linux)
    @Test func `a recording of an editor's session has the store's answers, lost ones included`()
      throws
    {
      let server = try PostgresServer()
      let desk = try Desk(List(on: server))
      let editor = try RPCClient(desk.place, words: ["--record=r.jsonl", "serve", "--stdio"])
      _ = try editor.call("todo/add", #"{"title":"One","tags":["home"]}"#)
      _ = try editor.call("todo/add", #"{"title":"Two"}"#)
      _ = try editor.call("todo/done", #"{"ids":[1]}"#)
      #expect(try desk.lines("todostream edit 2 --title Zwei") == ["Changed #2: title Two → Zwei"])
      _ = try editor.first { $0["params"]?["revision"] == .integer(4) }
      _ = try editor.call("history/undo")
      try server.stop()
      _ = try editor.first { $0["method"] == .string("notice") }
      let refused = try editor.call("todo/add", #"{"title":"Three"}"#)
      #expect(refused["error"]?["data"]?["kind"] == .string("store"))
      try server.start()
      try waitUntil("the store is back") {
        try editor.call("todo/add", #"{"title":"Four"}"#)["result"] != nil
      }
      _ = try editor.call("todo/list")
      _ = try editor.call("shutdown")
      editor.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(editor.end() == 0)
      let replayed = try desk.lines("todostream replay r.jsonl")
      #expect(replayed.last?.hasSuffix("events: no divergence.") == true, "\(replayed)")
    }
  #endif

  @Test func `of eight processes that complete what comes again one adds the next`() throws {
    let desk = try Desk()
    let all = (1...30).map { "add Todo \($0) due:2099-12-03 every:day" }
    _ = try desk.lines("todostream --quiet run -", input: all)
    let race =
      "seq 30 | sed 's/^/done /' > done.todo; for n in 1 2 3 4 5 6 7 8; do"
      + " todostream --quiet run --keep-going done.todo & done; wait"
    #expect(try desk.place.start(race).outcome().status == 0)
    #expect(try desk.lines("todostream count --all") == ["60 todos"])
    #expect(try desk.lines("todostream count due:2099-12-04 is:open") == ["30 todos"])
  }

  // MARK: Round trips

  @Test(arguments: ["add One more", "list", "show 2"])
  func `a command takes two round trips once it is connected`(_ command: String) throws {
    let server = try PostgresServer.shared
    let proxy = try PostgresProxy(server)
    let desk = try Desk(by: proxy.address)
    _ = try desk.lines("todostream --quiet run -", input: (1...300).map { "add Todo \($0)" })
    _ = proxy.takeRoundTrips()
    _ = try desk.lines("todostream \(command)")
    #expect(proxy.takeRoundTrips() <= 2)
  }

  @Test func `a script of a thousand additions takes twenty round trips`() throws {
    let proxy = try PostgresProxy(try PostgresServer.shared)
    let desk = try Desk(by: proxy.address)
    _ = proxy.takeRoundTrips()
    let added = try desk.lines("todostream run -", input: (1...1000).map { "add Todo \($0)" })
    #expect(added.count == 1000)
    #expect(proxy.takeRoundTrips() <= 20)
  }

  @Test func `an edit by number takes one round trip a line`() throws {
    let proxy = try PostgresProxy(try PostgresServer.shared)
    let desk = try Desk(by: proxy.address)
    _ = try desk.lines("todostream --quiet run -", input: (1...200).map { "add Todo \($0)" })
    _ = proxy.takeRoundTrips()
    _ = try desk.lines(
      "todostream --quiet run -",
      input: (1...200).map { "edit \($0) --title Changed" }
    )
    #expect(proxy.takeRoundTrips() <= 210)
  }

  // MARK: Lost connections

  @Test(arguments: PostgresProxy.Cut.allCases)
  func `what is acknowledged is there once, what is refused is not there`(
    _ cut: PostgresProxy.Cut
  ) throws {
    let proxy = try PostgresProxy(try PostgresServer.shared)
    let desk = try Desk(by: proxy.address)
    proxy.cut(cut)
    let outcome = try desk.run("todostream --json add Buy milk")
    #expect(!proxy.isToCut)
    #expect(outcome.status == (cut == .afterCommit ? 0 : 4))
    #expect(
      outcome.errors.contains { $0.contains("lost before anything was stored; try again") }
        == (cut == .beforeCommit)
    )
    #expect(
      try desk.list.rows("SELECT count(*) FROM record_todo") == [cut == .afterCommit ? "1" : "0"]
    )
  }

  // MARK: Addresses

  @Test func `no command but store init makes a list`() throws {
    let desk = try Desk(making: false)
    for command in ["list", "add x", "undo", "doctor"] {
      let outcome = try desk.run("todostream \(command)")
      #expect(
        outcome
          == .init(
            errors: [
              "error: \(desk.address): there is no list '\(desk.list.name)'; "
                + "make it by: todostream store init '\(desk.address)'"
            ],
            status: 4
          )
      )
    }
    #expect(
      try desk.run("todostream store init \"$1\"", desk.address)
        == .init(output: ["Made \(desk.address)"])
    )
    #expect(
      try desk.run("todostream store init \"$1\"", desk.address)
        == .init(output: ["\(desk.address) is there already"])
    )
    #expect(try desk.lines("todostream list") == [])
  }

  @Test func `a password is taken from the environment, never from an argument, and not shown`()
    throws
  {
    let desk = try Desk(making: false)
    let secret = desk.address.replacing("test@", with: "test:hunter2@")
    for command in ["--store \"$1\" list", "store init \"$1\""] {
      let refused = try desk.run("todostream \(command)", secret)
      #expect(
        refused
          == .init(
            errors: [
              "error: A password in an argument is seen by all users of this machine: write it to "
                + "~/.pgpass, to the file that $PGPASSFILE names, or to a service file, and name "
                + "that by service=NAME."
            ],
            status: 2
          )
      )
    }
    let place = try Workplace(store: secret)
    let outcome = try place.start("exec todostream list").outcome()
    #expect(outcome.status == 4)
    #expect(
      outcome.errors.first?
        .hasPrefix("error: postgresql://test@\(desk.list.server.folder)/postgres#")
        == true
    )
    #expect(!outcome.errors.joined().contains("hunter2"))
  }

  @Test func `who may not create schemas is warned that a list was changed without a copy`() throws
  {
    let desk = try Desk(making: false)
    let role = "owner_\(desk.list.name)"
    _ = try desk.list.rows(
      "CREATE ROLE \(role) LOGIN; CREATE SCHEMA \(desk.list.name) AUTHORIZATION \(role)"
    )
    let address = desk.address.replacing("test@", with: "\(role)@")
    let made = try desk.run("todostream store init \"$1\"", address)
    #expect(made == .init(output: ["Made \(address)"]))
    _ = try desk.list.rows("ALTER TABLE record_todo DROP project; DELETE FROM declaration")
    #expect(
      try desk.run("todostream store init \"$1\"", address)
        == .init(
          output: ["Updated \(address)"],
          errors: ["warning: it was not copied before: this role may not create schemas"]
        )
    )
  }

  @Test func `the configuration file names a list, without a password`() throws {
    let desk = try Desk()
    let folder = desk.place.folder.appending(path: "config/todostream")
    let file = folder.appending(path: "config.toml")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func run(
      _ address: String,
      _ command: String,
      _ variables: [String: String] = [:]
    ) throws
      -> Job.Outcome
    {
      try Data("[store]\naddress = \"\(address)\"\n".utf8).write(to: file)
      return try desk.place
        .start("exec " + command, variables: variables.merging(["TODOSTREAM_STORE": ""]) { $1 })
        .outcome()
    }
    let added = try run(desk.address, "todostream add Buy milk")
    #expect(added == .init(output: ["Added #1 Buy milk"]))
    #expect(try desk.list.rows("SELECT title FROM record_todo") == ["Buy milk"])
    let secret = desk.address.replacing("test@", with: "test:hunter2@")
    for command in ["todostream list", "todostream --json list", "todostream store init"] {
      let refused = try run(secret, command)
      #expect(refused.status == 2)
      #expect(
        refused.errors.first?
          .contains(
            "\(file.path):2:1: A password does not belong in a configuration file: write it to "
              + "~/.pgpass, to the file that $PGPASSFILE names, or to a service file, and name that "
              + "by service=NAME."
          ) == true
      )
      #expect(!refused.errors.joined().contains("hunter2"))
    }
    let unreadable = try run("postgresql://test:hunter2@[", "todostream list")
    #expect(
      unreadable
        == .init(
          errors: [
            "error: \(file.path):2:1: The address of the store can't be read: it has to be "
              + "postgresql://[USER@]HOST[:PORT]/DATABASE or service=NAME."
          ],
          status: 2
        )
    )
    try Data("none".utf8).write(to: desk.place.folder.appending(path: "libpq.so.5"))
    let lacking = try run(
      secret,
      "todostream list",
      ["LD_LIBRARY_PATH": desk.place.folder.path]
    )
    #expect(lacking.status == 4)
    #expect(lacking.errors.first?.hasPrefix("error: PostgreSQL needs libpq.so.5") == true)
  }

  @Test func `a service names a database`() throws {
    let desk = try Desk()
    let file = desk.place.folder.appending(path: "services")
    try Data("[work]\nhost=\(desk.list.server.folder)\nuser=test\ndbname=postgres\n".utf8)
      .write(to: file)
    let outcome = try desk.place
      .start(
        "exec todostream --store \"service=work#$1\" add Buy milk",
        [desk.list.name],
        variables: ["PGSERVICEFILE": file.path]
      )
      .outcome()
    #expect(outcome == .init(output: ["Added #1 Buy milk"]))
  }

  @Test func `an address of another kind is an error, and no new file`() throws {
    let place = try Workplace()
    for words in ["--store mysql://host/todos list", "--store mysql://host/todos add x"] {
      let outcome = try place.start("exec todostream \(words)").outcome()
      #expect(
        outcome
          == .init(
            errors: [
              "error: There are no stores of the kind 'mysql': name a file, postgresql://… or service=NAME."
            ],
            status: 2
          )
      )
    }
    let home = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
    #expect(home == ["home"])
  }

  @Test func `a server that is not there is named, and may come back`() throws {
    let place = try Workplace(store: "postgresql://test@/postgres?host=/nowhere")
    let outcome = try place.start("exec todostream --json list").outcome()
    #expect(outcome.status == 4)
    #expect(outcome.errors.first?.contains(#""kind":"store""#) == true)
    #expect(outcome.errors.first?.contains("can't be reached") == true)
  }

  // MARK: Moving

  @Test func `a list becomes a file, and a file a list, with all that has happened`() throws {
    let desk = try Desk()
    _ = try desk.lines("todostream run -", input: ["add One", "add Two --tag home"])
    for command in ["done 1", "undo"] { _ = try desk.lines("todostream \(command)") }
    let history = try desk.lines("todostream history")
    #expect(try desk.lines("todostream backup copy.sqlite") == ["Copied 2 todos to copy.sqlite"])
    #expect(try desk.run("todostream backup copy.sqlite").status == 2)
    #expect(try desk.lines("todostream --store copy.sqlite history") == history)
    let other = try List()
    #expect(
      try desk.run("todostream store copy copy.sqlite \"$1\"", other.address())
        == .init(output: ["Copied 2 records and 4 changes to \(other.address())"])
    )
    #expect(
      try desk.run("todostream --store \"$1\" history", other.address()) == .init(output: history)
    )
    #expect(try desk.run("todostream store copy copy.sqlite \"$1\"", other.address()).status == 4)
    #expect(try desk.run("todostream --store \"$1\" redo", other.address()).status == 0)
    #expect(
      try desk.run("todostream --store \"$1\" list --all --sort title", other.address())
        == .init(output: ["#1 [x] One", "#2 [ ] Two  +home"])
    )
  }

  // MARK: The schema

  @Test func `its columns are those of SQLite's schema`() throws {
    let desk = try Desk()
    #expect(try desk.lines("todostream --quiet --store todos.sqlite add One --tag home") == [])
    let sql =
      "SELECT m.name || '.' || p.name FROM sqlite_master m, pragma_table_info(m.name) p "
      + "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
    let sqlite = try desk.run("sqlite3 todos.sqlite \"$1\"", sql).output
    let postgres = try desk.list.rows(
      """
      SELECT table_name || '.' || column_name FROM information_schema.columns
      WHERE table_schema = '\(desk.list.name)' AND table_name <> 'counter'
      """
    )
    #expect(sqlite.sorted() == postgres.sorted())
    #expect(postgres.count > 30)
  }

  @Test func `nobody links libpq, and who lacks it is told what to install`() throws {
    let desk = try Desk()
    let program = try Workplace.binaries().appending(path: "todostream").path
    #expect(try desk.run("ldd \"$1\"", program).output.contains { $0.contains("libpq") } == false)
    // What the loader finds first is no library.
    try Data("none".utf8).write(to: desk.place.folder.appending(path: "libpq.so.5"))
    let outcome = try desk.place
      .start(
        "exec todostream list",
        variables: ["LD_LIBRARY_PATH": desk.place.folder.path]
      )
      .outcome()
    #expect(
      outcome
        == .init(
          errors: [
            "error: PostgreSQL needs libpq.so.5, which is missing; install it: the package is libpq5 in "
              + "Debian and Ubuntu, libpq in Fedora, postgresql-libs in Arch."
          ],
          status: 4
        )
    )
  }
}
