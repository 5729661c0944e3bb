#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// Programs of another user at either end of a Unix socket, whose mode lets them in.
  @Suite(.hangLimit, .enabled(if: getuid() == 0, "Only root can start a program as another user."))
  struct OtherUserTests {
    /// Runs a program as the user 65534, which owns nothing.
    private static let become = "exec setpriv --reuid 65534 --regid 65534 --clear-groups"

    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test func `a client of another user is refused, and that is said once`() throws {
      let input = try NamedPipe("in", in: place)
      let server = try place.start(
        "exec todostream serve --stdio --listen=s.sock <in 2>said"
      )
      try input.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#)
      try server.wait(untilPrinted: #""id":1"#)
      #expect(try place.start("chmod 711 . && chmod 666 s.sock").outcome() == .init())
      let client = #"""
        import socket
        for _ in range(2):
          client = socket.socket(socket.AF_UNIX)
          client.connect("s.sock")
          client.settimeout(20)
          try:
            client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n')
            print("answered" if client.recv(1) else "closed")
          except (BrokenPipeError, ConnectionResetError):
            print("closed")
        """#
      let other = try place.start(#"\#(Self.become) python3 -c "$1""#, [client]).outcome()
      #expect(other.output == ["closed", "closed"], "\(other)")
      // It goes on for its own user.
      let own = try RPCClient(connectedTo: "s.sock", in: place)
      #expect(try own.call("todo/list")["result"] == [])
      let said = { try String(contentsOf: place.folder.appending(path: "said"), encoding: .utf8) }
      try waitUntil("the refusal is reported") { try said().contains("refused") }
      #expect(
        try said()
          == "warning: s.sock: a program of user 65534 was refused; 'chmod 600' of the socket keeps other users out.\n"
      )
      input.end()
      _ = try server.outcome()
    }

    @Test func `what another user's program listens for is not sent to it`() throws {
      #expect(try place.start("chmod 777 .").outcome() == .init())
      let listener = #"""
        import socket
        server = socket.socket(socket.AF_UNIX)
        server.bind("s.sock")
        server.listen()
        print("ready", flush=True)
        print("received", server.accept()[0].recv(1), flush=True)
        """#
      let other = try place.start(#"\#(Self.become) python3 -c "$1""#, [listener])
      try other.wait(untilPrinted: "ready")
      let client = try RPCClient(place, words: ["serve", "--stdio", "--attach=s.sock"])
      #expect(
        try client.notified("notice")["message"]
          == "This process serves by itself. s.sock: what listens there is another user's."
      )
      #expect(try other.outcome().output == ["ready", "received b''"])
    }
  }
#endif
