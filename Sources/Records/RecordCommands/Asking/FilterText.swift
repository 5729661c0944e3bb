import EventCommands
import EventRecords
import EventValues
import JSONText

/// A filter as it is read from its words: terms, joined by operators.
///
///     filter := all { 'or' all }
///     all    := not { [ 'and' ] not }
///     not    := 'not' not | '-(' filter ')' | '(' filter ')' | term
///
/// A blank and `and` are the same. Parentheses may stand by themselves or at a word: `(+home or +work)`. In a word with a
/// blank they are text, unless it begins with a field and a colon.
indirect enum FilterNode: Sendable {
  case term(FilterTerm)
  case not(FilterNode)
  case all([FilterNode])
  case any([FilterNode])
  /// What a view says.
  case view(FilterNode)
}

/// The limits of a filter.
enum FilterLimits {
  /// The most terms and, of each text, the most bytes of UTF-8.
  static let mostTerms = 100
  static let longestWord = 4096
  /// The most parentheses and negations within one another.
  static let depth = 64
}

/// A part of a word: an operator, a parenthesis or a term.
enum FilterToken: Equatable {
  case open
  case close
  case and
  case or
  case not
  case term(String)

  /// Whether a term, or what begins one, has to come before it.
  fileprivate var followsTerm: Bool {
    switch self {
    case .close, .and, .or: true
    case .open, .not, .term: false
    }
  }

  /// How it is written.
  fileprivate var text: String {
    switch self {
    case .open: "("
    case .close: ")"
    case .and: "and"
    case .or: "or"
    case .not: "not"
    case .term(let text): text
    }
  }
}

/// The structure of a filter while its words come one after the other: each word is checked by itself and by those before it.
struct FilterStructure {
  private(set) var depth = 0
  private(set) var terms = 0
  private var tokens = 0
  private var negations = 0
  /// The last token; nil before the first.
  private var last: FilterToken?

  /// Whether nothing is open.
  var isComplete: Bool { depth == 0 && !needsTerm }

  private var needsTerm: Bool {
    switch last {
    case nil, .open, .and, .or, .not: true
    case .close, .term: false
    }
  }

  /// Takes the next token.
  mutating func take(_ token: FilterToken) throws(ValueError) {
    if token.followsTerm, needsTerm {
      let place = last.map { "after '\($0.text)'" } ?? "before it"
      throw ValueError(
        token == .close
          ? "'(' and ')' enclose at least one term"
          : "'\(token.text)' joins two terms, and there is none \(place); text:\(token.text) is the word itself"
      )
    }
    switch token {
    case .open: depth += 1
    case .close where depth == 0: throw ValueError("')' closes no '('")
    case .close: depth -= 1
    case .not: negations += 1
    case .term(let text): (terms, negations) = (terms + text.countOfTerms, 0)
    case .and, .or: break
    }
    guard terms <= FilterLimits.mostTerms else {
      throw ValueError("a filter has at most \(FilterLimits.mostTerms) terms")
    }
    guard depth + negations <= FilterLimits.depth else {
      throw ValueError("a filter goes at most \(FilterLimits.depth) parentheses deep")
    }
    tokens += 1
    // Parentheses by themselves are no terms.
    guard tokens <= 8 * FilterLimits.mostTerms else {
      throw ValueError("a filter has at most \(8 * FilterLimits.mostTerms) words and parentheses")
    }
    last = token
  }

  /// Checks that no more has to come.
  func end() throws(ValueError) {
    if needsTerm, let last, last != .open {
      throw ValueError(
        "a term is missing after '\(last.text)'; text:\(last.text) is the word itself"
      )
    }
    guard isComplete || last == nil else {
      throw ValueError(depth == 1 ? "'(' is not closed" : "\(depth) '(' are not closed")
    }
  }
}

extension FilterVocabulary {
  /// Returns the words of a filter in one text, which are those of a line of a script; in parentheses, since it is one
  /// term beside others.
  func words(of text: String) throws(ValueError) -> [String] {
    let (lines, errors) = Tokenizer.lines(SourceText(name: "filter", bytes: Array(text.utf8)))
    if let error = errors.first { throw ValueError(error.message) }
    guard lines.count <= 1 else { throw ValueError("a filter is one line") }
    let words = lines.first.map { $0.words.map(\.text) } ?? []
    guard !words.isEmpty || text.utf8.allSatisfy(\.isBlank) else {
      throw ValueError("'#' begins a comment; a label is +name, and a number #12")
    }
    for word in words where word.starts(withText: "--") && word.utf8.count > 2 {
      throw ValueError("'\(word.quotable)' is an option, and stands outside of a filter")
    }
    do throws(ValueError) { _ = try filter(words) } catch {
      let place = Int(error.path.dropFirst()).map { ", at '\(words[$0].quotable)'" } ?? ""
      throw ValueError(error.message + place)
    }
    let isOne = words.count == 1 && tokens(words[0]).count == 1
    return isOne || words.isEmpty ? words : ["("] + words + [")"]
  }

