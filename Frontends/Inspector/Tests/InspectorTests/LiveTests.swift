import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting
import Testing

/// A session that is inspected while it runs, by the built programs.
@Suite(.timeLimit(.minutes(10)), .serialized) struct LiveTests {
  private let place: Workplace

  init() throws { place = try Workplace(for: "todostream") }

  /// The address in what a program has printed.
  private func address(in text: String) throws -> String {
    try #require(text.firstMatch(of: /Inspect at (http:[^\s]+)/).map { String($0.output.1) })
  }

  /// The page of an address, as another program would use it.
  private func page(_ address: String) throws -> (port: Int, own: [String: String]) {
    (try #require(URL(string: address)?.port), Wire.secret(of: address))
  }

  @Test(arguments: [("todostream", "add Milk"), ("todostream-cart", "list")])
  func `the events of a command are there after it, in any domain`(
    _ program: String,
    _ command: String
  ) throws {
    let place = try Workplace(for: program)
    let outcome = try place.start("\(program) --store s --inspect \(command)").outcome()
    #expect(outcome.status == 0)
    let (port, own) = try page(try address(in: outcome.errors.joined(separator: "\n")))
    try waitUntil("the whole session is read") {
      let answer = try Wire.ask(port, "/api/recording", own)?.body ?? ""
      return answer.contains("\"isWhole\":true") && answer.contains("\"live\":false")
    }
    let answer =
      try Wire.ask(port, "/api/events?q=is:input&limit=9", own)?.body ?? ""
    let rows = try JSON(parsing: answer)["rows"]
    #expect(rows?.description.contains("\"type\":\"Request") == true)
    #expect(rows?.description.contains("\"layer\":\"viewModel\"") == true)
  }

  @Test func `a session is shown while it runs, and its page stays until it is closed`() throws {
    let pipe = try NamedPipe("in", in: place)
    let job = try place.start("todostream --inspect serve --stdio < in 2>&1")
    try job.wait(untilPrinted: "Inspect at")
    let address = try address(in: try job.printed())
    let port = try #require(URL(string: address)?.port)
    let browser = try Browser(in: place)
    try browser.open(address)
    try browser.wait(for: "#program", toShow: "running")
    try pipe.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
    try pipe.write(#"{"jsonrpc":"2.0","id":2,"method":"todo/add","params":{"title":"Milk"}}"#)
    try browser.wait(for: "#grid .event .type", toShow: "RequestAddTodo")
    try browser.click("#follow")
    try browser.keepPicture("live")
    for number in 3...60 {
      try pipe.write(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"todo/add","params":{"title":"\#(number)"}}"#
      )
    }
    // The list is held, and says what came.
    try browser.wait(for: "#newer", toShow: "newer event")
    #expect(try browser.texts("#grid .event .type").joined().contains("RequestAddTodo"))
    try browser.wait(for: "#count", toShow: "354 events")
    try browser.click("#newer")
    try browser.wait(for: "#newer") { $0.isEmpty }
    pipe.end()
    _ = try job.outcome()
    try browser.wait(for: "#program") { !$0.joined().contains("running") }
    // It serves what it has, until the page is closed.
    try browser.press("G")
    try browser.wait(for: "#details h2")
    // The program is a debug build, so each event has the line of code that sent it.
    try browser.wait(for: "#source") { $0.joined().contains(/^\w+\/\w+\.swift:\d+$/) }
    try browser.keepPicture("source")
    let source = try #require(try browser.texts("#source").first)
    try browser.click("#from-source")
    try browser.wait(for: "#grid .event .type", toShow: "Response")
    let search = try browser.run("return document.querySelector('#search').value").string
    #expect(search == "source=\"\(source)\"")
    try browser.open("about:blank")
    try waitUntil("the inspector has ended") { (try? Wire(port: port)) == nil }
  }

  @Test func `figures follow the session`() throws {
    let pipe = try NamedPipe("in", in: place)
    let job = try place.start("todostream --inspect serve --stdio < in 2>&1")
    try job.wait(untilPrinted: "Inspect at")
    let browser = try Browser(in: place)
    try browser.open(try address(in: try job.printed()) + "&view=figures")
    try browser.wait(for: "#view h2", toShow: "Figures")
    try pipe.write(#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#)
    for number in 2...4 {
      try pipe.write(
        #"{"jsonrpc":"2.0","id":\#(number),"method":"todo/add","params":{"title":"Milk"}}"#
      )
      try browser.wait(for: "#latencies [data-type=RequestAddTodo] td:nth-child(2)") {
        $0 == [String(number - 1)]
      }
    }
    pipe.end()
    _ = try job.outcome()
  }

  @Test func `the configuration file can ask for it always`() throws {
    let file = place.folder.appending(path: "config/todostream/config.toml")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try Data("[plugins.inspector]\ninspect = true\ninspect-write = true\n".utf8).write(to: file)
    #expect(chmod(file.path, 0o600) == 0)
    let outcome = try place.start("todostream add Milk").outcome()
    #expect(outcome.output == ["Added #1 Milk"])
    #expect(outcome.errors.count == 1)
    let (port, own) = try page(try address(in: outcome.errors.joined()))
    let answer = try Wire.ask(port, "/api/recording", own)
    #expect(answer?.body.contains("\"writable\":true") == true)
    // Without an inspected session nothing can be sent from a page.
    try Data("[plugins.inspector]\ninspect-write = true\n".utf8).write(to: file)
    let refused = try place.start("todostream list").outcome()
    #expect(refused.status == 2)
    #expect(
      refused.errors == [
        "error: \(file.path): --inspect-write is for a session that is inspected: --inspect"
      ]
    )
  }

  @Test func `commands are sent from the page, where that is allowed`() throws {
    let pipe = try NamedPipe("in", in: place)
    let job = try place.start("todostream --inspect --inspect-write serve --stdio < in 2>&1")
    try job.wait(untilPrinted: "Inspect at")
    let browser = try Browser(in: place)
    try browser.open(try address(in: try job.printed()))
    try browser.click("#send-toggle")
    try browser.type("ad", into: "#send-line")
    try browser.wait(for: "#send-candidates li", toShow: "Adds a todo.")
    try browser.type("d 'Buy milk' --tag home\u{E007}", into: "#send-line")
    try browser.wait(for: "#send-log", toShow: "Added #1 Buy milk")
    try browser.wait(for: "#send-log button", toShow: "event ")
    try browser.keepPicture("send")
    try browser.type("ad bread\u{E007}", into: "#send-line")
    try browser.wait(for: "#send-log .failed", toShow: "did you mean 'add'?")
    try browser.wait(for: "#grid .event .type", toShow: "RequestAddTodo")
    #expect(try browser.texts("#grid .event .origin").contains("inspector"))
    #expect(try place.start("todostream list").outcome().output == ["#1 [ ] Buy milk  +home"])
    // Not without an origin, from another one, or without the secret.
    let (port, own) = try page(try address(in: try job.printed()))
    for headers in [
      own, own.merging(["Origin": "http://x.example"]) { $1 },
      ["Origin": "http://127.0.0.1:\(port)"],
    ] {
      let answer = try Wire.ask(
        port,
        "/api/send",
        method: "POST",
        headers,
        body: #"{"line":"add x"}"#
      )
      #expect([400, 403].contains(answer?.status))
    }
    #expect(try place.start("todostream list").outcome().output.count == 1)
    pipe.end()
    _ = try job.outcome()
  }

  @Test func `without the inspector it is said where it was looked for`() throws {
    let job = try place.start(
      "cp $(command -v todostream) t; PATH=/bin ./t inspect x; PATH=/bin ./t --inspect list"
    )
    let outcome = try job.outcome()
    #expect(outcome.status == 2)
    #expect(outcome.errors.count == 2)
    #expect(
      outcome.errors.allSatisfy { $0.hasPrefix("error: There is no 'todostream-inspector' in ") }
    )
  }

  @Test func `a recording that is none, and a port that is taken, are errors`() throws {
    let outcome =
      try place.start(
        "echo x > x; todostream inspect x; echo $?; todostream inspect nothing; echo $?"
      )
      .outcome()
    #expect(outcome.output == ["2", "2"])
    #expect(
      outcome.errors == [
        "error: x: line 1: this is no recording that this program can read",
        "error: nothing: it can't be read: No such file or directory",
      ]
    )
    let inspector = try RunningInspector(["list"])
    let taken = try inspector.place
      .start("todostream inspect --port \(inspector.port) session.jsonl").outcome()
    #expect(taken.status == 2)
    #expect(taken.errors.first?.hasPrefix("error: port \(inspector.port): ") == true)
  }
}
