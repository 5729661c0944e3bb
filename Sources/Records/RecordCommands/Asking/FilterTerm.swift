import EventCommands
import EventRecords
import EventValues
import JSONText

/// What one word of a filter asks for; a value is read, and resolved when the request is answered.
enum FilterTerm: Sendable {
  /// A searched text contains this; whether the word says that it is one, by `text:`.
  case text(String, isSaid: Bool = false)
  /// This searched field contains it.
  case contains(Field, String)
  /// The text is this, or begins with it and a full stop: `work` finds `work.finance`.
  case named(Field, String)
  /// The set has this name.
  case label(Field, String)
  /// The field has this value.
  case value(Field, JSON)
  /// Its value is between these, both included; nil for no limit.
  case range(Field, JSON?, JSON?)
  /// Its time is on one of these days.
  case days(Field, DateRange, as: String)
  /// The field has no value.
  case lacks(Field)
  /// The condition of the declaration holds.
  case condition(String)
  /// It is marked as deleted.
  case deleted
  /// It is one of these records.
  case records([RecordReference])
  /// It is what the view of this name finds; the record that the session has given the name, if there is one.
  case view(String)
}

/// What can be asked for of the records of a kind: the names of fields, labels and conditions.
struct FilterVocabulary: Sendable {
  let kind: String
  let several: String
  /// The fields by which records are asked for.
  let fields: [Field]
  /// The conditions of the declaration, by their names.
  let conditions: [String]
  /// Reads a reference of a command.
  let reference: @Sendable (String) throws(ValueError) -> RecordReference
  let isDeletable: Bool
  /// Returns the filters with names.
  private(set) var views: @Sendable () -> [NamedFilter]
  /// Whether it is of a command that changes records: then a number is a reference, and what could be a slip is an
  /// error.
  var isForChanges = false

  init<R: Record>(
    _ record: R.Type,
    conditions: [String],
    views: @escaping @Sendable () -> [NamedFilter] = { [] }
  ) {
    self.views = views
    (kind, several) = (R.kind, R._table.several)
    isDeletable = R._table.deletionField != nil
    self.conditions = conditions
    var fields: [Field] = []
    // The identity is asked for by `id:`.
    let identity = R._table.identity.map { R._table.fields[$0].offset }
    for field in R._table.fields where field.isAskedFor && field.offset != identity {
      fields.append(field)
    }
    self.fields = fields
    reference = { word throws(ValueError) in try Target<R>.reference(word) }
  }

  /// The vocabulary of a command that changes records.
  var ofChanges: FilterVocabulary {
    var copy = self
    copy.isForChanges = true
    return copy
  }

  /// The vocabulary with these views alone, which is that of lists: a view means the same in each place.
  func with(views: [NamedFilter]) -> FilterVocabulary {
    var copy = self
    (copy.views, copy.isForChanges) = ({ views }, false)
    return copy
  }

  /// The set whose names are written as `+name`: the first that declares what one of them is called, else the first.
  var labels: Field? {
    let sets = fields.filter { $0.traits.contains(.set) }
    return sets.first { $0.one.utf8CodeUnitCount > 0 } ?? sets.first
  }

  /// Returns the field that a word names.
  func field(_ name: String) -> Field? {
    let name = name.lowercased()
    return fields.first { $0.isNamed(name) }
  }

  /// The flags by their names: `is:fragile` of `isFragile`.
  private var flags: [(name: String, field: Field)] {
    fields.compactMap { field in
      guard field.type == Bool.self || field.type == Bool?.self else { return nil }
      var name = "\(field.name)".inWords.hyphenated
      if name.hasPrefix("is-") { name.removeFirst(3) }
      return (name, field)
    }
  }

  /// The words after `is:`.
  var conditionNames: [String] {
    conditions.map { $0.inWords.hyphenated } + flags.map(\.name)
      + (isDeletable ? ["deleted"] : [])
  }

  // MARK: Reading

