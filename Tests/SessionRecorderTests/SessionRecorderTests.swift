import EventMVVM
import EventMVVMTesting
import Foundation
import JSONText
import SessionRecorder
import Testing

@Suite(.hangLimit) struct SessionRecorderTests {
  @Test func `it keeps the plugin laws`() {
    PluginLaws.check { SessionRecorder() }
  }

  /// A greeting, a rumour, and a greeting inside of a unit.
  private func conversation() throws -> String {
    try GreetingSession.record { port, stream, executor in
      port.request(RequestGreeting(name: "Anna")) { _, _ in }
      port.request(RequestRumour(about: "Anna")) { _, _ in }
      executor.drain()
      stream.deliver()
      var isOver = false
      port.begin(.allOrNothing) { result, _ in
        guard let unit = try? result.get() else { return }
        unit.request(RequestGreeting(name: "Anna")) { _, _ in
          unit.commit { _, _ in isOver = true }
        }
      }
      stream.run { isOver }
    }
  }

  @Test func `S57 what was recorded is told again as it was`() throws {
    let verdict = try GreetingSession.replay(conversation())
    #expect(verdict.divergence?.text == nil)
    #expect(verdict.count == 8)
  }

  @Test func `a service is not asked again`() throws {
    let greeter = Greeter()
    #expect(try GreetingSession.replay(conversation(), greeter).divergence == nil)
    #expect(greeter.asked.withLock { $0 } == 0)
  }

  @Test func `a recording is the same session: its ids, its times and its roots`() throws {
    let text = try conversation()
    // A debug build knows the line that has sent an event.
    let greeting = /RequestGreeting","input":true(?<source>,"source":"[^"]+")?,"body":{"name":"Anna/
    let found = try #require(text.firstMatch(of: greeting))
    #if DEBUG
      #expect(found.source?.contains("SessionRecorderTests/SessionRecorderTests.swift:") == true)
    #else
      #expect(found.source == nil)
    #endif
    #expect(text.contains(#"{"origin":3,"name":"face","#))
    #expect(text.contains(#"{"seq":1,"root":1,"origin":3,"time":1000002,"#))
  }

  @Test func `a program that does something else is caught, with the path that led there`() throws {
    let verdict = try GreetingSession.replay(conversation(), Greeter(word: "Bye"))
    let divergence = try #require(verdict.divergence)
    #expect(divergence.sequence == 2)
    #expect(
      divergence.differences
        == [#"body.success.text: "Hello, Anna" expected, "Bye, Anna" got"#]
    )
    #expect(divergence.path.map(\.sequence) == [2, 1])
    #expect(divergence.path.map(\.origin) == [nil, "face"])
    #expect(
      divergence.text.contains("path     2 ResponseGreeting\n         ← 1 RequestGreeting (face)")
    )
  }

  @Test func `S57 a recording that was changed at any event is caught at that event`() throws {
    let lines = try conversation().split(separator: "\n").map(String.init)
    let events = lines.indices.filter { lines[$0].hasPrefix(#"{"seq":"#) }
    #expect(events.count == 8)
    for index in events {
      var changed = lines
      let sequence = UInt64(lines[index].dropFirst(7).prefix { $0.isNumber })
      let isUnit = !lines[index].contains("Anna")
      changed[index] = lines[index]
        .replacing(isUnit ? #""time":1"# : "Anna", with: isUnit ? #""time":2"# : "Bnna")
      let verdict = try GreetingSession.replay(changed.joined(separator: "\n") + "\n")
      #expect(verdict.divergence?.sequence == sequence, "\(changed[index])")
    }
  }

  @Test func `a recording that was cut off is told up to its end, wherever that is`() throws {
    let text = try conversation()
    let first = try #require(text.firstIndex(of: "\n"))
    for count in stride(from: text[...first].utf8.count, to: text.utf8.count, by: 7) {
      let cut = String(decoding: text.utf8.prefix(count), as: UTF8.self)
      let verdict = try GreetingSession.replay(cut)
      #expect(verdict.divergence?.text == nil)
      let whole = cut.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(verdict.count == whole.count { $0.hasPrefix(#"{"seq""#) })
    }
  }

  @Test func `an input of which only the name is known can't be fed, and its name is said`() throws
  {
    let text = try GreetingSession.record { port, _, _ in port.send(RequestSecret {}) }
    let verdict = try GreetingSession.replay(text)
    #expect(
      verdict.divergence?.actual
        == "RequestSecret is not recorded with what it carries: it can't be fed"
    )
  }

  @Test func `a file that is no recording is refused by its first line`() {
    #expect(
      throws: Failure(.usage, "r:1: this is no recording that this program can read")
    ) {
      try Recording(Array("{}\n".utf8), named: "r")
    }
  }

  @Test func `a file that is there is not written over`() throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "recording-\(UUID().uuidString)").path
    try Data().write(to: URL(filePath: path))
    defer { unlink(path) }
    let world = Environment()
    let header = RecordingHeader(
      program: "greet 1",
      world,
      locale: "C",
      isInteractive: false,
      plugins: []
    )
    #expect(throws: Failure(.usage, "--record \(path): is there already; name a new file")) {
      try SessionRecorder().record(to: path, world, header)
    }
  }
}
