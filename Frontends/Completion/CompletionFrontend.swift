import EventCommands
import EventMVVM
import EventValues
import JSONText

/// The frontend of a shell that completes a word: it requests candidates from the catalogue and the
/// domain, and prints them, or nothing.
///
/// The first line that it prints states what else is possible: `files` where a file may be given,
/// else `words`. Each line after it is a word as the shell's script inserts it and, after a tab,
/// its meaning. Words with control characters are omitted, since the shell would print them
/// unescaped.
struct CompletionFrontend: Frontend {
  let name = "completion"
  private let catalogue: Catalogue
  private let line: ShellLine
  private let plugins: [String]

  /// Creates the frontend.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue of commands.
  ///   - line: The line that is being typed.
  ///   - plugins: The names of the plugins that can be switched.
  init(_ catalogue: Catalogue, _ line: ShellLine, plugins: [String]) {
    self.catalogue = catalogue
    self.line = line
    self.plugins = plugins
  }

  func run(_ port: ViewPort) -> ExitStatus {
    print(answer(port), terminator: "")
    return .success
  }

  private func answer(_ port: ViewPort) -> String {
    let completion = catalogue.completion(ofProcess: line.words, prefix: line.begun)
    // Candidates for a placeholder in help, where no type provides them.
    let named =
      switch completion.placeholder {
      case "PLUGIN": plugins.map { Candidate($0) }
      // The first words of links.
      case "WHAT" where line.words.last?.text.isIdentical(to: "open") == true: catalogue.links
      default: [Candidate]()
      }
    let words =
      completion.candidates + named
      + (completion.live.map { ask($0, port) } ?? [])
    let candidates = words.lazy.map { Candidate(completion.lead + $0.word, $0.summary) }
    var text = completion.takesFile ? "files\n" : "words\n"
    // By bytes: hashing a text sorts its marks.
    var seen: Set<[UInt8]> = []
    for candidate in candidates where candidate.word.starts(withText: line.begun) {
      guard escapedForTerminal(candidate.word).utf8.count == candidate.word.utf8.count,
        seen.insert(Array(candidate.word.utf8)).inserted
      else { continue }
      text += line.write(candidate.word)
      if !candidate.summary.isEmpty { text += "\t" + Self.short(candidate.summary) }
      text += "\n"
    }
    return text
  }

  /// Returns a summary for display next to a word, truncated if it is long.
  private static func short(_ summary: String) -> String {
    let columns = 60
    let text = escapedForTerminal(summary)
    // No character has more columns than bytes.
    guard text.utf8.count > columns, DisplayWidth.of(text) > columns else { return text }
    return DisplayWidth.prefix(of: text, columns: columns - 1) + "…"
  }

  private func ask<R: CandidateRequest>(_ request: R, _ port: ViewPort) -> [Candidate] {
    var answer: [Candidate]?
    port.request(request) { result, _ in answer = (try? result.get().result.get()) ?? [] }
    port.run { answer != nil }
    return answer ?? []
  }
}
