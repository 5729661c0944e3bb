import EventMVVMTesting
import Foundation
import Testing

/// The sentences that a person can get: the texts of two words and more in what people use, apart from those for
/// the makers and for programs.
///
/// A message has a person's words and the next step in it, and needs no manual.
@Suite(.hangLimit) struct SentencesTests {
  /// A word of the makers, and what a message says instead.
  private static let words = [
    ("REFS?", "NUMBER, or what it refers to"), ("screens?", "what is open, or its name"),
    ("revisions?", "what was read, or seen"), ("cli", "your command"),
    ("handlers?|subscri\\w+|origins?|turns? of", "what a person does or sees"),
    ("event streams?|view ?models?", "what a person does or sees"),
    ("leads? to no", "what there is to open"), ("turns a field round", "completes, or changes it"),
    ("give up what was", "what will be lost"), ("is no UUID", "what to write"),
    ("can be said", "where a command works"), ("invalid (?:input|argument|value)", "what to write"),
    ("abort\\w*|fatal|illegal", "what happened"),
  ]

  /// Sentences that may have such a word, each for a reason.
  private static let excepted = [
    // Of an option for programs, and its conflict.
    "Refuses what was changed since you read it: the 'revision' in JSON",
    "Nobody can have seen #… at revision … of this store; read it again.",
    // Of a damaged store: for who mends it.
    "it ends with revision …", "a change has revision … after …",
    "the change log ends with revision …",
    "the change log does not end with revision …, as the counter says: ",
    "is …, but had come to revision …. ",
    "lacks changes that were made: it ends with revision …, but had come to …. ",
    // The program says what it is.
    "A todo manager on an event stream.",
    // The protocol's documentation, for programs.
    "The screens that are open, the topmost last; from now on commands open some.",
  ]

  /// The folders whose texts programs and makers read.
  private static let forMakers = [
    "Sources/Serving/EventServing/", "Sources/Serving/EventRPC/", "Sources/Support/Release/",
    "Sources/System/Seams/", "Sources/Support/ProcessTesting/",
    "Sources/Toolkit/EventMVVMTesting/", "Sources/Records/EventRecordsTesting/",
    "Plugins/SessionRecorder/",
    "Frontends/Inspector/", "Examples/",
    "Tests/", "Benchmarks/",
  ]

  struct Sentence: Sendable {
    let file: String
    let text: String
  }

  /// All of them, in the order of the files.
  static let all: Result<[Sentence], any Error> = Result {
    let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    var all: [Sentence] = []
    for file in try Wall.rooms.flatMap({ try Wall.sources(of: $0) })
    where file.pathExtension == "swift" {
      let name = file.path.replacing(package.path + "/", with: "")
      guard !forMakers.contains(where: name.hasPrefix) else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      all += sentences(of: text).map { Sentence(file: name, text: $0) }
    }
    return all
  }

  @Test func `no sentence for a person has a word of the makers`() throws {
    let patterns = try Self.words.map { word, instead in
      (try NSRegularExpression(pattern: "\\b(?:\(word))\\b", options: .caseInsensitive), instead)
    }
    for sentence in try Self.all.get() where !Self.excepted.contains(sentence.text) {
      let range = NSRange(sentence.text.startIndex..., in: sentence.text)
      for (pattern, instead) in patterns
      where pattern.firstMatch(in: sentence.text, range: range) != nil {
        Issue.record("\(sentence.file): '\(sentence.text)'; say \(instead)")
      }
    }
  }

  @Test func `the sentences are found, and each exception is one`() throws {
    let texts = Set(try Self.all.get().map(\.text))
    #expect(texts.count > 400)
    #expect(Self.excepted.filter { !texts.contains($0) } == [])
    #expect(texts.contains("There is no … #…."))
  }

  /// The texts of two blanks and more in a source, with `…` for what is put in.
  private static func sentences(of source: String) -> [String] {
    source.split(separator: "\n")
      .flatMap { line -> [String] in
        let line = line.drop { $0 == " " }
        guard !line.hasPrefix("//"), !line.contains("precondition"), !line.contains("fatalError")
        else {
          return []
        }
        return literals(in: line)
          .filter { text in
            text.utf8.count(where: { $0 == 0x20 }) > 1 && !isSQL(text)
          }
      }
  }

  private static func isSQL(_ text: String) -> Bool {
    text.contains(/\b(SELECT|UPDATE|CREATE|WHERE|ORDER|AND|SET|INSERT|DELETE|IN|LIMIT)\b/)
      || text.contains("$1") || text.contains("> ?") || text.contains("= ?")
  }

  /// The string literals of a line.
  private static func literals(in line: Substring) -> [String] {
    var texts: [String] = []
    var rest = line[...]
    while let start = rest.firstIndex(of: "\"") {
      rest = rest[rest.index(after: start)...]
      var text = ""
      var depth = 0
      while let character = rest.first {
        rest = rest.dropFirst()
        if depth > 0 {
          depth += character == "(" ? 1 : character == ")" ? -1 : 0
        } else if character == "\\" {
          if rest.first == "(" {
            depth = 1
            text += "…"
          } else {
            text.append(rest.first ?? " ")
          }
          rest = rest.dropFirst()
        } else if character == "\"" {
          break
        } else {
          text.append(character)
        }
      }
      texts.append(text)
    }
    return texts
  }
}
