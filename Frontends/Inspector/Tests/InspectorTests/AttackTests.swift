import Foundation
import ProcessTesting
import Testing

/// Who lacks the secret of the address gets the files of the page and nothing else, and nobody makes the program fail.
@Suite(.timeLimit(.minutes(10))) struct AttackTests {
  private static let script = ["add \"Buy </script><img src=x onerror=alert(1)>\" --tag secret"]
  private static let refusal = "Open the address that the program has printed.\n"

  private let inspector: RunningInspector

  init() throws { inspector = try RunningInspector(Self.script) }

  /// The line of a head with the secret.
  private var secret: String { "Authorization: Bearer \(inspector.token)" }

  private func isRefused(_ response: Wire.Response?) -> Bool {
    response?.status == 403 && response?.body == Self.refusal
      && response?.headers["set-cookie"] == nil
      && response?.headers["access-control-allow-origin"] == nil
  }

  @Test func `the page and the answers are there for the page`() throws {
    #expect(try inspector.get("/")?.status == 200)
    let origin = "http://127.0.0.1:\(inspector.port)"
    let asked = try inspector.get(
      "/api/recording",
      ["Origin": origin, "Sec-Fetch-Site": "same-origin"]
    )
    #expect(asked?.body.contains("RequestAddTodo") == true)
    #expect(asked?.headers["set-cookie"] == nil)
    let named = try inspector.get("/api/recording", ["Host": "localhost:\(inspector.port)"])
    #expect(named?.status == 200)
  }

  @Test(arguments: ["/api/recording", "/api/export", "/api/updates", "/api", "/nothing", "*"])
  func `without the secret everything but the page gets one refusal`(_ path: String) throws {
    #expect(isRefused(try Wire.ask(inspector.port, path)))
  }

  @Test func `the files of the page are the same for everyone`() throws {
    for path in ["/", "/main.js", "/style.css"] {
      let page = try #require(try Wire.ask(inspector.port, path))
      #expect(page.status == 200)
      #expect(page.headers["set-cookie"] == nil)
      #expect(page.headers["cache-control"] == "no-store")
      #expect(page.headers["referrer-policy"] == "no-referrer")
      #expect(!page.body.contains(inspector.token))
      #expect(try inspector.get(path) == page)
    }
  }

  @Test func `a secret of another run, a guessed one and a part of one are none`() throws {
    let other = try RunningInspector("session.jsonl", in: inspector.place)
    for token in [
      other.token, String(repeating: "0", count: 32), String(inspector.token.dropLast()), "",
      inspector.token + "0",
    ] {
      for header in ["Bearer \(token)", "Basic \(inspector.token)", token] {
        #expect(isRefused(try inspector.get("/api/recording", ["Authorization": header])))
      }
    }
  }

  @Test func `the secret is taken from the header of the page alone`() throws {
    let token = inspector.token
    #expect(isRefused(try Wire.ask(inspector.port, "/api/recording?token=\(token)")))
    #expect(isRefused(try Wire.ask(inspector.port, "/api/recording?Authorization=\(token)")))
    for headers in [
      ["Cookie": "inspector-\(inspector.port)=\(token); token=\(token)"],
      ["Referer": inspector.address], ["Proxy-Authorization": "Bearer \(token)"],
    ] {
      #expect(isRefused(try Wire.ask(inspector.port, "/api/recording", headers)))
    }
  }

  @Test(arguments: [
    "attacker.example", "attacker.example:PORT", "127.0.0.1", "127.0.0.1:1", "", "[::1]:PORT",
  ])
  func `a host of another name is refused, as after DNS rebinding`(_ host: String) throws {
    let host = host.replacing("PORT", with: "\(inspector.port)")
    #expect(isRefused(try inspector.get("/api/recording", ["Host": host])))
    #expect(isRefused(try Wire.ask(inspector.port, "/", ["Host": host])))
  }

  @Test func `two hosts, or none, are refused`() throws {
    for hosts in ["", "Host: 127.0.0.1:\(inspector.port)\r\nHost: attacker.example\r\n"] {
      let wire = try Wire(port: inspector.port)
      wire.write("GET /api/recording HTTP/1.1\r\n\(hosts)\(secret)\r\n\r\n")
      let response = wire.response()
      #expect(response?.body.contains("RequestAddTodo") != true)
      #expect(response.map { $0.status >= 400 } ?? true)
    }
  }

  @Test(
    arguments: [
      ["Origin": "http://attacker.example"], ["Origin": "null"], ["Origin": "http://127.0.0.1:1"],
      ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
    ]
  )
  func `another site's requests are refused, even with the secret`(
    _ headers: [String: String]
  ) throws {
    #expect(isRefused(try inspector.get("/api/recording", headers)))
    #expect(isRefused(try Wire.ask(inspector.port, "/", headers)))
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
  func `forms and other methods change nothing`(_ method: String) throws {
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    let blind = try Wire.ask(inspector.port, "/api/send", method: method, form, body: "line=add+x")
    #expect(isRefused(blind))
    let known = try Wire.ask(
      inspector.port,
      "/api/send",
      method: method,
      form.merging(inspector.own) { $1 },
      body: "line=add+x"
    )
    #expect(known?.status == 405)
  }

  @Test func `a WebSocket is not opened`() throws {
    let upgrade = [
      "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://attacker.example",
    ]
    #expect(isRefused(try Wire.ask(inspector.port, "/api/updates", upgrade)))
  }

  @Test(
    arguments: [
      "/../session.jsonl", "/%2e%2e/session.jsonl", "/..%2fsession.jsonl", "//etc/passwd",
      "/api/../../etc/passwd",
      "/api/events/../../x", "/%00", "/main.js%00.html", "/api/events/99999999999999999999999",
      "/api/events/-1",
    ]
  )
  func `no path leads out of the page`(_ path: String) throws {
    #expect(try inspector.get(path)?.status == 404)
  }

  @Test(
    arguments: [
      "/api/events?from=9223372036854775807&limit=9223372036854775807", "/api/events?from=-9",
      "/api/events?limit=0", "/api/events?q=%2Fa(%2F", "/api/events?q=%FF%FE",
      "/api/tree?root=18446744073709551615",
      "/api/tree", "/api/compare", "/api/compare?a=1", "/api/compare?a=1&b=2&file=other",
      "/api/field?kind=x",
      "/api/field?kind=Todo&number=99999999999999999999", "/api/replay", "/api/export/otlp?root=,",
      "/api/events?q=seq:9-1",
    ]
  )
  func `parameters that can't be taken are errors in words`(_ path: String) throws {
    let response = try inspector.get(path)
    #expect([200, 400].contains(response?.status))
    #expect(response?.status == 200 || response?.body.hasPrefix("{\"error\":\"") == true)
  }

  @Test func `a line break in a parameter is in no header`() throws {
    let response = try inspector.get("/api/export/otlp?root=1%0D%0ASet-Cookie:%20x=1")
    #expect(response?.headers["set-cookie"] == nil)
    let wire = try Wire(port: inspector.port)
    wire.write("GET /\u{b}x HTTP/1.1\r\nHost: x\n\rSet-Cookie: y\r\n\r\n")
    #expect(wire.response()?.headers["set-cookie"] == nil)
  }

  @Test func `what a person typed is text, and the page runs nothing else`() throws {
    let page = try #require(try inspector.get("/"))
    let policy = page.headers["content-security-policy"] ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'"))
    #expect(policy.hasSuffix("require-trusted-types-for 'script'; trusted-types 'none'"))
    #expect(!policy.contains("unsafe"))
    #expect(page.headers["x-content-type-options"] == "nosniff")
    #expect(page.headers["cache-control"] == "no-store")
    let events = try #require(try inspector.get("/api/events?q=onerror"))
    #expect(events.headers["content-type"] == "application/json; charset=utf-8")
    #expect(events.body.contains("<img src=x onerror=alert(1)>"))
  }

  @Test func `another user's process gets nothing`() throws {
    // Root may take any identity; who is not root is another user already, and tries without the secret.
    let become = getuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
    let job = try inspector.place.start(
      "\(become) curl -s -w ' %{http_code}' http://127.0.0.1:\(inspector.port)/api/recording"
    )
    #expect(try job.outcome().output.joined(separator: "\n").hasPrefix(Self.refusal))
    // Nor does the list of processes have the secret.
    let line = try String(
      contentsOfFile: "/proc/\(inspector.processNumber)/cmdline",
      encoding: .utf8
    )
    #expect(!line.contains(inspector.token))
  }

  @Test func `it listens on this machine alone`() throws {
    let sockets =
      try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
      + String(contentsOfFile: "/proc/net/tcp6", encoding: .utf8)
    let port = String(format: ":%04X ", inspector.port)
    let listening = sockets.split(separator: "\n")
      .filter { $0.contains(port) && $0.contains(" 0A ") }
    #expect(listening.count == 1)
    #expect(listening.first?.contains("0100007F:") == true)
  }

  @Test func `endless headers, lines and bodies end the connection`() throws {
    for start in ["GET /", "GET / HTTP/1.1\r\nHost: ", "GET / HTTP/1.1\r\n"] {
      let wire = try Wire(port: inspector.port)
      wire.write(start)
      let part =
        start.hasSuffix("\n")
        ? String(repeating: "X: \(String(repeating: "y", count: 100))\r\n", count: 100)
        : String(repeating: "x", count: 10_000)
      // More than the system keeps of it.
      let isClosed = (0..<10_000).contains { _ in !wire.write(part) }
      #expect(isClosed)
    }
    let wire = try Wire(port: inspector.port)
    wire.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk = "2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n"
    #expect((0..<10_000).contains { _ in !wire.write(chunk) })
    #expect(try inspector.get("/")?.status == 200)
  }

  @Test func `slow requests and idle connections hold up nobody, and end`() throws {
    let idle = try (0..<40).map { _ in try Wire(port: inspector.port) }
    for wire in idle { wire.write("GET / HT") }
    #expect(try inspector.get("/")?.status == 200)
    for wire in idle { #expect(wire.response() == nil) }
  }

  @Test func `connections without the secret give way to the page, and its own ones stay`() throws {
    let own = try Wire(port: inspector.port)
    let request =
      "GET /api/recording HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port)\r\n"
      + "\(secret)\r\n\r\n"
    own.write(request)
    #expect(own.response()?.status == 200)
    let held = try (0..<200).map { _ in try Wire(port: inspector.port) }
    for wire in held.suffix(20) { wire.write("GET / HT") }
    own.write(request)
    #expect(own.response()?.status == 200)
    let browser = try Browser(in: inspector.place)
    try browser.open(inspector.address)
    try browser.wait(for: "#grid .event .type", toShow: "RequestAddTodo")
    #expect(held[0].response() == nil)
  }

  @Test func `a page that reads no updates holds up nobody`() throws {
    let wires = try (0..<8).map { _ in try Wire(port: inspector.port) }
    for wire in wires {
      wire.write(
        "GET /api/updates HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port)\r\n\(secret)\r\n\r\n"
      )
    }
    #expect(wires[0].read(until: "}\n").contains("{\"bytes\":"))
    #expect(try inspector.get("/api/events?limit=1")?.status == 200)
  }
}
