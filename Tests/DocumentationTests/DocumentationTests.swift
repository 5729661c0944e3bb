@testable import Demo
import EventCommands
import EventMVVM
import EventMVVMTesting
import Testing

/// What the README and *Write a frontend* show first is code of the program Demo, whole, and it runs.
@Suite(.hangLimit) struct DocumentationTests {
  private static func lines(of file: String) -> [Substring] {
    Package.lines(of: "Tests/Programs/Demo/\(file)").dropLast()
  }

  private static func isShown(_ lines: [Substring], in document: String) -> Bool {
    CodeBlock.all.contains { $0.document == document && $0.lines == lines }
  }

  @Test func `the README shows a plugin in twenty lines, as it stands here`() {
    let lines = Self.lines(of: "GreeterPlugin.swift")
    #expect(lines.count <= 20)
    #expect(Self.isShown(lines, in: "README.md"))
  }

  @Test func `Write a frontend begins with one in thirty-five lines, as the README says`() {
    let lines = Self.lines(of: "EchoFrontend.swift")
    #expect(lines.count <= 35)
    let article = "Sources/Toolkit/EventMVVM/EventMVVM.docc/Write-a-Frontend.md"
    #expect(Self.isShown(lines, in: article))
  }

  @Test func `the plugin keeps the plugin laws`() {
    PluginLaws.check { Greeter() }
  }

  @Test func `the plugin's command runs on the frontend, and neither knows the other`() throws {
    let context = AppContext()
    var catalogue = Catalogue()
    context.add(Greeter())
    catalogue.add("greeter", [RequestGreeting.self])
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

  @Test func `the plugin is tested as the README shows`() {
    let test = TestContext()  // frozen clock, counting ids, synchronous
    test.add(Greeter())
    test.send(RequestGreeting(name: "Ann"))
    test.expect(ResponseGreeting(.success("Hello, Ann!")))  // every event, in order …
    test.done()  // … and what was not asserted fails
  }

  @Test func `the example script is the plan that the README names`() {
    #expect(Package.text(of: "README.md").contains("make run < plan.todo"))
  }
}
