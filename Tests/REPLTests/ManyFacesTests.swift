#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// One process with a person at a terminal, two clients on a socket and an observer.
  @Suite(.hangLimit) struct ManyFacesTests {
    /// How often each face writes: `make nightly` has a minute of it.
    private static let rounds =
      ProcessInfo.processInfo.environment["FACES_ROUNDS"].flatMap(Int.init) ?? 20

    private let place: Workplace
    private let session: Session
    private let seen: URL

    init() throws {
      place = try Workplace()
      seen = place.folder.appending(path: "seen")
      let observer = place.folder.appending(path: "observer")
      // It notes the number of each event, and answers with a todo to each tenth of another's.
      try Data(
        """
        #!/usr/bin/env python3
        import json, sys
        def say(method, id, **params):
            print(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}), flush=True)
        say("initialize", 1)
        say("events/subscribe", 2)
        print('{"jsonrpc":"2.0","method":"initialized"}', flush=True)
        with open(sys.argv[0].replace("observer", "seen"), "w", buffering=1) as file:
            for message in map(json.loads, sys.stdin):
                for event in message.get("params", {}).get("events", []):
                    file.write(f"{event['seq']}\\n")
                    if event["type"] == "ResponseTodoViewModel" and "0 of" in str(event["body"]):
                        say("todo/add", 3, title="Seen " + str(event["seq"]))

        """
        .utf8
      )
      .write(to: observer)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700],
        ofItemAtPath: observer.path
      )
      session = try Session(
        columns: 120,
        rows: 50,
        place: place,
        words: [
          "--listen=\(place.folder.appending(path: "s.sock").path)", "--observer", observer.path,
        ]
      )
    }

    @Test func `S105 each sees the events of all in one order without a gap, and undoes its own`()
      throws
    {
      let clients = try (0..<2).map { _ in try Subscriber(place) }
      for round in 1...Self.rounds {
        let asked = clients.map { $0.client.ask("todo/add", #"{"title":"\#(round) of a client"}"#) }
        session.terminal.type("add '\(round) of a person'\r")
        for (client, asked) in zip(clients, asked) {
          #expect(try client.client.answer(to: asked)["result"] != nil)
        }
      }
      let last = "\(Self.rounds) of a person"
      try session.terminal.wait { screen in
        screen.lines.contains { $0.hasPrefix("Added") && $0.hasSuffix(last) }
      }
      for client in clients {
        let undone = try client.client.call("history/undo", #"{"mine":true}"#)["result"]
        #expect(undone?["origin"] == .string(client.origin))
      }
      try session.enter("undo --mine", until: undone(last))
      // What each has been sent, up to a mark that all of them see.
      let mark = try clients[0].client.call("todo/add", #"{"title":"The mark"}"#)["result"]?["id"]
      let id = try #require(mark)
      let numbers = try clients.map { try $0.numbers(upTo: id) }
      let begin = try #require(numbers.compactMap(\.first).max())
      let log = try clients[0].log(from: begin, upTo: try #require(numbers[0].last))
      #expect(log.count > 6 * Self.rounds)
      for numbers in numbers { #expect(numbers.filter { $0 >= begin } == log) }
      try waitUntil("the observer has seen the last event") {
        try observed().contains(try #require(log.last))
      }
      let observation = try observed()
      #expect(observation.filter { $0 >= begin && $0 <= (log.last ?? 0) } == log)
      session.end()
    }

    @Test func `S105 one that is gone, hangs or floods changes nothing for the others`() throws {
      let (gone, other) = (try Subscriber(place), try Subscriber(place))
      for round in 1...100 {
        gone.client.ask("todo/add", #"{"title":"\#(round) of one that goes"}"#)
      }
      gone.client.endOutput()
      gone.client.endInput()
      // It subscribes and never reads.
      let hangs = try Subscriber(place)
      for round in 1...100 { hangs.client.ask("todo/list", "{\"limit\":\(round)}") }
      try session.enter("add 'After it'", until: #/Added #\d+ After it/#)
      #expect(try other.client.call("todo/add", #"{"title":"Too"}"#)["result"] != nil)
      #expect(
        try other.client.call("history/undo", #"{"mine":true}"#)["result"]?["origin"]
          == .string(other.origin)
      )
      try session.enter("undo --mine", until: undone("After it"))
      session.end()
    }

    private func undone(_ title: String) -> Regex<Substring> {
      // What was typed has no character that means anything there.
      (try? Regex("  - #\\d+ \(title)")) ?? #/never/#
    }

    private func observed() throws -> [Int64] {
      try String(contentsOf: seen, encoding: .utf8).split(separator: "\n").compactMap { Int64($0) }
    }
  }

  extension Session {
    /// Types a line, and waits for a line of the screen.
    fileprivate func enter(_ line: String, until expected: Regex<Substring>) throws {
      terminal.type(line + Key.enter)
      try terminal.wait { screen in
        screen.lines.contains { $0.wholeMatch(of: expected) != nil }
          && screen.lines.last?.hasPrefix("todostream ›") == true
      }
    }
  }

  /// A client on the socket that has subscribed to all events.
  private final class Subscriber {
    let client: RPCClient
    /// How changes call it.
    let origin: String

    init(_ place: Workplace) throws {
      client = try RPCClient(connectedTo: "s.sock", in: place)
      _ = try client.call("events/subscribe")
      let id = try client.call("todo/add", #"{"title":"Mine"}"#)["result"]?["id"]
      guard case .integer(let number)? = id else { throw NoOrigin() }
      let told = try client.first { message in
        guard message["method"] == "todo/changed" else { return false }
        return message["params"]?["ids"] == [.integer(number)]
      }
      guard case .string(let origin)? = told["params"]?["origin"] else { throw NoOrigin() }
      self.origin = origin
    }

    struct NoOrigin: Error {}

    /// The numbers of the events that it was sent, up to the answer that a todo was added.
    func numbers(upTo id: JSON) throws -> [Int64] {
      var numbers: [Int64] = []
      while true {
        let events = try client.notified("events/append")["events"]
        guard case .array(let events)? = events else { return numbers }
        for event in events {
          if case .integer(let number)? = event["seq"] { numbers.append(number) }
          if event["type"] == "ResponseTodoViewModel", event["body"]?["result"]?["id"] == id {
            return numbers
          }
        }
      }
    }

    /// The numbers of all events of the log in a range.
    func log(from first: Int64, upTo last: Int64) throws -> [Int64] {
      var numbers: [Int64] = []
      var next = first
      while next <= last {
        let page = try client.call("events/read", #"{"from":\#(next),"limit":500}"#)["result"]
        guard case .array(let events)? = page?["events"], !events.isEmpty else { break }
        for case .integer(let number)? in events.map({ $0["seq"] }) {
          next = number + 1
          if number <= last { numbers.append(number) }
        }
      }
      return numbers
    }
  }
#endif
