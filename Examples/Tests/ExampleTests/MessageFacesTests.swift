#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// Messages on all faces and in all three ways: the same is said, and the same comes of it.
  @Suite(.hangLimit) struct MessageFacesTests {
    private static func list(_ rows: String..., isLoading: Bool = false) -> String {
      #"{"messages":[\#(rows.joined(separator: ","))],"isLoading":\#(isLoading)}"#
    }

    private static func row(_ id: Int, _ from: String, _ title: String, _ isRead: Bool) -> String {
      #"{"id":\#(id),"from":"\#(from)","title":"\#(title)","isRead":\#(isRead)}"#
    }

    private static func faces(_ way: MessageWay) -> Faces {
      var faces = Faces(
        program: "todostream-messages",
        lines: [
          .init("list", "messages/list", "{}", list()),
          .init(
            "fetch",
            "messages/fetch",
            "{}",
            list(row(1, "ann", "Hello", false), row(2, "bob", "Lunch", false))
          ),
          .init(
            "show 2",
            "messages/show",
            #"{"index":2}"#,
            #"{"id":2,"from":"bob","title":"Lunch","text":"At one?\nBob"}"#,
            prompt: "bob: Lunch"
          ),
          .init(
            "remove 1",
            "messages/remove",
            #"{"index":1}"#,
            list(row(2, "bob", "Lunch", true))
          ),
          .init("fetch", "messages/fetch", "{}", list(row(2, "bob", "Lunch", true))),
        ]
      )
      faces.words = way.words
      faces.prepare = { place in
        try place.makeMailbox()
        return place.mailbox
      }
      return faces
    }

    @Test(arguments: MessageWay.allCases)
    func `S103 messages as single commands`(_ way: MessageWay) throws {
      let faces = Self.faces(way)
      #expect(try faces.oneShots() == faces.results)
    }

    @Test(arguments: MessageWay.allCases)
    func `S103 messages in a script`(_ way: MessageWay) throws {
      let faces = Self.faces(way)
      #expect(try faces.script() == faces.results)
    }

    @Test(arguments: MessageWay.allCases)
    func `S103 messages in a conversation`(_ way: MessageWay) throws {
      let faces = Self.faces(way)
      #expect(try faces.conversation() == faces.results)
    }

    @Test(arguments: MessageWay.allCases)
    func `S103 messages over JSON-RPC`(_ way: MessageWay) throws {
      let faces = Self.faces(way)
      #expect(try faces.server() == faces.results)
    }

    // MARK: Which way is on

    @Test func `two ways at once, or none, are said at the start`() throws {
      let place = try Workplace(for: "todostream-messages")
      let two = try place.start("todostream-messages --with reactor list").outcome()
      #expect(
        two.errors.first?
          .hasPrefix(
            "error: RequestFetch is answered by both 'reducer' and 'reactor'; "
          ) == true
      )
      #expect(two.status == 2)
      let none = try place.start("todostream-messages --without reducer list").outcome()
      #expect(
        none.errors.first?.hasPrefix("error: nobody answers RequestMessages; nobody answers ")
          == true
      )
      #expect(none.status == 2)
    }

    // MARK: The mailbox

    @Test func `a file that is no message is named, and the rest is fetched`() throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      func fetch() throws -> [String] {
        let outcome = try place.start("todostream-messages fetch", variables: place.mailbox)
          .outcome()
        #expect(outcome.errors == [])
        #expect(outcome.status == 0)
        #expect(outcome.output.prefix(2) == ["1 * ann: Hello", "2 * bob: Lunch"])
        return Array(outcome.output.dropFirst(2))
      }
      for (text, reason) in [
        ("From: ann\nHello\n\nText", "line 2 is no header, such as 'From: ann'"),
        ("From: ann\n\nText", "it has no 'Subject:'"),
        ("Subject: Hello\n\nText", "it has no 'From:'"),
        ("From: ann\nSubject: Hello", "there is no blank line after its headers"),
        ("", "it has no 'From:'"),
        ("From: ann\u{7}\nSubject: Hello\n\nText", "line 1 has a control character"),
        ("From: ann\nSubject: a\rb\n\nText", "line 2 has a control character"),
        ("From: a\0nn\nSubject: Hello\n\nText", "line 1 has a control character"),
        ("From: ann\nSubject: Hello\n\nTe\0xt", "its text has a NUL"),
      ] {
        try place.putMail("1a.txt", text)
        #expect(
          try fetch() == [
            "warning: \(place.folder.path)/box/1a.txt: \(reason). It was skipped."
          ]
        )
        #expect(try place.start("cat box/1a.txt").outcome().status == 0)
      }
      let bytes = try place.start("printf 'From: \\377\\nSubject: a\\n\\n' >box/1a.txt").outcome()
      #expect(bytes.status == 0)
      #expect(try fetch().first?.hasSuffix("/box/1a.txt: it is not UTF-8. It was skipped.") == true)
      #expect(try place.start("head -c 1048577 /dev/zero >box/1a.txt").outcome().status == 0)
      #expect(
        try fetch().first?
          .hasSuffix("/box/1a.txt: a message has 1 MiB at most. It was skipped.") == true
      )
      try place.putMail("1a.txt", "From: cid\nSubject: News\n\nNone.\n")
      #expect(try fetch() == ["3 * cid: News"])
      #expect(try place.start("ls box").outcome().output == ["1.txt", "1a.txt", "2.txt", "drafts"])
    }

    @Test func `of many files that are no message a few are named, and all are counted`() throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      for number in 10..<23 { try place.putMail("\(number).txt", "nothing") }
      let fetched = try place.start("todostream-messages fetch", variables: place.mailbox).outcome()
      #expect(fetched.output.count == 13)
      #expect(fetched.output.last == "warning: … and 3 more")
      let json = try place.start("todostream-messages fetch --json", variables: place.mailbox)
        .outcome()
      #expect(json.output.first?.contains(#""isLoading":false,"skipped":["/"#) == true)
      #expect(json.output.first?.hasSuffix(#"It was skipped.","… and 3 more"]}"#) == true)
    }

    @Test func `a tab in a header is none of the controls that are refused`() throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      try place.putMail("1.txt", "From: ann\nX-Mailer:\tnone\nSubject: Hello\n\nOne\ttwo\u{7}\n")
      #expect(
        try place.start("todostream-messages fetch", variables: place.mailbox).outcome().output
          == ["1 * ann: Hello", "2 * bob: Lunch"]
      )
    }

    @Test func `a file whose name is not UTF-8 is said not to be readable`() throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      let made = try place.start("printf 'From: a\\nSubject: a\\n\\n' >box/$(printf 'a\\377')")
      #expect(try made.outcome().status == 0)
      let outcome = try place.start("todostream-messages fetch", variables: place.mailbox).outcome()
      #expect(outcome.output.prefix(2) == ["1 * ann: Hello", "2 * bob: Lunch"])
      #expect(outcome.output.count == 3)
      #expect(
        outcome.output.last?.hasSuffix(": it can't be read. It was skipped.") == true,
        "\(outcome.output)"
      )
      #expect(outcome.status == 0)
    }

    @Test func `a mailbox that is not there is asked for by its name`() throws {
      let place = try Workplace(for: "todostream-messages")
      let nowhere = try place.start("todostream-messages fetch").outcome()
      #expect(
        nowhere.errors
          == ["error: Where is the mailbox? $TODOSTREAM_MESSAGES_MAILBOX names its folder."]
      )
      #expect(nowhere.status == 2)
      let gone = try place.start("todostream-messages fetch", variables: place.mailbox).outcome()
      #expect(
        gone.errors.first?
          .hasSuffix("/box: no such folder; $TODOSTREAM_MESSAGES_MAILBOX names the mailbox.")
          == true
      )
      #expect(gone.status == 1)
    }

    @Test func `processes that fetch at once keep each message once, and count it once`() throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      for number in 3...40 {
        try place.putMail("\(number).txt", "From: ann\nSubject: \(number)\n\nText\n")
      }
      #expect(try place.start("todostream-messages list").outcome().output == [])
      let fetches = try (1...6)
        .map { _ in
          try place.start("todostream-messages fetch", variables: place.mailbox)
        }
      for fetch in fetches { #expect(try fetch.outcome().output.count == 40) }
      let kept = try place.start(
        "sqlite3 data/todostream-messages/store.sqlite 'SELECT count(*) FROM record_message'"
      )
      #expect(try kept.outcome().output == ["40"])
      #expect(
        try place.start("todostream-messages report").outcome().output
          .contains { $0.hasPrefix("  unread  40") }
      )
    }

    // MARK: What no line of it is about

    @Test func `undo, the history and figures are there without a line for them`() throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      func say(_ words: String) throws -> [String] {
        try place.start("todostream-messages \(words)", variables: place.mailbox).outcome().output
      }
      #expect(try say("fetch") == ["1 * ann: Hello", "2 * bob: Lunch"])
      #expect(try say("remove 1") == ["1 * bob: Lunch"])
      #expect(try say("undo").suffix(2) == ["  ~ #1 Hello", "      is removed: yes → no"])
      #expect(try say("list") == ["1 * ann: Hello", "2 * bob: Lunch"])
      #expect(try say("show 1") == ["ann  Hello", "  How are you?"])
      #expect(try say("history 1").contains("  is read: no → yes"))
      #expect(try say("report").contains { $0.hasPrefix("  unread  1") })
    }

    // MARK: Recordings

    @Test(arguments: MessageWay.allCases)
    func `S57 a session is told again without its mailbox, in another zone`(
      _ way: MessageWay
    ) throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      let program = (["todostream-messages"] + way.words).joined(separator: " ")
      func record(_ words: String, _ lines: String...) throws {
        let session = try place.start("\(program) \(words)", input: lines, variables: place.mailbox)
        #expect(try session.outcome().status == 0)
      }
      try record("--record script", "fetch", "show 2", "remove 1", "fetch", "list")
      try record("--record talk run --keep-going -", "fetch", "remove 1", "undo", "show 1", "list")
      #expect(try place.start("rm -r box").outcome().status == 0)
      for recording in ["script", "talk"] {
        try place.tellAgain("todostream-messages", recording)
      }
    }

    @Test func `S57 mail that is changed in a recording is found`() throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      _ = try place.start("todostream-messages --record r fetch", variables: place.mailbox)
        .outcome()
      let mutated =
        try place.start("sed /ResponseMail/s/Lunch/Launch/ r >m; cmp -s r m; echo $?").outcome()
      #expect(mutated.output == ["1"])
      let told = try place.start("todostream-messages replay m").outcome()
      #expect(told.status == 1)
      #expect(told.output.first?.hasPrefix("Divergence at event ") == true)
    }
  }

  extension Workplace {
    /// Where the mailbox is.
    var mailbox: [String: String] { ["TODOSTREAM_MESSAGES_MAILBOX": "\(folder.path)/box"] }

    /// Puts two messages into a mailbox; a folder and a hidden file are none.
    func makeMailbox() throws {
      try FileManager.default.createDirectory(
        at: folder.appending(path: "box/drafts"),
        withIntermediateDirectories: true
      )
      try putMail("1.txt", "From: ann\nSubject: Hello\n\nHow are you?\n")
      try putMail(
        "2.txt",
        "from:bob\r\nX-Mailer: none\r\nSubject:  Lunch\r\n\r\nAt one?\r\nBob\r\n"
      )
      try putMail(".hidden", "nothing")
    }

    /// Puts a file into the mailbox.
    func putMail(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: folder.appending(path: "box/\(name)"))
    }
  }
#endif
