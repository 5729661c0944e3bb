import Dispatch
import EventCommands
import EventMVVM
import EventPatterns
import EventValues
import JSONText

/// Colours, hints and candidates for a line that is being typed, from the catalogue, the history
/// and the domain's data.
struct CommandAssistant {
  private let here: ScreenContext
  private let port: ViewPort
  private let history: LineHistory

  init(_ here: ScreenContext, _ port: ViewPort, _ history: LineHistory) {
    self.here = here
    self.port = port
    self.history = history
  }

  private var catalogue: Catalogue { here.catalogue }

  var assistant: LineAssistant {
    var assistant = LineAssistant()
    assistant.highlight = highlight
    assistant.hint = hint
    assistant.complete = complete
    assistant.isComplete = { !Self.continuation($0).isOpen }
    assistant.advice = { text in
      guard let missing = Self.continuation(text).missing else { return "" }
      return missing.utf8.count == 1 && "'\"".contains(missing)
        ? "\(missing) is still open: close it, or leave with ^C"
        : "a line \(missing) ends the text; ^C leaves"
    }
    return assistant
  }

  private static func continuation(_ text: String) -> Continuation {
    var continuation = Continuation()
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      continuation.take(Array(line) + [0x0A])
    }
    return continuation
  }

  // MARK: Colours

  /// Highlights known and unknown verbs, options, and quoted text.
  private func highlight(_ text: String) -> [StyledSpan] {
    let words = TypedLine(text).words
    guard let verb = words.first else { return [] }
    var spans: [StyledSpan] = []
    let command = catalogue[verb.word.text]
    // The target of a link may have options of its own.
    let isLink = command == RequestOpen.self && words.count > 1
    let flags = catalogue.flags(of: words[isLink ? 1 : 0].word.text)
    if command != nil || verb.word.text.hasPrefix(".") {
      spans.append(StyledSpan(verb.range, .bold))
    } else if verb.range.upperBound < text.utf8.count {
      spans.append(StyledSpan(verb.range, .red))
    }
    for word in words.dropFirst() {
      if word.isQuoted {
        spans.append(StyledSpan(word.range, .green))
      } else if word.word.isOption, !word.word.isEndOfOptions {
        let isKnown = flags.contains { $0.isIdentical(to: word.word.optionName) }
        let isBegun = word.range.upperBound == text.utf8.count
        spans.append(StyledSpan(word.range, isKnown ? .cyan : isBegun ? .dim : .red))
      }
    }
    return spans
  }

  // MARK: Hints

  /// Returns an earlier entry, else the usage of the command.
  private func hint(_ text: String) -> String {
    let known = history.continuation(of: text)
    guard known.isEmpty, text.hasSuffix(" ") else { return known }
    let words = TypedLine(text).words
    guard words.count == 1, let command = catalogue[words[0].word.text] else { return "" }
    return String(command.usage.dropFirst(command.verb.count + 1))
  }

  // MARK: Completion

  /// Returns the candidates at the cursor: from the catalogue, else from the domain's data.
  private func complete(_ text: String) -> LineCompletion {
    if let path = OwnCommand.begunPath(text) {
      return LineCompletion(
        replacing: path.utf8.count,
        files: FileCandidates.beginning(with: path)
      )
    }
    let line = TypedLine(text)
    let begun = line.begunWord
    var before = (begun == nil ? line.words : line.words.dropLast()).map(\.word)
    let isLink = before.first.map { catalogue[$0.text] == RequestOpen.self } ?? false
    if isLink, before.count > 1, catalogue[before[1].text] != nil { before.removeFirst() }
    if before.isEmpty, begun?.word.text.hasPrefix(".") == true { return ownLines(text) }
    if before.count == 1, before[0].text == OwnCommand.contextVerb,
      catalogue[OwnCommand.contextVerb] == nil
    {
      let prefix = begun?.word.text ?? ""
      let contexts = catalogue.contexts.map { Candidate($0.name, $0.filter) }
      return LineCompletion(
        replacing: begun?.range.count ?? 0,
        (contexts + [Candidate("none")]).filter { $0.word.hasPrefix(prefix) }
      )
    }
    let completion = catalogue.completion(after: before, prefix: begun?.word.text ?? "")
    if completion.takesFile {
      let files = FileCandidates.beginning(with: completion.prefix)
      return LineCompletion(
        replacing: begun?.range.count ?? 0,
        files: files.map { Candidate(Self.written($0.word)) }
      )
    }
    let live = completion.live.map { ask($0) } ?? []
    let links = isLink && before.count == 1 ? catalogue.links : []
    let candidates =
      links.filter { $0.word.hasPrefix(completion.prefix) } + completion.written(with: live)
    return LineCompletion(replacing: begun?.range.count ?? 0, candidates)
  }

  /// Returns a path as a word: `~` is the home folder only in one without quotes.
  private static func written(_ path: String) -> String {
    guard let there = HomeFolder.expanding(path) else { return path.asScriptWord }
    let rest = String(path.dropFirst(2))
    return rest.isEmpty || rest.asScriptWord == rest ? path : there.asScriptWord
  }

  private func ownLines(_ text: String) -> LineCompletion {
    let lines = OwnCommand.all.map { Candidate(String($0.0.prefix { $0 != " " }), $0.1) }
    return LineCompletion(
      replacing: text.utf8.count,
      lines.filter { $0.word.hasPrefix(text) }
    )
  }

  /// Requests candidates from the domain, up to a time limit.
  private func ask<R: CandidateRequest>(_ request: R) -> [Candidate] {
    let answer = Locked<[Candidate]>([])
    let answered = DispatchSemaphore(value: 0)
    port.request(request, isHousekeeping: true) { result, _ in
      if let candidates = try? result.get().result.get() {
        answer.withLock { $0 = candidates }
      }
      answered.signal()
    }
    _ = answered.wait(timeout: .now() + .milliseconds(500))
    return answer.withLock { $0 }
  }
}
