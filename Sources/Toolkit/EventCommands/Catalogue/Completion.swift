import EventMVVM
public import EventValues
import JSONText

/// The candidates for the word at the cursor.
public struct Completion: Sendable {
  /// The incomplete word that a candidate replaces; empty where a new word begins.
  public let prefix: String
  /// The candidates from the catalogue, in order.
  public let candidates: [Candidate]
  /// The request for candidates from the domain; nil where its data has none to add.
  public let live: (any CandidateRequest)?
  /// The placeholder of the expected value in help, such as `FILE`; nil if no value is expected.
  public var placeholder: String?
  /// The text before every candidate's word: `--due=`, where the value begins in the option's word.
  public var lead = ""

  /// Whether the name of a file is expected; the frontend completes it.
  public var takesFile: Bool { placeholder?.isIdentical(to: "FILE") ?? false }
}

extension Completion {
  /// Returns the candidates as they are written in a line, quoted where necessary.
  ///
  /// - Parameter live: The candidates from the domain.
  /// - Returns: The candidates, each a replacement for the incomplete word.
  package func written(with live: [Candidate] = []) -> [Candidate] {
    (candidates + live).map { Candidate(lead + $0.word.asScriptWord, $0.summary) }
  }
}

extension Catalogue {
  /// Completes the last word of a line; a pure function that sends no request to the domain.
  package func completion(of line: TypedLine) -> Completion {
    let begun = line.begunWord
    let before = begun == nil ? line.words[...] : line.words.dropLast()
    return completion(after: before.map(\.word), prefix: begun?.word.text ?? "")
  }

  /// Completes the last word of a command; a pure function that sends no request to the domain.
  ///
  /// - Parameters:
  ///   - words: The words before the cursor, excluding the incomplete one.
  ///   - prefix: The incomplete word; empty if a new word begins.
  /// - Returns: The candidates for that word.
  public func completion(after words: [Word], prefix: String) -> Completion {
    let words = meant(words)
    guard let verb = words.first else {
      return Completion(prefix: prefix, candidates: commandVerbs(prefix), live: nil)
    }
    let completions = meanings(of: verb.text)
      .map { command in
        command == RequestHelp.self
          ? Completion(prefix: prefix, candidates: allVerbs(prefix) + pages(prefix), live: nil)
          : command.completion(after: words, prefix: prefix)
      }
    return Completion(
      prefix: prefix,
      candidates: completions.flatMap(\.candidates),
      live: completions.lazy.compactMap(\.live).first,
      placeholder: completions.lazy.compactMap(\.placeholder).first,
      lead: completions.lazy.map(\.lead).first { !$0.isEmpty } ?? ""
    )
  }

  private func commandVerbs(_ prefix: String) -> [Candidate] {
    commands.filter { $0.verb.starts(withText: prefix) }.map { Candidate($0.verb, $0.summary) }
      + shorthands.filter { $0.name.starts(withText: prefix) }
      .map { Candidate($0.name, $0.summary) }
  }

  /// Returns the pages of help that are of no command.
  private func pages(_ prefix: String) -> [Candidate] {
    pages.filter { $0.starts(withText: prefix) }.map { Candidate($0) }
  }

  /// Returns the verbs of the commands and of the process.
  private func allVerbs(_ prefix: String) -> [Candidate] {
    commandVerbs(prefix)
      + verbs.filter { $0.name.starts(withText: prefix) }.map { Candidate($0.name, $0.summary) }
  }
}

// MARK: - The words of a process

