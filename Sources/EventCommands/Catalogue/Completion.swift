import EventMVVM

/// What could stand where the cursor is.
public struct Completion: Sendable {
  /// The begun word that a candidate replaces; empty where a new word begins.
  public let prefix: String
  /// What the catalogue knows, in order.
  public let candidates: [Candidate]
  /// What to ask the domain for more; nil where its data has nothing to add.
  public let live: (any CandidateRequest)?
}

extension Catalogue {
  /// Completes the last word of a command; pure, the domain is not asked.
  ///
  /// - Parameters:
  ///   - words: The words before the cursor, the begun one excluded.
  ///   - prefix: The begun word; empty if none is begun.
  /// - Returns: What could stand there.
  public func completion(after words: [Word], prefix: String) -> Completion {
    guard let verb = words.first else {
      let verbs = commands.filter { $0.verb.starts(withText: prefix) }
        .map { Candidate($0.verb, $0.summary) }
      return Completion(prefix: prefix, candidates: verbs, live: nil)
    }
    guard let command = self[verb.text] else {
      return Completion(prefix: prefix, candidates: [], live: nil)
    }
    if command == RequestHelp.self {
      return completion(after: [], prefix: prefix)
    }
    return command.completion(after: words, prefix: prefix)
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
      return values(of: grammar.rows[row].shape, prefix)
    }
    if prefix.starts(withText: "-") { return options(prefix) }
    guard let row = nextWord(after: words) else { return options(prefix) }
    let completion = values(of: grammar.rows[row].shape, prefix)
    guard prefix.isEmpty, completion.candidates.isEmpty, completion.live == nil else {
      return completion
    }
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

  private func options(_ prefix: String) -> Completion {
    let rows = grammar.rows.filter { $0.place == .option && $0.flag.starts(withText: prefix) }
    return Completion(
      prefix: prefix,
      candidates: rows.map { Candidate($0.flag, $0.summary) },
      live: nil
    )
  }

  private func values(of shape: ValueShape, _ prefix: String) -> Completion {
    Completion(
      prefix: prefix,
      candidates: shape.choices.filter { $0.starts(withText: prefix) }.map { Candidate($0) },
      live: shape.candidates?(prefix)
    )
  }
}
