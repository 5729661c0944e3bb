#if os(Linux)
  import ProcessTesting
  import Testing

  /// A session of the cart, recorded beside others who use it, and told again.
  @Suite struct CartRecordingTests {
    @Test func `S57 a session is told again with what others changed and undid meanwhile`() throws {
      let place = try Workplace(for: "todostream-cart")
      _ = try place.start("todostream-cart add Salt").outcome()
      let input = try NamedPipe("input", in: place)
      let job = try place.start("exec todostream-cart --record r serve --stdio <input")
      var count = 0
      func ask(_ method: String, _ params: String = "{}") throws {
        count += 1
        try input.write(
          #"{"jsonrpc":"2.0","id":\#(count),"method":"\#(method)","params":\#(params)}"#
        )
        try waitUntil { try job.printed().contains(#""id":\#(count),"#) }
      }
      try ask("initialize")
      try ask("cart/add", #"{"title":"Milk","price":"1"}"#)
      _ = try place.start("todostream-cart add Bread --price 2").outcome()
      _ = try place.start("todostream-cart quantity 3 4").outcome()
      try ask("cart/list")
      _ = try place.start("todostream-cart undo").outcome()
      _ = try place.start("todostream-cart remove 1").outcome()
      try ask("cart/check")
      try ask("history/undo")
      _ = try place.start("todostream-cart redo").outcome()
      try ask("history/history")
      try ask("badge/badge")
      try ask("shutdown")
      try input.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(try job.outcome().status == 0)
      let told =
        try place.start(
          "todostream-cart replay r",
          variables: ["TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"]
        )
        .outcome()
      #expect(told.output.last?.hasSuffix("events: no divergence.") == true, "\(told.output)")
      #expect(told.errors == [])
      #expect(told.status == 0)
    }

    @Test func `S57 a script whose lines are kept one by one is told again`() throws {
      let place = try Workplace(for: "todostream-cart")
      let lines = ["add A", "add B", "remove 9", "check 1", "remove 1"]
      let outcome = try place.start("todostream-cart --record r run --keep-going -", input: lines)
        .outcome()
      #expect(outcome.status == 3)
      let told = try place.start("todostream-cart replay r").outcome()
      #expect(told.output.last?.hasSuffix("events: no divergence.") == true, "\(told.output)")
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
