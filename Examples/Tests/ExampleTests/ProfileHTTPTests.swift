#if os(Linux)
  import EventMVVM
  import EventMVVMTesting
  import EventMVVMTesting
  import EventPatterns
  import Foundation
  import ProcessTesting
  import Testing

  @testable import todostream_profile

  /// The real service (S59, S64): HTTP, against a server on the loopback interface.
  @Suite(.hangLimit) struct ProfileHTTPTests {
    private static let gif: [UInt8] = Array("GIF89a".utf8) + [3, 0, 2, 0, 0, 0, 0]

    /// What comes of asking: the number of bytes, or the words without the address.
    private func ask(
      _ server: LoopbackServer,
      _ path: String,
      atMost most: Int = 1000
    ) async -> String {
      do {
        return "\(try await HTTP().bytes(at: server.base + path, atMost: most).count) bytes"
      } catch {
        let failure = Failure(error)
        #expect(failure.kind == .service)
        return failure.message.replacingOccurrences(of: server.base, with: "")
      }
    }

    @Test func `S59 what is there comes`() async throws {
      let server = try LoopbackServer(["/a": .page(Self.gif), "/b": .elsewhere("/a")])
      #expect(await ask(server, "/a") == "13 bytes")
      #expect(await ask(server, "/b") == "13 bytes")
      #expect(server.requests == ["/a", "/b", "/a"])
    }

    @Test func `S59 many at once each get their own`() async throws {
      let server = try LoopbackServer()
      let http = HTTP()
      for number in 1...20 {
        server.set("/\(number)", .page(Array(repeating: 1, count: number)))
      }
      try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for number in 1...20 {
          group.addTask {
            (number, try await http.bytes(at: "\(server.base)/\(number)", atMost: 100).count)
          }
        }
        for try await (number, count) in group { #expect(count == number) }
      }
    }

    @Test(
      arguments: [
        (.page([1], status: 404), "/x: The server answers with 404."),
        (.page([1], status: 500), "/x: The server answers with 500."),
        (.large, "/x: There is too much of it."),
        (.cut([1], promised: 1 << 40), "/x: There is too much of it."),
        (.endless, "/x: There is too much of it."),
        (
          .cut([1, 2, 3], promised: 900),
          "/x: The connection was cut, or what came makes no sense."
        ),
        (.raw([]), "/x: The connection was cut, or what came makes no sense."),
        (
          .raw(Array("hello\r\n\r\n".utf8)),
          "/x: The connection was cut, or what came makes no sense."
        ),
        (.elsewhere("file:///etc/passwd"), "/x: The server answers with 404."),
        (.elsewhere("/x"), "/x: The server leads elsewhere, again and again."),
      ] as [(LoopbackServer.Manner, String)]
    )
    func `S64 whatever a server does is one answer, in words`(
      _ manner: LoopbackServer.Manner,
      _ words: String
    ) async throws {
      let server = try LoopbackServer(["/x": manner])
      let said = await ask(server, "/x")
      #expect(said == words)
    }

    @Test func `S64 where nobody answers is said`() async throws {
      await #expect(throws: Failure(.service, "http://127.0.0.1:1/x: Nobody answers there.")) {
        try await HTTP().bytes(at: "http://127.0.0.1:1/x", atMost: 10)
      }
      for address in ["file:///etc/passwd", "http://", "x", ""] {
        await #expect(throws: Failure(.service, "'\(address)' is no address of the web.")) {
          try await HTTP().bytes(at: address, atMost: 10)
        }
      }
    }

    @Test func `what may be a secret in an address is neither sent nor said`() async throws {
      let server = try LoopbackServer(["/b": .elsewhere("http://ann:secret@127.0.0.1:1/x")])
      #expect(
        await ask(server, "/none?token=secret#secret") == "/none: The server answers with 404."
      )
      #expect(server.requests == ["/none?token=secret"])
      #expect(await ask(server, "/b") == "/b: The server answers with 302.")
      let words = "An address of the web has no user and no password here."
      for address in [
        "http://ann:secret@h/", "http://ann@h/", "http://:se?cret@h/", "ann:secret@h",
      ] {
        await #expect(throws: Failure(.service, words)) {
          try await HTTP().bytes(at: address, atMost: 10)
        }
      }
      await #expect(throws: Failure(.service, "'ftp://h/x' is no address of the web.")) {
        try await HTTP().bytes(at: "ftp://h/x?token=secret", atMost: 10)
      }
    }

    @Test(
      arguments: [
        ("http://h/@ann", true), ("http://h?a@b", true), ("http://h#a@b", true),
        ("http://ann@h", false), ("http://@h", false), ("http://:@h/", false),
        ("HTTPS://a:b@h/", false), ("http://h\\@g/", false), ("http:///a@h/", false),
      ]
    )
    func `an address names no user`(_ address: String, _ isPlain: Bool) {
      #expect(Address.isPlain(address) == isPlain)
    }

    @Test func `S64 a silent server is left in time`() async throws {
      let server = try LoopbackServer(["/x": .silent])
      let clock = TestClock()
      let http = HTTP(within: .seconds(20), clock: clock)
      let asking = Task { try await http.bytes(at: server.base + "/x", atMost: 10) }
      try await waitUntil("the server is asked, and its time runs") {
        !server.requests.isEmpty && clock.sleeperCount > 0
      }
      clock.advance(by: .seconds(20))
      await #expect(
        throws: Failure(.service, "\(server.base)/x: There was no answer in time.")
      ) {
        try await asking.value
      }
      // The connection is gone, too.
      try await waitUntil("the connection is left") { server.leftCount > 0 }
      #expect(server.leftCount == 1)
    }

    @Test func `S64 cancelling leaves the server`() async throws {
      let server = try LoopbackServer(["/x": .silent])
      let http = HTTP()
      let asking = Task { try await http.bytes(at: server.base + "/x", atMost: 10) }
      try await waitUntil("the server is asked") { !server.requests.isEmpty }
      asking.cancel()
      await #expect(
        throws: Failure(
          .cancelled,
          "\(server.base)/x: Cancelled before there was an answer."
        )
      ) {
        try await asking.value
      }
      try await waitUntil("the connection is left") { server.leftCount > 0 }
      #expect(server.leftCount == 1)
    }

    @Test func `S59 from a server to what is shown`() async throws {
      let server = try LoopbackServer([
        "/ann.gif": .page(Self.gif),
        "/ann": .page(
          Array(#"{"full_name":"Ann Lee","friends_count":1,"avatar_url":"/ann.gif"}"#.utf8)
        ),
        "/page": .page(Array("<html>".utf8)),
      ])
      let web = HTTP()
      let network = WebNetworkController(web: web)
      let user = try await network.user(at: server.base + "/ann")
      #expect(user.avatar == server.base + "/ann.gif")
      let folder = try TestFolder()
      let cache = DiskCache(URL(filePath: folder.path))
      let images = WebImageController(web: web, cache: cache)
      let seen = Locked<[Picture]>([])
      for _ in 1...2 {
        try await images.images(at: user.avatar) { picture in
          seen.withLock { $0.append(picture) }
        }
      }
      let picture = Picture(width: 3, height: 2, bytes: 13)
      #expect(seen.withLock { $0 } == [picture, picture, picture])
      await #expect(throws: Failure(.service, "What is there is no image.")) {
        try await images.images(at: server.base + "/page") { _ in }
      }
      await #expect(throws: Failure(.service, "The service does not answer with a user.")) {
        try await network.user(at: server.base + "/page")
      }
    }
  }
#endif
