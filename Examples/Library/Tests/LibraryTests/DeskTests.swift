#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The built program, as a library has it: on a file, and on PostgreSQL.
  @Suite(.hangLimit) struct DeskTests {
    private let place: Workplace

    init() throws { place = try Workplace(for: "library") }

    /// Where the store is.
    enum Kind: CaseIterable {
      case file, server

      /// Both, where PostgreSQL is installed.
      static var here: [Kind] { PostgresServer.isHere ? allCases : [.file] }
    }

    private func store(_ kind: Kind) throws -> String {
      guard kind == .server else { return "books.sqlite" }
      let list = "l" + UUID().uuidString.replacing("-", with: "").lowercased()
      let address = try PostgresServer.shared.address + "#" + list
      let made = try place.start(#"exec library --quiet store init "$1""#, [address]).outcome()
      #expect(made == Job.Outcome())
      return address
    }

    private func start(_ store: String, _ words: String, _ input: [String]) throws -> Job {
      try place.start(#"exec library --store "$1" \#(words)"#, [store], input: input)
    }

    private func run(_ store: String, _ words: String, _ input: String...) throws -> Job.Outcome {
      try start(store, words, input).outcome()
    }

    private static let hello =
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}"#

    /// Two copies of a book, and two members.
    private func open(_ kind: Kind) throws -> String {
      let store = try store(kind)
      let made = try run(
        store,
        "run -",
        "add Dune --author Herbert",
        "add-member Ann",
        "add-member Bob",
        "add-copy D-1 --book 1",
        "add-copy D-2 --book 1"
      )
      #expect(made.errors == [])
      return store
    }

    @Test(arguments: Kind.here)
    func `a copy is lent once, is no longer reserved, and comes back`(_ kind: Kind) throws {
      let store = try open(kind)
      #expect(
        try run(store, "reserve 4 --for 2").output == [
          "Reserved #4: reserved for none → #2 Ann"
        ]
      )
      #expect(try run(store, "lend 4 --to 3").errors == ["error: D-1 is reserved for Ann."])
      #expect(try run(store, "lend 4 --to 2").output[0].hasPrefix("Lent #6 D-1, Ann  due "))
      #expect(try run(store, "show-copy 4 --json").output[0].contains(#""reservedFor":null"#))
      #expect(try run(store, "lend 4 --to 3").errors == ["error: D-1 is lent to Ann."])
      #expect(try run(store, "count-loan").output == ["1 loan"])
      #expect(
        try run(store, "delete-member 2").errors == [
          "error: The member #2 can't be removed: the loan #6 refers to it."
        ]
      )
      #expect(try run(store, "return 6").output == ["Returned #6 D-1, Ann"])
      #expect(try run(store, "return 6").output == ["Unchanged #6 D-1, Ann"])
      #expect(try run(store, "lend 4 --to 3").status == 0)
      #expect(try run(store, "count-loan is:done").output == ["1 loan"])
      #expect(try run(store, "list-loan is:done").output[0].hasPrefix("#6 [x] D-1, Ann  due "))
      // What belongs to the loan is undone with it.
      #expect(try run(store, "undo").status == 0)
      #expect(try run(store, "reserve 4 --for 3").status == 0)
      #expect(try run(store, "lend 4 --to 3").status == 0)
      #expect(
        try run(store, "undo").output.dropFirst() == [
          "  - #8 D-1, Bob", "  ~ #4 D-1", "      reserved for: none → #3 Bob",
        ]
      )
      #expect(try run(store, "list-copy --reserved-for 3").output.count == 1)
      #expect(try run(store, "doctor").status == 0)
    }

    @Test(arguments: Kind.here)
    func `a loan waits and is lent again, as it has the roles`(_ kind: Kind) throws {
      let store = try open(kind)
      #expect(try run(store, "lend 4 --to 3").status == 0)
      let changed = try run(store, "edit-loan 6 due:2099-12-31 wait:2099-12-01 again:month")
      #expect(
        changed.output.last?.hasPrefix("  #6 comes every month on the 31st, or its last day")
          == true
      )
      #expect(try run(store, "count-loan").output == ["0 loans"])
      #expect(try run(store, "count-loan is:waiting is:recurring").output == ["1 loan"])
      #expect(
        try run(store, "return 6").output.last?
          .hasPrefix("  #6 comes again as #7 on Sun 31 Jan 2100") == true
      )
      #expect(
        try run(store, "edit-loan 7 --copy 5").errors == [
          "error: A loan keeps its copy and its member; lend it anew."
        ]
      )
      #expect(try run(store, "list-loan --all").output.count == 2)
    }

    @Test(arguments: Kind.here)
    func `a book is retired with all of its copies, or not at all`(_ kind: Kind) throws {
      let store = try open(kind)
      #expect(try run(store, "lend 5 --to 2 ").status == 0)
      #expect(
        try run(store, "retire 1").errors == [
          "error: Dune can't be retired: D-2 is lent to Ann."
        ]
      )
      #expect(try run(store, "count-copy").output == ["2 copies"])
      #expect(try run(store, "return 6").status == 0)
      #expect(try run(store, "retire 1").output == ["Retired Dune"])
      for what in ["count", "count-copy", "count-loan --all"] {
        #expect(try run(store, what).output[0].hasPrefix("0 "))
      }
      let undone = try run(store, "undo").output
      #expect(undone.dropFirst() == ["  + #1 Dune", "  + #4 D-1", "  + #5 D-2", "  + #6 D-2, Ann"])
      #expect(try run(store, "list-copy --book 1").output.count == 2)
      #expect(try run(store, "show-loan 6").output[1] == "  copy      #5 D-2")
      #expect(
        try run(store, "delete 1").output == ["Deleted #1 Dune", "  with 2 copies, 1 loan"]
      )
      #expect(try run(store, "doctor").status == 0)
    }

    @Test(arguments: Kind.here)
    func `a script is one step, in which a command can fail by itself`(_ kind: Kind) throws {
      let store = try open(kind)
      let lines = [
        "lend 4 --to 2 as @loan", "lend 4 --to 3", "lend 5 --to 3", "return @loan", "retire 1",
      ]
      let whole = try start(store, "run -", lines).outcome()
      #expect(whole.status == 1)
      #expect(whole.errors.first == "<stdin>:2:6: error: D-1 is lent to Ann.")
      #expect(try run(store, "count-loan --all").output == ["0 loans"])
      let each = try start(store, "run --keep-going -", lines).outcome()
      #expect(each.errors.filter { $0.hasPrefix("<stdin>") }.count == 2)
      #expect(try run(store, "count-loan").output == ["1 loan"])
      #expect(try run(store, "count-copy").output == ["2 copies"])
    }

    @Test(arguments: Kind.here)
    func `of eight who reserve a copy at once one gets it, and seven are told who`(
      _ kind: Kind
    )
      throws
    {
      let store = try store(kind)
      let copies = 50
      var lines = ["add Dune"]
      for member in 1...8 { lines.append("add-member M\(member)") }
      for copy in 1...copies { lines.append("add-copy C-\(copy) --book 1") }
      #expect(try start(store, "run -", lines).outcome().errors == [])
      let jobs = try (2...9)
        .map { member in
          try start(
            store,
            "run --keep-going -",
            (10..<10 + copies).map { "reserve \($0) --for \(member)" }
          )
        }
      var (won, told) = (0, 0)
      for job in jobs {
        let outcome = try job.outcome()
        won += outcome.output.count { $0.hasPrefix("Reserved #") }
        told += outcome.errors.count { $0.hasSuffix(" already.") }
      }
      #expect(won == copies)
      #expect(told == 7 * copies)
      #expect(try run(store, "doctor").status == 0)
    }

    @Test(.enabled(if: PostgresServer.isHere))
    func `a loan follows its book to PostgreSQL and back, under its numbers`() throws {
      let file = try open(.file)
      #expect(try run(file, "lend 4 --to 2").status == 0)
      let shown = try run(file, "show-loan 6 --json")
      let server = try PostgresServer.shared.address + "#back"
      for (from, to) in [(file, server), (server, "again.sqlite")] {
        let copied = try place.start(#"exec library store copy "$1" "$2""#, [from, to]).outcome()
        #expect(copied.status == 0)
        #expect(try run(to, "show-loan 6 --json").output == shown.output)
        #expect(try run(to, "doctor").status == 0)
      }
      #expect(try run("again.sqlite", "undo").output.dropFirst().first == "  - #6 D-1, Ann")
    }

    @Test func `an edit since an earlier state merges, and a conflict names records`() throws {
      let store = try open(.file)
      #expect(try run(store, "add Emma --author Austen").output == ["Added #6 Emma"])
      #expect(
        try run(store, "edit-copy 4 --book 6").output == ["Changed #4: book #1 Dune → #6 Emma"]
      )
      #expect(
        try run(store, "edit-copy 4 --mark D-9 --expected-revision 4").output == [
          "Changed #4: mark D-1 → D-9"
        ]
      )
      #expect(try run(store, "add Ulysses").status == 0)
      #expect(
        try run(store, "edit-copy 4 --book 7 --expected-revision 4").errors == [
          "error: Somebody changed the book of #4 meanwhile: you saw #1 Dune, now it is #6 Emma."
        ]
      )
      #expect(try run(store, "history 4").output.contains("  book: #1 Dune → #6 Emma"))
    }

    @Test(arguments: Kind.here)
    func `a plugin over a role brings its verbs, its condition and its column`(_ kind: Kind) throws
    {
      let store = try open(kind)
      #expect(try run(store, "add Emma").status == 0)
      #expect(try run(store, "star 1").output == ["Starred #1 Dune"])
      #expect(try run(store, "list").output == ["#1 Dune  ★", "#6 Emma"])
      #expect(try run(store, "count is:starred").output == ["1 book"])
      #expect(try run(store, "list -is:starred").output == ["#6 Emma"])
      #expect(try run(store, "unstar 1,6").output == ["Unstarred #1 Dune", "Unchanged #6 Emma"])
      #expect(try run(store, "undo").status == 0)
      #expect(try run(store, "show 1 --json").output[0].contains(#""starred":true"#))
    }

    @Test func `an undo leaves alone what others refer to`() throws {
      let store = try open(.file)
      #expect(try run(store, "run -", "add-member Cid", "add-member Dan").status == 0)
      let lend = #"{"jsonrpc":"2.0","id":1,"method":"library/lend","params":{"copy":4,"to":6}}"#
      #expect(
        try run(store, "serve --stdio", Self.hello, lend).output[1].contains(#""title":"Cid""#)
      )
      let why = "The member #6 can't be removed: the loan #8 refers to it."
      let undone = try run(store, "run --keep-going -", "undo --mine", "undo --mine --skip")
      #expect(
        undone.errors.first == "<stdin>:1:1: error: \(why) 'undo --skip' reverts the rest."
      )
      #expect(undone.output.suffix(2) == ["  - #7 Dan", "  left alone: #6 \(why)"])
      #expect(try run(store, "list-member").output == ["#2 Ann", "#3 Bob", "#6 Cid"])
    }

    @Test func `a session that lasts replays what it has read in the background`() throws {
      let store = try open(.file)
      func call(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"library/\#(method)","params":\#(parameters)}"#
      }
      let recorded = try run(
        store,
        "--record session serve --stdio",
        Self.hello,
        call(1, "overdue"),
        call(2, "lend", #"{"copy":4,"to":2}"#),
        call(3, "overdue")
      )
      #expect(recorded.output.count == 4)
      let replayed = try place.start("library replay session").outcome()
      #expect(replayed.errors == [])
      #expect(replayed.output.last?.hasSuffix("events: no divergence.") == true)
    }

    @Test(arguments: Kind.here)
    func `a session with transactions is recorded whole, and replays`(_ kind: Kind) throws {
      let store = try open(kind)
      let lines = [
        "lend 4 --to 2 as @loan", "overdue", "return @loan", "list-copy --book 1", "retire 1",
        "list-loan --all",
      ]
      let failing = ["undo", "lend 4 --to 2", "lend 4 --to 3", "list-loan --all"]
      for (index, words) in ["", "run --keep-going -"].enumerated() {
        let input = lines + (words.isEmpty ? [] : failing)
        let recording = try start(store, "--record session\(index) \(words)", input).outcome()
        if words.isEmpty {
          #expect(recording.errors == [])
          #expect(try run(store, "undo").status == 0)
        } else {
          #expect(recording.errors.first?.hasSuffix("error: D-1 is lent to Ann.") == true)
        }
        let replayed = try place.start("library replay session\(index)").outcome()
        #expect(replayed.errors == [])
        #expect(replayed.output.last?.hasSuffix("events: no divergence.") == true)
      }
    }
  }
#endif
