#if os(Linux)
  import EventMVVMTesting
  import JSONText
  import ProcessTesting
  import Testing

  /// S96: another interface over the same coordinator.
  @Suite(.hangLimit) struct ScreenTests {
    private func screens(_ client: RPCClient) throws -> JSON? {
      try
        client
        .first { message in
          message["method"] == "state/changed" && message["params"]?["name"] == "screens"
        }["params"]?["value"]
    }

    @Test func `S96 a client that watches its screens has those of the terminal`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"Milk"}"#)
      _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
      #expect(try screens(client) == [])
      _ = try client.call("todo/show", #"{"id":1}"#)
      #expect(
        try screens(client) == [["kind": "detail", "title": "#1 Milk", "edited": false]]
      )
      _ = try client.call("detail/set", #"{"title":"Oat milk","tags":["home"]}"#)
      #expect(
        try screens(client) == [["kind": "detail", "title": "#1 Oat milk", "edited": true]]
      )
      let saved = try client.call("detail/save")
      #expect(saved["result"]?["title"] == "Oat milk")
      #expect(try screens(client) == [])
    }

    @Test func `S91 what is under way on the topmost screen is a state without a request`() throws {
      let client = try RPCClient()
      guard case .array(let listed)? = try client.call("state/list")["result"] else { return }
      #expect(
        listed.map { $0["name"] } == [
          "todo/counts", "screens", "store/reconnecting", "detail", "detail/saving",
        ]
      )
      #expect(
        listed.last?["summary"]
          == "Whether the edits of the open todo are being stored."
      )
      _ = try client.call("todo/add", #"{"title":"Milk"}"#)
      _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
      _ = try client.call("state/subscribe", #"{"name":"detail/saving"}"#)
      func next() throws -> JSON? {
        try client.first { $0["params"]?["name"] == "detail/saving" }["params"]?["value"]
      }
      #expect(try next() == .null)
      _ = try client.call("todo/show", #"{"id":1}"#)
      #expect(try next() == false)
      _ = try client.call("detail/set", #"{"title":"Oat milk"}"#)
      _ = try client.call("detail/save")
      #expect(try next() == true)
      #expect(try next() == .null)
      _ = try client.call("state/unsubscribe", #"{"name":"detail/saving"}"#)
      _ = try client.call("todo/show", #"{"id":1}"#)
      #expect(try screens(client) != nil)
    }

    @Test func `S97 the open todo is a state, and a trace tells which action changed it`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"Milk"}"#)
      _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
      _ = try client.call("state/subscribe", #"{"name":"detail"}"#)
      func next() throws -> JSON? {
        try client.first { $0["params"]?["name"] == "detail" }["params"]?["value"]
      }
      #expect(try next() == .null)
      _ = try client.call("todo/show", #"{"id":1}"#)
      #expect(try next()?["title"] == "Milk")
      _ = try client.call("detail/set", #"{"title":"Oat milk"}"#)
      #expect(try next()?["title"] == "Oat milk")
      guard case .array(let traced)? = try client.call("trace")["result"],
        case .array(let events)? = traced.last?["events"]
      else {
        Issue.record("nothing was traced")
        return
      }
      let action = try #require(events.first)
      let change = try #require(events.first { $0["subject"] == "detail" })
      #expect(action["type"] == "RequestSetDetail")
      #expect(change["cause"] == action["seq"])
      // What another process changes shows up in it, too.
      _ = try client.place.start("todostream edit 1 --tag home").outcome()
      #expect(try next()?["tags"] == ["home"])
      _ = try client.call("detail/toggle")
      let toggled = try next()
      #expect(toggled?["complete"] == true)
      _ = try client.call("detail/cancel")
      #expect(try next() == .null)
    }

    @Test func `S106 a state switches the topmost screen alone, and is right when it is so again`()
      throws
    {
      let client = try RPCClient()
      for title in ["Milk", "Bread"] { _ = try client.call("todo/add", #"{"title":"\#(title)"}"#) }
      for name in ["screens", "detail"] {
        _ = try client.call("state/subscribe", #"{"name":"\#(name)"}"#)
      }
      func next() throws -> JSON? {
        try client.first { $0["params"]?["name"] == "detail" }["params"]?["value"]
      }
      #expect(try next() == .null)
      _ = try client.call("todo/show", #"{"id":1}"#)
      #expect(try next()?["complete"] == false)
      _ = try client.call("detail/set", #"{"title":"Oat milk"}"#)
      #expect(try next()?["title"] == "Oat milk")
      _ = try client.call("screen/open", #"{"route":[2]}"#)
      #expect(try next()?["title"] == "Bread")
      // The covered one changes: the next that is heard is of the topmost one.
      _ = try client.call("todo/done", #"{"id":1}"#)
      _ = try client.call("detail/toggle")
      let top = try next()
      #expect(top?["title"] == "Bread")
      #expect(top?["complete"] == true)
      _ = try client.call("detail/cancel")
      let uncovered = try next()
      #expect(uncovered?["title"] == "Oat milk")
      #expect(uncovered?["complete"] == true)
    }

    @Test func `S112 a list holds what a detail shows, and one view shows either`() throws {
      let client = try RPCClient()
      for title in ["Milk", "Bread"] { _ = try client.call("todo/add", #"{"title":"\#(title)"}"#) }
      _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
      func opened(_ route: String) throws -> JSON? {
        try client.call("screen/open", #"{"route":[\#(route)]}"#)["result"]
      }
      guard case .array(let rows)? = try opened(#""list""#) else {
        Issue.record("no list was opened")
        return
      }
      #expect(rows.map { $0["title"] } == ["Bread", "Milk"])
      #expect(try opened("2") == rows.first)
      #expect(try opened("1") == rows.last)
    }

    @Test func `S108 the open list has its order and what it shows, and a program changes them`()
      throws
    {
      let client = try RPCClient()
      for title in ["Milk", "Bread", "Jam"] {
        _ = try client.call("todo/add", #"{"title":"\#(title)"}"#)
      }
      _ = try client.call("todo/done", #"{"id":2}"#)
      _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
      #expect(try screens(client) == [])
      _ = try client.call("screen/open", #"{"route":["list","--open"]}"#)
      #expect(
        try screens(client) == [["kind": "list", "title": "list --open (2)", "edited": false]]
      )
      func rows(_ parameters: String) throws -> [JSON?] {
        guard case .array(let rows)? = try client.call("list/rows", parameters)["result"] else {
          return []
        }
        return rows.map { $0["title"] }
      }
      #expect(try rows(#"{"sort":"title"}"#) == ["Jam", "Milk"])
      #expect(try rows(#"{"only":"any"}"#) == ["Bread", "Jam", "Milk"])
      #expect(try rows("{}") == ["Bread", "Jam", "Milk"])
      #expect(try rows(#"{"only":"done"}"#) == ["Bread"])
      // What others do meanwhile appears in the same way.
      _ = try client.call("todo/add", #"{"title":"Apple"}"#)
      _ = try client.call("todo/done", #"{"id":4}"#)
      #expect(try rows("{}") == ["Apple", "Bread"])
    }

    @Test
    func `S81 each client of a process edits a todo of its own, and what has no state is shared`()
      throws
    {
      let place = try Workplace()
      let one = try RPCClient(place, words: ["serve", "--stdio", "--listen=s.sock"])
      let other = try RPCClient(connectedTo: "s.sock", in: place)
      _ = try one.call("todo/add", #"{"title":"Milk"}"#)
      func next(_ name: String, _ client: RPCClient) throws -> JSON? {
        try client.first { $0["params"]?["name"] == .string(name) }["params"]?["value"]
      }
      for client in [one, other] {
        for name in ["screens", "detail", "todo/counts"] {
          _ = try client.call("state/subscribe", #"{"name":"\#(name)"}"#)
        }
        #expect(try next("detail", client) == .null)
        #expect(try next("todo/counts", client) == ["open": 1, "overdue": 0])
        _ = try client.call("todo/show", #"{"id":1}"#)
        #expect(try next("detail", client)?["title"] == "Milk")
      }
      _ = try one.call("detail/set", #"{"title":"Oat milk"}"#)
      #expect(try next("detail", one)?["title"] == "Oat milk")
      _ = try other.call("detail/toggle")
      let edited = try next("detail", other)
      #expect(edited?["title"] == "Milk")
      #expect(edited?["complete"] == true)
      #expect(try one.call("detail/show")["result"]?["complete"] == false)
      _ = try one.call("detail/save")
      #expect(try next("detail", one) == .null)
      let merged = try next("detail", other)
      #expect(merged?["title"] == "Oat milk")
      #expect(merged?["complete"] == true)
      _ = try other.call("detail/save")
      for client in [one, other] {
        #expect(try next("todo/counts", client) == ["open": 0, "overdue": 0])
      }
      // A view that goes takes nothing from the other one.
      other.endInput()
      _ = try one.call("todo/reopen", #"{"id":1}"#)
      #expect(try next("todo/counts", one) == ["open": 1, "overdue": 0])
    }

    @Test func `S27 three observe an update: it is shown as wrong, or stored, and closed`() throws {
      let client = try RPCClient()
      _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
      #expect(try screens(client) == [])
      _ = try client.call("screen/open", #"{"route":["list"]}"#)
      let empty: JSON = ["kind": "list", "title": "list (0)", "edited": false]
      #expect(try screens(client) == [empty])
      _ = try client.call("todo/new")
      #expect(
        try screens(client)
          == [empty, ["kind": "detail", "title": "new todo", "edited": false]]
      )
      _ = try client.call("detail/set", #"{"subtitle":"two"}"#)
      let editor: JSON = ["kind": "detail", "title": "new todo", "edited": true]
      #expect(try screens(client) == [empty, editor])
      // The detail: what is wrong is its answer, and it stays with its edits. Nothing is stored.
      #expect(try client.call("detail/save")["error"]?["message"] == "Please add a title.")
      #expect(
        try traced(client).map { $0["type"] } == [
          "RequestSaveDetail", "RequestUpdateDetailViewModel", "ResponseUpdateDetailViewModel",
          "ResponseTodoViewModel",
        ]
      )
      #expect(try client.call("detail/show")["result"]?["subtitle"] == "two")
      #expect(try client.call("todo/list")["result"] == [])
      _ = try client.call("detail/set", #"{"title":"Milk"}"#)
      #expect(
        try screens(client) == [empty, ["kind": "detail", "title": "new: Milk", "edited": true]]
      )
      // The ViewModelServer stores it, because of the update; the list has it, and no editor is open.
      #expect(try client.call("detail/save")["result"]?["title"] == "Milk")
      let events = try traced(client)
      let update = try #require(events.first { $0["type"] == "ResponseUpdateDetailViewModel" })
      let write = try #require(events.first { $0["type"] == "RequestWriteRecords<Todo>" })
      #expect(write["cause"] == update["seq"])
      _ = try client.first {
        $0["params"]?["value"] == [["kind": "list", "title": "list (1)", "edited": false]]
      }
    }

    /// The events of the last command that are no states.
    private func traced(_ client: RPCClient) throws -> [JSON] {
      guard case .array(let traced)? = try client.call("trace")["result"],
        case .array(let events)? = traced.last?["events"]
      else { return [] }
      return events.filter { event in
        guard case .string(let type)? = event["type"] else { return false }
        return !type.hasPrefix("ResponseState")
      }
    }

    @Test func `S44 a list that is read again is told of where something differs, and else not`()
      throws
    {
      let client = try RPCClient()
      for title in ["Milk", "Bread", "Jam"] {
        _ = try client.call("todo/add", #"{"title":"\#(title)"}"#)
      }
      _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
      _ = try client.call("events/subscribe", #"{"types":["ResponseRowChanges"]}"#)
      _ = try client.call("screen/open", #"{"route":["list","--open"]}"#)
      _ = try client.call("todo/done", #"{"id":1}"#)
      #expect(try rowChanges(client).map { $0["removed"] } == [[2]])
      // It is read again, and the same.
      _ = try client.call("todo/edit", #"{"id":1,"title":"Oat milk"}"#)
      _ = try client.call("list/rows")
      _ = try client.call("todo/done", #"{"id":2}"#)
      #expect(try rowChanges(client).map { $0["removed"] } == [[1]])
      #expect(try !client.hasSaid("events/append"))
    }

    private func rowChanges(_ client: RPCClient) throws -> [JSON] {
      guard case .array(let events)? = try client.notified("events/append")["events"] else {
        return []
      }
      return events.compactMap { $0["body"]?["changes"] }
    }

    @Test func `S15 what one client opens is open for nobody else`() throws {
      let place = try Workplace()
      let (one, other) = (try RPCClient(place), try RPCClient(place))
      _ = try one.call("todo/add", #"{"title":"Milk"}"#)
      for client in [one, other] {
        _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
        #expect(try screens(client) == [])
      }
      _ = try one.call("screen/open", #"{"route":[1]}"#)
      #expect(try screens(one) == [["kind": "detail", "title": "#1 Milk", "edited": false]])
      #expect(try !other.hasSaid("state/changed"))
    }

    @Test func `a conflict on a screen names both values, and keeps it open`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"Milk"}"#)
      _ = try client.call("state/subscribe", #"{"name":"screens"}"#)
      _ = try client.call("todo/show", #"{"id":1}"#)
      _ = try client.call("detail/set", #"{"title":"Mine"}"#)
      _ = try client.place.start("todostream edit 1 --title Theirs").outcome()
      let error = try client.call("detail/save")["error"]
      #expect(error?["code"] == 4)
      #expect(error?["data"]?["expected"] == "Milk")
      #expect(error?["data"]?["actual"] == "Theirs")
      #expect(try client.call("detail/show")["result"]?["title"] == "Mine")
      #expect(try client.call("detail/save", #"{"force":true}"#)["result"]?["title"] == "Mine")
    }

    @Test func `a client that watches no screens has none`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"Milk"}"#)
      _ = try client.call("todo/show", #"{"id":1}"#)
      let error = try client.call("detail/save")["error"]
      #expect(error?["message"] == "No todo is open; 'open' and its number open one.")
      #expect(
        try client.call("screen/open", #"{"route":[1]}"#)["error"]?["message"]
          == "There is nobody here to whom it could be shown."
      )
    }
  }
#endif
