#if os(Linux)
  import EventMVVMTesting
  import JSONText
  import ProcessTesting
  import Testing

  /// What a process says that runs into a limit of the system, and that it then ends by itself.
  @Suite(.hangLimit) struct LimitTests {
    /// Everything that a client asks for opens files.
    private static let conversation = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"todo/list","params":{}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"todo/add","params":{"title":"Bread"}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"store/doctor","params":{}}"#,
      #"{"jsonrpc":"2.0","id":5,"method":"shutdown"}"#,
      #"{"jsonrpc":"2.0","method":"exit"}"#,
    ]

    @Test(arguments: ["list", "add Milk", "--quiet", "doctor", "serve --stdio"])
    func `too few files are told as that, and end no process`(words: String) throws {
      let place = try Workplace()
      _ = try place.start("todostream add Milk").outcome()
      for files in 10...32 {
        let input = words == "--quiet" ? ["add Bread", "list"] : Self.conversation
        let run = try place.start("ulimit -n \(files); exec todostream \(words)", input: input)
          .outcome()
        #expect(run.status < 128, "\(files) files: \(run)")
        let said = (run.output.filter { $0.contains(#""error""#) } + run.errors)
        for line in said {
          let cause = "the process may have only \(files) files open"
          #expect(line.contains(cause) && line.contains("raise 'ulimit -n'"), "\(line)")
        }
        #expect(run.status == 0 || !said.isEmpty, "\(files) files: nothing was said")
        if files == 32 { #expect(run.status == 0 && said.isEmpty, "\(run)") }
      }
    }

    @Test func `a session that would run out of memory does not begin`() throws {
      let place = try Workplace()
      let run =
        try place.start(
          "ulimit -v 400000; exec todostream serve --stdio",
          input: Self.conversation
        )
        .outcome()
      #expect(run.output == [])
      #expect(run.status == 1)
      let said =
        #/error: 'ulimit -v' leaves this process \d+ MiB of memory, and it needs 512: raise it./#
      #expect(try run.errors.map { try said.wholeMatch(in: $0) != nil } == [true], "\(run.errors)")
      // A command needs less.
      let list = try place.start("ulimit -v 400000; exec todostream list").outcome()
      #expect(list.status == 0)
    }
  }
#endif
