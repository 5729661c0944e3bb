#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// What a person sees while something takes its time.
  @Suite(.hangLimit) struct WaitingTests {
    /// A store that another program has locked.
    private struct Lock {
      private let sqlite: Job
      private let input: NamedPipe

      init(_ place: Workplace) throws {
        input = try NamedPipe("input", in: place)
        let told = try NamedPipe("told", in: place)
        sqlite = try place.start("exec sqlite3 todos.sqlite < input")
        try input.write("BEGIN IMMEDIATE;\n.shell echo > told")
        try told.waitUntilWritten()
      }

      func release() throws {
        try input.write("ROLLBACK;\n.quit")
        #expect(try sqlite.outcome().status == 0)
      }
    }

    private func session() throws -> Session {
      let session = try Session(columns: 60)
      try session.enter("add First", until: "Added #1 First")
      return session
    }

    private static let sign = "working … ^C cancels"

    @Test func `S32 a request that takes long is shown until its response`() throws {
      let session = try session()
      let lock = try Lock(session.place)
      session.terminal.type("add Slow" + Key.enter)
      try session.terminal.wait { $0.lines.last == Self.sign }
      try lock.release()
      try session.terminal.wait { $0.lines.contains("Added #2 Slow") && $0.prompt != nil }
      #expect(
        session.terminal.screen.lines.suffix(3).prefix(2) == [
          "todostream › add Slow", "Added #2 Slow",
        ]
      )
      session.end()
    }

    @Test func `S32 the sign is gone with a failure, too`() throws {
      let session = try session()
      let lock = try Lock(session.place)
      session.terminal.type("add Slow" + Key.enter)
      try session.terminal.wait { $0.lines.last == Self.sign }
      try session.terminal.wait { screen in
        screen.lines.contains { $0.hasPrefix("error: ") } && screen.prompt != nil
      }
      #expect(!session.terminal.screen.lines.contains(Self.sign))
      try lock.release()
      session.end()
    }

    @Test func `what is typed meanwhile waits, and ^C cancels`() throws {
      let session = try session()
      let lock = try Lock(session.place)
      session.terminal.type("add Slow" + Key.enter)
      try session.terminal.wait { $0.lines.last == Self.sign }
      session.terminal.type(Key.control("C"))
      try session.terminal.wait { $0.lines.last == "cancelling …" }
      session.terminal.type("list")
      try lock.release()
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › list") == true }
      #expect(!session.terminal.screen.lines.contains("cancelling …"))
      session.terminal.type(Key.enter)
      try session.terminal.wait { $0.lines.contains("#1 [ ] First") && $0.prompt != nil }
      session.end()
    }

    @Test func `what is quick is not announced`() throws {
      // On a machine that is busy even this may take long: once in five times it does not.
      #expect(try (1...5).contains { _ in try !announcesQuickWork() })
    }

    private func announcesQuickWork() throws -> Bool {
      let session = try session()
      for title in ["A", "B", "C"] { session.terminal.type("add \(title)" + Key.enter) }
      try session.terminal.wait { $0.lines.contains("Added #4 C") && $0.prompt != nil }
      session.end()
      return String(decoding: session.terminal.written, as: UTF8.self).contains("working")
    }

    @Test func `a script says how far it has come, and ^C takes all of it back`() throws {
      let session = try session()
      let script = (1...60_000).map { "add Todo number \($0)\n" }.joined()
      try script.write(
        to: session.place.folder.appending(path: "long.todo"),
        atomically: true,
        encoding: .utf8
      )
      let path = session.place.folder.appending(path: "long.todo").path
      session.terminal.type(".read \(path)" + Key.enter)
      try session.terminal.wait {
        $0.lines.contains { $0.hasPrefix("[") && $0.contains(" of 60000) … ^C rolls it back") }
      }
      session.terminal.type(Key.control("C"))
      try session.terminal.wait { $0.lines.contains("Nothing was changed.") && $0.prompt != nil }
      #expect(session.terminal.screen.lines.contains("error: Interrupted."))
      #expect(!session.terminal.screen.lines.contains { $0.contains("of 60000") })
      session.terminal.type("list" + Key.enter)
      try session.terminal.wait { $0.lines.contains("#1 [ ] First") && $0.prompt != nil }
      session.end()
    }
  }
#endif
