import EventMVVMTesting
import Foundation
import Testing

/// What the article on domains says of the cart's size is counted, and so can't go stale.
@Suite(.hangLimit) struct DomainArticleTests {
  private static let folder = "Examples/Cart/Sources/todostream-cart"

  @Test func `the table of the cart's files has the lines that there are`() {
    let rows = Package.lines(of: "Sources/Toolkit/EventMVVM/EventMVVM.docc/Write-a-Domain.md")
      .compactMap { $0.wholeMatch(of: /\| `(\w+\.swift)` \| (\d+) \| .*/) }
    var told: [String: Int] = [:]
    for row in rows { told[String(row.output.1)] = Int(row.output.2) }
    var counted: [String: Int] = [:]
    for path in Package.files(in: Self.folder) {
      counted[String(path.split(separator: "/").last ?? "")] =
        Package.lines(of: path).count(where: \.isCode)
    }
    #expect(told == counted)
    #expect(counted.values.reduce(0, +) <= 360)
  }

  /// What a service is talked to by is the same in every domain that has one, and counted by
  /// itself.
  @Test(arguments: [
    ("todostream-messages", "Messages", ["FolderMailbox.swift", "FolderAccounts.swift"]),
    ("todostream-profile", "Profile", ["HTTP.swift", "Picture.swift"]),
  ])
  func `the lines of the bigger examples are those that there are`(
    program: String,
    folder: String,
    services: [String]
  ) throws {
    let rows = Package.lines(of: "Sources/Toolkit/EventMVVM/EventMVVM.docc/Write-a-Domain.md")
      .compactMap { $0.wholeMatch(of: /\| `([a-z-]+)` \| (\d+) \| (\d+) \| .*/) }
    let row = try #require(rows.first { $0.output.1 == program })
    var (domain, outside) = (0, 0)
    for path in Package.files(in: "Examples/\(folder)/Sources/\(program)") {
      let count = Package.lines(of: path).count(where: \.isCode)
      if services.contains(where: { path.hasSuffix("/" + $0) }) {
        outside += count
      } else {
        domain += count
      }
    }
    #expect([Int(row.output.2), Int(row.output.3)] == [domain, outside])
  }

  /// The steps of the checklist, each with the names that stand in it.
  private static let steps: [(title: String, names: Set<String>)] = {
    let text = Package.text(of: "Sources/Toolkit/EventMVVM/EventMVVM.docc/Write-a-Domain.md")
    let section = text.split(separator: "### The method, as a checklist").last ?? ""
    let checklist = section.split(separator: "\n### ").first ?? ""
    return checklist.split(separator: /\n\d\.\s/).dropFirst()
      .map { step in
        let title = step.firstMatch(of: /\*\*([^*]+)\*\*/)?.output.1 ?? ""
        return (String(title), Set(step.matches(of: /`(\w+)`/).map { String($0.output.1) }))
      }
  }()

  /// What is declared in the cart's files.
  private static func declared(_ pattern: Regex<(Substring, Substring)>) -> Set<String> {
    let code = Package.files(in: folder).map { Package.text(of: $0) }.joined(separator: "\n")
    return Set(code.matches(of: pattern).map { String($0.output.1) })
  }

  @Test func `S113 the method is a checklist: states, events and commands come first`() {
    #expect(
      Self.steps.map(\.title) == [
        "List the states", "List the events", "List the commands", "Write the view models",
        "Write the views",
      ]
    )
  }

  @Test func `S113 the checklist's steps name all that the cart has, and nothing else`() throws {
    try #require(Self.steps.count == 5)
    #expect(Self.steps[0].names == Self.declared(/let (\w+): DerivedState</))
    #expect(Self.steps[1].names == Self.declared(/struct (Request\w+):/))
    #expect(
      Self.steps[2].names
        == Self.declared(/\b(ResponseToast|RequestDecision)\(/)
    )
    #expect(Self.steps[3].names == Self.declared(/class (\w+): (?:Plugin|Sendable)/))
    #expect(Self.steps[4].names == Self.declared(/struct (\w+): EncodedResult/))
  }

  @Test func `each of the three ways of messages is half a page, on what they share`() {
    let folder = "Examples/Messages/Sources/todostream-messages"
    let ways = Package.files(in: folder).filter { $0.hasSuffix("rMessages.swift") }
    let counts = ways.map { Package.lines(of: $0).count(where: \.isCode) }
    #expect(counts.sorted() == [20, 28, 31])
  }
}
