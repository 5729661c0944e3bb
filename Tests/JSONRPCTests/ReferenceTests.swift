#if os(Linux)
  import EventCommands
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  @testable import EventApp
  @testable import EventServing
  @testable import todostream

  /// The reference of what can be said: made of the catalogue, with a conversation for each entry
  /// that is replayed here.
  @Suite(.hangLimit) struct ReferenceTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Reference")
    private static let article =
      folder.appending(
        path: "../../../Sources/Todo/todostream/todostream.docc/JSON-RPC.md"
      )
      .standardizedFileURL
    private static let application = Application(Todos())
    private static let reference = ServerManual(application.catalogue(application.plugins))
    private static let entries =
      reference.methods + reference.notifications + reference.errors

    @Test(arguments: entries.filter { Conversation($0) != nil }.map(\.name))
    func `a conversation of the reference goes as it is written`(_ name: String) throws {
      let entry = try #require(Self.entries.first { $0.name == name })
      let conversation = try #require(Conversation(entry))
      let client = try RPCClient(initialize: conversation.isRaw ? nil : "{}")
      var heard: [String] = []
      for line in conversation.lines {
        let rest = String(line.dropFirst(2))
        switch line.prefix(2) {
        case "> ": Self.say(rest, client)
        case "$ ": _ = try client.place.start(rest).outcome()
        default:
          while !heard.contains(where: { $0.matches(pattern: rest) }) {
            do {
              heard.append(try client.read().description)
            } catch {
              Issue.record("expected: \(rest)\nheard: \(heard.suffix(5).joined(separator: "\n"))")
              return
            }
          }
          heard.removeAll { $0.matches(pattern: rest) }
        }
      }
    }

    /// Says a line, `64× …` so many times.
    private static func say(_ line: String, _ client: RPCClient) {
      guard let match = line.wholeMatch(of: /([0-9]+)× (.*)/), let count = Int(match.1) else {
        return client.write(line)
      }
      for _ in 0..<count { client.write(String(match.2)) }
    }

    @Test func `every entry has a conversation, and every conversation an entry`() throws {
      // Whoever answers a request goes with its methods, so that nobody can be asked in vain.
      #expect(Self.entries.filter { Conversation($0) == nil }.map(\.name) == ["6"])
      let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        .filter { $0.hasSuffix(".rpc") }
      #expect(Set(files) == Set(Self.entries.map(\.file)).subtracting(["error6.rpc"]))
    }

    /// `REFERENCE=write swift test --filter ReferenceTests` writes it anew.
    @Test func `the article says what the catalogue has`() throws {
      let text = try Self.written()
      if ProcessInfo.processInfo.environment["REFERENCE"] == "write" {
        try text.write(to: Self.article, atomically: true, encoding: .utf8)
      }
      let article = try String(contentsOf: Self.article, encoding: .utf8)
      let difference = zip(article.physicalLines, text.physicalLines).first { $0 != $1 }
      #expect(article == text, "\(difference.map { "'\($0)' is to be '\($1)'" } ?? "the end")")
    }

    /// The prose, and all entries with their conversations.
    private static func written() throws -> String {
      func section(_ title: String, _ prose: String, _ entries: [ServerManual.Entry]) -> String {
        let text = entries.map { entry in
          let conversation = Conversation(entry).map { "\n```\n\($0.text)```\n" } ?? ""
          return entry.text + conversation
        }
        return "\n## \(title)\n\n\(prose)\n\n" + text.joined(separator: "\n")
      }
      let prose = folder.appending(path: "Overview.md")
      return try String(contentsOf: prose, encoding: .utf8)
        + "\nThe states that can be watched:\n\n\(reference.states)\n"
        + section(
          "Methods",
          "Those of the server itself, then the commands. Parameters are given by name.",
          reference.methods
        )
        + section(
          "Notifications",
          "What the server says without being asked; it never asks anything itself.",
          reference.notifications
        )
        + section(
          "Errors",
          "Those of the protocol have its codes, those of the application are positive.",
          reference.errors
        )
    }

    /// What is said about an entry.
    private struct Conversation {
      let text: String
      /// Whether it begins before `initialize`.
      let isRaw: Bool

      init?(_ entry: ServerManual.Entry) {
        let file = ReferenceTests.folder.appending(path: entry.file)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        self.text = text
        isRaw =
          entry.name == "-32002" || text.contains(#""asks":true"#)
          || entry.name == "initialize"
      }

      var lines: [Substring] { text.physicalLines.filter { !$0.isEmpty } }
    }
  }

  extension ServerManual.Entry {
    /// The file with the conversation about it.
    fileprivate var file: String {
      if Int(name) != nil { return "error\(name).rpc" }
      return name.replacing("$/", with: "").replacing("/", with: "-") + ".rpc"
    }
  }

  extension String {
    /// Whether the text is this one, where `…` stands for anything.
    fileprivate func matches(pattern: String) -> Bool {
      let pieces = pattern.split(separator: "…", omittingEmptySubsequences: false)
      guard pieces.count > 1 else { return self == pattern }
      guard hasPrefix(pieces[0]), hasSuffix(pieces[pieces.count - 1]) else { return false }
      var rest = self[...].dropFirst(pieces[0].count)
      for piece in pieces.dropFirst() where !piece.isEmpty {
        guard let range = rest.firstRange(of: piece) else { return false }
        rest = rest[range.upperBound...]
      }
      return true
    }
  }
#endif
