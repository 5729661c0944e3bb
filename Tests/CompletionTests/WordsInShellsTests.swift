#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// What people type behind `add` in the three shells, in a script and in an editor.
  @Suite(.hangLimit) struct WordsInShellsTests {
    private static let words =
      TypedTitles.plain.map { $0.split(separator: " ").map(String.init) }
      + TypedTitles.quoted.map { [$0] } + TypedTitles.changes.map(\.words)
    private static let titles =
      TypedTitles.plain + TypedTitles.quoted + TypedTitles.changes.map(\.title)

    private func check(_ place: Workplace) throws {
      let outcome = try place.start("todostream --json list --all").outcome()
      #expect(outcome.errors == [])
      guard case .array(let rows)? = try outcome.output.first.map({ try JSON(parsing: $0) }) else {
        Issue.record("\(outcome.output)")
        return
      }
      let added = rows.sorted { ($0["id"]?.wholeNumber ?? 0) < ($1["id"]?.wholeNumber ?? 0) }
      #expect(added.map { $0["title"] } == Self.titles.map { .string($0) })
      let first = Self.titles.count - TypedTitles.changes.count
      for (index, row) in added.enumerated() {
        let set: JSON =
          index < first ? ["tags": []] : try JSON(parsing: TypedTitles.changes[index - first].set)
        guard case .object(let members) = set else { continue }
        for member in members { #expect(row[member.name] == member.value, "\(row)") }
        if set["due"] == nil { #expect(row["due"] == .null, "\(row)") }
        if set["project"] == nil { #expect(row["project"] == .null, "\(row)") }
        if set["priority"] == nil { #expect(row["priority"] == "normal", "\(row)") }
      }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `words behind add mean the same in each shell`(_ shell: String) throws {
      func quoted(_ word: String) -> String {
        shell == "fish"
          ? "'\(word.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
          : "'\(word.replacing("'", with: "'\\''"))'"
      }
      let place = try Workplace()
      let lines = Self.words.map { "todostream add \($0.map(quoted).joined(separator: " "))" }
      let options = ["bash": "--norc", "zsh": "-f", "fish": "--no-config"]
      let outcome =
        try place.start(
          "exec \(shell) \(options[shell] ?? "") -c \"$1\"",
          [lines.joined(separator: "\n")]
        )
        .outcome()
      #expect(outcome.errors == [])
      #expect(outcome.status == 0)
      try check(place)
    }

    @Test func `they mean the same in a script`() throws {
      func quoted(_ word: String) -> String {
        guard word != "--", !word.hasPrefix("--") else { return word }
        return "\"\(word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
      }
      let place = try Workplace()
      let lines = Self.words.map { "add \($0.map(quoted).joined(separator: " "))" }
      let outcome = try place.start("todostream run -", input: lines).outcome()
      #expect(outcome.errors == [])
      try check(place)
    }

    @Test func `in an editor a title is text`() throws {
      let place = try Workplace()
      let titles = TypedTitles.plain + TypedTitles.quoted
      var requests = [#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#]
      for title in titles {
        let parameters: JSON = ["title": .string(title)]
        requests.append(
          #"{"jsonrpc":"2.0","id":1,"method":"todo/add","params":\#(parameters)}"#
        )
      }
      let outcome = try place.start("todostream serve --stdio", input: requests).outcome()
      let added = try outcome.output.dropFirst().compactMap { try JSON(parsing: $0)["result"] }
        .filter { $0["title"] != nil }
      #expect(added.map { $0["title"] } == titles.map { .string($0) })
      #expect(added.allSatisfy { $0["tags"] == [] && $0["due"] == .null })
    }
  }
#endif
