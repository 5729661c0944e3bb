#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// What view models say to views without being asked, at a terminal and over JSON-RPC: states,
  /// toasts, what is under way, and questions.
  @Suite(.hangLimit) struct ViewTests {
    // MARK: Cart

    @Test func `S78 S83 S91 the cart at a terminal asks before it is paid, and says so meanwhile`()
      throws
    {
      let place = try Workplace(for: "todostream-cart")
      let talk = try Talk("todostream-cart", place)
      #expect(
        try talk.say("add Milk --price 1.20")
          == ["To pay: 0.00", "#1 [ ] 1 × Milk  1.20", "to pay: 0.00"]
      )
      #expect(try talk.say("pay") == ["error: There is nothing to pay.", "  pay", "  ^"])
      _ = try talk.say("check")
      let question = "Pay 1.20? [yes/no]"
      func asked(_ line: String) throws {
        let before = talk.terminal.screen.lines.count
        talk.terminal.type(line + "\r")
        try talk.terminal.wait {
          $0.lines.count > before && $0.lines.last?.hasPrefix(question + " ") == true
            && $0.lines.last?.hasSuffix("  paying …") == true
        }
      }
      try asked("pay")
      // No choice begins so: it is asked again.
      try asked("perhaps")
      // What only shows something is shown; a change has to wait for the answer.
      try asked("list")
      try asked("add Bread --price 2")
      #expect(
        talk.terminal.screen.lines.suffix(8).dropLast()
          .map { String($0.prefix(66)) } == [
            question + " perhaps",
            "The answer is one of yes, no. A command that only shows something ",
            question + " list",
            "#1 [x] 1 × Milk  1.20",
            "to pay: 1.20",
            question + " add Bread --price 2",
            "The answer is one of yes, no. A command that only shows something ",
          ]
      )
      #expect(try talk.say("n") == ["error: Nothing was paid.", "  pay", "  ^"])
      try asked("pay")
      talk.terminal.type("\u{3}")
      try talk.terminal.wait {
        $0.lines.suffix(4).dropLast() == ["error: Nobody has answered.", "  pay", "  ^"]
      }
      #expect(try talk.say("list") == ["#1 [x] 1 × Milk  1.20", "to pay: 1.20"])
      try asked("pay")
      #expect(try talk.say("y") == ["To pay: 0.00", "to pay: 0.00"])
      talk.end()
    }

    @Test func `S78 S83 S91 the cart over JSON-RPC: states, toast, question, and a replay`() throws
    {
      let place = try Workplace(for: "todostream-cart")
      let client = try Client("todostream-cart --record r", place)
      for state in ["cart/price", "cart/canPay", "cart/paying"] {
        try client.ask("state/subscribe", #"{"name":"\#(state)"}"#)
      }
      try client.wait(untilState: "cart/price", is: #""0.00""#)
      try client.wait(untilState: "cart/paying", is: "false")
      try client.ask("cart/add", #"{"title":"Milk","price":"1.20"}"#)
      try client.ask("cart/check")
      try client.wait(untilTold: "toast", #"{"text":"To pay: 1.20"}"#)
      try client.wait(untilState: "cart/price", is: #""1.20""#)
      try client.wait(untilState: "cart/canPay", is: "true")
      let pay = try client.send("cart/pay")
      try client.wait(
        untilTold: "question",
        #"{"id":1,"text":"Pay 1.20?","choices":["yes","no"]}"#
      )
      try client.wait(untilState: "cart/paying", is: "true")
      #expect(
        try client.ask("question/answer", #"{"id":1,"value":"maybe"}"#)
          == "error: The answer is one of yes, no."
      )
      #expect(
        try client.ask("question/answer", #"{"id":1,"value":"yes"}"#)
          == #"{"message":"Answered."}"#
      )
      try client.wait(untilTold: "question/closed", #"{"id":1}"#)
      #expect(try client.answer(pay).contains(#""list":[]"#))
      try client.wait(untilState: "cart/canPay", is: "false")
      try client.wait(untilState: "cart/paying", is: "false")
      #expect(try client.states("cart/price") == [#""0.00""#, #""1.20""#, #""0.00""#])
      let cancelled = try client.send("cart/pay")
      #expect(try client.answer(cancelled) == "error: There is nothing to pay.")
      try client.end()
      try place.tellAgain("todostream-cart", "r")
    }

    @Test func `while a question waits, its client is answered, and a shutdown ends it`() throws {
      let place = try Workplace(for: "todostream-cart")
      let client = try Client("todostream-cart", place)
      try client.ask("cart/add", #"{"title":"Milk","price":"1.20"}"#)
      try client.ask("cart/check")
      let pay = try client.send("cart/pay")
      // Sent in one breath, before anyone was asked.
      let list = try client.send("cart/list")
      let add = try client.send("cart/add", #"{"title":"Bread","price":"2"}"#)
      let all = try client.send("cart/list")
      #expect(try client.answer(list).contains("Milk"))
      #expect(try client.answer(add).contains("Bread"))
      #expect(try client.answer(all).contains("Bread"))
      try client.wait(
        untilTold: "question",
        #"{"id":1,"text":"Pay 1.20?","choices":["yes","no"]}"#
      )
      let shutdown = try client.send("shutdown")
      #expect(try client.answer(pay).hasPrefix("error: "))
      #expect(try client.answer(shutdown) == "null")
      let kept = try place.start("todostream-cart --json list").outcome().output.joined()
      #expect(kept.contains("Milk") && kept.contains("Bread"))
    }

    @Test
    func `S83 a question ends with the request that asked it, and nobody is asked in a script`()
      throws
    {
      let place = try Workplace(for: "todostream-cart")
      let client = try Client("todostream-cart", place)
      try client.ask("cart/add", #"{"title":"Milk","price":"1.20"}"#)
      try client.ask("cart/check")
      let pay = try client.send("cart/pay")
      try client.wait(
        untilTold: "question",
        #"{"id":1,"text":"Pay 1.20?","choices":["yes","no"]}"#
      )
      try client.tell("$/cancelRequest", #"{"id":\#(pay)}"#)
      #expect(try client.answer(pay).hasPrefix("error: "))
      try client.wait(untilTold: "question/closed", #"{"id":1}"#)
      try client.end()
      let script = try place.start("todostream-cart", input: ["pay"]).outcome()
      #expect(script.errors.first == "<stdin>:1:1: error: Nobody can be asked here.")
      #expect(try place.start("todostream-cart pay").outcome().status == 2)
    }

    @Test
    func `S78 a toast is told once, to whose command it follows, and to nobody who comes later`()
      throws
    {
      let place = try Workplace(for: "todostream-cart")
      let client = try Client("todostream-cart --listen=s.sock", place)
      let other = try RPCClient(connectedTo: "s.sock", in: place)
      try client.ask("cart/add", #"{"title":"Milk","price":"1.20"}"#)
      try client.ask("cart/check")
      try client.wait(untilTold: "toast", #"{"text":"To pay: 1.20"}"#)
      let late = try RPCClient(connectedTo: "s.sock", in: place)
      #expect(try late.call("cart/list")["result"]?["price"] == "1.20")
      #expect(try !late.hasSaid("toast"))
      _ = try late.call("cart/check", #"{"off":true}"#)
      #expect(try late.notified("toast") == ["text": "To pay: 0.00"])
      #expect(try !late.hasSaid("toast"))
      #expect(try !other.hasSaid("toast"))
      try client.ask("cart/list")
      #expect(
        try client.told("toast")
          == [#"{"text":"To pay: 0.00"}"#, #"{"text":"To pay: 1.20"}"#]
      )
      try client.end()
    }

    @Test func `S76 S85 the badge over JSON-RPC: whether it is shown, and what stands on it`()
      throws
    {
      let place = try Workplace(for: "todostream-cart")
      let client = try Client("todostream-cart --record r", place)
      for state in ["badge/shown", "badge/text", "badge"] {
        try client.ask("state/subscribe", #"{"name":"\#(state)"}"#)
      }
      try client.wait(untilState: "badge", is: #"{"count":0}"#)
      try client.ask("cart/add", #"{"title":"Milk","quantity":2}"#)
      try client.wait(untilState: "badge/text", is: "2")
      try client.wait(untilState: "badge/shown", is: "true")
      try client.ask("cart/remove", #"{"id":[1]}"#)
      try client.wait(untilState: "badge/shown", is: "false")
      _ = try place.start("todostream-cart add Bread --quantity 5").outcome()
      try client.wait(untilState: "badge/text", is: "5")
      try client.wait(untilState: "badge/shown", is: "true")
      try client.wait(untilState: "badge", is: #"{"count":5}"#)
      #expect(try client.states("badge/shown") == ["false", "true", "false", "true"])
      #expect(try client.states("badge/text") == ["0", "2", "5"])
      try client.end()
      try place.tellAgain("todostream-cart", "r")
    }

    // MARK: Messages

    @Test func `S78 S83 S91 a letter at a terminal: a question, what is under way, and a toast`()
      throws
    {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      let talk = try Talk("todostream-messages", place, place.mailbox)
      _ = try talk.say("fetch")
      _ = try talk.say("open 2 reply", then: "to bob")
      _ = try talk.say("text The plan is attached.", then: "to bob*")
      let question = "It speaks of something attached, and nothing is. Send it? [yes/no]"
      func asked() throws {
        talk.terminal.type("send\r")
        try talk.terminal.wait {
          $0.lines.last?.hasPrefix(question) == true
            && $0.lines.last?.hasSuffix("  sending …") == true
        }
      }
      try asked()
      #expect(
        try talk.say("no", then: "to bob*") == ["error: Nothing was sent.", "  send", "  ^"]
      )
      try asked()
      #expect(
        try talk.say("yes", then: "bob: Lunch")
          == ["Sent to bob.", "to bob  Re: Lunch", "  The plan is attached."]
      )
      talk.end()
    }

    @Test func `S78 S83 S91 a letter over JSON-RPC, and a replay`() throws {
      let place = try Workplace(for: "todostream-messages")
      try place.makeMailbox()
      let client = try Client("todostream-messages --record r", place, place.mailbox)
      for state in ["screens", "letter/sending", "messages/fetching"] {
        try client.ask("state/subscribe", #"{"name":"\#(state)"}"#)
      }
      try client.wait(untilState: "letter/sending", is: "null")
      try client.wait(untilState: "messages/fetching", is: "false")
      try client.ask("messages/fetch")
      try client.wait(untilState: "messages/fetching", is: "false")
      #expect(try client.states("messages/fetching") == ["false", "true", "false"])
      try client.ask("screen/open", #"{"route":[2,"reply"]}"#)
      try client.wait(untilState: "letter/sending", is: "false")
      try client.ask("letter/text", #"{"text":"The plan is attached."}"#)
      let send = try client.send("letter/send")
      try client.wait(
        untilTold: "question",
        #"{"id":1,"text":"It speaks of something attached, and nothing is. Send it?","#
          + #""choices":["yes","no"]}"#
      )
      try client.wait(untilState: "letter/sending", is: "true")
      try client.ask("question/answer", #"{"id":1,"value":"yes"}"#)
      #expect(try client.answer(send).hasPrefix(#"{"to":"bob""#))
      try client.wait(untilTold: "toast", #"{"text":"Sent to bob."}"#)
      try client.wait(untilState: "letter/sending", is: "null")
      try client.end()
      _ = try place.start("rm -r box").outcome()
      try place.tellAgain("todostream-messages", "r")
    }

    // MARK: Profile

    @Test func `S83 a host asks the person at the terminal, who may be typing`() throws {
      let place = try Workplace(for: "todostream-profile")
      _ = try place.start("todostream-profile add Ann").outcome()
      let talk = try Talk(
        "todostream-profile",
        place,
        words: ["--listen=\(place.folder.path)/s.sock"]
      )
      _ = try talk.say("show 1")
      let host = try RPCClient(connectedTo: "s.sock", in: place)
      let question = "May ANN be shared? [yes/no]"
      let first = host.ask("profile/share")
      try talk.terminal.wait("the person is asked") { $0.lines.last == question }
      talk.terminal.type("y\r")
      #expect(try host.answer(to: first)["result"]?["name"] == "ANN")
      try talk.terminal.wait { $0.lines.last == "todostream-profile ›" }
      // While something is being typed it waits, and is seen.
      talk.terminal.type("li")
      try talk.terminal.wait { $0.lines.last?.hasPrefix("todostream-profile › li") == true }
      let second = host.ask("profile/share")
      try talk.terminal.wait("the question is seen") {
        $0.lines.contains("May ANN be shared?")
          && $0.lines.last?.hasPrefix("todostream-profile › li") == true
      }
      try talk.say("st", until: question)
      talk.terminal.type("no\r")
      #expect(try host.answer(to: second)["error"]?["message"] == "No.")
      // A host that does not want it any more: the question goes.
      let third = host.ask("profile/share")
      try talk.terminal.wait("the person is asked") { $0.lines.last == question }
      host.write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(third)}}"#)
      #expect(try host.answer(to: third)["error"] != nil)
      try talk.terminal.wait { $0.lines.last == "todostream-profile ›" }
      #expect(talk.terminal.screen.lines.filter { $0.hasPrefix(question) }.count == 2)
      talk.end()
    }

    @Test func `S84 S91 what is loading is shown while a person waits, and can be left`() throws {
      let place = try Workplace(for: "todostream-profile")
      let server = try LoopbackServer.ofProfiles()
      server.set("/silent", .silent)
      _ = try place.start("todostream-profile add Ann --source \(server.base)/silent").outcome()
      _ = try place.start("todostream-profile add Bob --source \(server.base)/bob").outcome()
      server.set("/bob", .page(Array(#"{"full_name":"Bob","friends_count":0}"#.utf8)))
      let talk = try Talk("todostream-profile", place)
      talk.terminal.type("refresh 1\r")
      try talk.terminal.wait { $0.lines.last == "loading … ^C cancels" }
      talk.terminal.type("\u{3}")
      try talk.terminal.wait { $0.lines.last == "todostream-profile ›" }
      #expect(
        try talk.say("refresh 2")
          == ["Nothing is new.", "#2 BOB", "This user has 0 friends", "(no image)"]
      )
      talk.end()
    }

    @Test func `S76 S83 the profile over JSON-RPC: states, and a question of another client`()
      throws
    {
      let place = try Workplace(for: "todostream-profile")
      let server = try LoopbackServer.ofProfiles()
      server.set("/bob", .page(Array(#"{"full_name":"Bob","friends_count":0}"#.utf8)))
      let client = try Client("todostream-profile --listen=s.sock --record r", place)
      for state in ["profile", "loading"] {
        try client.ask("state/subscribe", #"{"name":"\#(state)"}"#)
      }
      try client.wait(untilState: "profile", is: "null")
      try client.ask("profile/add", #"{"name":"Bob","source":"\#(server.base)/bob"}"#)
      try client.ask("profile/show", #"{"id":1}"#)
      #expect(try client.state("profile")?.hasPrefix(#"{"id":1,"name":"BOB""#) == true)
      try client.ask("profile/refresh")
      try client.wait(untilTold: "toast", #"{"text":"Nothing is new."}"#)
      try client.wait(untilState: "loading", is: "false")
      #expect(try client.states("loading").contains("true"))
      let host = try RPCClient(connectedTo: "s.sock", in: place)
      let share = host.ask("profile/share")
      try client.wait(
        untilTold: "question",
        #"{"id":1,"text":"May BOB be shared?","choices":["yes","no"]}"#
      )
      #expect(
        try host.call("question/answer", #"{"id":1,"value":"yes"}"#)["error"]?["message"]
          == "No question 1 waits for an answer."
      )
      try client.ask("question/answer", #"{"id":1,"value":"yes"}"#)
      #expect(try host.answer(to: share)["result"]?["name"] == "BOB")
      #expect(try !host.hasSaid("question"))
      try client.end()
      try place.tellAgain("todostream-profile", "r")
    }
  }
#endif
