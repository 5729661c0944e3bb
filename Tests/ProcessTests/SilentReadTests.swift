#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  extension Processes {
    /// What a one-shot that only reads does to the store's files: nothing.
    @Suite(.hangLimit) struct SilentReadTests {
      static let reads = ["list --limit 10", "--json list", "show 3"]

      @Test(arguments: reads)
      func `a read syncs nothing and writes no content`(_ read: String) throws {
        let store = try storeOfTen()
        let changes = try SystemCall.changes(by: read, in: store)
        #expect(changes.filter(\.isOfContent) == [])
      }

      @Test(arguments: reads)
      func `a read makes and removes no file`(_ read: String) throws {
        let store = try storeOfTen()
        let changes = try SystemCall.changes(by: read, in: store)
        #expect(changes.filter { !$0.isOfContent } == [])
      }

      @Test(arguments: reads)
      func `a read beside a process that has the store open changes nothing`(
        _ read: String
      ) throws {
        let store = try storeOfTen()
        let other = try SQLiteSession(in: store, "UPDATE record_todo SET subtitle = 'Notes'")
        let changes = try SystemCall.changes(by: read, in: store)
        #expect(changes == [])
        try other.end()
      }

      @Test(arguments: reads)
      func `a read of what a killed process left behind writes no content`(_ read: String) throws {
        let store = try storeOfTen()
        try store.killAdder(of: "Todo 11")
        let changes = try SystemCall.changes(by: read, in: store)
        #expect(changes.filter(\.isOfContent) == [])
        #expect(try store.todos().last?.title == "Todo 11")
      }

      private func storeOfTen() throws -> SharedStore {
        let store = try SharedStore()
        let added = try store.run("--quiet", "run", "-", input: (1...10).map { "add 'Todo \($0)'" })
        #expect(added == Job.Outcome())
        // A file that has just been changed is read as one that others are changing.
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000.5)],
          ofItemAtPath: store.place.folder.appending(path: "todos.sqlite").path
        )
        return store
      }
    }
  }

  extension SharedStore {
    /// Adds a todo by a process that is killed before it closes the store: a `-wal` is left behind.
    fileprivate func killAdder(of title: String) throws {
      let lines = try NamedPipe("lines", in: place)
      let adder = try place.start("exec todostream run --keep-going - <lines")
      try lines.write("add '\(title)'")
      while try adder.printed() == "" { try #require(adder.isRunning) }
      adder.send(SIGKILL)
      #expect(try adder.outcome().status == 128 + SIGKILL)
    }
  }
#endif
