#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// Several clients of the built program in one process, on a Unix socket beside its frontend.
  @Suite(.hangLimit) struct SocketTests {
    /// A server that listens besides, and how to connect to it.
    private struct House {
      let place: Workplace
      let main: RPCClient

      init(_ place: Workplace? = nil) throws {
        let place = try place ?? Workplace()
        self.place = place
        main = try RPCClient(place, words: ["serve", "--stdio", "--listen=s.sock"])
      }

      func connect() throws -> RPCClient { try RPCClient(connectedTo: "s.sock", in: place) }

      var hasSocket: Bool {
        (try? place.folder.appending(path: "s.sock").checkResourceIsReachable()) == true
      }
    }

    private func titles(_ client: RPCClient) throws -> [String] {
      guard case .array(let todos)? = try client.call("todo/list")["result"] else { return [] }
      return todos.compactMap { if case .string(let title)? = $0["title"] { title } else { nil } }
    }

    @Test func `S105 the clients of one process share its stream, in one order`() throws {
      let house = try House()
      let clients = [house.main, try house.connect(), try house.connect()]
      for client in clients { _ = try client.call("events/subscribe") }
      let asked = (0..<60)
        .map { number in
          let client = clients[number % 3]
          return (client, client.ask("todo/add", #"{"title":"todo \#(number)"}"#))
        }
      for (client, id) in asked { #expect(try client.answer(to: id)["error"] == nil) }
      let orders = try clients.map { client -> [[JSON?]] in
        var (order, ends): ([[JSON?]], Int) = ([], 0)
        while ends < 60 {
          guard case .array(let events)? = try client.notified("events/append")["events"] else {
            continue
          }
          order += events.map { [$0["seq"], $0["type"], $0["origin"]] }
          ends += events.count { $0["type"] == "ResponseTodoViewModel" }
        }
        return order
      }
      #expect(orders[1].suffix(200) == orders[2].suffix(200))
      let common = orders.map { order in order.filter { $0[1] == "ResponseTodoViewModel" } }
      #expect(common[0] == common[1] && common[1] == common[2])
      for origin in ["jsonrpc", "socket 1", "socket 2"] as [JSON] {
        #expect(common[0].count { $0[2] == origin } == 20)
      }
    }

    @Test func `each client undoes its own, and has names of its own`() throws {
      let house = try House()
      let (one, other) = (try house.connect(), try house.connect())
      _ = try one.call("todo/add", #"{"title":"of one","alias":"x"}"#)
      _ = try other.call("todo/add", #"{"title":"of the other"}"#)
      _ = try house.main.call("todo/add", #"{"title":"of the editor"}"#)
      #expect(try one.call("history/undo", #"{"mine":true}"#)["result"]?["origin"] == "socket 1")
      #expect(try titles(other) == ["of the editor", "of the other"])
      #expect(try other.call("history/undo", #"{"mine":true}"#)["result"]?["origin"] == "socket 2")
      #expect(try titles(house.main) == ["of the editor"])
      #expect(try other.call("todo/show", #"{"id":"@x"}"#)["error"]?["data"]?["kind"] == "notFound")
    }

    @Test func `a session with clients on a socket is recorded, and replays`() throws {
      let place = try Workplace()
      let main = try RPCClient(
        place,
        words: ["serve", "--stdio", "--listen=s.sock", "--record=session"]
      )
      let (one, other) = (
        try RPCClient(connectedTo: "s.sock", in: place),
        try RPCClient(connectedTo: "s.sock", in: place)
      )
      // Not in the order in which they came.
      for (client, title) in [(other, "a"), (one, "b"), (main, "c")] {
        _ = try client.call("todo/add", #"{"title":"\#(title)"}"#)
      }
      #expect(try one.call("history/undo", #"{"mine":true}"#)["result"]?["origin"] == "socket 1")
      _ = try main.call("shutdown")
      main.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(main.end() == 0)
      let outcome = try place.start("todostream replay session").outcome()
      #expect(outcome.status == 0)
      #expect(outcome.output.first?.contains("no divergence") == true, "\(outcome)")
    }

    @Test func `a client that ends, or dies, ends nothing but its session`() throws {
      let house = try House()
      let polite = try house.connect()
      #expect(try polite.call("shutdown")["result"] == .null)
      polite.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(throws: (any Error).self) { try polite.read() }
      let rude = try house.connect()
      rude.ask("todo/add", #"{"title":"last words"}"#)
      rude.endInput()
      rude.endOutput()
      let greedy = try house.connect()
      for _ in 0..<2000 { greedy.ask("plugins") }
      #expect(try house.main.call("todo/add", #"{"title":"lives"}"#)["error"] == nil)
      #expect(try titles(try house.connect()).contains("lives"))
    }

    @Test func `the end of the process is told, and takes the socket with it`() throws {
      let house = try House()
      let client = try house.connect()
      _ = try house.main.call("shutdown")
      house.main.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(try client.notified("session/closed") == ["reason": "The process ends."])
      #expect(house.main.end() == 0)
      #expect(!house.hasSocket)
    }

    @Test func `only its user may connect, and a socket that a killed process left is replaced`()
      throws
    {
      let house = try House()
      var status = stat()
      #expect(lstat(house.place.folder.appending(path: "s.sock").path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      house.main.kill()
      _ = house.main.end()
      #expect(house.hasSocket)
      let next = try House(house.place)
      #expect(try next.connect().call("todo/list")["result"] == [])
    }

    @Test(
      arguments: [
        ("touch s.sock", "s.sock is there already, and is no socket of yours"),
        ("true", "s.sock: another process listens there"),
        ("mkdir s.sock", "s.sock is there already, and is no socket of yours"),
      ])
    func `what is no socket of ours is left alone`(_ before: String, _ problem: String) throws {
      let place = try Workplace()
      let house = before == "true" ? try House(place) : nil
      let job = try place.start("\(before); todostream serve --stdio --listen=s.sock")
      let outcome = try job.outcome()
      #expect(outcome.status == 2)
      #expect(outcome.errors.joined().contains(problem), "\(outcome.errors)")
      if let house { #expect(try house.connect().call("todo/list")["result"] == []) }
    }

    @Test(
      arguments: [
        (
          "--listen=s.sock add Milk",
          "error: --listen is for a session that lasts: the REPL, or 'serve'."
        ),
        ("--listen= serve --stdio", "error: --listen= needs a value: PATH; or say --listen alone"),
        (
          "--listen --version",
          "error: --listen is for a session, and '--version' is none"
        ),
        (
          "--listen serve --stdio",
          "error: --listen finds no place, as $XDG_RUNTIME_DIR is not set; name one with --listen=PATH."
        ),
      ])
    func `a listener that can't be is a usage error`(_ words: String, _ problem: String) throws {
      let place = try Workplace()
      let outcome = try place.start("unset XDG_RUNTIME_DIR; todostream \(words)").outcome()
      #expect(outcome.status == 2)
      #expect(outcome.errors.first == problem)
    }

    @Test func `S71 a write that is asked again with its key is done once, on any connection`()
      throws
    {
      let place = try Workplace()
      let house = try RPCClient(place, words: ["serve", "--stdio", "--listen=s.sock"])
      let params = #"{"title":"Milk","idempotencyKey":"k-1"}"#
      let client = try RPCClient(connectedTo: "s.sock", in: place)
      let first = try client.call("todo/add", params)["result"]
      #expect(first?["title"] == "Milk")
      #expect(try client.call("todo/add", params)["result"] == first)
      client.endOutput()
      client.endInput()
      let again = try RPCClient(connectedTo: "s.sock", in: place)
      let asked = (0..<3).map { _ in again.ask("todo/add", params) }
      for id in asked { #expect(try again.answer(to: id)["result"] == first) }
      let other = try again.call("todo/add", #"{"title":"Bread","idempotencyKey":"k-1"}"#)
      #expect(other["error"]?["code"] == -32602)
      for key in [#""""#, "7", "null"] {
        let refused = try again.call("todo/add", #"{"title":"Bread","idempotencyKey":\#(key)}"#)
        #expect(refused["error"]?["code"] == -32602)
      }
      // Two that are under way at once are one; one that has failed is tried again.
      let twice = (0..<2)
        .map { _ in again.ask("todo/add", #"{"title":"Salt","idempotencyKey":"k-2"}"#) }
      let answers = try twice.map { try again.answer(to: $0)["result"] }
      #expect(answers[0] == answers[1])
      let edit = #"{"id":3,"title":"Jam","idempotencyKey":"k-3"}"#
      #expect(try again.call("todo/edit", edit)["error"]?["code"] == 2)
      _ = try again.call("todo/add", #"{"title":"Tea"}"#)
      #expect(try again.call("todo/edit", edit)["result"]?["title"] == "Jam")
      guard case .array(let todos)? = try house.call("todo/list")["result"] else { return }
      #expect(todos.map { $0["title"] } == ["Jam", "Salt", "Milk"])
    }

    @Test func `without a path, all names of a store have one socket`() throws {
      let place = try Workplace()
      let job = try place.start(
        """
        mkdir -m 700 run; ln -s . link
        export XDG_RUNTIME_DIR=$PWD/run
        (sleep 60 | todostream --store link/todos.sqlite serve --stdio --listen) & one=$!
        until ls run/todostream/*.sock; do sleep 0.05; done >/dev/null 2>&1
        todostream --store todos.sqlite serve --stdio --listen </dev/null
        echo $?; kill $one; ls run/todostream | wc -l
        """
      )
      let outcome = try job.outcome()
      #expect(outcome.output.first == "2")
      #expect(outcome.errors.joined().contains("another process listens there"))
    }
  }
#endif
