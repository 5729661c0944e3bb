#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// Details and letters, as a person and a program have them.
  @Suite(.hangLimit) struct MessageScreensTests {
    private let place: Workplace

    init() throws {
      place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
    }

    private func sent() throws -> [String] {
      try place.start("cat box/sent/*.txt").outcome().output
    }

    /// How many letters are kept that were sent.
    private func copies() throws -> String? {
      try place.start(
        "sqlite3 data/todostream-messages/store.sqlite \"SELECT count(*) FROM record_letter\""
      )
      .outcome().output.first
    }

    /// Has the store keep no copy.
    private func refuseCopies() throws {
      let trigger =
        "CREATE TRIGGER refused BEFORE INSERT ON record_letter "
        + "BEGIN SELECT RAISE(ABORT, 'No.'); END"
      let refused = try place.start(
        "sqlite3 data/todostream-messages/store.sqlite \"\(trigger)\""
      )
      #expect(try refused.outcome().status == 0)
    }

    @Test func `S96 show opens a detail, and reply the letter of the flow within`() throws {
      let talk = try Talk("todostream-messages", place, place.mailbox)
      #expect(try talk.say("fetch") == ["1 * ann: Hello", "2 * bob: Lunch"])
      #expect(
        try talk.say("reply") == [
          "error: 'reply' works only in the detail of a message; 'open' opens one", "  reply",
          "  ^",
        ]
      )
      #expect(
        try talk.say("show 2", then: "bob: Lunch") == ["bob  Lunch", "  At one?", "  Bob"]
      )
      #expect(try talk.say("reply", then: "to bob") == ["to bob  Re: Lunch"])
      #expect(
        try talk.say("send", then: "to bob") == [
          "error: Say something; 'text' takes it.", "  send", "  ^",
        ]
      )
      #expect(
        try talk.say("text One is fine.", then: "to bob*") == [
          "to bob  Re: Lunch", "  One is fine.",
        ]
      )
      #expect(
        try talk.say("send", then: "bob: Lunch") == [
          "Sent to bob.", "to bob  Re: Lunch", "  One is fine.",
        ]
      )
      #expect(try sent() == ["To: bob", "Subject: Re: Lunch", "", "One is fine."])
      #expect(try talk.say("show 1", then: "ann: Hello") == ["ann  Hello", "  How are you?"])
      #expect(try talk.say("back") == [])
      #expect(try talk.say("list") == ["1   ann: Hello", "2   bob: Lunch"])
      talk.end()
    }

    @Test func `S96 a deep link opens the letter on top of its message`() throws {
      let talk = try Talk("todostream-messages", place, place.mailbox)
      _ = try talk.say("fetch")
      #expect(try talk.say("open 2 reply", then: "to bob") == ["to bob  Re: Lunch"])
      #expect(try talk.say("text Yes", then: "to bob*").last == "  Yes")
      #expect(try talk.say("cancel", then: "bob: Lunch") == ["to bob  Re: Lunch", "  Yes"])
      #expect(try talk.say("back") == [])
      #expect(
        try talk.say("open 9") == [
          "error: There is no row 9; the list has 1 to 2.", "  open 9", "  ^",
        ]
      )
      #expect(
        try talk.say("open 2 delete").first
          == "error: '2 delete' can't be opened; 'help open' says what can."
      )
      talk.end()
      #expect(try place.start("ls box").outcome().output == ["1.txt", "2.txt", "drafts"])
    }

    @Test func `S96 a program over JSON-RPC has the same coordinator`() throws {
      let client = try Client("todostream-messages --record r", place, place.mailbox)
      _ = try client.ask("messages/fetch")
      _ = try client.ask("state/subscribe", #"{"name":"screens"}"#)
      #expect(
        try client.ask("screen/open", #"{"route":[2,"reply"]}"#)
          == #"{"to":"bob","subject":"Re: Lunch","text":""}"#
      )
      let both =
        #"[{"kind":"detail","title":"bob: Lunch","edited":false},"#
        + #"{"kind":"letter","title":"to bob","edited":false}]"#
      try client.wait(untilState: "screens", is: both)
      #expect(try client.ask("detail/reply").hasPrefix("error: No message is open;"))
      #expect(try client.ask("letter/send") == "error: Say something; 'text' takes it.")
      _ = try client.ask("letter/text", #"{"text":"Yes"}"#)
      #expect(
        try client.ask("letter/send") == #"{"to":"bob","subject":"Re: Lunch","text":"Yes"}"#
      )
      #expect(try sent() == ["To: bob", "Subject: Re: Lunch", "", "Yes"])
      #expect(try client.ask("letter/send").hasPrefix("error: No letter is open;"))
      #expect(try client.ask("screen/back") == "[]")
      try client.end()
      _ = try place.start("rm -r box").outcome()
      try place.tellAgain("todostream-messages", "r")
    }

    @Test func `S61 a mailbox that can't be written keeps the letter, and no copy of it`() throws {
      let talk = try Talk("todostream-messages", place, place.mailbox)
      _ = try talk.say("fetch")
      try place.putMail("sent", "a file")
      _ = try talk.say("open 1 reply", then: "to ann")
      _ = try talk.say("text Fine", then: "to ann*")
      #expect(
        try talk.say("send", then: "to ann*").first?
          .hasSuffix("/box/sent: can't be written. Nothing was sent.") == true
      )
      #expect(try copies() == "0")
      // A letter that was not sent is no step: what was taken back before it can still be done
      // again.
      #expect(try talk.say("undo", then: "to ann*").contains("      is read: yes → no"))
      _ = try talk.say("send", then: "to ann*")
      #expect(try talk.say("redo", then: "to ann*").contains("      is read: no → yes"))
      _ = try place.start("rm box/sent").outcome()
      #expect(
        try talk.say("send", then: "ann: Hello")
          == ["Sent to ann.", "to ann  Re: Hello", "  Fine"]
      )
      #expect(try sent().last == "Fine")
      #expect(try copies() == "1")
      talk.end()
    }

    @Test func `S61 a letter whose copy can't be kept is said to be sent`() throws {
      let talk = try Talk("todostream-messages", place, place.mailbox)
      _ = try talk.say("fetch")
      _ = try talk.say("open 1 reply", then: "to ann")
      _ = try talk.say("text Fine", then: "to ann*")
      try refuseCopies()
      for _ in 1...2 {
        let said = try talk.say("send", then: "to ann*").joined()
        #expect(said.contains(" No. The letter was sent, and no copy of it is kept."), "\(said)")
        #expect(try sent() == ["To: ann", "Subject: Re: Hello", "", "Fine"])
        #expect(try copies() == "0")
      }
      #expect(
        try talk.say("text Fine, thanks", then: "to ann*").first
          == "error: The letter was sent; 'send' keeps its copy, 'cancel' does without."
      )
      let allowed = try place.start(
        "sqlite3 data/todostream-messages/store.sqlite 'DROP TRIGGER refused'"
      )
      #expect(try allowed.outcome().status == 0)
      #expect(
        try talk.say("send", then: "ann: Hello")
          == ["Sent to ann.", "to ann  Re: Hello", "  Fine"]
      )
      #expect(try sent() == ["To: ann", "Subject: Re: Hello", "", "Fine"])
      #expect(try copies() == "1")
      talk.end()
    }

    @Test func `S61 a letter without its copy can be given up`() throws {
      let talk = try Talk("todostream-messages", place, place.mailbox)
      _ = try talk.say("fetch")
      _ = try talk.say("open 1 reply", then: "to ann")
      _ = try talk.say("text Fine", then: "to ann*")
      try refuseCopies()
      _ = try talk.say("send", then: "to ann*")
      #expect(try talk.say("cancel", then: "ann: Hello") == ["to ann  Re: Hello", "  Fine"])
      talk.end()
      #expect(try sent() == ["To: ann", "Subject: Re: Hello", "", "Fine"])
    }
  }
#endif
