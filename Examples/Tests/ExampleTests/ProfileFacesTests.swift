#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// The profile on all its faces, beside a service on the loopback interface: the same is said,
  /// and the same comes of it.
  @Suite(.hangLimit) struct ProfileFacesTests {
    private let server: LoopbackServer
    private let faces: Faces

    init() throws {
      let server = try LoopbackServer.ofProfiles()
      self.server = server
      let base = server.base
      let known = #"{"id":1,"name":"Ann","friends":3}"#
      let bob = #"{"id":2,"name":"Bob","friends":0}"#
      let image =
        #""avatar":{"kind":"image","address":"\#(base)/ann.gif","width":3,"height":2,"bytes":13},"#
        + #""isRefreshing":false}"#
      let ann = #"{"id":1,"name":"ANN","friends":"This user has 3 friends","# + image
      let annLee = #"{"id":1,"name":"ANN LEE","friends":"This user has 1 friend","# + image
      faces = Faces(
        program: "todostream-profile",
        lines: [
          .init(
            "add Ann --friends 3 --avatar \(base)/ann.gif --source \(base)/ann",
            "profile/add",
            #"{"name":"Ann","friends":3,"avatar":"\#(base)/ann.gif","source":"\#(base)/ann"}"#,
            #"{"users":[\#(known)]}"#
          ),
          .init("show 1", "profile/show", #"{"id":1}"#, ann),
          .init("refresh 1", "profile/refresh", ##"{"id":"#1"}"##, annLee),
          .init(
            "add Bob --avatar \(base)/none",
            "profile/add",
            #"{"name":"Bob","avatar":"\#(base)/none"}"#,
            #"{"users":[{"id":1,"name":"Ann Lee","friends":1},\#(bob)]}"#
          ),
          .init(
            "show 2",
            "profile/show",
            #"{"id":2}"#,
            #"{"id":2,"name":"BOB","friends":"This user has 0 friends","#
              + #""avatar":{"kind":"error","address":"\#(base)/none"},"isRefreshing":false,"#
              + #""problem":"\#(base)/none: The server answers with 404."}"#
          ),
          .init("show 1", "profile/show", #"{"id":1}"#, annLee),
          .init(
            "remove 2",
            "profile/remove",
            #"{"id":2}"#,
            #"{"users":[{"id":1,"name":"Ann Lee","friends":1}]}"#
          ),
        ]
      )
    }

    @Test func `S87 the profile as single commands`() throws {
      #expect(try faces.oneShots() == faces.results)
    }

    @Test func `S87 the profile in a script`() throws {
      #expect(try faces.script() == faces.results)
    }

    @Test func `S87 the profile in a conversation`() throws {
      #expect(try faces.conversation() == faces.results)
    }

    @Test func `S87 the profile over JSON-RPC`() throws {
      #expect(try faces.server() == faces.results)
    }

    // MARK: What no line of the profile is about

    @Test func `S93 a refresh is undone and redone like anything else`() throws {
      let place = try Workplace(for: "todostream-profile")
      func say(_ words: String) throws -> [String] {
        try place.start("todostream-profile \(words)").outcome().output
      }
      _ = try say("add Ann --friends 3 --source \(server.base)/ann")
      _ = try say("refresh 1")
      #expect(
        try say("undo").dropFirst() == [
          "  ~ #1 Ann", "      name: Ann Lee → Ann", "      friends: 1 → 3",
          "      avatar: \(server.base)/ann.gif → none",
        ]
      )
      #expect(try say("list") == ["#1 Ann"])
      _ = try say("redo")
      #expect(try say("list") == ["#1 Ann Lee"])
      #expect(try say("history 1").contains("  name: Ann → Ann Lee"))
    }

    @Test func `S107 the next process starts with the images that one before has loaded`() throws {
      let place = try Workplace(for: "todostream-profile")
      let address = "\(server.base)/ann.gif"
      _ = try place.start("todostream-profile add Ann --avatar \(address)").outcome()
      func image() throws -> String? {
        try place.start("todostream-profile show 1").outcome().output.last
      }
      #expect(try image() == "image of 3 × 2")
      server.set("/ann.gif", .page([], status: 503))
      let problem = "\(address): The server answers with 503."
      #expect(try image() == "image of 3 × 2  \(problem)")
      let cache = try #require(place.environment["XDG_CACHE_HOME"])
      try FileManager.default.removeItem(atPath: cache + "/todostream-profile/images")
      #expect(try image() == "(no image)  \(problem)")
    }

    @Test func `S95 a service that fails is an error on the command line, and changes nothing`()
      throws
    {
      let place = try Workplace(for: "todostream-profile")
      _ = try place.start("todostream-profile add Ann --source \(server.base)/none").outcome()
      let refreshed = try place.start("todostream-profile refresh 1").outcome()
      #expect(
        refreshed
          == Job.Outcome(
            errors: ["error: \(server.base)/none: The server answers with 404."],
            status: 1
          )
      )
      #expect(try place.start("todostream-profile list").outcome().output == ["#1 Ann"])
    }

    @Test(arguments: ["none", "ann"])
    func `S95 an image that can't be had fails the command, which shows the rest`(
      _ avatar: String
    ) throws {
      let place = try Workplace(for: "todostream-profile")
      let address = "\(server.base)/\(avatar)"
      let user = #"{"full_name":"Ann","friends_count":2,"avatar_url":"/\#(avatar)"}"#
      server.set("/user", .page(Array(user.utf8)))
      _ =
        try place.start(
          "todostream-profile add Ann --friends 2 --avatar \(address) --source \(server.base)/user"
        )
        .outcome()
      let problem =
        avatar == "none" ? "\(address): The server answers with 404." : "What is there is no image."
      let shown = Job.Outcome(
        output: ["#1 ANN", "This user has 2 friends", "(no image)  \(problem)"],
        status: 1
      )
      for command in ["show 1", "refresh 1"] {
        #expect(try place.start("todostream-profile \(command)").outcome() == shown)
      }
      // What only says what is shown has not failed, whatever that is.
      let lines = ["show 1", "profile"]
      let each = try place.start("todostream-profile run --keep-going -", input: lines).outcome()
      #expect(each.output == shown.output + shown.output)
      #expect(each.status == 3)
      #expect(
        try place.start("todostream-profile run -", input: lines).outcome()
          == Job.Outcome(output: shown.output + shown.output, status: 1)
      )
    }

    @Test func `S95 an image that is there fails nothing, and neither does a user without one`()
      throws
    {
      let place = try Workplace(for: "todostream-profile")
      _ = try place.start("todostream-profile add Ann --avatar \(server.base)/ann.gif").outcome()
      _ = try place.start("todostream-profile add Bob").outcome()
      let ann = try place.start("todostream-profile show 1").outcome()
      #expect(ann.output.last == "image of 3 × 2")
      #expect(ann.status == 0)
      let bob = try place.start("todostream-profile show 2").outcome()
      #expect(bob.output.last == "(no image)")
      #expect(bob.status == 0)
    }

    @Test func `S64 a service that is silent can be left, and the session goes on`()
      throws
    {
      let place = try Workplace(for: "todostream-profile")
      server.set("/silent", .silent)
      _ = try place.start("todostream-profile add Ann --source \(server.base)/silent").outcome()
      let input = try NamedPipe("input", in: place)
      let job = try place.start("exec todostream-profile serve --stdio <input")
      try input.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
      try input.write(#"{"jsonrpc":"2.0","id":2,"method":"profile/refresh","params":{"id":1}}"#)
      try server.wait(forRequest: "/silent")
      #expect(try !job.printed().contains(#""id":2,"#))
      try input.write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#)
      try job.wait(untilPrinted: #""id":2,"#)
      try server.wait(untilLeft: 1)
      #expect(server.leftCount == 1)
      try input.write(#"{"jsonrpc":"2.0","id":3,"method":"profile/profile"}"#)
      try input.write(#"{"jsonrpc":"2.0","id":4,"method":"shutdown"}"#)
      try input.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      let outcome = try job.outcome()
      #expect(outcome.status == 0)
      let words = "\(server.base)/silent: Cancelled before there was an answer."
      #expect(outcome.output.contains { $0.contains(#""id":2,"error":"#) && $0.contains(words) })
      #expect(
        outcome.output.contains {
          $0.contains(#""id":3,"#) && $0.contains(#""isRefreshing":false"#)
        }
      )
    }

    @Test func `S87 a slow image does not hold up a client's later commands`() throws {
      let place = try Workplace(for: "todostream-profile")
      server.set("/silent", .silent)
      _ = try place.start("todostream-profile add Ann --avatar \(server.base)/silent").outcome()
      let input = try NamedPipe("input", in: place)
      let job = try place.start("exec todostream-profile serve --stdio <input")
      try input.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
      try input.write(#"{"jsonrpc":"2.0","id":2,"method":"profile/show","params":{"id":1}}"#)
      try input.write(#"{"jsonrpc":"2.0","id":3,"method":"profile/list"}"#)
      try job.wait(untilPrinted: #""id":3,"#)
      #expect(try !job.printed().contains(#""id":2,"#))
      try server.wait(forRequest: "/silent")
      #expect(server.leftCount == 0)
      job.send(SIGKILL)
      _ = try job.outcome()
      try server.wait(untilLeft: 1)
    }

    @Test func `S87 who watches what is shown is told that nobody is`() throws {
      let place = try Workplace(for: "todostream-profile")
      _ = try place.start("todostream-profile add Ann").outcome()
      let input = try NamedPipe("input", in: place)
      let job = try place.start("exec todostream-profile serve --stdio <input")
      func ask(_ id: Int, _ method: String, _ params: String = "{}") throws {
        try input.write(
          #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
        )
        try job.wait(untilPrinted: #""id":\#(id),"#)
      }
      func isTold(_ value: String, _ times: Int) throws {
        let told = #""method":"state/changed","params":{"name":"profile","value":\#(value)"#
        try job.wait(until: "it is told \(times) times that nobody is shown") {
          $0.ranges(of: told).count == times
        }
      }
      try ask(1, "initialize")
      try ask(2, "state/subscribe", #"{"name":"profile"}"#)
      try isTold("null", 1)
      try ask(3, "profile/show", #"{"id":1}"#)
      try isTold(#"{"id":1,"name":"ANN""#, 1)
      // Another process's.
      #expect(try place.start("todostream-profile remove 1").outcome().status == 0)
      try isTold("null", 2)
      try job.wait(untilPrinted: #""method":"profile/changed""#)
      try ask(4, "shutdown")
      try input.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      let outcome = try job.outcome()
      #expect(outcome.status == 0)
      #expect(
        outcome.output.filter { $0.contains(#""method":"profile/changed""#) }.last?
          .contains(#""ids":[1]"#) == true,
        "\(outcome.output)"
      )
    }

    @Test func `the flagship does not know how to speak HTTP`() throws {
      let place = try Workplace(for: "todostream-profile")
      func linked(_ program: String) throws -> Bool {
        let outcome = try place.start(#"ldd "$(command -v "$1")""#, [program]).outcome()
        #expect(outcome.status == 0)
        return outcome.output.contains { $0.contains("FoundationNetworking") }
      }
      #expect(try linked("todostream-profile"))
      #expect(try !linked("todostream"))
    }
  }

  extension LoopbackServer {
    /// A service that knows Ann Lee.
    static func ofProfiles() throws -> LoopbackServer {
      let server = try LoopbackServer()
      server.set("/ann.gif", .page(Array("GIF89a".utf8) + [3, 0, 2, 0, 0, 0, 0]))
      let user = #"{"full_name":"Ann Lee","friends_count":1,"avatar_url":"/ann.gif"}"#
      server.set("/ann", .page(Array(user.utf8)))
      return server
    }
  }
#endif
