import EventMVVMTesting
import Foundation
import Testing

/// The words of the sources and their documentation: those of the field, one for each meaning.
///
/// The article *Glossary* has the words. This has those that they replaced, so that no reader meets
/// two names of one thing again.
@Suite(.hangLimit) struct WordsTests {
  /// A part of a name that nothing is called by, and what to call it instead.
  static let names = [
    ("takeBack", "rollBack, commit's opposite; undo or revert for a step"),
    ("takenBack", "rolledBack or undone"), ("tellAgain", "replay"), ("retell", "replay"),
    ("stranger", "external or unknown"), ("elsewhere", "external"), ("foreign", "external"),
    ("letGo", "release"), ("letsGo", "release"), ("herald", "notifier"), ("brake", "throttle"),
    ("whereabouts", "screen context"), ("misfit", "configuration error"),
    ("novelty", "change kind"), ("errand", "launch mode, task or invocation"),
    ("owedReply", "deferred reply"), ("whileWanted", "cancellable"), ("unwanted", "cancelled"),
    ("witness", "event tap"), ("readAside", "read what is committed, in the background"),
    ("hearsOthers", "watch external changes"),
  ]

  /// A phrase that documentation does not use, and what to say instead.
  static let phrases = [
    ("lets? go of|letting go of", "release, remove or cancel"),
    ("told again|tells? .* again|retold", "replay"),
    ("tak(?:e|es|en|ing) (?:it |them )?back|took back", "roll back, undo or revert"),
    ("whoever|whomever", "the name of the thing"),
    ("those who", "observers, servers, callers, subscribers"),
    ("bec(?:a|o)me of|becomes of|came of it|comes of it", "its outcome, its change"),
    ("beside the home thread", "in the background, off the home thread"),
    ("herald|whereabouts|misfit|errand", "see the glossary"),
    (
      "has (?:\\w+ ){1,4}be (?:called|told|run|written|found|sent|asked|there)",
      "calls, runs, writes: the verb itself"
    ),
    ("lets (?:all|those|what|the \\w+) (?:\\w+ )?(?:join|go|be|ask|follow)", "the verb itself"),
    ("answerers?", "server"),
    ("where (?:it|they) (?:lies?|stands?)", "its address, index or position"),
    ("in whose name", "its origin"),
    ("hand(?:s|ed|ing) on", "pass on, relay"),
    ("tak(?:es?|ing) away", "remove"),
    ("puts? (?:\\w+ )+in the place of", "assign, replace"),
    ("on its way", "queued, in progress, being written"),
    ("news|makes? known", "updates, notifies"),
    ("says? hello|said hello", "begins the session"),
    ("what goes wrong|to be had|in vain", "its error; available; without a result"),
    ("turned round", "reversed or toggled"),
    ("bur(?:y|ies|ied)", "reap"),
  ]

  /// The folders in whose comments a part of the program is called by its name.
  static let namedParts = [
    "Sources/Toolkit/EventMVVM/", "Sources/Toolkit/EventPatterns/", "Sources/Serving/EventRPC/",
    "Sources/Serving/EventServing/",
    "Sources/Records/EventRecords/", "Sources/Toolkit/EventMVVMTesting/",
    "Sources/Toolkit/JSONText/", "Sources/System/Platform/",
    "Sources/Todo/TodoModels/", "Sources/Todo/TodoViewModels/", "Plugins/", "Frontends/",
    "Sources/Engines/PostgresEngine/", "Sources/Engines/SQLiteEngine/", "Sources/Support/EventApp/",
    "Sources/Support/Release/",
    "Sources/Records/EventRecordsTesting/", "Sources/Todo/todostream/",
    "Examples/",
  ]

  @Test(arguments: names) func `nothing is called by a word that was replaced`(
    _ word: String,
    _ instead: String
  ) throws {
    let declaration = try NSRegularExpression(
      pattern: "(?:func|var|let|case|struct|class|enum|protocol|typealias) +`?\\w*\(word)\\w*",
      options: .caseInsensitive
    )
    for (name, text) in try Words.sources.get() {
      for found in text.all(declaration) {
        Issue.record("\(name): '\(found)'; say \(instead)")
      }
    }
  }

  @Test(arguments: phrases) func `no comment and no article says it in words of our own`(
    _ phrase: String,
    _ instead: String
  ) throws {
    let pattern = try NSRegularExpression(
      pattern: "\\b(?:\(phrase))\\b",
      options: .caseInsensitive
    )
    for (name, text) in try Words.sources.get() {
      for line in text.lines(with: pattern) where Words.isProse(line, in: name) {
        Issue.record("\(name): \(line); say \(instead)")
      }
    }
  }

  @Test(arguments: namedParts) func `no comment calls a part of the program somebody`(
    _ folder: String
  ) throws {
    let pattern = try NSRegularExpression(
      pattern: "\\b(?:(?:some|any|every)(?:body|one)|nobody)\\b",
      options: .caseInsensitive
    )
    let sources = try Words.sources.get().filter { "/\($0.key)".contains("/\(folder)") }
    #expect(!sources.isEmpty)
    for (name, text) in sources {
      for line in text.lines(with: pattern) where Words.isProse(line, in: name) {
        Issue.record("\(name): \(line); say observer, caller, frontend or process")
      }
    }
  }

  @Test func `the glossary has at most forty terms, each once`() throws {
    let text = try #require(try Words.sources.get()["Glossary.md"])
    let terms = text.matches(of: /\n- \*\*([^*]+)\*\*/).map { String($0.output.1) }
    #expect((30...40).contains(terms.count))
    #expect(Set(terms).count == terms.count)
  }
}

/// What the project says of itself: its sources, its articles and the README.
private enum Words {
  /// The texts, by the names of their files, read once.
  static let sources: Result<[String: String], any Error> = Result {
    var texts: [String: String] = [:]
    let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let catalogues = [
      "Sources/Toolkit/EventMVVM/EventMVVM.docc", "Sources/Todo/todostream/todostream.docc",
    ]
    let pages = try catalogues.flatMap { catalogue in
      try FileManager.default
        .contentsOfDirectory(
          at: package.appending(path: catalogue),
          includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "md" }
    }
    let rooms = Wall.rooms.filter { !$0.hasPrefix("Benchmarks/") }
    let sources = try rooms.flatMap { try Wall.sources(of: $0) }
    for file in pages + [package.appending(path: "README.md")] {
      texts[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
    }
    for file in sources where file.pathExtension == "swift" {
      texts[file.path.replacing(package.path + "/", with: "")] =
        try String(contentsOf: file, encoding: .utf8)
    }
    return texts
  }

  /// Whether a line is a comment of a source, or of an article.
  static func isProse(_ line: String, in name: String) -> Bool {
    name.hasSuffix(".md") ? name != "Glossary.md" : line.contains("//")
  }
}

extension String {
  /// What a pattern finds.
  ///
  /// A pattern of Swift's own takes ten times as long here.
  fileprivate func all(_ pattern: NSRegularExpression) -> [String] {
    ranges(of: pattern).map { String(self[$0]) }
  }

  /// The lines in which a pattern finds something.
  fileprivate func lines(with pattern: NSRegularExpression) -> [String] {
    ranges(of: pattern).map { String(self[lineRange(for: $0)]) }
  }

  private func ranges(of pattern: NSRegularExpression) -> [Range<Index>] {
    pattern.matches(in: self, range: NSRange(startIndex..., in: self))
      .compactMap { Range($0.range, in: self) }
  }
}
