import EventMVVM

/// What could stand where the cursor is.
public struct Completion: Sendable {
  /// The begun word that a candidate replaces; empty where a new word begins.
  public let prefix: String
  /// What the catalogue knows, in order.
  public let candidates: [Candidate]
  /// What to ask the domain for more; nil where its data has nothing to add.
  public let live: (any CandidateRequest)?
  /// What stands in help for the value that is expected, such as `FILE`; nil where none is.
  public var placeholder: String?
  /// What stands before every candidate's word: `--due=`, where the value is begun in the option's
  /// word.
  public var lead = ""

  /// Whether the name of a file is expected: it is for the frontend to look for those.
  public var takesFile: Bool { placeholder?.isIdentical(to: "FILE") ?? false }
}

extension Completion {
  /// The candidates as they stand in a line, quoted where they have to be.
  ///
  /// - Parameter live: What the domain has added.
  /// - Returns: Each candidate, instead of the begun word.
  package func written(with live: [Candidate] = []) -> [Candidate] {
    (candidates + live).map { Candidate(lead + $0.word.asScriptWord, $0.summary) }
  }
}

extension Catalogue {
  /// Completes the last word of a line; pure, the domain is not asked.
  package func completion(of line: TypedLine) -> Completion {
    let begun = line.begunWord
    let before = begun == nil ? line.words[...] : line.words.dropLast()
    return completion(after: before.map(\.word), prefix: begun?.word.text ?? "")
  }

  /// Completes the last word of a command; pure, the domain is not asked.
  ///
  /// - Parameters:
  ///   - words: The words before the cursor, the begun one excluded.
  ///   - prefix: The begun word; empty if none is begun.
  /// - Returns: What could stand there.
  public func completion(after words: [Word], prefix: String) -> Completion {
    guard let verb = words.first else {
      return Completion(prefix: prefix, candidates: commandVerbs(prefix), live: nil)
    }
    let completions = meanings(of: verb.text)
      .map { command in
        command == RequestHelp.self
          ? Completion(prefix: prefix, candidates: allVerbs(prefix), live: nil)
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
  }

  /// The commands, and what only the process understands.
  private func allVerbs(_ prefix: String) -> [Candidate] {
    commandVerbs(prefix)
      + verbs.filter { $0.name.starts(withText: prefix) }.map { Candidate($0.name, $0.summary) }
  }
}

// MARK: - The words of a process

extension Catalogue {
  /// Completes the last word after the name of the process.
  ///
  /// Its own options may stand anywhere, and it understands more than commands. Pure, the domain is
  /// not asked.
  ///
  /// - Parameters:
  ///   - words: The words before the cursor, the begun one and the name excluded.
  ///   - prefix: The begun word; empty if none is begun.
  /// - Returns: What could stand there.
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

  /// Completes a word where the options of the process that stand before it are left out.
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

  /// Whether a command has an option of its own of that name.
  private func isOption(_ word: Word, of verb: Word?) -> Bool {
    guard let verb, let command = self[verb.text] else { return false }
    return command.flags.containsText(word.optionName)
  }
}

extension Command {
  static func completion(after words: [Word], prefix: String) -> Completion {
    command.completion(after: words, prefix: prefix)
  }
}

extension CommandSpec {
  func completion(after words: [Word], prefix: String) -> Completion {
    if let last = words.last, words.count > 1, let row = grammar.option(last.text),
      grammar.rows[row].arity != .flag
    {
      return values(of: grammar.rows[row], prefix)
    }
    let hasOptions = !words.contains(where: \.isEndOfOptions)
    if hasOptions, prefix.starts(withText: "-") {
      return valuesInWord(prefix) ?? options(prefix)
    }
    guard let row = nextWord(after: words) else { return options(hasOptions ? prefix : nil) }
    let completion = values(of: grammar.rows[row], prefix)
    guard hasOptions, prefix.isEmpty, completion.candidates.isEmpty, completion.live == nil,
      !completion.takesFile
    else { return completion }
    return options(prefix)
  }

  /// The row that the next word would go to.
  private func nextWord(after words: [Word]) -> Int? {
    var count = 0
    var index = 1
    while index < words.count {
      if words[index].isOption {
        let row = grammar.option(words[index].text)
        index += row.map { grammar.rows[$0].arity == .flag ? 1 : 2 } ?? 1
      } else {
        count += 1
        index += 1
      }
    }
    for row in grammar.words {
      let isLast = !grammar.rows[row].arity.isSingle || grammar.rows[row].place == .text
      if isLast || count == 0 { return row }
      count -= 1
    }
    return nil
  }

  /// The values of an option that stand in its word, after `=`; nil if none is begun there.
  private func valuesInWord(_ prefix: String) -> Completion? {
    guard let equals = prefix.utf8.firstIndex(of: UInt8(ascii: "=")),
      let row = grammar.option(prefix[..<equals]), grammar.rows[row].arity != .flag
    else { return nil }
    let start = prefix.utf8.index(after: equals)
    let completion = values(of: grammar.rows[row], String(prefix[start...]))
    // Files are for the frontend to look for, and no shell looks for them inside of a word.
    return Completion(
      prefix: prefix,
      candidates: completion.candidates,
      live: completion.live,
      placeholder: completion.takesFile ? nil : completion.placeholder,
      lead: String(prefix[..<start])
    )
  }

  /// The options that begin so; none where there is nothing to begin with.
  private func options(_ prefix: String?) -> Completion {
    let rows = grammar.rows.filter { row in
      row.place == .option && prefix.map { row.flag.starts(withText: $0) } ?? false
    }
    return Completion(
      prefix: prefix ?? "",
      candidates: rows.map { Candidate($0.flag, $0.summary) },
      live: nil
    )
  }

  private func values(of row: Grammar.Row, _ prefix: String) -> Completion {
    let shape = row.shape
    return Completion(
      prefix: prefix,
      candidates: shape.choices.filter { $0.starts(withText: prefix) }.map { Candidate($0) },
      live: shape.candidates?(prefix),
      placeholder: row.placeholder
    )
  }

  /// Whether an option takes a value; nil if there is none of that name.
  func takesValue(_ flag: String) -> Bool? {
    grammar.option(flag).map { grammar.rows[$0].arity != .flag }
  }
}