  /// Whether a word begins with a field, or with another word that is followed by a colon.
  func beginsWithField(_ word: String) -> Bool {
    var rest = word.utf8[...]
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    guard let name = String(Substring(rest)).nameBeforeColon?.name else { return false }
    return ["is", "id", "text"].containsText(name.lowercased()) || field(name) != nil
  }

  /// Reads a term.
  ///
  /// - Throws: What is wrong, and how it is written.
  func term(_ word: String) throws(ValueError) -> FilterNode {
    guard word.utf8.count <= FilterLimits.longestWord else {
      throw ValueError("a word of a filter has at most \(FilterLimits.longestWord) bytes")
    }
    guard !word.utf8.contains(0) else {
      throw ValueError("a search can't contain the character NUL (U+0000)")
    }
    let bytes = word.utf8
    guard let first = bytes.first else {
      guard !isForChanges else { throw ValueError("an empty word asks for nothing") }
      return .term(.text(""))
    }
    let second = bytes.dropFirst().first ?? 0
    switch first {
    case UInt8(ascii: "-") where second.beginsLabel || "+#@".utf8.contains(second):
      let rest = String(Substring(bytes.dropFirst()))
      if !second.beginsLabel || rest.nameBeforeColon != nil { return .not(try term(rest)) }
      if bytes.contains(where: \.isBlank) { return .term(.text(word)) }
      return .not(try label(rest, word))
    case UInt8(ascii: "+") where second.beginsLabel:
      return try label(String(Substring(bytes.dropFirst())), word)
    case UInt8(ascii: "#") where bytes.count > 1, UInt8(ascii: "@") where bytes.count > 1:
      return try recordsOrViews(word)
    case UInt8(ascii: "!"):
      if let (field, name) = ranked(word) { return .term(.value(field, .string(name))) }
    default: break
    }
    if let (name, value) = word.nameBeforeColon {
      switch name.lowercased() {
      case "text":
        guard !value.isEmpty else { throw ValueError("'text:' is followed by a text") }
        return .term(.text(value, isSaid: true))
      case "is": return try condition(value)
      case "id": return .term(.records(try references(value)))
      default:
        if let field = field(name) { return try asked(field, value, name) }
        guard bytes.contains(where: \.isBlank) else { throw unknown(name, word) }
      }
    }
    if first.isDigit, namesView(word) { return try recordsOrViews(word) }
    if first.isDigit, bytes.allSatisfy({ $0.isDigit || $0 == 0x2C || $0 == 0x2D || $0 == 0x23 }),
      isForChanges || !bytes.allSatisfy(\.isDigit)
    {
      if bytes.contains(where: { $0 == 0x2C }) { return .term(.records(try references(word))) }
      do throws(ValueError) {
        if let range = try RecordReference.range(word) { return .term(.records([range])) }
      } catch {
        throw ValueError(error.message + "; text:\(word) searches for it")
      }
      if bytes.allSatisfy(\.isDigit) { return .term(.records(try references(word))) }
    }
    return .term(.text(word))
  }

  /// Reads `12`, `#12`, `1-3`, `1,4`, an identifier or a name of the session.
  func references(_ word: String) throws(ValueError) -> [RecordReference] {
    var references: [RecordReference] = []
    for part in word.betweenCommas {
      if let range = try RecordReference.range(part) {
        references.append(range)
      } else {
        let one = try reference(part)
        if isForChanges, case .identity(let text) = one, text.utf8.count < 36 {
          throw ValueError("'\(part.quotable)' could begin several; write its number, or all of it")
        }
        references.append(one)
      }
    }
    return references
  }

  /// Whether a word has the name of a view behind `@`, alone or among references with commas between them.
  func namesView(_ word: String) -> Bool {
    guard word.utf8.contains(UInt8(ascii: "@")) else { return false }
    for part in word.betweenCommas where viewName(part) != nil { return true }
    return false
  }

