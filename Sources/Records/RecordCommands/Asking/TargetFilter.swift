public import EventCommands
import EventMVVM
public import EventRecords
import EventValues
import JSONText

// Filters of commands that change records: `done project:acme due:..fri`.

/// What can be asked of the records of a kind, whether its commands follow from its declaration or not.
struct AskedKind<R: Record> {
  let vocabulary: FilterVocabulary
  /// What its lists leave out, unless a filter speaks of it.
  let hidden: RecordCondition?
  /// Returns what they leave out by the time.
  private(set) var hiddenByTime: (borrowing Turn) -> [RecordCondition] = { _ in [] }
  let deletion: Deletion<R>?
  /// Returns what a condition of the declaration means.
  let meaning: (_ name: String, borrowing Turn) -> RecordCondition?

  init() {
    func asked<C: CommandRecord>(_ kind: C.Type) -> AskedKind {
      var asked = AskedKind(kind.filterVocabulary, C.commands.hidden?().stored) { name, turn in
        C.commands.conditions.first { $0.name == name && $0.test == .meets }?.meaning(turn).stored
      }
      asked.hiddenByTime = { turn in C.commands.hiddenByTime(turn) }
      return asked
    }
    if let kind = R.self as? any CommandRecord.Type {
      self = asked(kind)
    } else {
      self.init(FilterVocabulary(R.self, conditions: []), nil) { _, _ in nil }
    }
  }

  private init(
    _ vocabulary: FilterVocabulary,
    _ hidden: RecordCondition?,
    _ meaning: @escaping (_ name: String, borrowing Turn) -> RecordCondition?
  ) {
    (self.vocabulary, self.hidden, self.meaning, deletion) = (
      vocabulary, hidden, meaning, Deletion()
    )
  }

  /// Returns what the words of a filter mean, which names these views.
  func meaning(
    of words: [String],
    _ views: [NamedFilter],
    _ turn: borrowing Turn
  ) throws -> FilterMeaning {
    var (meaning, conditions) = (FilterMeaning(), [String: RecordCondition]())
    for name in vocabulary.conditions { conditions[name] = self.meaning(name, turn) }
    try meaning.take(words: words, views, vocabulary.ofChanges, turn, R.self) { conditions[$0] }
    return meaning
  }
}

extension Target {
  /// Adds a word: a reference, or a word of a filter.
  ///
  /// - Throws: What is wrong with it.
  mutating func take(
    filtering word: String,
    _ vocabulary: () -> FilterVocabulary
  ) throws(ValueError) {
    guard !isInOneText else {
      throw Self.standsAlone
    }
    if terms.isEmpty, !(word.utf8.contains(UInt8(ascii: "@")) && vocabulary().namesView(word)) {
      do throws(ValueError) { return try take(word: word) } catch {
        // What is meant as a reference is none of a filter.
        guard !word.isReference, !word.isEmpty else { throw error }
      }
    }
    if terms.isEmpty {
      for reference in references {
        if case .identity(let text) = reference {
          terms.append("id:" + text)
        } else {
          terms.append(reference.text)
        }
      }
      references = []
    }
    try FilterStructure.take(word, into: &terms, &views, vocabulary().ofChanges)
    isList = true
  }

  private static var standsAlone: ValueError {
    ValueError("a filter in one text stands alone, without numbers or other words of a filter")
  }

  /// Takes a filter in one text, in place of references.
  ///
  /// - Throws: What is wrong with it.
  mutating func take(filter text: String, _ vocabulary: FilterVocabulary) throws(ValueError) {
    guard references.isEmpty, terms.isEmpty else {
      throw Self.standsAlone
    }
    let words = try vocabulary.words(of: text)
    for word in words {
      for case .term(let term) in vocabulary.tokens(word) where term.isNumber {
        // In a filter of a list it is a text.
        throw ValueError("'\(term)' alone could be a text; write id:\(term), or text:\(term)")
      }
    }
    guard !words.isEmpty else { throw ValueError("an empty filter asks for nothing") }
    for word in words {
      try FilterStructure.take(word, into: &terms, &views, vocabulary.ofChanges)
    }
    (isList, isInOneText) = (true, true)
  }

