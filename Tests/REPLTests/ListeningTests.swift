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
  }
#endif
