#if os(Linux)
  import EventMVVMTesting
  import ProcessTesting
  import Testing

  /// A domain of an external package on a list in PostgreSQL, which it does not know of.
  @Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct CartDatabaseTests {
    @Test func `an external domain stores records in a database with its list`() throws {
      let store = "\(try PostgresServer.shared.address)#cart"
      let place = try Workplace(for: "todostream-cart")
      func run(_ words: String) throws -> Job.Outcome {
        try place.start("exec todostream-cart \(words)").outcome()
      }
      #expect(try run("--store '\(store)' list").status == 4)
      #expect(try run("store init '\(store)'").status == 0)
      #expect(try run("--store '\(store)' add Milk --price 1.20").status == 0)
      #expect(try run("--store '\(store)' list").output.contains { $0.contains("Milk") })
    }
  }
#endif
