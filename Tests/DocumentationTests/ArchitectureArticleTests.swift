import EventMVVMTesting
import Foundation
import Testing

/// What the articles *From your architecture to this one* say of lines is counted, and so can't go
/// stale.
@Suite(.hangLimit) struct ArchitectureArticleTests {
  /// An article, and where the declarations stand that it counts.
  struct Comparison: CustomTestStringConvertible {
    let article: String
    let theirs: String
    let example: String

    var testDescription: String { article }

    static let all = [
      Comparison(article: "From-Redux", theirs: "ReSwiftMessages", example: "Messages"),
      Comparison(article: "From-ReactorKit", theirs: "ReactorKitMessages", example: "Messages"),
      Comparison(article: "From-MVVM", theirs: "CombineCart", example: "Cart"),
      Comparison(article: "From-Coordinators", theirs: "UIKitMessages", example: "Messages"),
      Comparison(article: "From-Three-Layers", theirs: "LayeredMessages", example: "Messages"),
    ]
  }

  /// A row of an article's table of lines: names and a number for theirs, and for ours.
  private struct Row {
    let theirs: [String]
    let theirLines: Int
    let ours: [String]
    let ourLines: Int

    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 5, let theirLines = Int(cells[2]), let ourLines = Int(cells[4]) else {
        return nil
      }
      theirs = Self.names(cells[1])
      self.theirLines = theirLines
      ours = Self.names(cells[3])
      self.ourLines = ourLines
    }

    private static func names(_ cell: String) -> [String] {
      cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }
  }

  @Test(arguments: Comparison.all)
  func `S110 the lines of both versions are those that there are`(_ comparison: Comparison) throws {
    let path = "Sources/Toolkit/EventMVVM/EventMVVM.docc/\(comparison.article).md"
    var rows = Package.lines(of: path).compactMap(Row.init)
    let last = rows.popLast()
    let sum = try #require(last)
    #expect(rows.count >= 4)
    let theirs = ["Examples/Tests/ExampleTests/Architectures/\(comparison.theirs).swift"]
    let ours = Package.files(in: "Examples/\(comparison.example)/Sources")
    for row in rows {
      #expect(try count(row.theirs, theirs) == row.theirLines, "\(row.theirs)")
      #expect(try count(row.ours, ours) == row.ourLines, "\(row.ours)")
    }
    #expect(sum.theirs.isEmpty && sum.ours.isEmpty)
    #expect(rows.reduce(0) { $0 + $1.theirLines } == sum.theirLines)
    #expect(rows.reduce(0) { $0 + $1.ourLines } == sum.ourLines)
  }

  /// All that is written in that architecture is counted: a table that leaves something out is no
  /// comparison.
  @Test(arguments: Comparison.all)
  func `each declaration of theirs is in the table`(_ comparison: Comparison) {
    let rows =
      Package.lines(of: "Sources/Toolkit/EventMVVM/EventMVVM.docc/\(comparison.article).md")
      .compactMap(Row.init)
    let path = "Examples/Tests/ExampleTests/Architectures/\(comparison.theirs).swift"
    let counted = Package.lines(of: path).count(where: \.isCode)
    let namespace = Package.lines(of: path)
      .count { $0.wholeMatch(of: /(enum|extension) \w+ \{/) != nil }
    #expect(rows.last?.theirLines == counted - 2 * namespace)
  }

  @Test(arguments: Comparison.all)
  func `each file and folder that is named is there`(_ comparison: Comparison) {
    let text = Package.text(of: "Sources/Toolkit/EventMVVM/EventMVVM.docc/\(comparison.article).md")
    let folder =
      "Examples/\(comparison.example)/Sources/todostream-\(comparison.example.lowercased())"
    let names = text.matches(of: /`([A-Z]\w+\/[\w\/]+|[\w\/]+\.swift)`/).map { String($0.output.1) }
    #expect(names.count >= 5)
    for name in names {
      let path = name.contains("/") ? name : "\(folder)/\(name)"
      #expect(
        FileManager.default.fileExists(atPath: Package.folder.appending(path: path).path),
        "\(path)"
      )
    }
  }

  private func count(_ names: [String], _ files: [String]) throws -> Int {
    try names.reduce(0) { sum, name in
      sum + (try #require(Declaration(name, in: files), "\(name) is not declared once").lines)
    }
  }

  @Test func `a declaration ends with the brace that closes it`() {
    let files = ["Examples/Tests/ExampleTests/Architectures/ReSwiftMessages.swift"]
    #expect(Declaration("MessagesState", in: files)?.lines == 6)
    #expect(Declaration("fetchMessages", in: files)?.lines == 14)
    #expect(Declaration("nothing", in: files) == nil)
    #expect(Declaration("extension ReSwift", in: files)?.lines ?? 0 > 40)
  }
}