  private func viewName(_ word: String) -> String? {
    guard word.utf8.first == UInt8(ascii: "@") else { return nil }
    let name = String(Substring(word.utf8.dropFirst()))
    return view(name) == nil ? nil : name
  }

  private func recordsOrViews(_ word: String) throws(ValueError) -> FilterNode {
    guard namesView(word) else { return .term(.records(try references(word))) }
    var nodes: [FilterNode] = []
    for part in word.betweenCommas {
      if let name = viewName(part) {
        nodes.append(.term(.view(name)))
      } else {
        nodes.append(.term(.records(try references(part))))
      }
    }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  /// The field whose values have ranks, and the value with a rank that stands behind `!`.
  func ranked(_ word: String) -> (field: Field, value: String)? {
    guard word.utf8.first == UInt8(ascii: "!") else { return nil }
    let name = String(Substring(word.utf8.dropFirst()))
    for field in fields {
      for rank in field.type._ranks where rank.name.isIdentical(to: name) { return (field, name) }
    }
    return nil
  }

  private func label(_ names: String, _ word: String) throws(ValueError) -> FilterNode {
    guard let labels else {
      throw ValueError("\(several) have no labels; 'text:\(word.quotable)' searches for that")
    }
    var nodes: [FilterNode] = []
    for name in names.betweenCommas where !name.isEmpty {
      nodes.append(.term(.label(labels, name)))
    }
    guard !nodes.isEmpty else { throw ValueError("'\(word.quotable)' has no name in it") }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private func condition(_ word: String) throws(ValueError) -> FilterNode {
    var nodes: [FilterNode] = []
    for part in word.betweenCommas {
      let name = part.lowercased()
      if let condition = conditions.first(where: { $0.asFlag.isIdentical(to: "--" + name) }) {
        nodes.append(.term(.condition(condition)))
      } else if let flag = flags.first(where: { $0.name.isIdentical(to: name) }) {
        nodes.append(.term(.value(flag.field, .bool(true))))
      } else if isDeletable, name.isIdentical(to: "deleted") {
        nodes.append(.term(.deleted))
      } else {
        let names = conditionNames
        let known =
          closest(to: name, among: names).map { "did you mean 'is:\($0)'?" }
          ?? "there are \(names.map { "is:\($0)" }.joined(by: ", "))"
        throw ValueError(
          names.isEmpty
            ? "\(several) have no conditions to ask for"
            : "no condition '\(part.quotable)'; \(known)"
        )
      }
    }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private func unknown(_ name: String, _ word: String) -> ValueError {
    let names = fields.map { $0.askedNames[0] } + ["is", "id", "text"]
    let proposal =
      closest(to: name.lowercased(), among: names).map { "did you mean '\($0):'? " } ?? ""
    let known =
      proposal.isEmpty ? "there are \(names.map { $0 + ":" }.joined(by: ", ")); " : proposal
    return ValueError(
      "no field '\(name.quotable)'; \(known)text:\(word.quotable) searches for the text"
    )
  }

  // MARK: Values of a field

  private func asked(
    _ field: Field,
    _ word: String,
    _ name: String
  ) throws(ValueError) -> FilterNode {
    var nodes: [FilterNode] = []
    for part in word.betweenCommas { nodes.append(.term(try piece(field, part, name))) }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private func piece(
    _ field: Field,
    _ word: String,
    _ name: String
  ) throws(ValueError) -> FilterTerm {
    guard !word.isEmpty else {
      throw ValueError(
        "'\(name):' needs a value" + (field.mayLack ? "; \(name):none is for those without" : "")
      )
    }
    if field.mayLack, field.part(named: name) == nil,
      word.lowercased().isIdentical(to: "none")
    {
      return .lacks(field)
    }
    do throws(ValueError) {
      if field.isTime { return .days(field, try DateRange(word: word), as: word) }
      if field.traits.contains(.set) { return .label(field, word) }
      if field.isText {
        return field.traits.contains(.searched) ? .contains(field, word) : .named(field, word)
      }
      if field.isRanged, let dots = word.firstRange(of: "..") {
        let (start, end) = (String(word[..<dots.lowerBound]), String(word[dots.upperBound...]))
        guard !start.isEmpty || !end.isEmpty else {
          throw ValueError("'..' needs a value before it, after it, or both")
        }
        let ends = (try value(field, start), try value(field, end))
        if let first = field.rank(of: start), let last = field.rank(of: end), last < first {
          throw ValueError("'\(word.quotable)' runs backwards; write '\(end)..\(start)'")
        }
        return .range(field, ends.0, ends.1)
      }
      guard field.type._parts.isEmpty else {
        throw ValueError(
          "only '\(field.askedName):none' can be asked, and '-\(field.askedName):none'"
        )
      }
      return .value(field, try value(field, word) ?? .null)
    } catch {
      throw ValueError("\(name): \(error.message)", path: error.path)
    }
  }

  /// Checks a value, and returns it as it is given; nil for an empty one.
  private func value(_ field: Field, _ word: String) throws(ValueError) -> JSON? {
    guard !word.isEmpty else { return nil }
    try field.type._checkGiven(.string(word))
    return .string(word)
  }
}

extension Field {
  /// Whether records are asked for by it in a filter.
  fileprivate var isAskedFor: Bool {
    guard traits.isDisjoint(with: [.hidden, .marksDeletion]) else { return false }
    return !isList || traits.contains(.set)
  }

  /// The words that name it, that of messages first.
  fileprivate var askedNames: [String] {
    let name = "\(name)"
    return [nameOnPage.hyphenated, name.inWords.hyphenated, name.lowercased(), "\(one)"]
  }

  /// Whether a word in lower case names it.
  func isNamed(_ name: String) -> Bool {
    !name.isEmpty
      && (askedNames.contains { $0.isIdentical(to: name) } || part(named: name) != nil)
  }

  /// Returns the part of its value with a name.
  func part(named name: String) -> FieldPart? {
    for part in type._parts where part.name.isIdentical(to: name) { return part }
    return nil
  }

  /// The shape of what is given by its name, or by that of a part.
  func givenShape(named name: String) -> ValueShape {
    part(named: name)?.shape?() ?? type._givenShape
  }

  /// Returns a number by which a value is compared, where it is known without a turn.
  fileprivate func rank(of word: String) -> Double? {
    guard type._ranks.isEmpty else {
      return type._ranks.first { $0.name.isIdentical(to: word) }.map { Double($0.rank) }
    }
    return Double(word)
  }

  /// The word that names it.
  var askedName: String { askedNames[0] }

  /// Whether its records may have no value in it.
  var mayLack: Bool {
    type._isOptional || traits.contains(.set) || isText && traits.contains(.searched)
  }

  /// Whether its values have an order that people know.
  fileprivate var isRanged: Bool {
    !type._ranks.isEmpty
      || !isReference && type != Bool.self && type != Bool?.self
        && type.storedType != .text
  }
}

extension String {
  /// The name before the first colon, of letters, digits and hyphens, and what follows the colon; nil if it does not
  /// begin so.
  var nameBeforeColon: (name: String, rest: String)? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), colon != utf8.startIndex,
      utf8.first?.isLetter ?? false, utf8.distance(from: utf8.startIndex, to: colon) <= 64,
      utf8[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") })
    else { return nil }
    return (String(self[..<colon]), String(self[utf8.index(after: colon)...]))
  }

  /// The words with hyphens between them.
  var hyphenated: String {
    // Not by `replacing`, which takes as long as all the rest of a command.
    var bytes = Array(utf8)
    for index in bytes.indices where bytes[index] == 0x20 { bytes[index] = UInt8(ascii: "-") }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether a label begins with it where it is written as `+name`: a letter.
  var beginsLabel: Bool { isLetter || self >= 0x80 }
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}

extension CommandRecord {
  /// What can be asked for of its records.
  static var filterVocabulary: FilterVocabulary {
    var names: [String] = []
    for condition in commands.conditions where condition.test == .meets {
      names.append(condition.name)
    }
    return FilterVocabulary(self, conditions: names) { Self.views }
  }
}

extension FilterVocabulary {
  /// What its words are, in a line of help.
  var summary: String {
    fields.contains { $0.traits.contains(.searched) }
      ? "What the texts contain, or what to ask for: \(example)" : "What to ask for: \(example)"
  }

  /// A few lines of help on its terms.
  var explanation: [String] {
    var terms: [String] = []
    for field in fields where field.hasSummary {
      let name = field.askedName
      if field.isTime {
        terms += ["\(name):today", "\(name):..fri"]
      } else if field.traits.contains(.set) {
        if field.offset == labels?.offset {
          terms.append("+\(field.one.utf8CodeUnitCount > 0 ? "\(field.one)" : name)")
        }
      } else if !field.type._ranks.isEmpty, let last = field.type._ranks.last {
        terms.append("\(name):\(last.name)..")
      } else if field.traits.contains(.indexed), field.mayLack {
        terms.append("\(name):none")
      }
    }
    if let condition = conditionNames.first { terms.append("is:\(condition)") }
    if let view = views().first { terms.append("@\(view.name)") }
    var lines = [
      "Words that are searched, and terms: \((terms.prefix(9) + ["#12", "1-3"]).joined(separator: ", "))."
    ]
    lines += [
      "'or', 'and', 'not' and parentheses join them, '-' before one is 'not', and a comma in a",
      "value means any of its parts; 'text:or' is a text, whatever it looks like.",
    ]
    return lines
  }

  /// A few lines of help on words that are changes.
  var explanationOfChanges: [String] {
    var words: [String] = []
    for field in fields where field.hasSummary && !field.traits.contains(.searched) {
      if field.isTime {
        words.append("\(field.name):fri")
      } else if !field.traits.contains(.set) {
        words.append("\(field.askedName):…")
        let ranks = field.type._ranks
        if !ranks.isEmpty { words.append("!\(ranks[ranks.count - 1].name)") }
      } else if field.offset == labels?.offset {
        words.append("+\(field.one.utf8CodeUnitCount > 0 ? "\(field.one)" : field.askedName)")
      }
    }
    guard !words.isEmpty else { return [] }
    return [
      "Words of the text; those that set a field can stand among them: \(Array(words.prefix(6)).joined(by: ", ")).",
      "Several words in one pair of quotes, and what comes after --, are text as they stand.",
    ]
  }

  /// A change in words.
  var exampleOfChange: String {
    var changes: [String] = []
    if let time = fields.first(where: { $0.isTime && $0.hasSummary }) {
      changes.append("\(time.name):fri")
    }
    if labels != nil { changes.append("+label") }
    if changes.count < 2, let other = fields.first(where: { $0.hasSummary && !$0.isTime }) {
      changes.append("\(other.askedNames[0]):…")
    }
    return changes.joined(by: " ")
  }

  /// A few terms that can be asked for, joined.
  var example: String {
    var terms: [String] = []
    if let time = fields.first(where: { $0.isTime && $0.hasSummary }) {
      terms.append("\(time.name):today")
    }
    if let labels {
      terms.append("+\(labels.one.utf8CodeUnitCount > 0 ? "\(labels.one)" : "\(labels.name)")")
    }
    if terms.count < 2, let condition = conditionNames.first { terms.append("is:\(condition)") }
    if terms.count < 2,
      let other = fields.first(where: { $0.hasSummary && !$0.isTime && !$0.traits.contains(.set) })
    {
      terms.append("\(other.askedNames[0]):\(other.mayLack ? "none" : "…")")
    }
    return terms.joined(by: " or ")
  }
}
