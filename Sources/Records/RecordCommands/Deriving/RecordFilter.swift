import EventCommands
import EventMVVM
public import EventRecords
public import EventValues
import JSONText

/// What a list asks for, by the declared fields of a record.
///
/// A set is asked for names, a date for days or a range of them (`--due 'this week'`, `--due-before fri`), each other field
/// for a value, and a field that may have none for that (`--no-due`). A value is read at once, and resolved when the
/// request is answered: `tomorrow` becomes a day then. A record that is found meets all of it.
///
/// Besides, it has the words of a filter, which may join terms by `or` and `not`: ``terms``.
public struct RecordFilter<R: CommandRecord>: Sendable, Equatable, Codable {
  /// Texts that the searched fields contain, in any case.
  public var words: [String] = []
  /// The words of a filter: `due:today`, `or`, `+home`.
  public var terms: [String] = []
  /// The views that the terms name, as they were when these were read.
  public private(set) var views: [NamedFilter] = []
  /// Whether deleted records are found as well.
  public var all = false
  /// Whether deleted records alone are found.
  public var deleted = false
  /// Whether what the declaration hides is left out, as for a person who asks for nothing else.
  public var hides = false
  /// Whether it is told how the filter was read, instead of what it finds.
  var explains = false
  /// What is asked for of each field, as it was given.
  private(set) var asked: [AskedField] = []

  private enum CodingKeys: CodingKey {
    case words, terms, views, all, deleted, hides, explains, asked
  }

  /// Creates a filter that finds all but the deleted.
  public init() {}

