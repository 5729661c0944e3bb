#if os(Linux)
  import EventMVVMTesting
  import ProcessTesting
  import Testing

  /// A session of the profile, recorded with a service and told again without one.
  @Suite(.hangLimit) struct ProfileRecordingTests {
    @Test func `S57 what a service answered is told again without it, in another zone`() throws {
      let place = try Workplace(for: "todostream-profile")
      do {
        let server = try LoopbackServer.ofProfiles()
        let client = try Client("todostream-profile --record r", place)
        let (avatar, source) = (server.base + "/ann.gif", server.base + "/ann")
        try client.ask(
          "profile/add",
          #"{"name":"Ann","avatar":"\#(avatar)","source":"\#(source)"}"#
        )
        try client.ask("profile/show", #"{"id":1}"#)
        try client.ask("profile/refresh")
        server.set("/ann", .page([], status: 500))
        try client.ask("profile/refresh")
        try client.ask("history/undo")
        try client.ask("profile/profile")
        server.set("/silent", .silent)
        try client.ask("profile/add", #"{"name":"Bob","source":"\#(server.base)/silent"}"#)
        let long = try client.send("profile/refresh", #"{"id":2}"#)
        try server.wait(forRequest: "/silent")
        try client.tell("$/cancelRequest", #"{"id":\#(long)}"#)
        #expect(try client.answer(long).hasPrefix("error: "))
        try client.end()
      }
      try place.tellAgain("todostream-profile", "r")
    }

    @Test func `S57 a recorded answer of the service that is changed is found`() throws {
      let place = try Workplace(for: "todostream-profile")
      let server = try LoopbackServer.ofProfiles()
      _ = try place.start("todostream-profile add Ann --source \(server.base)/ann").outcome()
      _ = try place.start("todostream-profile --record r refresh 1").outcome()
      let mutated =
        try place.start(
          #"sed '/"ResponseWriteRecords/s/Ann Lee/Eve Lee/' r >m; cmp -s r m; echo $?"#
        )
        .outcome()
      #expect(mutated.output == ["1"])
      let told = try place.start("todostream-profile replay m").outcome()
      #expect(told.status == 1)
      #expect(told.output.first?.hasPrefix("Divergence at event ") == true, "\(told)")
      let asked = server.requests
      #expect(try place.start("todostream-profile replay r").outcome().status == 0)
      #expect(server.requests == asked)
    }
  }
#endif
