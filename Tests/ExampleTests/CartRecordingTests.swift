#if os(Linux)
  import EventMVVMTesting
  import ProcessTesting
  import Testing

  /// A session of the cart, recorded beside others who use it, and told again.
  @Suite(.hangLimit) struct CartRecordingTests {
    @Test func `S57 a session is told again with what others changed and undid meanwhile`() throws {
      let place = try Workplace(for: "todostream-cart")
      _ = try place.start("todostream-cart add Salt").outcome()
      let client = try Client("todostream-cart --record r", place)
      try client.ask("cart/add", #"{"title":"Milk","price":"1"}"#)
      _ = try place.start("todostream-cart add Bread --price 2").outcome()
      _ = try place.start("todostream-cart quantity 3 4").outcome()
      try client.ask("cart/list")
      _ = try place.start("todostream-cart undo").outcome()
      _ = try place.start("todostream-cart remove 1").outcome()
      try client.ask("cart/check")
      try client.ask("history/undo")
      _ = try place.start("todostream-cart redo").outcome()
      try client.ask("history/history")
      try client.ask("badge/badge")
      try client.end()
      try place.tellAgain("todostream-cart", "r")
    }

    @Test func `S57 a script whose lines are kept one by one is told again`() throws {
      let place = try Workplace(for: "todostream-cart")
      let lines = ["add A", "add B", "remove 9", "check 1", "remove 1"]
      let outcome = try place.start("todostream-cart --record r run --keep-going -", input: lines)
        .outcome()
      #expect(outcome.status == 3)
      try place.tellAgain("todostream-cart", "r")
    }

    @Test func `S57 a recorded line that is changed is found`() throws {
      let place = try Workplace(for: "todostream-cart")
      _ = try place.start("todostream-cart --record r add Milk --price 1.20").outcome()
      let mutated =
        try place.start(#"sed '/ResponseWriteRecords/s/"1\.20"/"1.30"/' r >m; cmp -s r m; echo $?"#)
        .outcome()
      #expect(mutated.output == ["1"])
      let told = try place.start("todostream-cart replay m").outcome()
      #expect(told.status == 1)
      #expect(told.output.first?.hasPrefix("Divergence at event ") == true)
    }
  }
#endif
