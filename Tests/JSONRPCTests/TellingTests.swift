#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// What the built server tells without being asked, and how it ends.
  @Suite(.hangLimit) struct TellingTests {
    @Test func `S26 changes are told, one's own and those of other processes`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"mine"}"#)
      #expect(
        try client.notified("todo/changed") == ["revision": 1, "ids": [1], "origin": "jsonrpc"]
      )
      _ = try client.place.start("todostream add theirs").outcome()
      #expect(try client.notified("todo/changed") == ["revision": 2, "ids": [2], "origin": "cli"])
    }

    @Test func `many changes are told as few`() throws {
      let client = try RPCClient()
      let script = (1...500).map { "add \($0)" }
      _ = try client.place.start("todostream run -", input: script).outcome()
      var ids: Set<Int64> = []
      var messages = 0
      while ids.count < 500 {
        guard case .array(let numbers)? = try client.notified("todo/changed")["ids"] else { return }
        messages += 1
        for case .integer(let number) in numbers { ids.insert(number) }
      }
      #expect(messages < 20)
    }

    @Test func `two editors hear of each other`() throws {
      let place = try Workplace()
      let (one, other) = (try RPCClient(place), try RPCClient(place))
      _ = try one.call("todo/add", #"{"title":"a"}"#)
      #expect(
        try other.notified("todo/changed") == ["revision": 1, "ids": [1], "origin": "jsonrpc"]
      )
      // Before it has told this one, it could tell the next together with it.
      #expect(try one.notified("todo/changed")["revision"] == 1)
      _ = try other.call("todo/done", #"{"id":1}"#)
      #expect(try one.notified("todo/changed")["revision"] == 2)
    }

    @Test func `a store that can't be watched any more is a notice`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"a"}"#)
      _ = try client.place.start("mv todos.sqlite away; echo >>todos.sqlite-bell").outcome()
      let notice = try client.notified("notice")
      #expect(notice["level"] == "error")
      #expect(notice["message"]?.description.contains("todos.sqlite") == true)
    }

    @Test func `S76 a state is told at once, and then whenever it is another`() throws {
      let client = try RPCClient()
      #expect(try client.call("state/subscribe", #"{"name":"todo/counts"}"#)["result"] == .null)
      #expect(
        try client.notified("state/changed")
          == ["name": "todo/counts", "value": ["open": 0, "overdue": 0]]
      )
      _ = try client.call("todo/add", #"{"title":"a","due":"2020-01-01"}"#)
      #expect(
        try client.notified("state/changed")
          == ["name": "todo/counts", "value": ["open": 1, "overdue": 1]]
      )
      _ = try client.call("todo/edit", #"{"id":1,"title":"b"}"#)
      _ = try client.call("todo/done", #"{"id":1}"#)
      #expect(
        try client.notified("state/changed")
          == ["name": "todo/counts", "value": ["open": 0, "overdue": 0]]
      )
      #expect(try client.call("state/unsubscribe", #"{"name":"todo/counts"}"#)["result"] == .null)
    }

    @Test func `S97 a trace is of what a client asked for, and not of a watched state`() throws {
      let client = try RPCClient()
      _ = try client.call("state/subscribe", #"{"name":"todo/counts"}"#)
      _ = try client.notified("state/changed")
      _ = try client.call("todo/add", #"{"title":"a"}"#)
      _ = try client.notified("state/changed")
      func roots(_ params: String) throws -> [JSON?] {
        guard case .array(let list)? = try client.call("trace", params)["result"] else { return [] }
        return list.map { conversation in
          guard case .array(let events)? = conversation["events"] else { return nil }
          return events.first?["type"]
        }
      }
      #expect(try roots(#"{"count":9}"#) == ["RequestAddTodo"])
      let all = try roots(#"{"count":9,"all":true}"#)
      #expect(all.prefix(3) == ["RequestTodoCounts", "RequestAddTodo", "RequestTodoCounts"])
    }

    // MARK: The raw stream

    @Test func `who asks for a state once more is told once more`() throws {
      let client = try RPCClient()
      for _ in 1...2 {
        _ = try client.call("state/subscribe", #"{"name":"todo/counts"}"#)
        #expect(try client.notified("state/changed")["name"] == "todo/counts")
      }
    }

    @Test func `S7 events are those that a view sees, in one order, with cause and root`() throws {
      let client = try RPCClient()
      let subscription = try client.call("events/subscribe")["result"]
      #expect(subscription == ["subscription": 1, "head": 0])
      _ = try client.call("todo/add", #"{"title":"a"}"#)
      var events: [JSON] = []
      while events.count < 3 {
        let append = try client.notified("events/append")
        #expect(append["subscription"] == 1)
        if case .array(let more)? = append["events"] { events += more }
      }
      #expect(
        events.map { $0["type"] }
          == ["RequestAddTodo", "ResponseTodoViewModel", "ResponseChangedTodoViewModels"]
      )
      #expect(events[0]["cause"] == .null)
      #expect(events[0]["body"] == ["method": "todo/add", "subject": nil])
      #expect(events[1]["body"]?["result"]?["title"] == "a")
      #expect(Set(events.map { $0["root"]?.description }).count == 1)
      #expect(events.allSatisfy { $0["origin"] == "jsonrpc" })
      let numbers = events.compactMap { event -> Int64? in
        guard case .integer(let number)? = event["seq"] else { return nil }
        return number
      }
      #expect(numbers == numbers.sorted() && Set(numbers).count == 3)
      // What was sent is there to be read again, by number.
      let read = try client.call("events/read", #"{"from":\#(numbers[1]),"limit":1}"#)["result"]
      #expect(read?["events"] == [events[1]])
      #expect(read?["next"] == .integer(numbers[2]))
      #expect(read?["missed"] == false)
    }

    @Test func `what has happened is read behind one's own writes, sent in one breath`() throws {
      let client = try RPCClient()
      _ = try client.call("events/read", #"{"from":0}"#)
      let writes = (10...59).map { .call("\($0)", "todo/add", #"{"title":"a"}"#) as String }
      client.write((writes + [.call("60", "events/read", #"{"from":1}"#)]).joined(separator: "\n"))
      let read = try client.answer(to: 60)["result"]
      guard case .array(let events)? = read?["events"] else {
        Issue.record("no events")
        return
      }
      for type in ["RequestAddTodo", "ResponseTodoViewModel", "ResponseChangedTodoViewModels"] {
        #expect(events.count { $0["type"] == .string(type) } == 50, "\(type)")
      }
    }

    @Test func `what has happened is read before a shutdown is answered, and can be cancelled`()
      throws
    {
      let client = try RPCClient()
      _ = try client.call("events/read", #"{"from":0}"#)
      client.write(
        [
          .call("10", "todo/add", #"{"title":"a"}"#), .call("11", "events/read", #"{"from":1}"#),
          .call("12", "events/read", #"{"from":1}"#),
          .tell("$/cancelRequest", #"{"id":12}"#), .call("13", "shutdown"),
        ]
        .joined(separator: "\n")
      )
      var answered: [Int64] = []
      while answered.last != 13 {
        guard case .integer(let id)? = try client.first(where: { $0["id"] != nil })["id"] else {
          return
        }
        answered.append(id)
      }
      // What is cancelled waits for nothing.
      #expect(answered.first == 10 && answered.last == 13)
      #expect(Set(answered) == [11, 12, 10, 13])
    }

    @Test func `only the types that were asked for are sent`() throws {
      let client = try RPCClient()
      let types = #"{"types":["ResponseChangedTodoViewModels"]}"#
      _ = try client.call("events/subscribe", types)
      _ = try client.call("todo/add", #"{"title":"a"}"#)
      let append = try client.notified("events/append")
      guard case .array(let events)? = append["events"] else { return }
      #expect(events.map { $0["type"] } == ["ResponseChangedTodoViewModels"])
      #expect(events[0]["body"]?["changes"]?.description.contains("added") == true)
    }

    @Test func `a change names the fields that it touched, and says when it was made elsewhere`()
      throws
    {
      let client = try RPCClient()
      let types = #"{"types":["ResponseChangedTodoViewModels"]}"#
      _ = try client.call("events/subscribe", types)
      func changed() throws -> String {
        guard case .array(let events)? = try client.notified("events/append")["events"],
          let event = events.first, case .array(let changes)? = event["body"]?["changes"]
        else { return "" }
        let change = changes.first
        return [event["origin"], event["body"]?["by"], change?["novelty"], change?["fields"]]
          .map { $0?.description ?? "-" }.joined(separator: " ")
      }
      _ = try client.call("todo/add", #"{"title":"a","tags":["x"]}"#)
      #expect(try changed() == #""jsonrpc" null "added" ["title","tags"]"#)
      _ = try client.call("todo/edit", #"{"id":1,"title":"b","tags":["x"],"due":"2020-01-01"}"#)
      #expect(try changed() == #""jsonrpc" null "changed" ["title","due"]"#)
      _ = try client.call("todo/done", #"{"id":1}"#)
      #expect(try changed() == #""jsonrpc" null "changed" ["completedAt"]"#)
      _ = try client.call("todo/delete", #"{"id":1}"#)
      #expect(try changed() == #""jsonrpc" null "removed" ["deleted"]"#)
      _ = try client.call("history/undo")
      #expect(try changed() == #""jsonrpc" null "added" ["deleted"]"#)
      _ = try client.place.start("todostream edit 1 --title c --priority high").outcome()
      #expect(try changed() == #""elsewhere" "cli" "changed" ["title","priority"]"#)
      _ = try client.place.start("todostream add d --project p").outcome()
      #expect(try changed() == #""elsewhere" "cli" "added" ["title","project"]"#)
      _ = try client.place.start("todostream undo").outcome()
      #expect(try changed() == #""elsewhere" "cli" "removed" ["deleted"]"#)
    }

    @Test func `S40 a failure is an event that names its subject`() throws {
      let client = try RPCClient()
      _ = try client.call("events/subscribe", #"{"types":["ResponseTodoViewModel"]}"#)
      _ = try client.call("todo/done", #"{"id":7}"#)
      guard case .array(let events)? = try client.notified("events/append")["events"] else {
        return
      }
      #expect(events[0]["body"]?["error"]?["kind"] == "notFound")
      #expect(events[0]["body"]?["error"]?["id"] == 7)
    }

    @Test func `who does not read is told where to go on, and goes on without a gap`() throws {
      let client = try RPCClient()
      _ = try client.call("events/subscribe", #"{"types":["RequestTodoDetailViewModel"]}"#)
      // Two events each, all of which are kept.
      let count = 30_000
      for _ in 1...count { client.ask("todo/show", #"{"id":1}"#) }
      var (events, next, overflows): ([Int64], Int64, Int) = ([], 0, 0)
      while events.count < count {
        let told = try client.read()
        switch told["method"] {
        case nil: continue
        case "events/append":
          guard case .array(let more)? = told["params"]?["events"] else { return }
          for case .integer(let number)? in more.map({ $0["seq"] }) { events.append(number) }
        default:
          #expect(told["method"] == "events/overflow")
          overflows += 1
          guard case .integer(let number)? = told["params"]?["next"] else { return }
          next = number
          let again = #"{"types":["RequestTodoDetailViewModel"],"from":\#(next)}"#
          client.ask("events/subscribe", again)
        }
      }
      #expect(overflows > 0)
      #expect(events == events.sorted())
      #expect(Set(events).count == count)
      #expect(client.peakMemory < 400_000_000)
    }

    @Test func `what is not kept any more is said to be missed`() throws {
      let client = try RPCClient()
      #expect(try client.call("events/read", #"{"from":0}"#)["result"]?["missed"] == false)
      for _ in 1...66_000 { client.write(.tell("plugins")) }
      _ = try client.call("plugins")
      let read = try client.call("events/read", #"{"from":1,"limit":1}"#)["result"]
      #expect(read?["missed"] == true)
    }

    @Test func `a subscription ends when that is wanted`() throws {
      let client = try RPCClient()
      _ = try client.call("events/subscribe")
      #expect(try client.call("events/unsubscribe", #"{"subscription":1}"#)["result"] == .null)
      #expect(
        try client.call("events/unsubscribe", #"{"subscription":1}"#)["error"]?["code"] == -32602
      )
    }

    // MARK: Ends

    @Test func `a closed output ends it, quietly`() throws {
      let client = try RPCClient()
      client.endOutput()
      client.ask("todo/add", #"{"title":"a"}"#)
      #expect(client.end() == 1)
    }

    @Test func `the end of input ends it, behind what was asked`() throws {
      let client = try RPCClient()
      let added = client.ask("todo/add", #"{"title":"a"}"#)
      client.endInput()
      #expect(try client.answer(to: added)["result"]?["id"] == 1)
      #expect(client.end() == 1)
    }

    @Test func `it ends within two seconds though nobody reads`() throws {
      let client = try RPCClient()
      for _ in 1...3000 { client.ask("commands") }
      let start = ContinuousClock.now
      client.endInput()
      #expect(client.end() == 1)
      #expect(start.duration(to: .now) < .seconds(20))
    }

    @Test func `it ends with the client's process`() throws {
      let place = try Workplace()
      let pipe = try NamedPipe("end", in: place)
      let job = try place.start("read line <end")
      let watched = try RPCClient(
        place,
        words: ["serve", "--stdio", "--clientProcessId", "\(job.number)"]
      )
      #expect(try watched.call("plugins")["result"]?.kind == "an array")
      try pipe.write("now")
      #expect(watched.end() == 1)
      _ = try job.outcome()
    }

    @Test func `what is acknowledged is stored before the shutdown is answered`() throws {
      let client = try RPCClient()
      for _ in 1...50 { client.ask("todo/add", #"{"title":"a"}"#) }
      let shutdown = client.ask("shutdown")
      #expect(try client.answer(to: shutdown)["result"] == .null)
      let listed = try client.place.start("todostream list").outcome().output
      #expect(listed.count == 50)
      client.write(.tell("exit"))
      #expect(client.end() == 0)
    }

    @Test func `who asks for the end is answered before it, however much he asked for`() throws {
      let client = try RPCClient()
      let added = (1...2000).map { _ in client.ask("todo/add", #"{"title":"a"}"#) }
      let shutdown = client.ask("shutdown")
      client.write(.tell("exit"))
      client.endInput()
      #expect(try client.answer(to: added[1999])["result"]?["id"] == 2000)
      #expect(try client.answer(to: shutdown)["result"] == .null)
      #expect(client.end() == 0)
    }

    @Test func `who goes without a word leaves nothing behind in a store that is locked`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"a"}"#)
      let holder = try SQLiteHolder(client.place)
      client.ask("todo/add", #"{"title":"b"}"#)
      client.endInput()
      #expect(client.end() == 1)
      holder.letGo()
      #expect(try client.place.start("todostream list").outcome().output == ["#1 [ ] a"])
    }

    @Test func `nothing but messages is written to standard output`() throws {
      let place = try Workplace()
      let (output, status, _) = try place.serve(
        Array((String.call("1", "initialize") + "\n" + .tell("exit") + "\n").utf8),
        words: "--json --color always serve --stdio"
      )
      #expect(status == 1)
      #expect(output.split(separator: "\n").count == 1)
    }
  }
#endif