  /// Checks that a filter ends where its words do, and that it has more than texts and numbers: a mistyped word is
  /// to change nothing.
  func checkFilter(_ vocabulary: FilterVocabulary) throws(ValueError) {
    guard !terms.isEmpty else { return }
    var (text, isSaid): (String?, Bool) = (nil, false)
    for term in try vocabulary.ofChanges.filter(terms)?.terms(withNegated: true) ?? [] {
      switch term {
      case .text(let word, false): text = text ?? word
      case .records: break
      default: isSaid = true
      }
    }
    guard !isSaid, let text else { return }
    let view = vocabulary.view(text) == nil ? "" : "@\(text.quotable) for the view, "
    throw ValueError(
      "'\(text.quotable)' is no \(R.kind); write its number, as lists show it, "
        + "\(view)or text:\(text.asTyped) for all that contain it"
    )
  }

  /// Returns what the words of the filter mean.
  ///
  /// - Parameters:
  ///   - offered: What the records meet, unless the filter speaks of it; nil for what lists show.
  ///   - turn: The turn.
  /// - Returns: The condition.
  /// - Throws: What can't be resolved.
  private func condition(
    among offered: Condition<R>?,
    _ turn: borrowing Turn
  ) throws -> RecordCondition {
    let kind = AskedKind<R>()
    var meaning = try kind.meaning(of: terms, views, turn)
    let present = kind.deletion?.present.stored
    var assumed: [RecordCondition] = []
    if findsHidden {
      let deleted = kind.deletion?.deleted.stored
      assumed += [offered?.stored == deleted ? deleted : present].compactMap(\.self)
    } else if let offered = offered?.stored, offered != present {
      assumed = offered.parts
    } else {
      assumed += [present, kind.hidden?.negated].compactMap(\.self)
    }
    if !findsHidden {
      for condition in kind.hiddenByTime(turn) { assumed.append(condition.negated) }
    }
    // Who speaks of what is deleted means it whatever else is left out.
    if let present, meaning.speaks(of: present) { assumed = [] }
    for condition in assumed { _ = meaning.assume(condition) }
    return .and(meaning.all)
  }

  /// Requests the records that a filter finds.
  ///
  /// - Parameters:
  ///   - offered: What they meet, unless the filter speaks of it; nil for what lists show.
  ///   - turn: The turn.
  /// - Returns: The request, and the condition that they meet.
  /// - Throws: What can't be resolved.
  func request(
    among offered: Condition<R>?,
    _ turn: borrowing Turn
  ) throws -> (records: RequestRecords<R>, condition: RecordCondition) {
    let condition = try condition(among: offered, turn)
    var query = Query<R>()
    for part in condition.parts { query = query.where(Condition(stored: part)) }
    return (RequestRecords(query), condition)
  }

  /// Finds what a command refers to: its references, or what its filter finds now, of that what was agreed to.
  ///
  /// - Parameters:
  ///   - offered: What the records of a filter meet, unless it speaks of that; nil for what lists show.
  ///   - turn: The turn.
  ///   - then: Called with the references and, of a filter, the condition that they meet; or with a failure.
  /// - Throws: What can't be resolved.
  func find(
    among offered: Condition<R>?,
    _ turn: borrowing Turn,
    then: @escaping (Result<Found, Failure>, borrowing Turn) -> Void
  ) throws {
    guard !terms.isEmpty else {
      return then(.success((try turn.resolveInFilter(references, of: R.self), nil)), turn)
    }
    let (request, condition) = try request(among: offered, turn)
    let agreed = found.map { Set($0) }
    turn.request(request) { result, turn in
      let records = result.mapError { Failure($0) }.flatMap { $0.result }
      then(
        records.map { records in
          var references: [RecordReference] = []
          for record in records where agreed?.contains(record.number) ?? true {
            references.append(.number(record.number))
          }
          return (references, condition)
        },
        turn
      )
    }
  }

  /// References, and what they meet where a filter has found them.
  typealias Found = (references: [RecordReference], condition: RecordCondition?)
}

extension Turn {
  /// Returns references in which the names of this turn's session are replaced; a name that is none could be meant as that
  /// of a view.
  func resolveInFilter<R: Record>(
    _ references: [RecordReference],
    of type: R.Type
  ) throws(Failure) -> [RecordReference] {
    do throws(Failure) { return try resolve(references, of: type) } catch {
      var failure = error
      if failure.kind == .notFound, failure.id == nil, !references.contains(.last) {
        failure.message += " There is no view of that name, either."
      }
      throw failure
    }
  }
}

