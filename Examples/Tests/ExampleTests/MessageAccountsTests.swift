#if os(Linux)
  import EventMVVM
  import EventMVVMTesting
  import EventPatterns
  import Foundation
  import ProcessTesting
  import Testing

  @testable import todostream_messages

  /// S60 in the example: a mailbox that one has to sign in to, and whose sessions end.
  @Suite(.hangLimit) struct MessageAccountsTests {
    private static let secret = "correct horse"
    private let place: Workplace

    init() throws {
      place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      let accounts = place.folder.appending(path: "box/accounts")
      try FileManager.default.createDirectory(at: accounts, withIntermediateDirectories: false)
      try setSecret(Self.secret)
      try Data((Self.secret + "\n").utf8).write(to: place.folder.appending(path: "ann.secret"))
      try Data("other".utf8).write(to: place.folder.appending(path: "bob.secret"))
    }

    /// A secret that is another one ends all sessions of its account.
    private func setSecret(_ secret: String) throws {
      try place.putMail("accounts/ann", secret)
    }

    /// The program runs where a terminal has been started, and so is given whole paths.
    private func path(_ name: String) -> String { place.folder.appending(path: name).path }

    @Test func `S60 at a terminal signing in goes on with what was interrupted`() throws {
      let talk = try Talk("todostream-messages", place, place.mailbox)
      let list = ["1 * ann: Hello", "2 * bob: Lunch"]
      #expect(
        try talk.say("fetch", then: "sign in: fetch") == [
          "error: Sign in; 'fetch' goes on then.", "  fetch", "  ^",
        ]
      )
      #expect(
        try talk.say("sign-in ann \(path("bob.secret"))", then: "sign in: fetch").first
          == "error: That is not the secret of 'ann'."
      )
      #expect(try talk.say("sign-in ann \(path("ann.secret"))") == ["Signed in as ann"] + list)
      #expect(try talk.say("fetch") == list)
      // The session ends in the middle of a reply; what was written is still there.
      _ = try talk.say("open 2 reply", then: "to bob")
      _ = try talk.say("text Yes", then: "to bob*")
      try setSecret("another")
      #expect(
        try talk.say("send", then: "sign in: send") == [
          "error: Sign in; 'send' goes on then.", "  send", "  ^",
        ]
      )
      _ = try talk.say("fetch", then: "sign in: send, fetch")
      #expect(
        try place.start("ls box").outcome().output == ["1.txt", "2.txt", "accounts", "drafts"]
      )
      try setSecret(Self.secret)
      #expect(
        try talk.say("sign-in ann \(path("ann.secret"))", then: "bob: Lunch") == [
          "Sent to bob.", "Signed in as ann", "to bob  Re: Lunch", "  Yes", "1 * ann: Hello",
          "2   bob: Lunch",
        ]
      )
      #expect(
        try place.start("cat box/sent/*.txt").outcome().output == [
          "From: ann", "To: bob", "Subject: Re: Lunch", "", "Yes",
        ]
      )
      #expect(try talk.say("sign-out", then: "bob: Lunch") == ["Signed out ann."])
      talk.end()
      let written = String(decoding: talk.terminal.written, as: UTF8.self)
      #expect(!written.contains(Self.secret))
      #expect(try place.start("grep -rl 'correct horse' state data config").outcome().output == [])
    }

    @Test func `S60 at a terminal cancelling gives up what waits`() throws {
      let talk = try Talk("todostream-messages", place, place.mailbox)
      _ = try talk.say("fetch", then: "sign in: fetch")
      #expect(try talk.say("cancel") == ["Gave up fetch."])
      #expect(try talk.say("sign-in ann \(path("ann.secret"))") == ["Signed in as ann"])
      talk.end()
    }

    @Test func `S60 signing in sends no other letter than the one that waited`() throws {
      let talk = try Talk("todostream-messages", place, place.mailbox)
      _ = try talk.say("sign-in ann \(path("ann.secret"))")
      _ = try talk.say("fetch")
      _ = try talk.say("open 1 reply", then: "to ann")
      _ = try talk.say("text letter A", then: "to ann*")
      _ = try talk.say("sign-out", then: "to ann*")
      _ = try talk.say("send", then: "sign in: send")
      _ = try talk.say("show 2", then: "bob: Lunch")
      _ = try talk.say("reply", then: "to bob")
      _ = try talk.say("text draft B", then: "to bob*")
      #expect(
        try talk.say("sign-in ann \(path("ann.secret"))", then: "to bob*") == ["Signed in as ann"]
      )
      #expect(
        try place.start("ls box").outcome().output == ["1.txt", "2.txt", "accounts", "drafts"]
      )
      _ = try talk.say("cancel", then: "bob: Lunch")
      _ = try talk.say("back", then: "to ann*")
      #expect(try talk.say("send", then: "ann: Hello").last == "  letter A")
      #expect(try place.start("cat box/sent/*.txt").outcome().output.last == "letter A")
      talk.end()
    }

    @Test func `S60 a session ends with its secret, also where another one signs in with the next`()
      async throws
    {
      let accounts = FolderAccounts(MailFolder(path("box")))
      let time = Instant(milliseconds: 0)
      func signIn(_ file: String) async throws -> Account {
        try await accounts.account(named: "ann", secret: path(file), at: time)
      }
      let first = try await signIn("ann.secret")
      try accounts.admit(first)
      try setSecret("other")
      let second = try await signIn("bob.secret")
      try accounts.admit(second)
      #expect(throws: Failure.needsAccount) { try accounts.admit(first) }
      #expect(throws: Failure.needsAccount) { try accounts.admit(nil) }
      #expect(throws: Failure.needsAccount) { try accounts.admit(Account("ann")) }
    }

    @Test func `S60 who has been signed in for longest has to do it again when there are too many`()
      async throws
    {
      let accounts = FolderAccounts(MailFolder(path("box")))
      var all: [Account] = []
      for second in 0...1024 {
        let time = Instant(milliseconds: Int64(second) * 1000)
        all.append(try await accounts.account(named: "ann", secret: path("ann.secret"), at: time))
      }
      #expect(throws: Failure.needsAccount) { try accounts.admit(all[0]) }
      try accounts.admit(all[1])
      try accounts.admit(all[1024])
    }

    @Test(arguments: MessageWay.allCases)
    func `S60 a program over JSON-RPC goes on likewise, in each way`(_ way: MessageWay) throws {
      let program = (["todostream-messages --record r"] + way.words).joined(separator: " ")
      let client = try Client(program, place, place.mailbox)
      _ = try client.ask("state/subscribe", #"{"name":"screens"}"#)
      #expect(try client.ask("messages/fetch") == "error: Sign in; 'fetch' goes on then.")
      let screens = #"[{"kind":"sign-in","title":"sign in: fetch","edited":false}]"#
      try client.wait(untilState: "screens", is: screens)
      // To cancel what has been answered comes too late; what waits is given up where it is shown.
      try client.tell("$/cancelRequest", #"{"id":3}"#)
      let answer =
        try client.ask("account/sign-in", #"{"name":"ann","secret":"\#(path("ann.secret"))"}"#)
      #expect(answer.hasPrefix(#"{"account":"ann","expires":""#))
      #expect(
        answer.hasSuffix(
          #""resumed":[{"command":"fetch","result":{"messages":["#
            + #"{"id":1,"from":"ann","title":"Hello","isRead":false},"#
            + #"{"id":2,"from":"bob","title":"Lunch","isRead":false}],"isLoading":false}}]}"#
        )
      )
      try setSecret("another")
      #expect(try client.ask("messages/fetch") == "error: Sign in; 'fetch' goes on then.")
      #expect(try client.ask("account/cancel") == #"{"message":"Gave up fetch."}"#)
      try client.end()
      _ = try place.start("rm -r box ann.secret").outcome()
      #expect(try place.start("grep -c 'correct horse' r").outcome().output == ["0"])
      try place.tellAgain("todostream-messages", "r")
    }

    @Test func `S60 a script without an account fails where it needs one, and says what to do`()
      throws
    {
      func run(_ lines: String...) throws -> Job.Outcome {
        try place.start("todostream-messages", input: lines, variables: place.mailbox).outcome()
      }
      #expect(
        try run("list", "  fetch")
          == Job.Outcome(
            errors: [
              "<stdin>:2:3: error: Sign in first: a line 'sign-in NAME FILE' before this one does.",
              "    fetch", "    ^", "Nothing was changed.",
            ],
            status: 1
          )
      )
      #expect(
        try run("sign-in ann ann.secret", "fetch")
          == Job.Outcome(output: ["Signed in as ann", "1 * ann: Hello", "2 * bob: Lunch"])
      )
      let alone = try place.start("todostream-messages --json fetch", variables: place.mailbox)
        .outcome()
      #expect(
        alone.errors == [
          #"{"error":{"kind":"account","#
            + #""message":"Sign in first: a line 'sign-in NAME FILE' before this one does."}}"#
        ]
      )
      #expect(alone.status == 1)
    }

    @Test func `S60 who is not who he says is told so, and nothing outside is read`() throws {
      func signIn(_ words: String) throws -> [String] {
        try place.start("todostream-messages sign-in \(words)", variables: place.mailbox).outcome()
          .errors
      }
      #expect(try signIn("ann bob.secret") == ["error: That is not the secret of 'ann'."])
      #expect(try signIn("cid ann.secret") == ["error: That is not the secret of 'cid'."])
      #expect(
        try signIn("../../ann.secret ann.secret")
          == ["error: That is not the secret of '../../ann.secret'."]
      )
      #expect(try signIn("ann none.secret") == ["error: none.secret: holds no secret."])
      #expect(try signIn("ann /dev/zero") == ["error: /dev/zero: holds no secret."])
    }
  }
#endif
