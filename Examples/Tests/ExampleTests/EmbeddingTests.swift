#if os(Linux)
  import EventMVVMTesting
  import ProcessTesting
  import Testing

  /// The todos in a program that is not the todo manager.
  @Suite(.hangLimit) struct EmbeddingTests {
    @Test func `S104 a program embeds the todos, and shares them with the todo manager`() throws {
      let place = try Workplace(for: "todostream-embedding")
      func say(_ line: String) throws -> [String] { try place.start(line).outcome().output }
      #expect(
        try say(#"todostream-embedding "$TODOSTREAM_STORE" Buy milk"#) == ["#1 Buy milk"]
      )
      #expect(try say("todostream add Ring the bank") == ["Added #2 Ring the bank"])
      #expect(try say(#"todostream-embedding "$TODOSTREAM_STORE" Read"#) == ["#3 Read"])
      #expect(
        try say("todostream list")
          == ["#3 [ ] Read", "#2 [ ] Ring the bank", "#1 [ ] Buy milk"]
      )
    }

    @Test func `S104 what the rules refuse is a failure that the view hears`() throws {
      let place = try Workplace(for: "todostream-embedding")
      let outcome = try place.start(#"todostream-embedding "$TODOSTREAM_STORE" ''"#).outcome()
      #expect(outcome == .init(output: ["Please add a title."]))
    }
  }
#endif