  /// Reads what a recording has.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    words = try values.decode([String].self, forKey: .words)
    // There were no filters once.
    terms = try values.decodeIfPresent([String].self, forKey: .terms) ?? []
    views = try values.decodeIfPresent([NamedFilter].self, forKey: .views) ?? []
    all = try values.decode(Bool.self, forKey: .all)
    deleted = try values.decode(Bool.self, forKey: .deleted)
    // Before there was this member, nothing else was shown.
    hides = try values.decodeIfPresent(Bool.self, forKey: .hides) ?? (!all && !deleted)
    explains = try values.decodeIfPresent(Bool.self, forKey: .explains) ?? false
    asked = try values.decode([AskedField].self, forKey: .asked)
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(words, forKey: .words)
    if !terms.isEmpty { try values.encode(terms, forKey: .terms) }
    if !views.isEmpty { try values.encode(views, forKey: .views) }
    try values.encode(all, forKey: .all)
    try values.encode(deleted, forKey: .deleted)
    try values.encode(hides, forKey: .hides)
    if explains { try values.encode(true, forKey: .explains) }
    try values.encode(asked, forKey: .asked)
  }

  /// The conditions of the declaration that are asked for, by their names.
  public var conditions: [String] {
    get { asked.filter { $0.test == .meets }.map(\.field) }
    set {
      asked.removeAll { $0.test == .meets }
      for name in newValue { ask(name, .meets, .bool(true)) }
    }
  }

  /// The order of what it finds; nil for that of all lists.
  var order: RecordSort<R>? { R.commands.namedOrder.map { RecordSort($0(self)) } }

  /// Whether it asks for nothing.
  var isBare: Bool { words.isEmpty && terms.isEmpty && asked.isEmpty && !all && !deleted }

  /// The names of the conditions that are asked for, and of questions what happened since a day.
  public var askedConditions: [String] {
    var names: [String] = []
    for asked in asked {
      if let name = Self.condition(asked)?.name { names.append(name) }
    }
    return terms.isEmpty ? names : names + askedInTerms
  }

  /// The conditions that the terms ask for: those that they name, and since when something happened.
  private var askedInTerms: [String] {
    var names: [String] = []
    for term in positiveTerms {
      switch term {
      case .condition(let name): names.append(name)
      case .days(let field, _, _):
        let since = R.commands.conditions.first { $0.since?.offset == field.offset }
        if let since { names.append(since.name) }
      default: break
      }
    }
    return names
  }

  /// The terms that are not negated.
  private var positiveTerms: [FilterTerm] {
    let node = try? R.filterVocabulary.filter(terms, views) { _ in false }
    return node?.terms(withNegated: false) ?? []
  }

  /// The first field that is asked for a name: a set, else an indexed text.
  var askedNames: Field? {
    func field(_ isName: (AskedField) -> Bool) -> Field? {
      asked.first(where: isName).flatMap { R._table.index(of: $0.field) }
        .map { R._table.fields[$0] }
    }
    if let set = field({ $0.test == .has }) { return set }
    if !terms.isEmpty {
      let named = positiveTerms.first { term in
        switch term {
        case .label, .named: true
        default: false
        }
      }
      if let field = named?.field, field.traits.contains(.set) || field.traits.contains(.indexed) {
        return field
      }
    }
    return field { asked in
      guard asked.test == .equals, let index = R._table.index(of: asked.field) else { return false }
      return R._table.fields[index].isText && R._table.fields[index].traits.contains(.indexed)
    }
  }

  /// What it asks for, as a person types it.
  var typed: [String] {
    var typed: [String] = []
    for word in words + terms { typed.append(word.asTyped) }
    for asked in asked {
      guard let flag = Self.flag(asked) else { continue }
      typed.append(flag)
      guard asked.test != .isNil, asked.test != .meets else { continue }
      typed.append(asked.value.plainText.asTyped)
    }
    if all { typed.append("--all") }
    if deleted { typed.append("--deleted") }
    return typed
  }

  private static func flag(_ asked: AskedField) -> String? {
    if let name = condition(asked)?.name { return name.asFlag }
    return R._table.index(of: asked.field).map { R._table.fields[$0].flag(asked.test) }
  }

  /// The name of the parameter that asked.
  private static func parameter(_ asked: AskedField) -> String {
    if let name = condition(asked)?.name { return name }
    let index = R._table.index(of: asked.field)
    return index.map { R._table.fields[$0].name(asked.test) } ?? asked.field
  }

  private static func condition(_ asked: AskedField) -> NamedCondition<R>? {
    guard asked.test == .meets || asked.test == .isSince else { return nil }
    return R.commands.conditions.first { $0.name == asked.field && $0.test == asked.test }
  }

  /// Returns the query of all that it asks for, without an order.
  func query(_ turn: borrowing Turn) throws -> Query<R> { try resolved(turn).query }

  /// Returns the query of all that it asks for, without an order, and whether it leaves out what the declaration hides:
  /// it does not where that is what is asked for.
  func resolved(_ turn: borrowing Turn) throws -> (query: Query<R>, hides: Bool) {
    try checkSize()
    var meaning = FilterMeaning()
    for asked in asked { meaning.take(try condition(of: asked, turn)) }
    if !terms.isEmpty {
      try meaning.take(words: terms, views, R.filterVocabulary, turn, R.self) { name in
        R.commands.conditions.first { $0.name == name && $0.test == .meets }?.meaning(turn).stored
      }
    }
    var isOfAll = true
    if let deletion = R.commands.deletion {
      if deleted {
        meaning.assumed.append(deletion.deleted.stored)
      } else if !all {
        isOfAll = meaning.assume(deletion.present.stored)
      }
    }
    // Who speaks of what is deleted means it whether it was done or not.
    let hidden = self.hides && isOfAll ? R.commands.hidden?().stored.negated : nil
    var hides = hidden.map { meaning.assume($0) } ?? false
    if self.hides, isOfAll {
      for condition in R.commands.hiddenByTime(turn) where meaning.assume(condition.negated) {
        hides = true
      }
    }
    var query = Query<R>()
    for condition in meaning.all {
      query = query.where(Condition(stored: condition))
    }
    for word in words { query = query.where(.contains(word)) }
    return (query, hides)
  }

  /// How the filter was read, in lines.
  func reading(_ turn: borrowing Turn) throws -> [String] {
    var parts: [String] = []
    let node = try R.filterVocabulary.filter(terms, views) { turn.hasName($0, of: R.self) }
    var others = self
    others.terms = []
    (others.all, others.deleted) = (false, false)
    let options = others.typed
    if let node { parts.append(node.text(within: options.isEmpty ? 0 : 1)) }
    parts += options
    var lines = [parts.isEmpty ? "All \(R.several)" : parts.joined(by: " and ")]
    if try resolved(turn).hides {
      lines.append("Besides: what a list leaves out unless it is asked for; --all finds it, too")
    }
    return lines
  }

  private func condition(
    of asked: AskedField,
    _ turn: borrowing Turn
  ) throws -> RecordCondition {
    if asked.test == .meets, let condition = Self.condition(asked) {
      return condition.meaning(turn).stored
    }
    let known = R._table.index(of: asked.field).map { R._table.fields[$0] }
    guard let field = Self.condition(asked)?.since ?? known, asked.test != .meets else {
      throw Failure(
        .usage,
        "There is no '\(asked.field.quotable)' to ask for.",
        field: asked.field
      )
    }
    return try field.condition(asked.test, asked.value, of: Self.parameter(asked), turn)
  }

  /// Throws where it asks for more than a database can be asked for at once.
  private func checkSize() throws(Failure) {
    func check(_ what: String, _ count: Int, _ most: Int, _ field: String) throws(Failure) {
      guard count > most else { return }
      throw Failure(
        .validation,
        "A search has at most \(most) \(what); \(count) were given.",
        field: field
      )
    }
    try check("words", words.count, SearchLimits.mostWords, "words")
    let bytes = words.reduce(0) { $0 + $1.utf8.count }
    try check("bytes of UTF-8", bytes, SearchLimits.longestSearch, "words")
    guard words.allSatisfy({ !$0.utf8.contains(0) }) else {
      throw Failure(
        .validation,
        "A search can't contain the character NUL (U+0000).",
        field: "words"
      )
    }
    try check("values", asked.count, SearchLimits.mostWords, asked.first?.field ?? "words")
  }

  // MARK: Terms

  /// Adds a word of the filter.
  ///
  /// - Throws: What is wrong with it.
  mutating func take(term word: String) throws(ValueError) {
    try FilterStructure.take(word, into: &terms, &views, R.filterVocabulary)
  }

  /// Checks that the words of the filter end where it does.
  func checkEnd() throws(ValueError) {
    if !terms.isEmpty { _ = try R.filterVocabulary.filter(terms) }
  }

  /// Removes the words of the filter.
  fileprivate mutating func removeTerms() { (terms, views) = ([], []) }

  /// Adds a filter in one text.
  mutating func take(text: String) throws(ValueError) {
    for word in try R.filterVocabulary.words(of: text) { try take(term: word) }
  }

  // MARK: Options

  /// Adds a question, or replaces that about the same, where there can be one alone.
  mutating func ask(_ field: String, _ test: FieldTest, _ value: JSON) {
    if test != .has { asked.removeAll { $0.field == field && $0.test == test } }
    asked.append(AskedField(field: field, test: test, value: value))
  }

  /// Drops a question.
  mutating func drop(_ field: String, _ test: FieldTest) {
    asked.removeAll { $0.field == field && $0.test == test }
  }

  /// Replaces the names that are asked for in a set.
  mutating func ask(_ field: String, names: [JSON]) {
    asked.removeAll { $0.field == field && $0.test == .has }
    for name in names { ask(field, .has, name) }
  }
}