extension Catalogue {
  /// Completes the last word after the name of the process.
  ///
  /// The options of the process may appear anywhere, and it has verbs other than commands.
  /// A pure function: it sends no request to the domain.
  ///
  /// - Parameters:
  ///   - words: The words before the cursor, excluding the incomplete one and the process's name.
  ///   - prefix: The incomplete word; empty if a new word begins.
  /// - Returns: The candidates for that word.
  package func completion(ofProcess words: [Word], prefix: String) -> Completion {
    var rest: [Word] = []
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      guard let process, word.isOption, !rest.contains(where: \.isEndOfOptions),
        !isOption(word, of: rest.first), let takesValue = process.takesValue(word.optionName)
      else {
        rest.append(word)
        continue
      }
      guard takesValue, word.optionName.isIdentical(to: word.text) else { continue }
      if index == words.count { return process.completion([word, word], prefix) }
      index += 1
    }
    let begun = Word(text: prefix, offset: 0, isBare: true)
    if let process, begun.isOption, !begun.optionName.isIdentical(to: prefix),
      !isOption(begun, of: rest.first), process.takesValue(begun.optionName) == true
    {
      return process.completion([], prefix)
    }
    return completion(ofProcess: rest, prefix, begunOption: prefix.starts(withText: "-"))
  }

  /// Completes a word after words from which the options of the process have been removed.
  private func completion(
    ofProcess words: [Word],
    _ prefix: String,
    begunOption: Bool
  ) -> Completion {
    let own = begunOption ? process?.completion(words, prefix).candidates ?? [] : []
    guard let verb = words.first else {
      return Completion(
        prefix: prefix,
        candidates: begunOption ? own : allVerbs(prefix),
        live: nil
      )
    }
    let found = verbs.first { $0.name.isIdentical(to: verb.text) }
    let completion =
      found?.completion(words, prefix) ?? completion(after: words, prefix: prefix)
    guard completion.placeholder == nil, !words.contains(where: \.isEndOfOptions) else {
      return completion
    }
    let known = Set(completion.candidates.map(\.word))
    return Completion(
      prefix: prefix,
      candidates: completion.candidates + own.filter { !known.contains($0.word) },
      live: completion.live
    )
  }

  /// Whether a command has an option of that name.
  private func isOption(_ word: Word, of verb: Word?) -> Bool {
    guard let verb, let command = self[verb.text] else { return false }
    return command.flags.containsText(word.optionName)
  }
}

extension Command {
  static func completion(after words: [Word], prefix: String) -> Completion {
    command.grammar.completion(after: words, prefix: prefix)
  }
}

extension Grammar {
  func completion(after words: [Word], prefix: String) -> Completion {
    if let last = words.last, words.count > 1, let row = option(last.text),
      rows[row].arity.takesNextWord
    {
      return values(of: rows[row], prefix)
    }
    let hasOptions = !words.contains(where: \.isEndOfOptions)
    let next = nextWord(after: words)
    if hasOptions, prefix.starts(withText: "-") {
      let isWord = prefix.utf8.count > 1 && !prefix.starts(withText: "--")
      if isWord, let next, rows[next].takesHyphens { return values(of: rows[next], prefix) }
      return valuesInWord(prefix) ?? flags(prefix)
    }
    guard let row = next else { return flags(hasOptions ? prefix : nil) }
    let completion = values(of: rows[row], prefix)
    guard hasOptions, prefix.isEmpty, completion.candidates.isEmpty,
      completion.live == nil || rows[row].kind == .text, !completion.takesFile
    else { return completion }
    return flags(prefix)
  }

  /// Returns the row that takes the next word; nil if none does.
  private func nextWord(after words: [Word]) -> Int? {
    var count = 0
    var index = 1
    while index < words.count {
      if words[index].isOption {
        let row = option(words[index].text)
        index += row.map { rows[$0].arity.takesNextWord ? 2 : 1 } ?? 1
      } else {
        count += 1
        index += 1
      }
    }
    for row in self.words {
      let isLast = !rows[row].arity.isSingle || rows[row].kind == .text
      if isLast || count == 0 { return row }
      count -= 1
    }
    return nil
  }

  /// Returns the completion of a value in an option's word, after `=`; nil if none begins there.
  private func valuesInWord(_ prefix: String) -> Completion? {
    guard let equals = prefix.utf8.firstIndex(of: UInt8(ascii: "=")),
      let row = option(prefix[..<equals]), rows[row].arity != .flag
    else { return nil }
    let start = prefix.utf8.index(after: equals)
    let completion = values(of: rows[row], String(prefix[start...]))
    // The frontend completes files, as no shell completes them inside a word.
    return Completion(
      prefix: prefix,
      candidates: completion.candidates,
      live: completion.live,
      placeholder: completion.takesFile ? nil : completion.placeholder,
      lead: String(prefix[..<start])
    )
  }

  /// Returns the options with a prefix; none if it is nil.
  private func flags(_ prefix: String?) -> Completion {
    let rows = self.rows.filter { row in
      row.kind == .option && prefix.map { row.flag.starts(withText: $0) } ?? false
    }
    return Completion(
      prefix: prefix ?? "",
      candidates: rows.map { Candidate($0.flag, $0.summary) },
      live: nil
    )
  }

  private func values(of row: Row, _ prefix: String) -> Completion {
    let shape = row.shape
    return Completion(
      prefix: prefix,
      candidates: shape.choices.filter { $0.starts(withText: prefix) }.map { Candidate($0) },
      live: shape.candidates?(prefix),
      placeholder: row.placeholder
    )
  }

  /// Whether an option takes a value; nil if no option has that name.
  func takesValue(_ flag: String) -> Bool? {
    option(flag).map { rows[$0].arity.takesNextWord }
  }
}
