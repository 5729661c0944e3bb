import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting
import Testing

/// The page in a real browser, used as a person uses it; the pictures are kept in `.build/inspector`.
@Suite(.timeLimit(.minutes(15)), .serialized) struct PageTests {
  private static let script = [
    "add Buy milk --tag home", "add Call the bank --due tomorrow", "list",
    "edit 1 --title 'Buy oat milk'", "done 2",
    "edit 1 --title '<b>Oat</b>'", "show 1",
  ]

  private let inspector: RunningInspector
  private let browser: Browser

  init() throws {
    inspector = try RunningInspector(Self.script, "--program \"$(command -v todostream)\"")
    browser = try Browser(in: inspector.place)
    try browser.open(inspector.address)
    try browser.wait(for: "#grid .event .type", toShow: "RequestUnit")
  }

  /// Nothing that the page does is an error for the browser: no policy is violated, no script fails.
  private func expectNoErrors() throws {
    #expect(try browser.log("browser").map(\.description) == [])
  }

  @Test func `the timeline shows every event, and what is switched off no more`() throws {
    #expect(try browser.address() == "http://127.0.0.1:\(inspector.port)/")
    #expect(
      try browser.types().prefix(3) == [
        "RequestUnit", "RequestAddTodo", "RequestWriteRecords<Todo>",
      ]
    )
    try browser.keepPicture("timeline")
    try browser.click("#side-layer input[data-value=model]")
    try browser.wait(for: "#grid .event .type") { !$0.contains { $0.contains("WriteRecords") } }
    #expect(try browser.address().contains("layer"))
    try browser.click("#side-layer input[data-value=model]")
    try browser.click("#side-type input[data-value=RequestAddTodo]")
    try browser.wait(for: "#grid .event .type") {
      !$0.contains { $0.contains("RequestAddTodo") } && $0.count > 3
    }
    try browser.click("#side-origin input[data-value=batch]")
    try browser.wait(for: "#empty", toShow: "No event matches")
    try expectNoErrors()
  }

  @Test func `a search is typed, kept in the address, and says what can't be read`() throws {
    try browser.press("/")
    try browser.type("type:Request* title=\"Buy milk\"", into: "#search")
    try browser.wait(for: "#grid .event .type") { $0.count == 2 }
    try browser.keepPicture("search")
    #expect(try browser.address().contains("milk"))
    let address = try browser.address()
    try browser.press("\u{E00C}")
    try browser.wait(for: "#grid .event .type") { $0.count > 10 }
    try browser.type("layer:nothing", into: "#search")
    try browser.wait(for: "#search-error", toShow: "'layer:' is one of model, none, viewModel")
    try browser.open(address)
    try browser.wait(for: "#grid .event .type") { $0.count == 2 }
    try browser.open("http://127.0.0.1:\(inspector.port)/")
  }

  @Test func `an event has its body, its path, its reply, and its tree`() throws {
    try browser.wait(for: "#event-2")
    try browser.click("#event-2")
    try browser.wait(for: "#details h2", toShow: "RequestAddTodo")
    try browser.wait(for: "#panel .json", toShow: "Buy milk")
    try browser.keepPicture("event")
    let reply = try browser.texts("#reply")
    #expect(reply.first?.hasPrefix("event ") == true)
    try browser.press("2")
    try browser.wait(for: "#panel", toShow: "ResponseTodoViewModel")
    try browser.keepPicture("cause")
    try browser.press("1")
    try browser.click("#only-root")
    try browser.wait(for: "#count") { $0 != [] }
    #expect(try browser.address().contains("root"))
    try expectNoErrors()
  }

  @Test func `what an event changed is shown field by field, and every event that changed a field`()
    throws
  {
    try browser.type("type:RequestEditTodo", into: "#search")
    try browser.wait(for: "#grid .event .type") { $0.count == 2 }
    try browser.press("\u{E007}")
    try browser.press("j")
    try browser.press("3")
    try browser.wait(for: "#panel .card h3", toShow: "Todo 1")
    #expect(try browser.texts("#panel .before mark").joined().contains("oat") == false)
    #expect(try browser.texts("#panel .after").contains { $0.contains("Buy oat milk") })
    try browser.click("#panel button.field")
    try browser.wait(for: "#field .history li") { $0.count == 3 }
    try browser.keepPicture("changes")
    // What a person typed is text.
    #expect(try browser.texts("#field .history").joined().contains("<b>Oat</b>"))
    try expectNoErrors()
  }

  @Test func `after any event all records are as they were`() throws {
    try browser.press("G")
    try browser.press("\u{E007}")
    try browser.press("4")
    try browser.wait(for: "#panel", toShow: "<b>Oat</b>")
    try browser.keepPicture("state")
    try browser.press("g")
    try browser.click("#event-2")
    try browser.wait(for: "#panel") { !$0.joined().contains("Oat") }
    try expectNoErrors()
  }

  @Test func `the recording is replayed to its end, and a changed one up to its first difference`()
    throws
  {
    try browser.press("G")
    try browser.press("\u{E007}")
    try browser.press("5")
    try browser.click("#replay-whole")
    try browser.wait(for: "#panel", toShow: "all as recorded.")
    try browser.keepPicture("replay")
    try expectNoErrors()
  }

  @Test func `a replay says how far it is, and can be cancelled`() throws {
    // The program, which waits after five events.
    let place = inspector.place
    let pipe = try NamedPipe("held", in: place)
    let program = place.folder.appending(path: "slowly")
    try Data("#!/bin/sh\ntodostream \"$@\" | head -n 5\nexec cat held\n".utf8).write(to: program)
    #expect(chmod(program.path, 0o700) == 0)
    let slow = try RunningInspector("session.jsonl --program \(program.path)", in: place)
    // Not without an origin.
    let blind = try Wire.ask(
      slow.port,
      "/api/replay",
      method: "POST",
      slow.own,
      body: "{}"
    )
    #expect(blind?.status == 400)
    #expect(try slow.get("/api/replay")?.body.contains("nothing was replayed yet") == true)
    try browser.open(slow.address + "&seq=2&tab=replay")
    try browser.click("#replay-until")
    try browser.wait(for: "#replay-count", toShow: "2 of 2 events")
    try browser.click("#replay-cancel")
    try browser.wait(for: "#replay-result", toShow: "Cancelled after 2 events.")
    try browser.click("#replay-whole")
    try browser.wait(for: "#replay-count", toShow: "5 of ")
    #expect(try browser.run("return document.getElementById('replay-progress').value > 0") == true)
    try browser.keepPicture("replaying")
    try browser.click("#replay-cancel")
    try browser.wait(for: "#replay-result", toShow: "Cancelled after 5 events.")
    try browser.wait(for: "#replay-whole:enabled")
    pipe.end()
    try expectNoErrors()
  }

  @Test func `the recording is exported unchanged, and chosen roots as spans`() throws {
    let place = inspector.place
    let recorded = try place.start(
      "todostream --record two.jsonl run --keep-going",
      input: ["add Milk", "add Bread", "add Eggs"]
    )
    #expect(try recorded.outcome().status == 0)
    let folder = place.folder.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try browser.devTools(
      "Browser.setDownloadBehavior",
      ["behavior": "allow", "downloadPath": .string(folder.path)]
    )
    func saved(_ name: String) throws -> Data {
      let file = folder.appending(path: name)
      // The browser reserves the name by an empty file, and replaces that by the whole one.
      try waitUntil("\(name) is saved") { (try? Data(contentsOf: file))?.isEmpty == false }
      return try Data(contentsOf: file)
    }
    let two = try RunningInspector("two.jsonl", in: place)
    try browser.open(two.address)
    try browser.click("#export-menu")
    try browser.click("#export-recording")
    let original = try Data(contentsOf: place.folder.appending(path: "two.jsonl"))
    #expect(try saved("two.jsonl") == original)
    try browser.click("#event-2")
    try browser.wait(for: ".root-name", toShow: "2")
    try browser.click("#export-menu")
    // The chosen event's root is there already.
    try browser.type(", 8", into: "#export-roots")
    try browser.click("#export-otlp")
    let spans = try JSON(parsing: Array(try saved("spans.json")))
    #expect(
      Set(spans.texts(named: "traceId").map { $0.suffix(16) })
        == ["0000000000000002", "0000000000000008"]
    )
    let names = spans.texts(named: "name").filter { $0.hasPrefix("RequestAdd") }
    #expect(names == ["RequestAddTodo", "RequestAddTodo"])
    try expectNoErrors()
  }

  @Test func `two roots are compared, and figures show how long requests took`() throws {
    try browser.click("#view-figures")
    try browser.wait(for: "#latencies", toShow: "RequestEditTodo")
    try browser.keepPicture("figures")
    try browser.click("#view-compare")
    try browser.type("1", into: "#compare-a")
    try browser.type("1", into: "#compare-b")
    try browser.click("#compare-run")
    try browser.wait(for: "#compare-result", toShow: "The events are the same.")
    try browser.keepPicture("compare")
    try expectNoErrors()
  }

  @Test func `two recordings are compared, from their first difference on`() throws {
    let place = inspector.place
    let recorded = try place.start(
      "todostream --store other.sqlite --record other.jsonl",
      input: ["add Buy milk --tag work"]
    )
    #expect(try recorded.outcome().status == 0)
    let both = try RunningInspector("session.jsonl other.jsonl", in: place)
    try browser.open(both.address)
    try browser.click("#view-compare")
    try browser.click("#compare-whole")
    try browser.wait(for: "#compare-result", toShow: "The first difference is at place 1.")
    try browser.wait(for: "#compare-result .different .before", toShow: "\"home\"")
    #expect(try browser.texts("#compare-result .pair").last?.contains("no such event") == true)
    try browser.keepPicture("compare-recordings")
    try expectNoErrors()
  }

  @Test func `the keys are shown, and the page is dark where that is wanted`() throws {
    try browser.press("?")
    try browser.wait(for: "#help", toShow: "Next and previous event")
    try browser.keepPicture("keys")
    try browser.press("\u{E00C}")
    let light = try browser.run("return getComputedStyle(document.body).backgroundColor")
    try browser.preferDark()
    try browser.keepPicture("dark")
    #expect(try browser.run("return getComputedStyle(document.body).backgroundColor") != light)
    try expectNoErrors()
  }
}

extension JSON {
  /// The texts of all members of a name, at any depth.
  fileprivate func texts(named name: String) -> [String] {
    switch self {
    case .array(let elements): elements.flatMap { $0.texts(named: name) }
    case .object(let members):
      members.flatMap { member in
        (member.name == name ? [member.value.string].compactMap { $0 } : [])
          + member.value.texts(named: name)
      }
    default: []
    }
  }
}

extension Browser {
  /// Makes the browser prefer dark colours, as a person's settings do.
  fileprivate func preferDark() throws {
    try devTools(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": "dark"]]]
    )
  }
}
