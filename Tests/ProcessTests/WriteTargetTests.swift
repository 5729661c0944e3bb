#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  extension Processes {
    /// Whatever names a file to write × whatever can stand there: nothing is replaced or changed
    /// that the command has not made.
    @Suite(.hangLimit) struct WriteTargetTests {
      /// What a name can stand for; the program's own are those of a store that a server has open.
      static let targets = [
        "todos.sqlite", "todos.sqlite-wal", "todos.sqlite-shm", "todos.sqlite-bell",
        "todos.sqlite-journal", "copy.sqlite", "link", "stray", "letter", "pipe", "folder",
        "/dev/null", "/dev/ptmx",
      ]

      /// Commands with a file; with `--force` where there is one.
      static let commands: [[String]] = [
        ["backup", "FILE"], ["report", "--html", "FILE", "--force"],
        ["report", "--post", "FILE", "--force"], ["--record", "FILE", "list"],
      ]

      /// Methods with a file, and their parameters.
      static let methods = [
        ("store/backup", #"{"file":"FILE"}"#),
        ("analytics/report", #"{"html":"FILE"}"#),
        ("analytics/report", #"{"html":"FILE","force":true}"#),
        ("analytics/report", #"{"post":"FILE"}"#),
        ("analytics/report", #"{"post":"FILE","force":true}"#),
        ("line/run", #"{"line":"backup FILE"}"#),
        ("line/run", #"{"line":"report --html FILE"}"#),
      ]

      @Test(arguments: targets)
      func `what a command has not made it does not write`(_ target: String) throws {
        let store = try SharedStore()
        let server = try store.furnish()
        let before = try store.snapshot()
        let isLetter = target == "letter"
        for command in Self.commands where !(isLetter && command.contains("--force")) {
          let words = command.map { $0 == "FILE" ? target : $0 }
          let outcome = try store.place.start(#"exec todostream --json "$@""#, words).outcome()
          #expect(outcome.status == 2, "\(words): \(outcome)")
          let error = (outcome.errors.first.flatMap { try? JSON(parsing: $0) })?["error"]
          #expect(error?["kind"] == "usage", "\(words): \(outcome)")
          #expect(outcome.output == [], "\(words)")
        }
        for (method, params) in Self.methods where !(isLetter && params.contains("force")) {
          let answer = try server.call(method, params.replacing("FILE", with: target))
          #expect(answer["error"]?["data"]?["kind"] == "usage", "\(method) \(params): \(answer)")
          #expect(answer["error"]?["code"] == -32602, "\(method) \(params): \(answer)")
        }
        #expect(try store.snapshot() == before)
        #expect(try store.todos().map(\.title) == ["Milk"])
        #expect(try store.run("doctor").status == 0)
      }

      @Test func `an ordinary file is replaced or continued with force`() throws {
        let store = try SharedStore()
        let server = try store.furnish()
        let letter = store.place.folder.appending(path: "letter")
        #expect(try store.run("report", "--post", "letter", "--force").status == 0)
        let posted = try String(contentsOf: letter, encoding: .utf8)
        #expect(posted.hasPrefix(#"Dear Ann{"id":"#), "\(posted)")
        #expect(try store.run("report", "--html", "letter", "--force").status == 0)
        #expect(try String(contentsOf: letter, encoding: .utf8).hasPrefix("<!doctype html>"))
        try Data("Dear Ann".utf8).write(to: letter)
        let html = #"{"html":"letter","force":true}"#
        #expect(try server.call("analytics/report", html)["error"] == nil)
        #expect(try String(contentsOf: letter, encoding: .utf8).hasPrefix("<!doctype html>"))
      }

      @Test(arguments: [
        "figures.json", "figures.json.lock", "figures.json.partial", "history",
        "observers/observer.log",
      ])
      func `the program's own notes are kept from a store of their name`(_ name: String) throws {
        let store = try SharedStore()
        let path = store.place.folder.appending(path: "state/todostream/\(name)").path
        let made = try store.place.start(
          """
          mkdir -p "$(dirname "$1")" && todostream --store "$1" --quiet add Milk \\
            && printf '#!/bin/sh\necho complaint >&2\n' >observer \\
            && chmod +x observer
          """,
          [path]
        )
        #expect(try made.outcome() == Job.Outcome())
        let conversation = try Conversation(in: store, at: path)
        try conversation.enter("add Bread", until: "Added #2 Bread")
        try conversation.end()
        let noting = try store.place.start(
          """
          exec >/dev/null 2>&1
          todostream --store "$1" report
          todostream --store "$1" --observer ./observer add Rye
          """,
          [path]
        )
        #expect(try noting.outcome().status == 0)
        #expect(try store.todos("--store", path).map(\.title) == ["Milk", "Bread", "Rye"])
        #expect(try store.run("--store", path, "doctor").status == 0)
      }

      @Test(arguments: ["", "-wal", "-shm", "-journal", "-bell"])
      func `a recording takes no name of a store that is still to be made`(_ suffix: String) throws
      {
        let store = try SharedStore()
        let words = ["--store", "new.sqlite", "--record", "new.sqlite" + suffix, "add", "Milk"]
        let outcome = try store.place.start(#"exec todostream "$@""#, words).outcome()
        #expect(
          outcome
            == Job.Outcome(
              errors: [
                "error: --record new.sqlite\(suffix): is what a store's own files are called; "
                  + "name another file"
              ],
              status: 2
            )
        )
        let folder = store.place.folder.path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["home"])
      }
    }
  }

  extension SharedStore {
    /// Puts something of each sort into the folder, beside a store that a server has open.
    fileprivate func furnish() throws -> RPCClient {
      let server = try RPCClient(place)
      _ = try server.call("todo/add", #"{"title":"Milk"}"#)
      let outcome =
        try place.start(
          """
          todostream --quiet backup copy.sqlite >/dev/null && ln -s todos.sqlite link \\
            && ln -s nowhere stray && printf 'Dear Ann' >letter && mkfifo pipe && mkdir folder
          """
        )
        .outcome()
      #expect(outcome == Job.Outcome())
      return server
    }

    /// Each name in the folder, with what it stands for: the memory that processes share by its
    /// identity.
    fileprivate func snapshot() throws -> [String: [String]] {
      var snapshot: [String: [String]] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: place.folder.path) {
        // What the program keeps for itself, such as figures, is none of what is named.
        guard !["home", "state", "cache"].contains(name) else { continue }
        let path = place.folder.appending(path: name).path
        var status = stat()
        try #require(lstat(path, &status) == 0)
        var entry = ["\(status.st_ino)", "\(status.st_mode)", "\(status.st_size)"]
        if status.st_mode & S_IFMT == S_IFREG, !name.hasSuffix("-shm") {
          entry.append(try Data(contentsOf: URL(filePath: path)).base64EncodedString())
        }
        snapshot[name] = entry
      }
      return snapshot
    }
  }
#endif
