import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// Functions, operators, types and catalogues that others have made under PostgreSQL's names are not
/// used: `Lists/namesakes.sql` makes one of each, and each reports its use.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct NamesakeTests {
  private let list: List
  private let role: String

  init() throws {
    list = try List(inDatabaseOf: "")
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Lists/namesakes.sql")
    let place = try Workplace()
    let made = try place.start(
      "exec psql -X -q -v ON_ERROR_STOP=1 \"$1\"",
      [String(list.address().prefix { $0 != "#" })],
      input: [try String(contentsOf: file, encoding: .utf8)]
    )
    #expect(try made.outcome() == Job.Outcome())
    role = try list.makeRole(granting: "CREATE ON DATABASE \(list.name)")
  }

  /// Whose names come first.
  enum Path: String, CaseIterable {
    case usual = "\"$user\", public"
    case others = "public, pg_catalog"
  }

  @Test(arguments: Path.allCases)
  func `the namesakes report their use`(_ path: Path) throws {
    let place = try Workplace()
    let used = try place.start(
      "exec psql -X -q -A -t \"$1\" -c \"$2\" -c 'SELECT hashtextextended($$$$, 0)'",
      [String(list.address().prefix { $0 != "#" }), "SET search_path = \(path.rawValue)"]
    )
    #expect(
      try used.outcome().errors.first == "ERROR:  the namesake of hashtextextended was used"
    )
  }

  @Test(arguments: [(Path.usual, false), (.others, false), (.others, true)])
  func `all commands use PostgreSQL's own`(_ path: Path, _ isPooled: Bool) throws {
    // The pooler knows one user: the path is the role's, or that of the database.
    let (owner, user) = isPooled ? ("DATABASE \(list.name)", "test") : ("ROLE \(role)", role)
    _ = try list.rows("ALTER \(owner) SET search_path = \(path.rawValue)")
    let direct = list.address(as: user)
    let place = try Workplace(
      store: list.address(by: isPooled ? list.server.pooled : nil, as: user)
    )
    func lines(_ command: String, input: [String] = []) throws -> [String] {
      let outcome = try place.start("exec todostream \(command)", input: input).outcome()
      #expect(outcome.errors == [] && outcome.status == 0, "\(command)")
      return outcome.output
    }
    #expect(try lines("store init '\(direct)'") == ["Made \(direct)"])
    #expect(try lines("store init '\(direct)'") == ["\(direct) is there already"])
    #expect(
      try lines("run -", input: ["add Milk --tag home", "add Tea --project shop", "done 2"]).count
        == 3
    )
    #expect(try lines("edit 1 --tag work --untag home").count == 1)
    #expect(try lines("list milk --tag work --sort title") == ["#1 [ ] Milk  +work"])
    #expect(try lines("list --all --done-since today --no-due").count == 1)
    #expect(try lines("--json list --all --sort manual").count == 1)
    #expect(try lines("move 2 before 1").count == 1)
    for command in ["undo", "redo", "history", "history 1", "report", "show 1", "doctor"] {
      #expect(try lines(command) != [])
    }
    #expect(try lines("backup copy.sqlite") == ["Copied 2 todos to copy.sqlite"])
    #expect(
      try lines("store copy copy.sqlite '\(direct)_2'").first?.hasPrefix("Copied 2 records") == true
    )
    // A list that lacks something is copied and updated.
    _ = try list.rows("ALTER TABLE record_todo DROP project; DELETE FROM declaration")
    let updated = try lines("store init '\(direct)'")
    #expect(updated.first?.hasPrefix("Updated \(direct); its copy") == true)
    try checkTypes()
  }

  @Test(arguments: Path.allCases)
  func `so do a watch, labels and a conflict, and the triggers in any session`(
    _ path: Path
  ) throws {
    _ = try list.rows("ALTER ROLE \(role) SET search_path = \(path.rawValue)")
    let process = AppContext()
    process.add(
      RecordServer(
        list.unopened(by: nil, as: role, makesSchema: true),
        [Note.self],
        watchesExternalChanges: false
      )
    )
    try process.add("one")
    let engine = list.engine(as: role)
    let (heard, failures) = (Arrivals<Int>(), Arrivals<String>())
    let watch = engine.watch { store, known in
      let news = try store.changes(.after(known), limit: 9).map(\.revision)
      for revision in news { heard.add(revision) }
      return (news.last ?? known, true)
    } report: {
      failures.add($0?.cause ?? "back")
    }
    _ = try process.ask(RequestWriteRecords<Note>([.add(Note(title: "two", labels: ["a", "b"]))]))
    #expect(try heard.wait(for: 1, "it is told") == [2])
    #expect(failures.all == [])
    withExtendedLifetime(watch) {}
    let table = RecordTable(Note.self)
    let column = try #require(table.index(of: "labels"))
    let labels = try engine.readCommitted { store in
      try store.labels(column, prefix: "a", limit: 9, counted: true, of: table).map(\.text)
    }
    #expect(labels == ["a"])
    // A program of another kind, with a path of its own.
    let place = try Workplace()
    let changed = try place.start(
      "exec psql -X -q \"$1\" -c \"UPDATE \(list.name).record_note SET labels = '[\\\"c\\\"]'\"",
      [String(list.address(as: role).prefix { $0 != "#" })]
    )
    #expect(try changed.outcome() == Job.Outcome())
    #expect(try list.rows("SELECT name FROM \"record_note.labels\" ORDER BY number") == ["c", "c"])
    try checkTypes()
  }

  /// Checks the types and the order of all columns.
  private func checkTypes() throws {
    let own = """
      SELECT count(*) FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
      LEFT JOIN pg_collation ON pg_collation.oid = attcollation
      JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = to_regnamespace('\(list.name)') AND attnum > 0
        AND 'public'::regnamespace IN (typnamespace, collnamespace)
      """
    #expect(try list.rows(own) == ["0"])
  }
}
