#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  extension Processes {
    /// Other programs that use the store through SQLite, or hold its locks: every face answers
    /// right, or says what to do, and nothing that was acknowledged is lost.
    @Suite(.hangLimit) struct ExternalProgramTests {
      static let statements = [
        "VACUUM",
        "PRAGMA auto_vacuum = FULL; VACUUM",
        "REINDEX; ANALYZE",
        "PRAGMA wal_checkpoint(TRUNCATE)",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL",
        "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM; PRAGMA journal_mode = WAL",
        "PRAGMA journal_mode = PERSIST",
        "PRAGMA journal_mode = OFF",
      ]

      @Test(arguments: statements)
      func `what another program does to the file changes no answer`(_ statement: String) throws {
        let store = try SharedStore()
        let server = try RPCClient(store.place)
        let conversation = try Conversation(in: store)
        let added = try server.call("todo/add", #"{"title":"One"}"#)
        #expect(added["result"]?["id"] == 1)
        try store.use(statement)
        try expectAdd("Two", 2, by: server)
        try store.use(statement)
        #expect(try store.run("add", "Three") == Job.Outcome(output: ["Added #3 Three"]))
        try store.use(statement)
        #expect(
          try store.run("run", "-", input: ["add Four", "add Five"])
            == Job.Outcome(output: ["Added #4 Four", "Added #5 Five"])
        )
        try store.use(statement)
        try conversation.enter("add Six", until: "Added #6 Six")
        try store.use(statement)
        let all = ["One", "Two", "Three", "Four", "Five", "Six"]
        #expect(try server.titles() == all)
        try conversation.end()
        server.endInput()
        #expect(server.end() == 1)
        // No other program has it open any more, so the statement takes effect.
        try store.use(statement)
        #expect(try store.todos().map(\.title) == all)
        try store.use(statement)
        #expect(try store.run("add", "Seven") == Job.Outcome(output: ["Added #7 Seven"]))
        try store.use(statement)
        let later = try RPCClient(store.place)
        #expect(try later.titles() == all + ["Seven"])
        try store.use(statement)
        try expectAdd("Eight", 8, by: later)
        try store.expectSound(todos: 8)
      }

      private func expectAdd(_ title: String, _ number: Int64, by server: RPCClient) throws {
        let added = try server.call("todo/add", #"{"title":"\#(title)"}"#)
        #expect(added["result"]?["id"] == .integer(number))
      }

      @Test func `a lock held for longer than five seconds keeps writers out, and no reader`()
        throws
      {
        let (locked, signal) = (try SharedStore(), try SharedStore())
        let faces = try [locked, signal].map { try Faces($0) }
        let transaction = try SQLiteSession(in: locked, "BEGIN IMMEDIATE", end: "COMMIT")
        let descriptor = open(signal.path + "-bell", O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)

        for face in faces { try face.beginToAdd("Late") }
        for face in faces { try face.expectLocked() }
        for face in faces { #expect(try face.server.titles() == ["Before"]) }
        for store in [locked, signal] { #expect(try store.todos().map(\.title) == ["Before"]) }

        try transaction.end()
        close(descriptor)
        for face in faces { try face.add("Now") }
        for store in [locked, signal] {
          #expect(try store.todos().map(\.title) == ["Before", "Now", "Now"])
          try store.expectSound(todos: 3)
        }
      }

      @Test func `an exclusive lock keeps writers out, and readers read or say so`() throws {
        let store = try SharedStore()
        try store.run("add", "Before")
        let exclusive = try SQLiteSession(
          in: store,
          "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE record_todo SET title = 'After'",
          end: "COMMIT"
        )
        let server = try RPCClient(store.place)
        let writers = [
          try store.start("add", "Late"), try store.start("run", "-", input: ["add Late"]),
        ]
        let readers = [try store.start("list"), try store.start("doctor")]
        let answer = try server.call("todo/list")
        #expect(answer.titles == ["Before"] || answer["error"]?["message"]?.isLocked(store) == true)
        for outcome in try writers.map({ try $0.outcome() }) {
          #expect(outcome.status == 4 && outcome.saysLocked, "\(outcome)")
        }
        for outcome in try readers.map({ try $0.outcome() }) {
          #expect(outcome.saysLocked ? outcome.status == 4 : outcome.status == 0, "\(outcome)")
        }
        try exclusive.end(printing: ["exclusive"])
        #expect(try server.titles() == ["After"])
        #expect(try store.run("add", "Now") == Job.Outcome(output: ["Added #2 Now"]))
        // The log does not know what the other program has written.
        let doctor = try store.run("doctor")
        #expect(
          doctor.output.filter { $0.contains("error") } == [
            "  error: todo #1 is not as its last change left it"
          ],
          "\(doctor)"
        )
      }
    }
  }

  /// A server, a conversation, a command and a script on one store.
  private final class Faces {
    let server: RPCClient
    private let store: SharedStore
    private let conversation: Conversation
    private var jobs: [Job] = []

    init(_ store: SharedStore) throws {
      self.store = store
      try store.run("add", "Before")
      server = try RPCClient(store.place)
      _ = try server.titles()
      conversation = try Conversation(in: store)
    }

    /// Has each of them add a todo, all at once.
    func beginToAdd(_ title: String) throws {
      server.ask("todo/add", #"{"title":"\#(title)"}"#)
      conversation.type("add \(title)")
      jobs = [
        try store.start("add", title), try store.start("run", "-", input: ["add \(title)"]),
      ]
    }

    /// Each says that the store is locked, and whether it may be tried again.
    func expectLocked() throws {
      let error = try server.first { $0["error"] != nil }["error"]
      #expect(error?["message"]?.isLocked(store) == true, "\(error ?? .null)")
      #expect(error?["data"]?["retryable"] == true)
      try conversation.wait(until: "is locked by another process")
      for outcome in try jobs.map({ try $0.outcome() }) {
        #expect(outcome.status == 4 && outcome.saysLocked, "\(outcome)")
      }
    }

    /// The server and the conversation, which are still there, add a todo each.
    func add(_ title: String) throws {
      #expect(try server.call("todo/add", #"{"title":"\#(title)"}"#)["result"]?["id"] == 2)
      try conversation.enter("add \(title)", until: "Added #3 \(title)")
    }
  }

  /// The program at a terminal.
  struct Conversation {
    private let terminal: Terminal

    /// Begins on the store, unless another file is named.
    init(in store: SharedStore, at path: String? = nil) throws {
      terminal = try Terminal(columns: 200)
      let program = try Workplace.binaries().appending(path: "todostream").path
      try terminal.start(
        [program, "--store", path ?? store.path],
        environment: store.place.environment.merging(["NO_COLOR": "1"]) { $1 }
      )
      try terminal.wait { $0.lines.last?.hasPrefix("todostream ›") == true }
    }

    func type(_ line: String) { terminal.type(line + "\r") }

    func wait(until text: String) throws {
      try terminal.wait("'\(text)' is shown") { $0.allLines.contains { $0.contains(text) } }
    }

    func enter(_ line: String, until expected: String) throws {
      type(line)
      try wait(until: expected)
    }

    func end() throws {
      terminal.type("\u{4}")
      #expect(terminal.outcome() == 0)
    }
  }

  extension SharedStore {
    /// Another program carries statements out, or finds the store locked.
    fileprivate func use(_ statements: String) throws {
      let outcome = try place.start(#"exec sqlite3 "$TODOSTREAM_STORE" "$1""#, [statements])
        .outcome()
      let isRefused = outcome.errors.allSatisfy { $0.contains("database is locked") }
      #expect(isRefused, "\(outcome)")
    }

    /// Everything is there, and `doctor` says so.
    fileprivate func expectSound(todos: Int) throws {
      let doctor = try run("doctor")
      #expect(doctor.status == 0 && doctor.errors == [], "\(doctor)")
      #expect(doctor.output.contains("  ok: \(todos) todos"), "\(doctor)")
      #expect(doctor.output.contains("  ok: nothing that was acknowledged is missing"))
    }
  }

  extension Job.Outcome {
    /// Whether it is a failure that says that the store is locked.
    fileprivate var saysLocked: Bool {
      (output + errors).contains { $0.contains("is locked by another process") }
    }
  }

  extension RPCClient {
    /// The titles of all todos, oldest first.
    fileprivate func titles() throws -> [String]? {
      try call("todo/list").titles
    }
  }

  extension JSON {
    /// The titles of an answer; nil if that is an error.
    fileprivate var titles: [String]? {
      guard case .array(let todos)? = self["result"] else { return nil }
      // By their numbers: a clock that is set back in between has nothing to do with them.
      let numbered = todos.compactMap { todo -> (Int64, String)? in
        guard case .integer(let number)? = todo["id"], case .string(let title)? = todo["title"]
        else { return nil }
        return (number, title)
      }
      return numbered.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Whether it is a message that the store is locked.
    fileprivate func isLocked(_ store: SharedStore) -> Bool {
      guard case .string(let text) = self else { return false }
      return text.hasPrefix(store.path) && text.contains("is locked by another process")
    }
  }
#endif
