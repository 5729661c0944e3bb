import EventCommands
import EventMVVM
import EventMVVMTesting
import Foundation
import Testing

/// What the README shows is this folder's code, to the letter, and it runs.
struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private static func lines(of file: String) throws -> [String] {
    try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private static func readme() throws -> String {
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
  }

  @Test func `the README shows a plugin in twenty lines, as it stands here`() throws {
    let lines = try Self.lines(of: "GreeterPlugin.swift")
    #expect(lines.count <= 20)
    #expect(try Self.readme().contains("```swift\n" + lines.joined(separator: "\n") + "\n```"))
  }

  @Test func `the README shows a frontend in fifty lines, as it stands here`() throws {
    let lines = try Self.lines(of: "EchoFrontend.swift")
    #expect(lines.count <= 50)
    #expect(try Self.readme().contains("```swift\n" + lines.joined(separator: "\n") + "\n```"))
  }

  @Test func `the plugin keeps the plugin laws`() {
    PluginLaws.check { Greeter() }
  }

  @Test func `the plugin's command runs on the frontend, and neither knows the other`() throws {
    var catalogue = Catalogue()
    catalogue.add("greeter", [RequestGreeting.self])
    let context = AppContext()
    context.add(Greeter())
    try context.check(catalogue)
    let frontend = EchoFrontend(catalogue, ["greet 'dear reader'", "great", "greet '"])
    #expect(frontend.run(context.port(named: frontend.name)) == .success)
    #expect(
      frontend.screen == [
        "Hello, dear reader!\n", "no command 'great'; did you mean 'greet'?",
        "the quote ' is never closed",
      ]
    )
  }

  @Test func `the example script is the plan that the README names`() throws {
    #expect(try Self.readme().contains("make run < plan.todo"))
  }
}
