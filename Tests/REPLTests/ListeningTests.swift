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

    @Test func `S82 the menu that a person opens and closes is the line's own, and no event`()
      throws
    {
      let place = try Workplace()
      let path = place.folder.appending(path: "s.sock").path
      let session = try Session(place: place, words: ["--listen=\(path)"])
      let client = try RPCClient(connectedTo: "s.sock", in: place)
      guard case .array(let listed)? = try client.call("state/list")["result"] else { return }
      for state in listed.compactMap({ $0["name"] }) {
        _ = try client.call("state/subscribe", #"{"name":\#(state.description)}"#)
        _ = try client.notified("state/changed")
      }
      func head() throws -> JSON? {
        try client.call("events/subscribe")["result"]?["head"]
      }
      let before = try head()
      session.terminal.type("re\t")
      try session.terminal.wait("the menu is open") { screen in
        screen.lines.contains { $0.hasPrefix("redo ") }
      }
      session.terminal.type("o")
      try session.terminal.wait("the menu is closed") { screen in
        screen.lines.last?.hasPrefix("todostream › reo") == true
      }
      #expect(try head() == before)
      #expect(try !client.hasSaid("state/changed"))
      #expect(try !client.hasSaid("events/append"))
      session.terminal.type(Key.control("U"))
      try session.enter("add Milk", until: "Added #1 Milk")
      #expect(try client.notified("state/changed")["name"] == "todo/counts")
      session.end()
    }
  }
#endif
