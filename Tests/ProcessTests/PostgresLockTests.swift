import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

extension Processes {
  /// What ``WaitingTests`` and ``CreationTests`` say of a file, of a list in PostgreSQL.
  @Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct PostgresLockTests {
    private static let places = StorePlace.here.filter { $0 != .file }

    @Test(arguments: places)
    func `a writer waits for another and gets its turn; a reader does not wait`(
      _ kind: StorePlace
    ) throws {
      let store = try SharedStore(on: kind)
      try store.run("add", "Before")
      let transaction = try PostgresTransaction(in: store)
      let script = try store.start("--quiet", "run", "-", input: (1...500).map { "add Part \($0)" })
      try store.waitUntilWaiting(1)
      let writer = try store.start("add", "After")
      try store.waitUntilWaiting(2)
      #expect(try store.todos().map(\.title) == ["Before"])
      #expect(script.isRunning)
      #expect(writer.isRunning)

      try transaction.end()
      #expect(try script.outcome() == Job.Outcome())
      #expect(try writer.outcome() == Job.Outcome(output: ["Added #502 After"]))
      #expect(try store.todos().count == 502)
    }

    @Test(.enabled(if: isNightly), arguments: places)
    func `a writer that waits for longer than five seconds fails and writes nothing`(
      _ kind: StorePlace
    ) throws {
      let stores = [try SharedStore(on: kind), try SharedStore(on: kind)]
      for store in stores { try store.run("add", "Before") }
      let transactions = try stores.map { try PostgresTransaction(in: $0) }
      let start = ContinuousClock.now
      let writers = [
        try stores[0].start("add", "Late"), try stores[1].start("run", "-", input: ["add Late"]),
      ]
      let outcomes = try writers.map { try $0.outcome() }
      #expect(start.duration(to: .now) >= .seconds(5))
      for (store, outcome) in zip(stores, outcomes) {
        #expect(
          outcome
            == Job.Outcome(
              errors: [
                "error: \(store.address): is locked by another program that writes to it; try again."
              ],
              status: 4
            )
        )
      }

      for transaction in transactions { try transaction.end() }
      for store in stores {
        #expect(try store.todos().map(\.title) == ["Before"])
        #expect(try store.run("add", "Now") == Job.Outcome(output: ["Added #2 Now"]))
      }
    }

    @Test func `eight processes make a list at once, and each adds to it`() throws {
      for _ in 1...Load.times(3) {
        let store = try SharedStore(on: .server)
        #expect(try store.postgres("DROP SCHEMA \(store.list) CASCADE").last?.first != "E")
        let jobs = try store.startAtOnce(
          (1...8)
            .map {
              #"todostream --quiet store init "$TODOSTREAM_STORE" && exec todostream add 'Todo \#($0)'"#
            }
        )
        let outcomes = try jobs.map { try $0.outcome() }
        #expect(outcomes.flatMap(\.errors) == [])
        #expect(outcomes.map(\.status) == Array(repeating: 0, count: 8))
        let todos = try store.todos()
        #expect(todos.map(\.title).sorted() == (1...8).map { "Todo \($0)" })
        #expect(
          outcomes.flatMap(\.output).sorted()
            == todos.map { "Added #\($0.id) \($0.title)" }.sorted()
        )
      }
    }

    @Test func `eight processes bring a list to their version at once: one does it, after a copy`()
      throws
    {
      let store = try SharedStore(on: .server)
      try store.run("add", "Before", "--project", "errands")
      // As a version left it that knew no projects.
      let older = "ALTER TABLE record_todo DROP COLUMN project; DELETE FROM declaration"
      #expect(try store.postgres(older) == [])
      let refused = try store.run("list")
      #expect(
        refused
          == Job.Outcome(
            errors: [
              "error: \(store.address): the list '\(store.list)' lacks what this version of the program "
                + "keeps; add it by: todostream store init '\(store.address)'"
            ],
            status: 4
          )
      )
      let jobs = try store.startAtOnce(
        Array(repeating: #"exec todostream store init "$TODOSTREAM_STORE""#, count: 8)
      )
      let outcomes = try jobs.map { try $0.outcome() }
      #expect(outcomes.flatMap(\.errors) == [])
      #expect(outcomes.map(\.status) == Array(repeating: 0, count: 8))
      let copy = store.address + "_at_1"
      #expect(
        outcomes.flatMap(\.output).sorted()
          == ["Updated \(store.address); its copy from before is \(copy)"]
          + Array(repeating: "\(store.address) is there already", count: 7)
      )
      #expect(try store.todos().map(\.title) == ["Before"])
      #expect(try store.run("add", "After", "--project", "errands").status == 0)
      // The copy is as it was: this version of the program refuses it, like the list before.
      let asBefore = try store.run("--store", copy, "list")
      #expect(asBefore.status == 4)
      #expect(asBefore.errors.first?.contains("lacks what this version") == true)
      #expect(
        try store.run("--json", "store", "init", copy)
          == Job.Outcome(
            output: [
              #"{"store":"\#(copy)","change":"updated","copy":"\#(copy)_at_1"}"#
            ]
          )
      )
      #expect(
        try store.run("--store", copy, "list") == Job.Outcome(output: ["#1 [ ] Before"])
      )
    }

    @Test func `the doctor names a todo that can't be read`() throws {
      let store = try SharedStore(on: .server)
      try store.run("--quiet", "run", "-", input: ["add Milk", "add Bread"])
      #expect(try store.postgres("UPDATE record_todo SET priority = 7 WHERE _number = 2") == [])
      let outcome = try store.run("doctor")
      #expect(outcome.status == 4)
      #expect(
        (outcome.output + outcome.errors)
          .contains("  error: todo #2 can't be read: 'priority': '7' is no value of it")
      )
    }
  }
}

extension SharedStore {
  /// Waits until so many writers of this list wait for its counter.
  fileprivate func waitUntilWaiting(_ count: Int) throws {
    let waiting = """
      SELECT count(*) FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query LIKE '%\(list)%'
      """
    try waitUntil("\(count) writers wait") { try postgres(waiting) == ["\(count)"] }
  }
}

/// Another program that holds the list's counter until it is told to commit: `psql`.
private struct PostgresTransaction {
  private let over: NamedPipe
  private let shell: Job

  init(in store: SharedStore) throws {
    let reached = try NamedPipe("reached", in: store.place)
    over = try NamedPipe("end", in: store.place)
    shell = try store.place.start(
      #"""
      exec psql -X -q -A -t "${TODOSTREAM_STORE%#*}" -c BEGIN -c "SELECT 1 FROM $1.counter FOR UPDATE" \
        -c '\! echo >reached' -c '\! read line <end' -c COMMIT
      """#,
      [String(store.list)]
    )
    try reached.waitUntilWritten()
  }

  /// Lets it commit.
  func end() throws {
    try over.write("end")
    #expect(try shell.outcome() == Job.Outcome(output: ["1"]))
  }
}
