#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// A frontend that the todo manager does not know, beside a person on the same stream.
  @Suite(.hangLimit) struct LineServerTests {
    @Test func `S105 a line adds a frontend that serves beside the REPL`() throws {
      let place = try Workplace(for: "todostream-lines")
      let port = try freePort()
      let terminal = try Terminal(columns: 120, rows: 60)
      let folder = try Workplace.binaries(with: "todostream-lines")
      var environment = place.environment
      environment["NO_COLOR"] = "1"
      try terminal.start(
        [folder.appending(path: "todostream-lines").path, "--lines", "\(port)"],
        environment: environment
      )
      try terminal.wait { $0.lines.last?.hasPrefix("todostream-lines ›") == true }
      let (first, second) = (try LineTalk(port), try LineTalk(port))
      #expect(first.say("add Milk --tag home") == ["Added #1 Milk  +home"])
      #expect(second.say("lst") == ["error: no command 'lst'; did you mean 'list'?"])
      #expect(second.say("add Bread") == ["Added #2 Bread"])
      try terminal.wait { screen in screen.lines.contains { $0.contains("Bread") } }
      terminal.type("add Salt\r")
      try terminal.wait { screen in screen.lines.contains("Added #3 Salt") }
      #expect(first.say("undo --mine").last == "  - #1 Milk")
      #expect(second.say("list") == ["#3 [ ] Salt", "#2 [ ] Bread"])
      #expect(second.say("show 9") == ["error: There is no todo #9."])
      terminal.type("\u{4}")
      #expect(terminal.outcome() == 0)
      #expect(first.readsEnd)
    }

    @Test func `it is in help and completion, and what is no session refuses it`() throws {
      let place = try Workplace(for: "todostream-lines")
      let help = try place.start("todostream-lines help all").outcome()
      #expect(
        help.output.contains("  --lines PORT               Serves lines on a port of this machine")
      )
      let refused = try place.start("todostream-lines --lines 7000 --version").outcome()
      #expect(refused.errors == ["error: --lines is for a session, and '--version' is none"])
    }

    @Test func `what is not in its list of parts is not in the program`() throws {
      let place = try Workplace(for: "todostream-lines")
      let help = try place.start("todostream-lines help all").outcome().output
      let words = ["  report", "  trace", "  serve", "  replay", "  --record", "  --observer"]
      for word in words { #expect(!help.contains { $0.hasPrefix(word) }, "\(word)") }
      let summary = "  --store FILE               The file that keeps everything"
      #expect(help.contains(summary))
      let program = try Workplace.binaries(with: "todostream-lines")
        .appending(path: "todostream-lines")
      let bytes = try Data(contentsOf: program)
      #expect(bytes.range(of: Data("The file that keeps everything".utf8)) != nil)
      for text in ["postgresql://", "figures.json", "todostream-inspector", "--observer"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)")
      }
      let named =
        try place.start(
          "todostream-lines run",
          input: ["add Milk as @m", "done @m", "history @m"]
        )
        .outcome()
      #expect(named.errors == [])
      let address = "postgresql://db.example.org/todos"
      let refused = try place.start("todostream-lines --store \(address) list").outcome()
      #expect(
        refused.errors == ["error: There are no stores of the kind 'postgresql': name a file."]
      )
    }

    /// A port that is free, and that no system gives to who asks for any (ip_local_port_range).
    private func freePort() throws -> UInt16 {
      for number in UInt16.random(in: 20_000..<29_000)... {
        if let socket = TCPSocket(bound: number) {
          socket.close()
          return number
        }
      }
      throw TCPSocket.Failed(code: EADDRINUSE)
    }
  }

  /// A conversation by lines over TCP.
  private final class LineTalk {
    private let socket: TCPSocket
    private let input: UnsafeMutablePointer<FILE>

    init(_ port: UInt16) throws {
      socket = try TCPSocket(connectedTo: port)
      guard let input = fdopen(socket.descriptor, "r") else { throw TCPSocket.Failed(code: errno) }
      self.input = input
    }

    deinit { fclose(input) }

    /// Says a line, and reads what comes back: the lines before that of a command that marks the end.
    func say(_ line: String) -> [String] {
      socket.write(line + "\nversion-of-nothing\n")
      var lines: [String] = []
      while let line = read(), !line.hasPrefix("error: no command 'version-of-nothing'") {
        lines.append(line)
      }
      return lines
    }

    /// Whether nothing more comes, and the connection is ended.
    var readsEnd: Bool { read() == nil }

    private func read() -> String? {
      var (line, room): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
      defer { free(line) }
      guard getline(&line, &room, input) > 0, let line else { return nil }
      return String(String(cString: line).dropLast())
    }
  }

  /// A socket of this machine.
  private struct TCPSocket {
    struct Failed: Error {
      let code: Int32
    }

    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

    /// One that holds a port; nil if another does.
    init?(bound port: UInt16) {
      guard at(port, bind) else {
        close()
        return nil
      }
    }

    init(connectedTo port: UInt16) throws {
      guard at(port, connect) else { throw Failed(code: errno) }
    }

    private func at(
      _ port: UInt16,
      _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Bool {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
    }

    func write(_ text: String) { _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    func close() { Foundation.close(descriptor) }
  }
#endif
