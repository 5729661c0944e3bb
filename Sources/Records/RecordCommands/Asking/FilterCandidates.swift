import JSONText
import EventCommands
import EventMVVM
import EventRecords
import EventValues

/// Requests the words of a filter, or of changes, that begin with a text: `+ho`, `project:ac`, `is:`, `pri`.
struct RequestFilterCandidates<R: Record>: CandidateRequest, Codable, GrowingValue {
  typealias Reply = ResponseCandidates
  static var writes: Bool { false }

  let prefix: String
  /// True for the words of changes; not recorded else.
  var isOfChanges: Bool?
  /// The names of the views, for a word that begins with `@`; of a configuration that a recording does not have.
  var views: [String]?

  init(prefix: String) {
    self.prefix = prefix
    guard prefix.utf8.contains(UInt8(ascii: "@")) else { return }
    views = AskedKind<R>().vocabulary.views().map(\.name)
  }

  /// Requests the words of changes.
  init(ofChanges prefix: String) { (self.prefix, isOfChanges) = (prefix, true) }

  /// Answers it on a stream, once.
  static func answer(on stream: EventStream) {
    guard AnsweredCommands.of(stream).insert(Self.self) else { return }
    stream.declareAnswerer(of: Self.self)
    stream.on(Self.self) { request, turn in request.answer(AskedKind<R>().vocabulary, turn) }
  }

  private func answer(_ vocabulary: FilterVocabulary, _ turn: borrowing Turn) {
    var lead = ""
    var rest = prefix.utf8[...]
    // A parenthesis or a negation is no part of what begins behind it.
    while let first = rest.first, first == UInt8(ascii: "(") || first == UInt8(ascii: "-") {
      lead.unicodeScalars.append(Unicode.Scalar(first))
      rest = rest.dropFirst()
    }
    let word = String(Substring(rest))
    if word.utf8.first == UInt8(ascii: "@") {
      return reply((views ?? []).map { "@" + $0 }, word, lead, turn)
    }
    if word.utf8.first == UInt8(ascii: "!") {
      var ranks: [String] = []
      for field in vocabulary.fields { ranks += field.type._ranks.map { "!" + $0.name } }
      return reply(ranks, word, lead, turn)
    }
    if let labels = vocabulary.labels, word.utf8.first == UInt8(ascii: "+") {
      let name = String(Substring(rest.dropFirst()))
      return ask(RequestFieldCandidates(R.kind, "\(labels.name)", prefix: name), lead + "+", turn)
    }
    if let (name, value) = word.nameBeforeColon {
      let parts = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      let last = parts.last.map { String(Substring($0)) } ?? ""
      let known = lead + String(Substring(word.utf8.dropLast(last.utf8.count)))
      if name.isIdentical(to: "is"), isOfChanges == nil {
        return reply(vocabulary.conditionNames, last, known, turn)
      }
      guard let field = vocabulary.field(name) else { return reply([], last, known, turn) }
      if field.isTime { return ask(RequestDateCandidates(prefix: last), known, turn) }
      if let request = field.filterShape(field.type, R.kind).candidates?(last) {
        return ask(any: request, known, turn)
      }
      return reply(field.type._givenShape.choices, last, known, turn)
    }
    var names: [String] = []
    if !vocabulary.conditionNames.isEmpty, isOfChanges == nil { names.append("is:") }
    for field in vocabulary.fields where field.hasSummary { names.append(field.askedName + ":") }
    if !lead.utf8.contains(UInt8(ascii: "-")) || word.isEmpty {
      return reply(names, word, lead, turn)
    }
    guard let labels = vocabulary.labels else { return reply(names, word, lead, turn) }
    ask(RequestFieldCandidates(R.kind, "\(labels.name)", prefix: word), lead, turn)
  }

  private func reply(
    _ words: [String],
    _ prefix: String,
    _ lead: String,
    _ turn: borrowing Turn
  ) {
    var found: [Candidate] = []
    for word in words where word.starts(withText: prefix) { found.append(Candidate(lead + word)) }
    turn.send(ResponseCandidates(.success(found)))
  }

  private func ask(any request: any CandidateRequest, _ lead: String, _ turn: borrowing Turn) {
    func ask(_ request: some CandidateRequest) { self.ask(request, lead, turn) }
    ask(request)
  }

  private func ask<C: CandidateRequest>(_ request: C, _ lead: String, _ turn: borrowing Turn) {
    turn.request(request) { result, turn in
      let found = result.mapError { Failure($0) }.flatMap { $0.result }
      turn.send(
        ResponseCandidates(found.map { $0.map { Candidate(lead + $0.word, $0.summary) } })
      )
    }
  }
}
