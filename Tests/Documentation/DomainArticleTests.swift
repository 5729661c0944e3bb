import Foundation
import Testing

/// What the article on domains says of the cart's size is counted, and so can't go stale.
@Suite struct DomainArticleTests {
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
    #expect(counted.values.reduce(0, +) <= 250)
  }

  @Test func `each of the three ways of messages is half a page, on what they share`() {
    var counted: [String: Int] = [:]
    for path in Package.files(in: "Examples/Messages/Sources/todostream-messages") {
      counted[String(path.split(separator: "/").last ?? "")] =
        Package.lines(of: path).count(where: \.isCode)
    }
    let ways = counted.filter { $0.key.hasSuffix("rMessages.swift") }
    #expect(
      ways == [
        "ReducerMessages.swift": 20, "ReactorMessages.swift": 30, "ServerMessages.swift": 32,
      ]
    )
    let outside = ["FolderMailbox.swift", "FolderAccounts.swift"].compactMap { counted[$0] }
    #expect(outside.reduce(0, +) <= 180)
    #expect(counted.values.reduce(0, +) <= 745)
  }

  /// What is about HTTP and about images is the same in every domain that has them, and counted by itself.
  @Test func `the profile's domain takes no more lines than are told of it`() {
    var (domain, services) = (0, 0)
    for path in Package.files(in: "Examples/Profile/Sources/todostream-profile") {
      let count = Package.lines(of: path).count(where: \.isCode)
      let isService = ["HTTP.swift", "Picture.swift"].contains { path.hasSuffix($0) }
      if isService { services += count } else { domain += count }
    }
    #expect(domain <= 700)
    #expect(services <= 180)
  }
}
