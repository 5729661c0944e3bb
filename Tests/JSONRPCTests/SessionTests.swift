#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// A session with the built server, over pipes.
  @Suite(.hangLimit) struct SessionTests {
    @Test func `S16 answers find their requests, and so do errors`() throws {
      let client = try RPCClient()
      let first = client.ask("todo/add", #"{"title":"one"}"#)
      let second = client.ask("todo/add", #"{"title":" "}"#)
      let third = client.ask("todo/show", #"{"id":"@last"}"#)
      #expect(try client.answer(to: third)["result"]?["title"] == "one")
      #expect(try client.answer(to: second)["error"]?["code"] == 1)
      #expect(try client.answer(to: first)["result"]?["id"] == 1)
    }

    @Test func `mutations happen in the order in which they came`() throws {
      let client = try RPCClient()
      for number in 1...200 { client.ask("todo/add", #"{"title":"\#(number)"}"#) }
      let list = client.ask("todo/list")
      guard case .array(let todos)? = try client.answer(to: list)["result"] else {
        Issue.record("no list")
        return
      }
      #expect(todos.map { $0["id"] } == (1...200).reversed().map { .integer($0) })
      #expect(todos.allSatisfy { $0["id"].map(\.description) == $0["title"].map(Self.text) })
    }

    private static func text(_ json: JSON) -> String {
      guard case .string(let text) = json else { return "" }
      return text
    }

    @Test func `fields: null clears, tags replace, and only what is named is changed`() throws {
      let client = try RPCClient()
      _ = try client.call(
        "todo/add",
        #"{"title":"a","due":"2026-12-01","tags":["x","y"],"project":"p","priority":"high"}"#
      )
      let changed = try client.call("todo/edit", #"{"id":1,"due":null,"tags":["z"]}"#)["result"]
      #expect(changed?["due"] == .null)
      #expect(changed?["tags"] == ["z"])
      #expect(changed?["project"] == "p")
      #expect(changed?["priority"] == "high")
    }

    @Test func `a former name of a method is answered, with one notice of that of now`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"a"}"#)
      let answer = try client.call("history/list")["result"]
      #expect(answer?.kind == "an array")
      #expect(try client.call("history/history")["result"] == answer)
      #expect(
        try client.notified("notice") == [
          "level": "warning",
          "message":
            "'history/history' is called 'history/list' now; the former name goes with version 1.0.",
        ]
      )
      #expect(try client.call("history/history")["result"] == answer)
      #expect(try !client.hasSaid("notice"))
      #expect(
        try client.call("line/run", #"{"line":"history"}"#)["result"]?["method"] == "history/list"
      )
    }

    @Test func `ids give an array, whatever their number`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"a"}"#)
      #expect(try client.call("todo/done", #"{"id":1}"#)["result"]?.kind == "an object")
      #expect(try client.call("todo/reopen", ##"{"ids":["#1"]}"##)["result"]?.kind == "an array")
    }

    @Test func `S40 a conflict names the field, the todo and both values`() throws {
      let client = try RPCClient()
      _ = try client.call("todo/add", #"{"title":"one"}"#)
      _ = try client.call("todo/edit", #"{"id":1,"title":"two","expectedRevision":1}"#)
      let stale = #"{"id":1,"title":"three","expectedRevision":1}"#
      #expect(
        try client.call("todo/edit", stale)["error"]
          == [
            "code": 4,
            "message":
              "Somebody changed the title of #1 meanwhile: you saw 'one', now it is 'two'.",
            "data": [
              "kind": "conflict", "field": "title", "id": 1, "expected": "one", "actual": "two",
            ],
          ]
      )
      let other = #"{"id":1,"priority":"high","expectedRevision":1}"#
      #expect(try client.call("todo/edit", other)["result"]?["title"] == "two")
    }

    @Test func `a store that is locked is an error that may pass`() throws {
      let place = try Workplace()
      let client = try RPCClient(place)
      _ = try client.call("todo/add", #"{"title":"one"}"#)
      let holder = try SQLiteHolder(place)
      let error = try client.call("todo/add", #"{"title":"two"}"#)["error"]
      #expect(error?["code"] == 5)
      #expect(error?["data"] == ["kind": "store", "retryable": true])
      holder.letGo()
      #expect(try client.call("todo/add", #"{"title":"two"}"#)["result"]?["id"] == 2)
    }

    @Test func `a store that can't be used is an error that does not pass`() throws {
      let place = try Workplace()
      try FileManager.default.createDirectory(
        at: place.folder.appending(path: "todos.sqlite"),
        withIntermediateDirectories: false
      )
      let client = try RPCClient(place)
      let error = try client.call("todo/add", #"{"title":"two"}"#)["error"]
      #expect(error?["code"] == 5)
      #expect(error?["data"]?["retryable"] == false)
    }

    @Test func `with --yes what nobody can be asked is answered`() throws {
      let client = try RPCClient(words: ["--yes", "serve", "--stdio"])
      for _ in 1...4 { _ = try client.call("todo/add", #"{"title":"a"}"#) }
      let deleted = try client.call("todo/delete", #"{"ids":[1,2,3,4]}"#)["result"]
      #expect(deleted?.kind == "an array")
    }

    @Test func `a plugin that is off has no methods`() throws {
      let client = try RPCClient(words: ["serve", "--stdio", "--without", "undo"])
      #expect(try client.call("history/undo")["error"]?["code"] == -32601)
    }

    // MARK: Many requests

    @Test func `thirty thousand requests before an answer is read are all answered`() throws {
      let client = try RPCClient()
      _ = try client.call(
        "todo/add",
        #"{"title":"one","subtitle":"\#(String(repeating: "x", count: 300))"}"#
      )
      var last = 0
      for number in 1...30_000 {
        last = client.ask(number % 3 == 0 ? "nope" : "todo/show", #"{"id":1}"#)
      }
      var answers = 0
      while answers < 30_000 {
        let answer = try client.read()
        if answer["id"] != nil { answers += 1 }
      }
      #expect(last == 30_002)
      #expect(client.peakMemory < 400_000_000)
    }

    // MARK: Cancelling and progress

    @Test func `a request is cancelled before its work has begun`() throws {
      let place = try Workplace()
      let client = try RPCClient(place)
      _ = try client.call("todo/add", #"{"title":"a"}"#)
      // The next change waits for it, and the one behind that for its turn.
      let holder = try SQLiteHolder(place)
      client.ask("todo/add", #"{"title":"a"}"#)
      let cancelled = client.ask("todo/add", #"{"title":"never"}"#)
      client.write(.tell("$/cancelRequest", #"{"id":\#(cancelled)}"#))
      // What is refused at once is so behind what was read before it.
      #expect(try client.call("nope")["error"]?["code"] == -32601)
      holder.letGo()
      #expect(try client.answer(to: cancelled)["error"]?["code"] == -32800)
      let list = try client.call("todo/list", #"{"words":["never"]}"#)
      #expect(list["result"] == [])
    }

    @Test func `cancelling what is over, or never was, is nothing`() throws {
      let client = try RPCClient()
      let added = client.ask("todo/add", #"{"title":"a"}"#)
      _ = try client.answer(to: added)
      client.write(.tell("$/cancelRequest", #"{"id":\#(added)}"#))
      client.write(.tell("$/cancelRequest", #"{"id":"other"}"#))
      client.write(.tell("$/cancelRequest", #"{"id":[]}"#))
      #expect(try client.call("todo/show", #"{"id":1}"#)["result"]?["title"] == "a")
    }

    @Test func `progress is told with the client's token, and without one not at all`() throws {
      let client = try RPCClient()
      let list = try client.call("todo/list", #"{"workDoneToken":"t"}"#)
      #expect(list["result"] == [])
      #expect(
        try client.notified("$/progress")
          == ["token": "t", "value": ["kind": "begin", "title": "list"]]
      )
      #expect(try client.notified("$/progress") == ["token": "t", "value": ["kind": "end"]])
      _ = try client.call("todo/list")
      #expect(try !client.hasSaid("$/progress"))
    }

    @Test func `a token that is none is refused`() throws {
      let client = try RPCClient()
      let error = try client.call("todo/list", #"{"workDoneToken":[]}"#)["error"]
      #expect(error?["code"] == -32602)
      #expect(error?["data"]?["path"] == "/workDoneToken")
    }
  }

  /// Another program that keeps a store locked.
  final class SQLiteHolder {
    private let job: Job
    private let go: NamedPipe

    init(_ place: Workplace) throws {
      let ready = try NamedPipe("ready", in: place)
      go = try NamedPipe("go", in: place)
      job = try place.start(
        """
        { echo 'PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE;'; echo '.shell echo x >ready';
          read x <go; echo 'ROLLBACK;'; } | sqlite3 todos.sqlite
        """
      )
      try ready.waitUntilWritten()
    }

    func letGo() {
      try? go.write("x")
      _ = try? job.outcome()
    }
  }
#endif
