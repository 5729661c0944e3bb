#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// `serve --stdio --attach`: an editor joins a process that serves the same.
  @Suite(.hangLimit) struct AttachTests {
    private let place: Workplace

    init() throws {
      place = try Workplace()
    }

    private func client(_ words: String...) throws -> RPCClient {
      try RPCClient(place, words: words + ["serve", "--stdio", "--attach=s.sock"])
    }

    @Test func `S105 what an attached client does is done in the process that it joins`() throws {
      let house = try RPCClient(place, words: ["serve", "--stdio", "--listen=s.sock"])
      let client = try client()
      _ = try client.call("todo/add", #"{"title":"Milk"}"#)
      let told = try house.notified("todo/changed")
      guard case .string(let origin)? = told["origin"] else {
        Issue.record("no origin in \(told)")
        return
      }
      #expect(origin.hasPrefix("socket "))
      #expect(try !client.hasSaid("notice"))
      _ = try client.call("shutdown")
      client.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(client.end() == 0)
      // It was a session of the process, which goes on.
      #expect(try house.call("todo/show", #"{"id":1}"#)["result"]?["title"] == "Milk")
      _ = try house.call("shutdown")
      house.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      #expect(house.end() == 0)
    }

    @Test func `headers are mirrored, as by the process itself`() throws {
      let house = try RPCClient(place, words: ["serve", "--stdio", "--listen=s.sock"])
      let hello = #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#
      let job = try place.start(
        #"printf 'Content-Length: \#(hello.utf8.count)\r\n\r\n%s' "$1" | todostream serve --stdio --attach=s.sock"#,
        [hello]
      )
      let outcome = try job.outcome()
      #expect(outcome.output.first?.hasPrefix("Content-Length: ") == true)
      #expect(outcome.status == 1)
      #expect(try house.call("todo/list")["result"] == [])
    }

    @Test func `with nobody to join it serves by itself, and says so`() throws {
      let client = try client()
      let notice = try client.notified("notice")
      #expect(
        notice["message"]
          == "This process serves by itself. s.sock: no process listens there."
      )
      #expect(try client.call("todo/add", #"{"title":"Milk"}"#)["result"]?["id"] == 1)
    }

    @Test(
      arguments: [
        (["--without", "trace"], "s.sock: the process that listens there has other plugins."),
        (["--store", "other.sqlite"], "s.sock: the process that listens there has another store."),
        (["--record", "r.jsonl"], "--record is for a process of its own."),
      ])
    func `where something else is served, too`(_ words: [String], _ problem: String) throws {
      let house = try RPCClient(place, words: ["serve", "--stdio", "--listen=s.sock"])
      let client = try RPCClient(place, words: words + ["serve", "--stdio", "--attach=s.sock"])
      let notice = try client.notified("notice")
      #expect(notice["message"] == .string("This process serves by itself. \(problem)"))
      _ = try house.call("todo/list")
    }

    @Test func `what listens there and says nothing is not waited for`() throws {
      let socket = try SilentSocket(at: place.folder.appending(path: "s.sock").path)
      let client = try client()
      let notice = try client.notified("notice")
      #expect(
        notice["message"]
          == "This process serves by itself. s.sock: what listens there does not say what it serves."
      )
      socket.close()
    }

    @Test func `the end of the process that it has joined ends it, and its client is told`() throws
    {
      let house = try RPCClient(place, words: ["serve", "--stdio", "--listen=s.sock"])
      let client = try client()
      house.endInput()
      #expect(try client.notified("session/closed") == ["reason": "The process ends."])
      #expect(client.end() == 1)
      #expect(house.end() == 1)
    }

    @Test func `the end of its client's process ends it`() throws {
      let house = try RPCClient(place, words: ["serve", "--stdio", "--listen=s.sock"])
      let editor = try place.start("exec sleep 60")
      let client = try client("--clientProcessId", "\(editor.number)")
      editor.send(SIGKILL)
      #expect(client.end() == 1)
      #expect(try house.call("todo/list")["result"] == [])
    }
  }

  /// A socket that takes clients, and never answers.
  private struct SilentSocket {
    private let descriptor: Int32

    struct Failed: Error {
      let code: Int32
    }

    init(at path: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let isBound = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      guard isBound, listen(descriptor, 8) == 0 else { throw Failed(code: errno) }
    }

    func close() { Foundation.close(descriptor) }
  }
#endif
