import JSONText
package import EventCommands
import EventMVVM
import EventRecords
package import EventValues

// Words that write: `add Call Bob +work due:fri`, `edit 3 to due: -work`.

extension RecordEdits {
  /// Takes a change in a word: `field:value`, `field:` and `field:none` for no value, `+label` or `-label`, and the
  /// name of a rank behind `!`.
  ///
  /// - Returns: Whether the word is one.
  /// - Throws: Why the value can't be read.
  mutating func take(
    change word: String,
    _ vocabulary: FilterVocabulary
  ) throws(ValueError) -> Bool {
    if let (name, value) = word.nameBeforeColon {
      guard let field = vocabulary.field(name), field.hasSummary else { return false }
      do throws(ValueError) {
        if let part = field.part(named: name) {
          guard part.shape != nil || value == "true" || value == "false" else {
            throw ValueError("it is true or false")
          }
          let given: JSON = part.shape == nil ? .bool(value == "true") : .string(value)
          try take(given, of: part, "\(field.name)", field.type)
        } else {
          try take(value, of: field, field.type)
        }
      } catch {
        throw ValueError("\(name): \(error.message)")
      }
      return true
    }
    if let (field, value) = vocabulary.ranked(word), field.hasSummary {
      do throws(ValueError) { try take(word: value, "\(field.name)", field.type) } catch {
        throw ValueError("\(field.askedName): \(error.message)")
      }
      return true
    }
    guard let labels = vocabulary.labels, word.utf8.count > 1,
      word.utf8.dropFirst().first?.beginsLabel ?? false
    else { return false }
    let action: String
    switch word.utf8.first {
    case UInt8(ascii: "+"): action = "add"
    case UInt8(ascii: "-"): action = "remove"
    default: return false
    }
    for label in String(Substring(word.utf8.dropFirst())).betweenCommas {
      try amend(action, .string(label), "\(labels.name)", labels.type)
    }
    return true
  }

  private mutating func take<Value: FieldValue>(
    _ word: String,
    of field: Field,
    _ type: Value.Type
  ) throws(ValueError) {
    let name = "\(field.name)"
    let isNone = field.mayLack && word.lowercased().isIdentical(to: "none")
    guard !field.isList else {
      for part in word.betweenCommas {
        if part.isEmpty || field.mayLack && part.lowercased().isIdentical(to: "none") {
          clear(list: name)
        } else {
          try take(word: part, name, type)
        }
      }
      return
    }
    try take(word: isNone ? "" : word, name, type)
  }
}

extension String {
  /// Whether it can be a change among the words of a text.
  fileprivate func mayWrite(isAlone: Bool) -> Bool {
    let bytes = utf8
    guard let first = bytes.first, bytes.count > 1 else { return false }
    let second = bytes[bytes.index(after: bytes.startIndex)]
    switch first {
    case UInt8(ascii: "+"): return second.beginsLabel && !bytes.contains(where: \.isBlank)
    case UInt8(ascii: "!"): return true
    case 0x61...0x7A: break
    default: return false
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let value = bytes[bytes.index(after: colon)...]
    guard let begin = value.first, !begin.isBlank, bytes[..<colon].allSatisfy(\.isOfName) else {
      return false
    }
    return !isAlone || !value.contains(where: \.isBlank)
  }
}

extension UInt8 {
  /// Whether the name of a field or of a view has it: a letter in lower case, a digit or a hyphen.
  var isOfName: Bool {
    (0x61...0x7A).contains(self) || (0x30...0x39).contains(self) || self == UInt8(ascii: "-")
  }
}

extension CommandSpec {
  /// Lists the title as the words of a command, among which others change other fields.
  consuming func words<R: CommandRecord>(
    of edits: PropertyAccess<Root, RecordEdits<R>>,
    _ title: Field
  ) -> Self {
    listing { lines in
      let line: CommandField<Root> = title.line(edits, .text, title.type, "\(title.summary)")
      lines.append(
        line.takingTitle(of: R.self) { request, text throws(ValueError) in
          try edits.change(&request) { edits throws(ValueError) in
            let others = try edits.take(text, title: title)
            if let others { try edits.take(title: others, title) }
          }
        }
      )
    }
  }

  /// Lists changes in words.
  consuming func changes<R: CommandRecord>(
    of edits: PropertyAccess<Root, RecordEdits<R>>
  ) -> Self {
    listing { lines in
      lines.append(
        CommandField(
          "changes",
          of: edits,
          .word,
          "What changes, in words: \(R.filterVocabulary.exampleOfChange)",
          [String].self,
          shape: {
            var shape = [String].shape
            shape.placeholder = "CHANGE"
            shape.candidates = { RequestFilterCandidates<R>(ofChanges: $0) }
            return shape
          },
          takesHyphens: true,
          takeWord: { edits, word throws(ValueError) in try edits.take(onlyChange: word) },
          takeJSON: { edits, json, _ throws(ValueError) in
            var words: [String] = []
            try words.take(json: json)
            for word in words { try edits.take(onlyChange: word) }
          }
        )
      )
    }
  }
}

extension RecordEdits where R: CommandRecord {
  /// Takes a change in a word.
  ///
  /// - Throws: What is wrong with it, also where it is none.
  mutating func take(onlyChange word: String) throws(ValueError) {
    let vocabulary = R.filterVocabulary
    guard try !take(change: word, vocabulary) else { return }
    throw ValueError(
      "'\(word.quotable)' changes nothing; write \(vocabulary.exampleOfChange), or an option"
    )
  }

