import EventMVVMTesting
import Foundation
import Testing

/// What the article on domains says of the cart's size is counted, and so can't go stale.
@Suite(.hangLimit) struct DomainArticleTests {
  private static let folder = "Examples/Cart/Sources/todostream-cart"

  @Test func `the table of the cart's files has the lines that there are`() {
    let rows = Package.lines(of: "Sources/EventMVVM/EventMVVM.docc/Write-a-Domain.md")
      .compactMap { $0.wholeMatch(of: /\| `(\w+\.swift)` \| (\d+) \| .*/) }
    var told: [String: Int] = [:]
    for row in rows { told[String(row.output.1)] = Int(row.output.2) }
    var counted: [String: Int] = [:]
    for path in Package.files(in: Self.folder) {
      counted[String(path.split(separator: "/").last ?? "")] =
        Package.lines(of: path).count(where: \.isCode)
    }
    #expect(told == counted)
    #expect(counted.values.reduce(0, +) <= 340)
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
    let rows = Package.lines(of: "Sources/EventMVVM/EventMVVM.docc/Write-a-Domain.md")
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

  @Test func `each of the three ways of messages is half a page, on what they share`() {
    let folder = "Examples/Messages/Sources/todostream-messages"
    let ways = Package.files(in: folder).filter { $0.hasSuffix("rMessages.swift") }
    let counts = ways.map { Package.lines(of: $0).count(where: \.isCode) }
    #expect(counts.sorted() == [20, 28, 32])
  }
}
