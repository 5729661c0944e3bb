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
      // It notes the number of each event, and writes at few: it may use a fiftieth of the processor.
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
                params = message.get("params", {})
                if message.get("method") == "events/overflow":
                    say("events/subscribe", 2, **{"from": params["next"]})
                for event in params.get("events", []):
                    file.write(f"{event['seq']}\\n")
                    if event["type"] == "ResponseTodoViewModel" and "10 of" in str(event["body"]):
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
        for (client, asked) in zip(clients, asked) { #expect(try client.result(of: asked) != nil) }
      }
      let last = "\(Self.rounds) of a person"
      try session.terminal.wait { screen in
        screen.lines.contains { $0.hasPrefix("Added") && $0.hasSuffix(last) }
      }
      for client in clients {
        let undone = try client.call("history/undo", #"{"mine":true}"#)
        #expect(undone?["origin"] == .string(client.origin))
      }
      try session.enter("undo --mine", until: undone(last))
      // All that was sent up to a mark that each of them sees.
      _ = try clients[0].call("todo/add", #"{"title":"The mark"}"#)
      for client in clients { try client.wait(for: "The mark") }
      let end = try #require(clients.compactMap(\.numbers.last).min())
      let begin = try #require(clients.compactMap(\.numbers.first).max())
      let sent = clients.map { client in client.numbers.filter { begin...end ~= $0 } }
      #expect(sent[0].count > 6 * Self.rounds)
      #expect(sent[0] == sent[1])
      // The log has what is not long ago.
      let recent = sent[0].suffix(5000)
      #expect(try clients[0].log(from: try #require(recent.first), upTo: end) == Array(recent))
      try waitUntil("the observer has seen the last event") { try observed().contains(end) }
      #expect(try observed().filter { begin...end ~= $0 } == sent[0])
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
      #expect(try other.call("todo/add", #"{"title":"Too"}"#) != nil)
      let undone = try other.call("history/undo", #"{"mine":true}"#)
      #expect(undone?["origin"] == .string(other.origin))
      try session.enter("undo --mine", until: self.undone("After it"))
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

  /// A client on the socket that has subscribed to all events, and notes their numbers as they come.
  private final class Subscriber {
    let client: RPCClient
    /// How changes call it.
    let origin: String
    /// The numbers of the events that it was sent.
    private(set) var numbers: [Int64] = []
    private var titles: Set<String> = []

    init(_ place: Workplace) throws {
      client = try RPCClient(connectedTo: "s.sock", in: place)
      _ = try client.call("todo/add", #"{"title":"Mine"}"#)
      guard case .string(let origin)? = try client.notified("todo/changed")["origin"] else {
        throw NoOrigin()
      }
      self.origin = origin
      _ = try client.call("events/subscribe")
    }

    struct NoOrigin: Error {}

    /// Sends a request, and waits for its result.
    func call(_ method: String, _ params: String = "{}") throws -> JSON? {
      try result(of: client.ask(method, params))
    }

    /// Waits for the result of a request.
    func result(of id: Int) throws -> JSON? {
      while true {
        let message = try client.read()
        if message["id"] == .integer(Int64(id)) { return message["result"] }
        note(message)
      }
    }

    /// Waits until it was told of a todo.
    func wait(for title: String) throws {
      while !titles.contains(title) { note(try client.read()) }
    }

    private func note(_ message: JSON) {
      guard message["method"] == "events/append",
        case .array(let events)? = message["params"]?["events"]
      else { return }
      for event in events {
        if case .integer(let number)? = event["seq"] { numbers.append(number) }
        if case .string(let title)? = event["body"]?["result"]?["title"] { titles.insert(title) }
      }
    }

    /// The numbers of the events of the log in a range.
    func log(from first: Int64, upTo last: Int64) throws -> [Int64] {
      var numbers: [Int64] = []
      var next = first
      while next <= last {
        let page = try call("events/read", #"{"from":\#(next),"limit":500}"#)
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