  /// Returns the parts of a word.
  func tokens(_ word: String) -> [FilterToken] {
    // Blanks around a word come from quotes.
    let trimmed = word.withoutBlanksAround
    let word = trimmed.utf8.contains(where: \.isBlank) ? word : trimmed
    var rest = word.utf8[...]
    var start: [FilterToken] = []
    while true {
      if rest.first == UInt8(ascii: "(") {
        start.append(.open)
        rest = rest.dropFirst()
      } else if rest.starts(with: "-(".utf8) {
        start += [.not, .open]
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    // Parentheses in the rest belong to it where it opens as many as it closes: `f(x)`.
    var surplus = 0
    for byte in rest {
      if byte == UInt8(ascii: ")") {
        surplus += 1
      } else if byte == UInt8(ascii: "(") {
        surplus -= 1
      }
    }
    var closing = 0
    while closing < surplus, rest.last == UInt8(ascii: ")") {
      closing += 1
      rest = rest.dropLast()
    }
    let text = String(Substring(rest))
    if text.utf8.contains(where: \.isBlank), !(start.isEmpty && closing == 0),
      !beginsWithField(text)
    {
      return [.term(word)]
    }
    if !text.isEmpty || start.isEmpty && closing == 0 { start.append(Self.token(text)) }
    return start + Array(repeating: .close, count: closing)
  }

  /// Returns an operator, or a term.
  private static func token(_ text: String) -> FilterToken {
    guard text.utf8.count <= 3 else { return .term(text) }
    switch text.lowercased() {
    case "or": return .or
    case "and": return .and
    case "not": return .not
    default: return .term(text)
    }
  }

  /// Reads a filter.
  ///
  /// - Parameter words: Its words.
  /// - Returns: The filter; nil where there is no word.
  /// - Throws: What is wrong, with the index of the word as the path.
  func filter(_ words: [String]) throws(ValueError) -> FilterNode? {
    var structure = FilterStructure()
    var reader = FilterReader()
    for index in words.indices {
      do throws(ValueError) {
        for token in tokens(words[index]) {
          try structure.take(token)
          try reader.take(token, self)
        }
      } catch {
        throw ValueError(error.message, path: "/\(index)")
      }
    }
    do throws(ValueError) { try structure.end() } catch {
      throw ValueError(error.message, path: "/\(max(0, words.count - 1))")
    }
    return reader.end()
  }
}

/// Builds a filter from tokens whose structure is right.
private struct FilterReader {
  /// What is read within one pair of parentheses.
  private struct Level {
    /// The alternatives before the one that is being read.
    var any: [FilterNode] = []
    var all: [FilterNode] = []
    /// How often what comes next is negated.
    var negations = 0
    /// Whether references that come next stand side by side with those before them.
    var mayJoin = false

    mutating func take(_ node: FilterNode) {
      defer { (negations, mayJoin) = (0, true) }
      // Numbers side by side are any of them, as in a command that takes them.
      if mayJoin, negations == 0, case .term(.records(let more)) = node {
        switch all.last {
        case .term(.records(let known))?:
          all[all.count - 1] = .term(.records(known + more))
          return
        case .not(.term(.records(let known)))?:
          all[all.count - 1] = .not(.term(.records(known + more)))
          return
        default: break
        }
      }
      all.append(negations % 2 == 1 ? .not(node) : node)
    }

    mutating func end() -> FilterNode? {
      guard !all.isEmpty else { return nil }
      any.append(all.count == 1 ? all[0] : .all(all))
      all = []
      return any.count == 1 ? any[0] : .any(any)
    }
  }

  private var levels = [Level()]

  mutating func take(_ token: FilterToken, _ vocabulary: FilterVocabulary) throws(ValueError) {
    let last = levels.count - 1
    switch token {
    case .open: levels.append(Level())
    case .close:
      var level = levels.removeLast()
      if let node = level.end() { levels[last - 1].take(node) }
      // What was in parentheses is a term of its own.
      levels[last - 1].mayJoin = false
    case .and: levels[last].mayJoin = false
    case .or:
      let all = levels[last].all
      levels[last].any.append(all.count == 1 ? all[0] : .all(all))
      levels[last].all = []
    case .not: levels[last].negations += 1
    case .term(let word): levels[last].take(try vocabulary.term(word))
    }
  }

  mutating func end() -> FilterNode? { levels[0].end() }
}

extension String {
  /// How many terms it is: in a value each part between commas is one.
  fileprivate var countOfTerms: Int {
    guard !starts(withText: "text:") else { return 1 }
    return utf8.reduce(1) { $0 + ($1 == UInt8(ascii: ",") ? 1 : 0) }
  }
}

extension UInt8 {
  var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A }
}
