import EventMVVMTesting
import Foundation
import Testing

/// What *The store* says in its tables, held against the sources.
@Suite(.hangLimit) struct StoreArticleTests {
  private static let article = Package.lines(
    of: "Sources/Todo/todostream/todostream.docc/The-Store.md"
  )

  /// The cells of the table whose head has a cell that says so.
  private static func table(_ head: String) -> [[String]] {
    article.drop { !$0.contains("| \(head) |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
      .map { row in
        row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      }
  }

  @Test func `every message of the table of faults is one that the store gives`() throws {
    let faults = Self.table("The message")
    #expect(faults.count >= 15)
    for fault in faults {
      for message in try #require(fault.dropFirst().first).split(separator: ", ") {
        let text = message.trimmingCharacters(in: ["`"])
        #expect(Self.sources.contains(text), "nobody says '\(text)'")
      }
    }
  }

  /// The sources of the store, with texts that run over several lines put together.
  private static let sources =
    Package.files(
      in: "Sources/Engines/SQLiteEngine",
      "Sources/Records/EventRecords",
      "Sources/Support/EventApp"
    )
    .map { Package.text(of: $0) }.joined()
    .replacingOccurrences(of: #""\s*\n\s*\+ ""#, with: "", options: .regularExpression)

  @Test(
    arguments: [
      ("a title", "longestTitle"), ("a subtitle, which holds the notes", "longestSubtitle"),
      ("the name of a tag, of a project, or given with `as @name`", "longestName"),
      ("the tags of a todo", "mostTags"), ("the words of a search", "mostWords"),
      ("a script, all of its files together", "longest"),
      ("a line for `run --keep-going` on standard input", "longest"),
    ])
  func `the limits are those of the rules`(_ thing: String, _ rule: String) throws {
    let row = try #require(Self.table("At most").first { $0[0] == thing })
    let limit = row[1].prefix { $0.isNumber }
    #expect(Self.rules.contains("static let \(rule) = \(limit)\n"))
  }

  /// The sources of the limits, with numbers as the article writes them.
  private static let rules =
    Package.files(
      in: "Sources/Todo/TodoViewModels",
      "Sources/Todo/TodoModels",
      "Sources/Records/RecordCommands",
      "Sources/Toolkit/EventCommands/Scripts",
      "Frontends/Batch"
    )
    .map { Package.text(of: $0).replacingOccurrences(of: "_", with: "") }.joined()
}
