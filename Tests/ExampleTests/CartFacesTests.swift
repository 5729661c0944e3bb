#if os(Linux)
  import ProcessTesting
  import Testing

  /// The cart on all its faces: the same is said, and the same comes of it.
  @Suite struct CartFacesTests {
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
          cart([row(1, "Milk", "1.20", 2, 99, false)], "0.00", all: false, has: false)
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
          )
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
          )
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
          )
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
          )
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
          )
        ),
        .init(
          "remove 1",
          "cart/remove",
          ##"{"id":["#1"]}"##,
          cart([row(2, "Bread", "3.00", 4, 5, true)], "12.00", all: true, has: true)
        ),
        .init("badge", "badge/badge", "{}", #"{"count":4}"#),
      ]
    )

    @Test func `S85 the cart as single commands`() throws {
      #expect(try faces.oneShots() == faces.results)
    }

    @Test func `S85 the cart in a script`() throws {
      #expect(try faces.script() == faces.results)
    }

    @Test func `S85 the cart in a conversation`() throws {
      #expect(try faces.conversation() == faces.results)
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