extension RecordCondition {
  /// The conditions that all have to hold.
  fileprivate var parts: [RecordCondition] {
    guard case .and(let conditions) = self else { return [self] }
    var parts: [RecordCondition] = []
    for condition in conditions { parts += condition.parts }
    return parts
  }
}

extension FilterStructure {
  /// Adds a word to those of a filter.
  ///
  /// - Throws: What is wrong with it.
  static func take(
    _ word: String,
    into terms: inout [String],
    _ views: inout [NamedFilter],
    _ vocabulary: FilterVocabulary
  ) throws(ValueError) {
    var structure = FilterStructure()
    for word in terms {
      for token in vocabulary.tokens(word) { try structure.take(token) }
    }
    for token in vocabulary.tokens(word) {
      try structure.take(token)
      guard case .term(let text) = token else { continue }
      try vocabulary.note(viewsIn: try vocabulary.term(text), in: &views)
    }
    terms.append(word)
  }
}

extension FilterNode {
  /// Its terms, those within a negation, too, or not.
  func terms(withNegated: Bool) -> [FilterTerm] {
    switch self {
    case .term(let term): return [term]
    case .not(let node): return withNegated ? node.terms(withNegated: true) : []
    case .view(let node): return node.terms(withNegated: withNegated)
    case .all(let nodes), .any(let nodes):
      var terms: [FilterTerm] = []
      for node in nodes { terms += node.terms(withNegated: withNegated) }
      return terms
    }
  }
}

extension String {
  /// Whether it has digits alone.
  var isNumber: Bool {
    !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether it begins as a reference does that is no word of a text.
  fileprivate var isReference: Bool {
    guard let first = utf8.first, !utf8.contains(where: \.isBlank) else { return false }
    return first == UInt8(ascii: "#") || first == UInt8(ascii: "@") || (0x30...0x39).contains(first)
  }
}

/// Requests the records that the filter of a command finds, before a person is asked about them.
public struct RequestFilterCheck<R: Record>: CheckRequest, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseCheck
  /// It only reads.
  public static var writes: Bool { false }

  /// The records.
  public let id: Target<R>
  /// What they meet, unless the filter speaks of it; nil for what lists show.
  let offered: RecordCondition?
  /// The name of the command.
  public let verb: String

  /// Creates the request for a command.
  init(_ target: Target<R>, among offered: Condition<R>?, _ verb: String) {
    (id, self.offered, self.verb) = (target, offered?.stored, verb)
  }

  /// How many records are changed without a question.
  private static var most: Int { 3 }

  /// Answers the check on a stream, once.
  static func answer(on stream: EventStream) {
    guard AnsweredCommands.of(stream).insert(Self.self) else { return }
    stream.declareAnswerer(of: Self.self)
    stream.on(Self.self) { request, turn in
      do {
        let offered = request.offered.map { Condition<R>(stored: $0) }
        turn.request(try request.id.request(among: offered, turn).records) { result, turn in
          let found = result.mapError { Failure($0) }.flatMap { $0.result }
          turn.send(ResponseCheck(found.map { request.checked($0) }))
        }
      } catch {
        turn.send(ResponseCheck(.failure(Failure(error))))
      }
    }
  }

  private func checked(_ records: [Kept<R>]) -> CheckedCommand {
    var numbers: [Int] = []
    for record in records { numbers.append(record.number) }
    return CheckedCommand(
      question: records.count > Self.most ? question(records) : nil,
      numbers: numbers
    )
  }

  /// Names the first records.
  private func question(_ records: [Kept<R>]) -> String {
    var names: [String] = []
    for record in records.prefix(Self.most) {
      let title = record.value.title
      let short = title.count > 24 ? String(title.prefix(23)) + "…" : title
      names.append("#\(record.number) \(short.quotable)")
    }
    let others = records.count - names.count
    return "'\(verb)' means \(records.count) \(R._table.several): \(names.joined(by: ", ")) "
      + "and \(others) more. Go on?"
  }
}
