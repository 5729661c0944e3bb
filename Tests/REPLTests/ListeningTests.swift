#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// A REPL on a terminal that serves further clients besides.
  @Suite(.hangLimit) struct ListeningTests {
    @Test func `S105 a person and a program share one process, each with its own undo`() throws {
      let place = try Workplace()
      let path = place.folder.appending(path: "s.sock").path
      let session = try Session(place: place, words: ["--listen=\(path)"])
      let client = try RPCClient(connectedTo: "s.sock", in: place)
      try session.enter("add Milk", until: "Added #1 Milk")
      _ = try client.call("todo/add", #"{"title":"Bread"}"#)
      try session.terminal.wait { screen in screen.lines.contains { $0.contains("Bread") } }
      #expect(try client.call("history/undo", #"{"mine":true}"#)["result"]?["origin"] == "socket 1")
      try session.enter("undo --mine", until: "  - #1 Milk")
      session.end()
      #expect(try client.notified("session/closed") == ["reason": "The process ends."])
    }

    @Test func `S82 the menu that opens and closes beneath a line is the line's own, and no event`()
      throws
    {
      let place = try Workplace()
      let path = place.folder.appending(path: "s.sock").path
      let session = try Session(place: place, words: ["--listen=\(path)"])
      try session.terminal.wait("how many are open") { $0.lines.last?.hasSuffix("0 open") == true }
      let client = try RPCClient(connectedTo: "s.sock", in: place)
      func conversations() throws -> [JSON?] {
        let traced = try client.call("trace", #"{"count":99,"all":true}"#)["result"]
        guard case .array(let list)? = traced else { return [] }
        return
          list.map { conversation in
            guard case .array(let events)? = conversation["events"] else { return nil }
            return events.first?["type"]
          }
          .filter { $0 != "RequestTrace" }
      }
      let before = try conversations()
      #expect(before.contains("RequestTodoStatus"))
      session.terminal.type("re\t")
      try session.terminal.wait("the menu is open") { screen in
        screen.lines.contains { $0.hasPrefix("redo ") }
      }
      session.terminal.type("o")
      try session.terminal.wait("the menu is closed") { screen in
        screen.lines.last?.hasPrefix("todostream › reo") == true
      }
      #expect(try conversations() == before)
      session.terminal.type(Key.control("U"))
      try session.enter("add Milk", until: "Added #1 Milk")
      #expect(try conversations().contains("RequestAddTodo"))
      session.end()
    }
  }
#endif