  /// Takes the words of a text with changes among them, as in `Call Bob +work due:fri`; the others are the title.
  ///
  /// A word is a change if it begins with the name of a declared field in lower case and a colon, and has a value; or
  /// with `+` and a letter; or is the name of a rank behind `!`. Not one after `--`, and of those with a blank only what
  /// stands beside other words: `Call due:"fri 9am"`, but not a title in quotes.
  ///
  /// - Returns: The title; nil where all words are changes.
  /// - Throws: Why a value can't be read; the path is the index of the word.
  mutating func take(_ text: GivenText, title: Field) throws(ValueError) -> String? {
    let words = text.words
    var others: [String] = []
    // Made once, for the words that may be changes.
    var known: FilterVocabulary?
    for index in words.indices {
      let word = words[index]
      let mayWrite =
        index < words.count - text.plainWords && word.mayWrite(isAlone: words.count == 1)
      do throws(ValueError) {
        if mayWrite {
          let vocabulary = known ?? R.filterVocabulary
          known = vocabulary
          let following = text.bareWords(after: index)
          if try take(word, before: following, title, vocabulary) { continue }
        }
      } catch {
        throw ValueError(error.message, path: "/\(index)")
      }
      others.append(word)
    }
    guard !others.isEmpty else { return nil }
    return others.count == 1 ? others[0] : others.joined(by: " ")
  }

  fileprivate mutating func take(title text: String, _ field: Field) throws(ValueError) {
    do throws(ValueError) { try take(word: text, "\(field.name)", field.type) } catch {
      throw ValueError("the \(field.name) is \(error.message)")
    }
  }

  private mutating func take(
    _ word: String,
    before others: [String],
    _ title: Field,
    _ vocabulary: FilterVocabulary
  ) throws(ValueError) -> Bool {
    if let (name, value) = word.nameBeforeColon, let field = vocabulary.field(name) {
      guard field.offset != title.offset else { return false }
      // The rest of a value whose quotes are missing would be a word of the title.
      if let ofWords = field.givenShape(named: name).ofWords {
        let (count, _) = ofWords([value] + others)
        if count > 1 {
          let whole = ([value] + others.prefix(count - 1)).joined(by: " ").quotable
          throw ValueError("\(name): '\(whole)' is one value: write \(name):\"\(whole)\"")
        }
      }
    }
    do throws(ValueError) { return try take(change: word, vocabulary) } catch {
      throw ValueError("\(error.message); if it is meant as text, write it after --")
    }
  }
}

extension RequestAdd: ContextualCommand {
  package func within(_ context: CommandContext) throws(ValueError) -> Self {
    guard context.kind.isIdentical(to: R.kind) else { return self }
    var copy = self
    try copy.record.fill(from: context.filter)
    return copy
  }
}

extension RecordEdits where R: CommandRecord {
  /// Adds the labels and sets the values that a filter asks for in any case, of fields that were not given.
  fileprivate mutating func fill(from filter: String) throws(ValueError) {
    let vocabulary = R.filterVocabulary
    let words = try vocabulary.words(of: filter)
    guard let node = try vocabulary.filter(words) else { return }
    var views: [NamedFilter] = []
    try vocabulary.note(viewsIn: node, in: &views)
    let given = members.map(\.name)
    for term in try vocabulary.filter(words, views, isOfSession: { _ in false })?.given ?? [] {
      switch term {
      case .label(let field, let name) where field.hasSummary && !replaces("\(field.name)"):
        try amend("add", .string(name), "\(field.name)", field.type)
      case .named(let field, let value)
      where field.hasSummary && !given.containsText("\(field.name)"):
        try take(value, of: field, field.type)
      case .value(let field, let value)
      where field.hasSummary && !given.containsText("\(field.name)"):
        try take(value.plainText, of: field, field.type)
      default: break
      }
    }
  }
}

extension RecordEdits {
  /// Whether the edit of a list sets it first.
  fileprivate func replaces(_ name: String) -> Bool {
    members.first { $0.name == name }?.value["set"] != nil
  }
}

extension FilterNode {
  /// The terms that all it finds meets.
  fileprivate var given: [FilterTerm] {
    switch self {
    case .term(let term): return [term]
    case .view(let node): return node.given
    case .all(let nodes):
      var terms: [FilterTerm] = []
      for node in nodes { terms += node.given }
      return terms
    case .any, .not: return []
    }
  }
}

extension CommandField {
  /// Returns the field of a title whose words can be changes, with their help and completion.
  func takingTitle<R: CommandRecord>(
    of record: R.Type,
    _ take: @escaping @Sendable (inout Root, GivenText) throws(ValueError) -> Void
  ) -> Self {
    takingText {
      R.filterVocabulary.explanationOfChanges
    } candidates: {
      RequestFilterCandidates<R>(ofChanges: $0)
    } _: { request, text throws(ValueError) in
      try take(&request, text)
    }
  }
}
