#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// What is narrowed at a prompt, and nowhere else.
  @Suite(.hangLimit) struct ContextTests {
    private func place() throws -> Workplace {
      let place = try Workplace()
      let folder = place.folder.appending(path: "config/todostream")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try """
      [views]
      urgent = "priority:high -someday"
      [contexts]
      work = "+work"
      acme = "project:acme +work -home @urgent"
      """
      .write(to: folder.appending(path: "config.toml"), atomically: true, encoding: .utf8)
      return place
    }

    @Test func `a context narrows lists and fills what is added, until it ends`() throws {
      let place = try place()
      let session = try Session(place: place)
      func enter(_ line: String, until shown: String) throws {
        session.terminal.type(line + Key.enter)
        try session.terminal.wait {
          $0.lines.contains(shown) && $0.prompt == "todostream [acme] ›"
        }
      }
      try session.enter(
        "context",
        until: "There is no context. 'context NAME' chooses work, acme or none."
      )
      try session.enter("add Bread", until: "Added #1 Bread")
      session.terminal.type("context a\t")
      try session.terminal.wait { $0.lines.last?.hasPrefix("todostream › context acme") == true }
      try enter("", until: "What is listed and added is project:acme +work -home @urgent.")
      try enter("add Call", until: "Added #2 Call  !high  +work  project: acme")
      try enter(
        "add Ask project:borg tags:x",
        until: "Added #3 Ask  !high  +x +work  project: borg"
      )
      try enter("add Tea project:none !normal", until: "Added #4 Tea  +work")
      try enter("list", until: "#2 [ ] Call  !high  +work  project: acme")
      #expect(!session.terminal.screen.lines.contains { $0.hasSuffix("[ ] Bread") })
      try enter("count", until: "1 todo")
      try enter("count --all", until: "4 todos")
      try enter(
        "today",
        until: "No todo matches @today (project:acme +work -home @urgent); 'project' can be acme"
      )
      try enter("done 1", until: "Completed #1 Bread")
      // Another process knows nothing of it.
      let outcome = try place.start("todostream count; todostream add Milk").outcome()
      #expect(outcome.output == ["3 todos", "Added #5 Milk"])
      try enter("context nix", until: "error: no context 'nix'; there are work, acme")
      try session.enter("context none", until: "No context any more.")
      try session.enter("list", until: "#5 [ ] Milk")
      session.end()
    }

    @Test func `without contexts it is said where they are declared`() throws {
      let session = try Session(columns: 100)
      try session.enter(
        "context work",
        until:
          "There are no contexts; [contexts] of the configuration file has them: work = \"+work\""
      )
      session.end()
    }

    @Test func `a context that can't be read is an error with its place`() throws {
      let place = try place()
      let file = place.folder.appending(path: "config/todostream/config.toml")
      for (line, problem) in [
        ("work = \"duo:today\"", "the context 'work': no field 'duo'"),
        ("none = \"+work\"", "the context 'none': 'none' is no name"),
        ("work = \"\"", "the context 'work': its filter is empty"),
        ("work = true", "[contexts] has names with a filter in one text"),
      ] {
        try "[contexts]\n\(line)\n".write(to: file, atomically: true, encoding: .utf8)
        let outcome = try place.start("todostream count").outcome()
        #expect(outcome.status == 2)
        #expect(outcome.errors.first?.contains("config.toml:2:1: \(problem)") == true, "\(outcome)")
      }
    }
  }
#endif