extension RecordFilter: GrowingValue {}

extension String {
  /// The text as a word of a line: in quotes if it has a blank or a quote.
  var asTyped: String {
    let isPlain =
      !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x27 && $0 != 0x5C }
    guard !isPlain else { return quotable }
    var text = "\""
    for character in quotable {
      if character == "\"" || character == "\\" { text.append("\\") }
      text.append(character)
    }
    return text + "\""
  }
}

/// The limits of a search: databases have some for the conditions of a query, and each word costs a look at each text.
private enum SearchLimits {
  /// The most words, and the most questions about fields.
  static let mostWords = 100
  /// The most bytes of UTF-8 in all words.
  static let longestSearch = 4096
}

/// A question about a field.
struct AskedField: Sendable, Equatable, Codable {
  /// The name of the field.
  let field: String
  let test: FieldTest
  let value: JSON
}

/// How a value is compared with that of a field.
enum FieldTest: String, Sendable, Codable {
  case equals, has, isNil, isOn, isBefore, isAfter, isSince
  /// Not of a field, but of a condition of the declaration.
  case meets
}

/// A question of the domain's own: a condition, or what happened on a day or later.
struct NamedCondition<R: Record>: Sendable {
  /// The name of the parameter.
  let name: String
  let summary: String
  /// The field with the time that is asked about; nil where it is a condition.
  let since: Field?
  /// Whether it is an option.
  var hasFlag = true
  /// How it is asked, by its name.
  var test: FieldTest { since == nil ? .meets : .isSince }
  /// Returns what records meet, where it is a condition.
  let meaning: @Sendable (borrowing Turn) -> Condition<R>
  /// Returns what records meet, where it is the same at any time.
  var fixed: (@Sendable () -> Condition<R>)?
}

