#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The cart on all its faces: the same is said, and the same comes of it.
  @Suite(.hangLimit) struct CartFacesTests {
    private static func row(
      _ id: Int,
      _ title: String,
      _ price: String,
      _ count: Int,
      _ max: Int,
      _ checked: Bool
    )
      -> String
    {
      #"{"id":\#(id),"title":"\#(title)","price":"\#(price)","#
        + #""quantity":{"number":\#(count),"min":1,"max":\#(max)},"checked":\#(checked)}"#
    }

    private static func cart(_ rows: [String], _ price: String, all: Bool, has: Bool) -> String {
      #"{"list":[\#(rows.joined(separator: ","))],"price":"\#(price)","allCheck":\#(all),"#
        + #""hasCheck":\#(has),"editing":false}"#
    }

    private let faces = Faces(
      program: "todostream-cart",
      lines: [
        .init(
          "add Milk --price 1.20 --quantity 2",
          "cart/add",
          #"{"title":"Milk","price":"1.20","quantity":2}"#,
          cart([row(1, "Milk", "1.20", 2, 99, false)], "0.00", all: false, has: false),
          toast: "To pay: 0.00"
        ),
        .init(
          "add Bread --price 3 --stock 5",
          "cart/add",
          #"{"title":"Bread","price":"3","stock":5}"#,
          cart(
            [row(1, "Milk", "1.20", 2, 99, false), row(2, "Bread", "3.00", 1, 5, false)],
            "0.00",
            all: false,
            has: false
          ),
          toast: "To pay: 0.00"
        ),
        .init(
          "check 1",
          "cart/check",
          #"{"id":[1]}"#,
          cart(
            [row(1, "Milk", "1.20", 2, 99, true), row(2, "Bread", "3.00", 1, 5, false)],
            "2.40",
            all: false,
            has: true
          ),
          toast: "To pay: 2.40"
        ),
        .init(
          "quantity 2 4",
          "cart/quantity",
          #"{"id":2,"quantity":4}"#,
          cart(
            [row(1, "Milk", "1.20", 2, 99, true), row(2, "Bread", "3.00", 4, 5, false)],
            "2.40",
            all: false,
            has: true
          ),
          toast: "To pay: 2.40"
        ),
        .init(
          "update 2",
          "cart/update",
          #"{"id":[2]}"#,
          cart(
            [row(1, "Milk", "1.20", 2, 99, false), row(2, "Bread", "3.00", 4, 5, true)],
            "12.00",
            all: false,
            has: true
          ),
          toast: "To pay: 12.00"
        ),
        .init(
          "check",
          "cart/check",
          "{}",
          cart(
            [row(1, "Milk", "1.20", 2, 99, true), row(2, "Bread", "3.00", 4, 5, true)],
            "14.40",
            all: true,
            has: true
          ),
          toast: "To pay: 14.40"
        ),
        .init(
          "remove 1",
          "cart/remove",
          ##"{"id":["#1"]}"##,
          cart([row(2, "Bread", "3.00", 4, 5, true)], "12.00", all: true, has: true),
          toast: "To pay: 12.00"
        ),
        .init("badge", "badge/show", "{}", #"{"count":4}"#),
      ]
    )

    @Test func `S85 the cart as single commands`() throws {
      #expect(try faces.oneShots() == faces.results)
    }

    @Test func `S85 the cart in a script`() throws {
      #expect(try faces.script() == faces.results)
    }

    @Test func `S85 the cart in a conversation`() throws {
      #expect(try faces.conversation() == faces.shown)
    }

    @Test func `S85 the cart over JSON-RPC`() throws {
      #expect(try faces.server() == faces.results)
    }

    // MARK: What no line of the cart is about

    @Test func `undo, redo, the history and figures are there without a line for them`() throws {
      let place = try Workplace(for: "todostream-cart")
      func say(_ words: String) throws -> [String] {
        try place.start("todostream-cart \(words)").outcome().output
      }
      _ = try say("add Milk --price 1 --quantity 3")
      _ = try say("quantity 1 5")
      #expect(try say("undo").suffix(2) == ["  ~ #1 Milk", "      quantity: 5 → 3"])
      #expect(try say("redo").suffix(2) == ["  ~ #1 Milk", "      quantity: 3 → 5"])
      #expect(try say("history 1").contains("  quantity: 3 → 5"))
      #expect(try say("report").contains { $0.hasPrefix("  pieces  5") })
    }

    @Test func `a script that fails leaves the cart as it was`() throws {
      let place = try Workplace(for: "todostream-cart")
      let outcome = try place.start("todostream-cart", input: ["add Milk", "quantity 1 100"])
        .outcome()
      #expect(outcome.status == 1)
      #expect(
        outcome.errors == [
          "<stdin>:2:12: error: There are 99 of 'Milk'.", "  quantity 1 100", "             ^",
          "Nothing was changed.",
        ]
      )
      #expect(try place.start("todostream-cart list").outcome().output == ["to pay: 0.00"])
    }

    /// A cart of two lines.
    private func cartOfTwoLines() throws -> Workplace {
      let place = try Workplace(for: "todostream-cart")
      _ = try place.start("todostream-cart", input: ["add Milk", "add Bread"]).outcome()
      return place
    }

    /// Sees to it that the first line can't be read.
    private func damage(_ place: Workplace) throws {
      _ =
        try place.start(
          #"sqlite3 data/todostream-cart/store.sqlite "UPDATE record_line SET title = CAST(x'FF' AS TEXT) WHERE _number = 1""#
        )
        .outcome()
    }

    @Test func `a line that can't be read is told of, and hides no other`() throws {
      let place = try cartOfTwoLines()
      try damage(place)
      let problem =
        "1 of 2 records can't be read and is left out: line #1. Of #1: 'title': its bytes are no text. "
        + "Another version of the program may read it; else restore a backup."
      let bread = "#2 [ ] 1 × Bread  0.00"
      let list = try place.start("todostream-cart list").outcome()
      #expect(list.output == [bread, "to pay: 0.00"])
      #expect(list.errors == ["warning: \(problem)"])
      #expect(list.status == 0)
      let json = try place.start("todostream-cart --json badge").outcome()
      #expect(json.output == [#"{"count":1}"#])
      #expect(json.errors == [#"{"notice":{"message":"\#(problem)"}}"#])
      let script = try place.start("todostream-cart", input: ["list", "check 2"]).outcome()
      #expect(script.errors == ["warning: \(problem)"])
      let named = try place.start("todostream-cart check 1").outcome()
      #expect(
        named.errors.last
          == "error: The line #1 can't be read: 'title': its bytes are no text. "
          + "Another version of the program may read it; else restore a backup."
      )
      #expect(named.status == 4)
      let removed = try place.start("todostream-cart remove 1").outcome()
      #expect(removed.output == ["#2 [x] 1 × Bread  0.00", "to pay: 0.00"])
      #expect(try place.start("todostream-cart list").outcome().errors == [])
    }

    @Test func `the store is looked after without a line of the cart`() throws {
      let place = try cartOfTwoLines()
      let copied = try place.start("todostream-cart backup copy.sqlite").outcome()
      #expect(copied.output == ["Copied 2 records to copy.sqlite"])
      let sound = try place.start("todostream-cart doctor").outcome()
      #expect(
        sound.output.suffix(4) == [
          "  ok: every page and every index fits", "  ok: 2 records", "  ok: 2 changes in the log",
          "  ok: nothing that was acknowledged is missing",
        ]
      )
      #expect(sound.status == 0)
      try damage(place)
      let damaged = try place.start("todostream-cart doctor").outcome()
      #expect(
        damaged.output.filter { $0.hasPrefix("  error: ") } == [
          "  error: line #1 can't be read: 'title': its bytes are no text"
        ]
      )
      #expect(damaged.status == 4)
      _ = try place.start("cp copy.sqlite data/todostream-cart/store.sqlite").outcome()
      let list = try place.start("todostream-cart list").outcome()
      #expect(list.output == ["#1 [ ] 1 × Milk  0.00", "#2 [ ] 1 × Bread  0.00", "to pay: 0.00"])
      #expect(list.errors == [])
    }

    @Test func `the store is looked after over JSON-RPC, and told again`() throws {
      let place = try Workplace(for: "todostream-cart")
      let client = try Client("todostream-cart --record r", place)
      _ = try client.ask("cart/add", #"{"title":"Milk"}"#)
      #expect(try client.ask("store/doctor").contains(#""sound":true"#))
      #expect(
        try client.ask("store/backup", #"{"file":"copy.sqlite"}"#)
          == #"{"path":"copy.sqlite","count":1,"revision":1}"#
      )
      #expect(try client.ask("store/backup", #"{"file":""}"#).hasPrefix("error: "))
      try client.end()
      _ = try place.start("todostream-cart --record s backup other.sqlite").outcome()
      for recording in ["r", "s"] {
        let told = try place.start("rm -f *.sqlite; todostream-cart replay \(recording)").outcome()
        #expect(told.output.last?.hasSuffix("events: no divergence.") == true, "\(told.output)")
      }
    }

    @Test func `a program is told of a line that can't be read`() throws {
      let place = try cartOfTwoLines()
      try damage(place)
      let client = try Client("todostream-cart", place)
      #expect(try client.ask("badge/show") == #"{"count":1}"#)
      let notice =
        #"{"jsonrpc":"2.0","method":"notice","params":{"level":"warning","message":"1 of 2 "#
      try client.job.wait(until: "there is a notice") { printed in
        printed.split(separator: "\n").contains { $0.hasPrefix(notice) }
      }
      try client.end()
    }

    @Test func `a program that subscribes hears which fields of which line changed, and all of it`()
      throws
    {
      let place = try Workplace(for: "todostream-cart")
      let client = try Client("todostream-cart", place)
      try client.ask("events/subscribe", #"{"types":["ResponseChangedRecords"]}"#)
      try client.ask("cart/add", #"{"title":"Milk","price":"1.20"}"#)
      _ = try place.start("todostream-cart check 1").outcome()
      let line = #""title":"Milk","price":"1.20","quantity":1,"stock":99,"isChecked":"#
      let bodies = [
        #""body":{"by":null,"changes":[{"novelty":"added","kind":"line","#
          + #""fields":["title","price"],"record":{"id":1,\#(line)false,"revision":1}}]}"#,
        #""body":{"by":"cli","changes":[{"novelty":"changed","kind":"line","#
          + #""fields":["isChecked"],"record":{"id":1,\#(line)true,"revision":2}}]}"#,
      ]
      try client.job.wait(until: "both changes are heard") { _ in
        let heard = (try? client.told("events/append").joined(separator: "\n")) ?? ""
        return bodies.allSatisfy(heard.contains)
      }
      try client.end()
    }

    @Test func `in a conversation a person sees that a line can't be read`() throws {
      let place = try cartOfTwoLines()
      try damage(place)
      let terminal = try Terminal(columns: 300, rows: 20)
      let binary = try Workplace.binaries(with: "todostream-cart")
        .appending(path: "todostream-cart")
      try terminal.start([binary.path], environment: place.environment)
      try terminal.wait { $0.lines.last == "todostream-cart ›" }
      terminal.type("list\r")
      try terminal.wait { screen in
        screen.lines.contains { $0.hasPrefix("warning: 1 of 2 records can't be read") }
          && screen.lines.contains("#2 [ ] 1 × Bread  0.00")
      }
      terminal.type(".quit\r")
      #expect(terminal.outcome() == 0)
    }

    @Test func `what is edited at once can be removed at once`() throws {
      let place = try Workplace(for: "todostream-cart")
      let outcome =
        try place.start(
          "todostream-cart --json",
          input: ["add A", "add B", "check 1", "editing", "remove", "editing --off"]
        )
        .outcome()
      #expect(outcome.status == 0)
      #expect(
        outcome.output.last
          == Self.cart([Self.row(2, "B", "0.00", 1, 99, false)], "0.00", all: false, has: false)
      )
      let alone = try place.start("todostream-cart remove").outcome()
      #expect(alone.errors == ["error: Say which; all is for edit mode."])
      #expect(alone.status == 2)
    }
  }
#endif
