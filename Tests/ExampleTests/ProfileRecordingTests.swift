#if os(Linux)
  import ProcessTesting
  import Testing

  /// A session of the profile, recorded with a service and told again without one.
  @Suite struct ProfileRecordingTests {
    @Test func `S57 what a service answered is told again without it, in another zone`() throws {
      let place = try Workplace(for: "todostream-profile")
      do {
        let server = try LoopbackServer.ofProfiles()
        let input = try NamedPipe("input", in: place)
        let job = try place.start("exec todostream-profile --record r serve --stdio <input")
        var count = 0
        func ask(_ method: String, _ params: String = "{}") throws {
          count += 1
          try input.write(
            #"{"jsonrpc":"2.0","id":\#(count),"method":"\#(method)","params":\#(params)}"#
          )
          try waitUntil { try job.printed().contains(#""id":\#(count),"#) }
        }
        try ask("initialize")
        let (avatar, source) = (server.base + "/ann.gif", server.base + "/ann")
        try ask("profile/add", #"{"name":"Ann","avatar":"\#(avatar)","source":"\#(source)"}"#)
        try ask("profile/show", #"{"id":1}"#)
        try ask("profile/refresh")
        server.set("/ann", .page([], status: 500))
        try ask("profile/refresh")
        try ask("history/undo")
        try ask("profile/profile")
        server.set("/silent", .silent)
        try ask("profile/add", #"{"name":"Bob","source":"\#(server.base)/silent"}"#)
        try input.write(
          #"{"jsonrpc":"2.0","id":"long","method":"profile/refresh","params":{"id":2}}"#
        )
        waitUntil { server.requests.contains("/silent") }
        try input.write(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"long"}}"#)
        try waitUntil { try job.printed().contains(#""id":"long","#) }
        try ask("shutdown")
        try input.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
        #expect(try job.outcome().status == 0)
      }
      let told =
        try place.start(
          "todostream-profile replay r",
          variables: ["TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"]
        )
        .outcome()
      #expect(told.output.last?.hasSuffix("events: no divergence.") == true, "\(told.output)")
      #expect(told.errors == [])
      #expect(told.status == 0)
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
