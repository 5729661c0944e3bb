#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// What a client that asks for too much, or does not read, takes of the server and of others.
  @Suite(.hangLimit) struct BoundsTests {
    /// How much more memory than before a client may take.
    private static let mostMemory = 150 << 20

    /// A server with so many todos that a list has a quarter of a megabyte, and the clients of its socket.
    private static func server() throws -> RPCClient {
      let place = try Workplace()
      let titles = (1...1000).map { "add Todo number \($0) --tag home" }
      #expect(try place.start("todostream --quiet", input: titles).outcome().status == 0)
      return try RPCClient(place, words: ["--listen=s", "serve", "--stdio"])
    }

    @Test(
      arguments: [
        ("todo/list", "{}"), ("line/run", #"{"line":"list","as":"text"}"#),
        ("history/list", #"{"limit":1000}"#), ("history/list", #"{"id":7}"#),
        ("events/read", #"{"from":1}"#), ("commands", "{}"), ("analytics/report", "{}"),
      ]
    )
    func `who never reads takes bounded memory and few files, and others are answered`(
      method: String,
      params: String
    ) throws {
      let server = try Self.server()
      let idle = server.peakMemory
      let greedy = try RPCClient(connectedTo: "s", in: server.place)
      let other = try RPCClient(connectedTo: "s", in: server.place)
      for _ in 0..<1000 { greedy.ask(method, params) }
      for number in 1...20 {
        #expect(try other.call("todo/list", #"{"limit":10}"#)["result"] != nil)
        #expect(
          try other.call("todo/edit", #"{"id":\#(number),"title":"Changed"}"#)["result"] != nil
        )
      }
      #expect(try other.call("todo/list")["result"] != nil)
      #expect(server.peakMemory - idle < Self.mostMemory)
      #expect(server.descriptorCount < 64)
    }

    @Test(arguments: ["todo/list", "trace", "commands"])
    func `who leaves without reading takes nobody along`(method: String) throws {
      let server = try Self.server()
      for _ in 0..<3 {
        let greedy = try RPCClient(connectedTo: "s", in: server.place)
        for _ in 0..<1000 { greedy.ask(method) }
        // It has left much unread when it goes.
        #expect(try server.call("todo/list")["result"] != nil)
      }
      let other = try RPCClient(connectedTo: "s", in: server.place)
      #expect(try other.call("todo/add", #"{"title":"Milk"}"#)["result"] != nil)
      #expect(try server.call("shutdown")["result"] == .null)
      server.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(server.end() == 0)
    }

    @Test func `a thousand lists at once are all answered, in bounded memory`() throws {
      let server = try Self.server()
      let idle = server.peakMemory
      let greedy = try RPCClient(connectedTo: "s", in: server.place)
      let first = greedy.ask("todo/list")
      for _ in 1..<200 { greedy.ask("todo/list") }
      for id in first..<first + 200 {
        guard case .array(let rows)? = try greedy.answer(to: id)["result"] else {
          Issue.record("no list")
          return
        }
        #expect(rows.count == 1000)
      }
      #expect(server.peakMemory - idle < Self.mostMemory)
    }

    @Test func `what is cancelled while it waits is answered at once`() throws {
      let server = try Self.server()
      let lists = (0..<50).map { _ in server.ask("todo/list") }
      server.write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(lists[49])}}"#)
      let answered = try server.first { $0["id"] == .integer(Int64(lists[49])) }
      #expect(answered["error"]?["code"] == -32800)
      #expect(try server.answer(to: lists[48])["result"] != nil)
    }
  }

  /// How the cost of a message grows with its length, for all methods and kinds of values.
  @Suite(.hangLimit) struct GrowthTests {
    /// The lengths of the messages: up to a megabyte where the program is a release.
    private static let lengths = isNightly ? [100_000, 1_000_000] : [10_000, 100_000]
    /// What is cheaper can't be measured, in seconds.
    private static let cheap = 0.1

    private typealias Kind = (name: String, value: @Sendable (Int) -> JSON)

    private static func text(_ part: String, _ count: Int) -> JSON {
      .string(String(repeating: part, count: count / part.utf8.count))
    }

    private static func list(_ length: Int, _ item: (Int) -> JSON) -> JSON {
      .array((0..<length / 12).map(item))
    }

    private static let texts: [Kind] = [
      ("a word", { text("x", $0) }), ("marks", { text("\u{301}", $0) }),
    ]
    private static let lines: [Kind] = [
      ("words", { text("add ab ", $0) }), ("lines", { text("add x\n", $0) }),
      ("quotes", { text("add '\"\\", $0) }), ("options", { text("add x --tag a --title ", $0) }),
      (
        "labels",
        { length in .string("add" + (0..<length / 12).map { " --tag l\($0)" }.joined()) }
      ),
    ]
    private static let lists: [Kind] = [
      ("different texts", { list($0) { .string("label\($0)") } }),
      ("equal texts", { list($0) { _ in .string("label") } }),
      ("numbers", { list($0) { .integer(Int64($0 + 1)) } }),
      ("beginnings of UUIDs", { list($0) { .string("f" + String($0 + 4096, radix: 16)) } }),
      ("a long text", { .array([text("x", $0)]) }),
    ]
    private static let others: [Kind] = [
      (
        "members",
        { length in .object((0..<length / 14).map { JSON.Member("member\($0)", .integer(1)) }) }
      )
    ]

    @Test func `the cost of a message grows with its length, whatever it says`() throws {
      let client = try RPCClient()
      for number in 1...20 {
        _ = try client.call("todo/add", #"{"title":"\#(number)","tags":["a"]}"#)
      }
      let parameters = try Self.parameters(of: client)
      let idle = client.peakMemory
      for (method, name, schema) in parameters {
        let kinds =
          (schema.contains("string") ? Self.texts : []) + (name == "line" ? Self.lines : [])
          + (schema.contains("array") ? Self.lists : []) + (schema.isEmpty ? Self.others : [])
        for kind in kinds {
          let costs = try Self.lengths.map { length in
            try Self.cost(client, method, [.init(name, kind.value(length))])
          }
          // Ten times the length, at most fifteen times the cost.
          #expect(
            costs[1] < max(Self.cheap, 15 * costs[0]),
            "\(method) \(name), \(kind.name): \(costs) s"
          )
        }
      }
      #expect(parameters.count > 90)
      #expect(client.peakMemory - idle < 150 << 20)
    }

    /// Returns the processor time that a call takes: the least of two, as others disturb it.
    private static func cost(
      _ client: RPCClient,
      _ method: String,
      _ members: [JSON.Member]
    ) throws -> Double {
      let text = JSON.object(members).description
      func once() throws -> Double {
        let before = client.processorTime
        _ = try client.call(method, text)
        return client.processorTime - before
      }
      let first = try once()
      return first < cheap ? first : min(first, try once())
    }

    /// The methods that can be called again and again, their parameters with what they take, and one
    /// that none has.
    private static func parameters(
      of client: RPCClient
    ) throws -> [(method: String, name: String, schema: String)] {
      var parameters = [
        ("line/run", "line", "string"), ("line/complete", "line", "string"),
        ("events/subscribe", "types", "array"), ("state/subscribe", "name", "string"),
        ("question/answer", "value", "string"), ("no such method", "x", ""),
      ]
      guard case .array(let commands)? = try client.call("commands")["result"] else { return [] }
      for command in commands {
        guard case .string(let method)? = command["method"],
          case .object(let properties)? = command["params"]?["properties"]
        else { continue }
        parameters += properties.map { (method, $0.name, $0.value.description) }
        parameters.append((method, "nope", ""))
      }
      return parameters
    }
  }
#endif
