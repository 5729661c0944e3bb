import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// A list that was made and filled by a program with the first version of the schema:
/// `Lists/version-1.sql`.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct FirstVersionTests {
  private let list: List
  private let place: Workplace

  init() throws {
    list = try List()
    place = try Workplace(store: list.address())
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Lists/version-1.sql")
    let name = list.name
    let statements = try String(contentsOf: file, encoding: .utf8)
      .replacing("todos.", with: "\(name).").replacing("SCHEMA todos;", with: "SCHEMA \(name);")
    let made = try place.start(
      "exec psql -X -q -v ON_ERROR_STOP=1 \"$1\"",
      [list.server.address],
      input: [statements]
    )
    #expect(try made.outcome() == Job.Outcome())
  }

  /// The lines of a command that succeeds; of another list if one is named.
  private func lines(_ command: String, of list: List? = nil) throws -> [String] {
    let outcome =
      try place.start(
        "exec \(command)",
        variables: list.map { ["TODOSTREAM_STORE": $0.address()] } ?? [:]
      )
      .outcome()
    #expect(outcome.errors == [] && outcome.status == 0, "\(command)")
    return outcome.output
  }

  private static let todos = [
    "#4 [ ] To be deleted  +gone  (deleted)",
    "#3 [ ] Écrire à Zoé  +home",
    "#2 [ ] Call Ann  !high  +shop +o'clock \"x\"  project: family",
    "#1 [x] Buy milk  due 2026-12-01  +home +shop",
  ]

  /// The list; how its date is said depends on the day.
  private func todos(of list: List? = nil) throws -> [String] {
    let date = /due (Tue 1 Dec( 2026)?|yesterday|today|tomorrow)/
    return try lines("todostream list --all", of: list)
      .map {
        $0.replacing(date, with: "due 2026-12-01")
      }
  }

  private static let tags = [
    "gone|4", "home|1", "home|3", "o'clock \"x\"|2", "shop|1", "shop|2",
  ]
  private static let functions = """
    SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace ORDER BY 1
    """

  private func tags(in list: List) throws -> [String] {
    try list.rows("SELECT name, number FROM \"record_todo.tags\" ORDER BY 1, 2")
  }

  @Test func `it is neither read nor written before it is updated, and what does so is named`()
    throws
  {
    for command in ["list --all", "add Later"] {
      let outcome = try place.start("exec todostream \(command)").outcome()
      #expect(outcome.status == 4)
      let hint = "add it by: todostream store init '\(list.address())'"
      #expect(outcome.errors.first?.contains(hint) == true)
    }
    #expect(try list.rows("SELECT version, revision, number FROM counter") == ["1|9|5"])
    #expect(try list.rows(Self.functions) == ["keep_names"])
    #expect(try tags(in: list) == Self.tags)
  }

  @Test func `store init brings it to this version after a copy, and nothing is lost`() throws {
    let ranks = "SELECT _number, priority FROM record_todo ORDER BY 1"
    let before = try list.rows(ranks)
    #expect(before == ["1|0", "2|1", "3|0", "4|0"])
    let copy = List(on: list.server, named: "\(list.name)_at_9")
    #expect(
      try lines("todostream store init")
        == ["Updated \(list.address()); its copy from before is \(copy.address())"]
    )
    #expect(try lines("todostream store init") == ["\(list.address()) is there already"])
    #expect(try list.rows("SELECT version, revision, number FROM counter") == ["3|9|5"])
    #expect(try list.rows(Self.functions) == ["record_todo.tags"])
    #expect(try list.rows(ranks) == ["1|normal", "2|high", "3|normal", "4|normal"])
    #expect(try todos() == Self.todos)
    #expect(try tags(in: list) == Self.tags)

    #expect(
      try lines("todostream edit 1 --untag home --tag work") == [
        "Changed #1: tags home, shop → shop, work"
      ]
    )
    #expect(try lines("todostream add Later --tag home") == ["Added #6 Later  +home"])
    #expect(
      try tags(in: list)
        == ["gone|4", "home|3", "home|6", "o'clock \"x\"|2", "shop|1", "shop|2", "work|1"]
    )
    for _ in 1...2 {
      #expect(try lines("todostream undo")[0].hasPrefix("Undid your last command, "))
    }
    #expect(try todos() == Self.todos)
    #expect(try tags(in: list) == Self.tags)
    // The step before was made by the older program.
    _ = try lines("todostream undo")
    #expect(try lines("todostream list --all")[0] == "#4 [ ] To be deleted  +gone")
    _ = try lines("todostream doctor")

    #expect(try copy.rows("SELECT version FROM counter") == ["1"])
    #expect(try copy.rows(ranks) == before)
    #expect(try tags(in: copy) == Self.tags)
    // It can be updated in its turn.
    _ = try lines("todostream store init", of: copy)
    #expect(try todos(of: copy) == Self.todos)
    _ = try lines("todostream edit 1 --untag home", of: copy)
    #expect(try tags(in: copy) == Self.tags.filter { $0 != "home|1" })
  }
}