extension Field {
  /// The flag of a question about it.
  func flag(_ test: FieldTest) -> String {
    test == .has && one.utf8CodeUnitCount > 0 ? "--\(one)" : name(test).asFlag
  }

  /// The name of a question about it in JSON.
  fileprivate func name(_ test: FieldTest) -> String {
    let name = "\(name)"
    return switch test {
    case .equals, .has, .isOn, .meets: name
    case .isNil: "no" + name.beginningUpper
    case .isBefore: name + "Before"
    case .isAfter: name + "After"
    case .isSince: name + "Since"
    }
  }

  /// Returns what records meet that are asked for.
  fileprivate func condition(
    _ test: FieldTest,
    _ value: JSON,
    of parameter: String,
    _ turn: borrowing Turn
  ) throws -> RecordCondition {
    let name = "\(name)"
    do {
      switch test {
      case .meets: return .and([])
      case .isNil: return .anyOf(name, [.null])
      case .equals:
        // As where it is set, an empty word is no value.
        if type._isOptional, value == .string("") { return .anyOf(name, [.null]) }
        return .anyOf(name, [try stored(value, turn)])
      case .has:
        guard case .string(let text) = value else { throw ValueError("expected a string") }
        guard !text.isEmpty else { throw emptyName(name) }
        return Field.has(name, text)
      case .isOn:
        // Recordings have the condition.
        let days = try value.read(DateRange.self)
        return .and([.not([.anyOf(name, [.null])])] + (try ends(days, of: parameter, .ahead, turn)))
      case .isBefore, .isAfter, .isSince:
        let when = try value.read(When.self)
        let direction: DateDirection = test == .isSince ? .behind : .ahead
        let time = try when.date(of: parameter, at: turn.time, in: turn.zone, direction)
        if test == .isBefore { return .field(name, .less, bound(time, turn)) }
        if test == .isSince { return .field(name, .atLeast, bound(time, turn)) }
        guard case .day(let day) = time else { return .field(name, .greater, bound(time, turn)) }
        // The minutes of a day are part of it.
        return day.adding(days: 1).map { .field(name, .atLeast, bound(.day($0), turn)) } ?? .or([])
      }
    } catch let error as ValueError {
      throw Failure(.usage, error.message, field: parameter)
    }
  }
}

extension JSON {
  /// Reads a date; recordings of before there were filters have it coded.
  fileprivate func read<Value: CommandValue & Decodable>(_ type: Value.Type) throws -> Value {
    guard case .string(let word) = self else {
      return try BodyDecoder().read(type, from: self)
    }
    return try Value(word: word)
  }
}

// MARK: - Listing

extension CommandSpec {
  /// Lists what a list can be asked for, from the declaration of a record.
  consuming func filter<R: CommandRecord>(_ filter: PropertyAccess<Root, RecordFilter<R>>) -> Self {
    listing { lines in
      let fields = R._table.fields
      lines.append(.terms(filter))
      lines.append(.asking(filter))
      for field in fields where field.hasSummary && !field.traits.contains(.searched) {
        // A filter asks for it, `wait:..fri`: four more options would be read by all, and used by few.
        if field.isTime, !field.traits.contains(.indexed) { continue }
        // By its parts nothing is asked.
        if !field.type._parts.isEmpty { continue }
        field.addFilters(of: filter, to: &lines)
      }
      for condition in R.commands.conditions where condition.hasFlag {
        lines.append(condition.option(of: filter))
      }
      if R.commands.hidden != nil || R.commands.deletion != nil {
        lines.append(
          .flag("all", of: filter, "All, those that are left out, too") { $0.all = $1 }
        )
      }
      if R.commands.deletion != nil {
        lines.append(.flag("deleted", of: filter, "Only deleted ones") { $0.deleted = $1 })
      }
    }
    .exclusive(named: {
      var pairs = R.commands.exclusions
      if R.commands.deletion != nil { pairs.append(["deleted", "all"]) }
      for field in R._table.fields where field.type._isOptional && field.hasSummary {
        pairs.append([field.name(FieldTest.isNil), "\(field.name)"])
      }
      return pairs
    })
  }
}

