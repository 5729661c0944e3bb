import EventMVVMTesting
import Foundation
import Testing

/// No line of Swift that readers are shown can go stale: each stands in a file of this folder, of
/// an example, of what is compared with one, or of the tests of records, and so is compiled, and
/// most of it runs.
@Suite(.hangLimit) struct CodeBlockTests {
  private static let compiled =
    Package.files(
      in: "Tests/DocumentationTests",
      "Tests/Programs/Demo",
      "Tests/EventRecordsTests",
      "Tests/EventRecordsTestingTests",
      "Examples/Template/Sources",
      "Examples/Frontend/Sources",
      "Examples/Cart/Sources",
      "Examples/Embedding/Sources",
      "Examples/LabJournal/Sources",
      "Examples/Library/Sources",
      "Examples/Messages/Sources",
      "Examples/Profile/Sources",
      "Examples/Tests/ExampleTests/Architectures"
    )
    .map { Package.lines(of: $0) }

  @Test(arguments: CodeBlock.all)
  func `a block of Swift stands, to the letter, in a file that is compiled`(_ block: CodeBlock) {
    #expect(
      Self.compiled.contains { block.stands(in: $0) },
      "\(block.testDescription) is neither in Tests/DocumentationTests nor in an example"
    )
  }

  @Test func `the blocks are found, in each article and in comments`() {
    let documents = Set(CodeBlock.all.map(\.document))
    let catalogue = "Sources/Toolkit/EventMVVM/EventMVVM.docc"
    for document in [
      "README.md", "\(catalogue)/EventMVVM.md", "\(catalogue)/The-Promises.md",
      "\(catalogue)/Write-a-Plugin.md", "\(catalogue)/Write-a-Domain.md",
      "\(catalogue)/Write-a-Frontend.md",
      "\(catalogue)/From-MVVM.md", "\(catalogue)/From-Redux.md", "\(catalogue)/From-ReactorKit.md",
      "\(catalogue)/From-Coordinators.md", "\(catalogue)/From-Three-Layers.md",
      "\(catalogue)/Doubts.md", "\(catalogue)/Open-Problems.md",
      "Sources/Toolkit/EventMVVM/Joining/AppContext.swift",
      "Sources/Toolkit/EventMVVM/Stream/Subscription.swift",
    ] {
      #expect(documents.contains(document), "\(document)")
    }
  }

  @Test func `a block is the same however far it is moved in, and no other way`() {
    let block = CodeBlock(document: "", line: 1, lines: ["if a {", "", "  b()", "}"])
    #expect(block.stands(in: ["x()", "  if a {", "", "    b()", "  }", "y()"]))
    #expect(!block.stands(in: ["  if a {", "", "  b()", "  }"]))
    #expect(!block.stands(in: ["  if a {", "", "    c()", "  }"]))
    #expect(!block.stands(in: ["  if a {"]))
  }
}