extension CommandSpec {
  /// Lists the option that tells how a filter was read.
  consuming func explaining<R: CommandRecord>(
    _ filter: PropertyAccess<Root, RecordFilter<R>>
  ) -> Self {
    listing { lines in
      lines.append(
        .flag("explain", of: filter, "How it was read, and how it is looked for") {
          $0.explains = $1
        }
      )
    }
  }
}

extension NamedCondition {
  /// Lists it as an option.
  fileprivate func option<Root>(
    of filter: PropertyAccess<Root, RecordFilter<R>>
  ) -> CommandField<Root> where R: CommandRecord {
    let (name, test) = (name, test)
    guard test == .meets else {
      return CommandField(
        name,
        of: filter,
        .option,
        summary,
        When?.self,
        takeWord: { filter, word throws(ValueError) in
          _ = try When(word: word)
          filter.ask(name, test, .string(word))
        },
        takeJSON: { filter, json, _ throws(ValueError) in
          guard json != .null else { return filter.drop(name, test) }
          _ = try When(json: json)
          filter.ask(name, test, json)
        }
      )
    }
    return CommandField(
      name,
      of: filter,
      .option,
      summary,
      Bool.self,
      takeWord: { filter, _ throws(ValueError) in filter.ask(name, test, .bool(true)) },
      takeJSON: { filter, json, _ throws(ValueError) in
        var isAsked = false
        try isAsked.take(json: json)
        if isAsked { filter.ask(name, test, json) } else { filter.drop(name, test) }
      }
    )
  }
}

extension CommandField {
  /// The words of a filter; in JSON, texts that are searched.
  fileprivate static func terms<R: CommandRecord>(
    _ filter: PropertyAccess<Root, RecordFilter<R>>
  ) -> Self {
    CommandField(
      "words",
      of: filter,
      .word,
      R.filterVocabulary.summary,
      [String].self,
      shape: {
        var shape = [String].shape
        shape.placeholder = "WORD"
        shape.explanation = R.filterVocabulary.explanation
        shape.candidates = { RequestFilterCandidates<R>(prefix: $0) }
        return shape
      },
      takesHyphens: true,
      takeWord: { filter, word throws(ValueError) in try filter.take(term: word) },
      takeJSON: { filter, json, _ throws(ValueError) in try filter.words.take(json: json) }
    )
  }

  /// A filter in one text.
  fileprivate static func asking<R: CommandRecord>(
    _ filter: PropertyAccess<Root, RecordFilter<R>>
  ) -> Self {
    filterInText(of: filter, "A filter in one text: '\(R.filterVocabulary.example)'") {
      filter,
      text,
      isTyped throws(ValueError) in
      if !isTyped { filter.removeTerms() }
      if let text { try filter.take(text: text) }
    }
  }

  /// A flag of the filter.
  fileprivate static func flag<R: CommandRecord>(
    _ name: String,
    of filter: PropertyAccess<Root, RecordFilter<R>>,
    _ summary: String,
    _ set: @escaping @Sendable (inout RecordFilter<R>, Bool) -> Void
  ) -> Self {
    CommandField(
      name,
      of: filter,
      .option,
      summary,
      Bool.self,
      takeWord: { filter, _ throws(ValueError) in set(&filter, true) },
      takeJSON: { filter, json, _ throws(ValueError) in
        var isGiven = false
        try isGiven.take(json: json)
        set(&filter, isGiven)
      }
    )
  }
}

extension Field {
  /// Adds the options of a list that ask for its values.
  fileprivate func addFilters<Root, R: CommandRecord>(
    of filter: PropertyAccess<Root, RecordFilter<R>>,
    to lines: inout [CommandField<Root>]
  ) {
    if isTime {
      let what = nameOfTime
      lines.append(asking(filter, .isOn, "\(what) on one of these days", time: DateRange.self))
      lines.append(asking(filter, .isBefore, "\(what) strictly before", time: When.self))
      lines.append(asking(filter, .isAfter, "\(what) strictly after", time: When.self))
    } else if traits.contains(.set) {
      lines.append(naming(filter))
    } else if !isList {
      lines.append(self.comparing(filter, ofValue, self.type))
    }
    if type._isOptional { lines.append(lacking(filter)) }
  }
}

extension Field {
  /// What is on a day, as a sentence begins with it: `Due` of `due`, `Created` of `createdAt`.
  private var nameOfTime: String {
    nameOnPage.beginningUpper
  }

  /// The summary of a question about its value: `With this effort`.
  private var ofValue: String {
    guard type != Bool.self, type != Bool?.self else { return "\(summary)" }
    return "With this \("\(name)".inWords)"
  }

  /// Lists a question about one value.
  private func comparing<Root, R: CommandRecord, Value: FieldValue>(
    _ filter: PropertyAccess<Root, RecordFilter<R>>,
    _ summary: String,
    _ type: Value.Type
  ) -> CommandField<Root> {
    let shape: @Sendable () -> ValueShape = { self.filterShape(Value.self, R.kind) }
    return asking(filter, .equals, summary, FieldProperty<Value>.self, shape) {
      json throws(ValueError) in
      try type._checkGiven(json)
    }
  }

  /// Lists a question about a time.
  private func asking<Root, R: CommandRecord, Value: CommandValue>(
    _ filter: PropertyAccess<Root, RecordFilter<R>>,
    _ test: FieldTest,
    _ summary: String,
    time type: Value.Type
  ) -> CommandField<Root> {
    asking(filter, test, summary, Value?.self) { json throws(ValueError) in
      _ = try Value(json: json)
    }
  }

  private func asking<Root, R: CommandRecord>(
    _ filter: PropertyAccess<Root, RecordFilter<R>>,
    _ test: FieldTest,
    _ summary: String,
    _ type: any CommandProperty.Type,
    _ shape: (@Sendable () -> ValueShape)? = nil,
    check: @escaping @Sendable (JSON) throws(ValueError) -> Void
  ) -> CommandField<Root> {
    let name = "\(name)"
    let take: @Sendable (inout RecordFilter<R>, JSON) throws(ValueError) -> Void = {
      filter,
      json throws(ValueError) in
      try check(json)
      filter.ask(name, test, json)
    }
    return CommandField(
      self.name(test),
      of: filter,
      .option,
      summary,
      flag: flag(test),
      type,
      shape: shape,
      takeWord: { filter, word throws(ValueError) in try take(&filter, .string(word)) },
      takeJSON: { filter, json, _ throws(ValueError) in
        // Null asks for nothing, as an option that is not given.
        if json == .null { filter.drop(name, test) } else { try take(&filter, json) }
      }
    )
  }

  /// Lists whether it has no value.
  private func lacking<Root, R: CommandRecord>(
    _ filter: PropertyAccess<Root, RecordFilter<R>>
  ) -> CommandField<Root> {
    let name = "\(name)"
    return CommandField(
      self.name(FieldTest.isNil),
      of: filter,
      .option,
      "Without '\(name.inWords)'",
      flag: flag(FieldTest.isNil),
      Bool.self,
      takeWord: { filter, _ throws(ValueError) in filter.ask(name, .isNil, .bool(true)) },
      takeJSON: { filter, json, _ throws(ValueError) in
        var isAsked = false
        try isAsked.take(json: json)
        if isAsked { filter.ask(name, .isNil, json) } else { filter.drop(name, .isNil) }
      }
    )
  }

  /// Lists the names that a set has to contain.
  private func naming<Root, R: CommandRecord>(
    _ filter: PropertyAccess<Root, RecordFilter<R>>
  ) -> CommandField<Root> {
    let name = "\(name)"
    let shape: @Sendable () -> ValueShape = { self.filterShape([String].self, R.kind) }
    return CommandField(
      name,
      of: filter,
      .option,
      "With this \(nameOfOne) (repeatable: with all of them)",
      flag: flag(FieldTest.has),
      FieldProperty<[String]>.self,
      shape: shape,
      takeWord: { filter, word throws(ValueError) in
        for word in word.betweenCommas { filter.ask(name, .has, .string(word)) }
      },
      takeJSON: { filter, json, _ throws(ValueError) in
        var names: [String] = []
        try names.take(json: json)
        filter.ask(name, names: names.map { .string($0) })
      }
    )
  }
}
