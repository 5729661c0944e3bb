import EventMVVM
public import EventValues
import JSONText

/// Reads an option that a command does not have: one of the process, in a command line.
///
/// It reads the option at an index of the words, and its value if it has one, and moves the index
/// after them; false if it does not have the option either.
public typealias OptionTaker = (_ words: [Word], _ index: inout Int) throws(CommandError) -> Bool

extension CommandSpec {
  /// Reads the words after the verb into a request.
  ///
  /// - Parameters:
  ///   - words: All words of the command.
  ///   - first: The index of the first word after the verb.
  ///   - request: The request whose properties are set.
  ///   - other: Reads options that the command does not have.
  /// - Throws: A usage error with the position of the word.
  @inlinable
  public func read(
    _ words: [Word],
    from first: Int,
    into request: inout Root,
    other: OptionTaker? = nil
  ) throws(CommandError) {
    let table = table
    let setters = table.wordSetters
    var reader = CommandReader(table.grammar, words, first, other)
    try reader.read { row, word throws(ValueError) in try setters[row](&request, word) }
    if let text = reader.text {
      do throws(ValueError) { try table.take(text, &request) } catch {
        throw reader.error(error, in: text)
      }
    }
    if let typed = table.typed {
      do throws(ValueError) { try typed(&request) } catch {
        throw CommandError(
          error.message,
          offset: words[min(reader.lastWord, words.count - 1)].offset
        )
      }
    }
    if let missing = reader.missingOption, !(table.isSaidByWords?(request) ?? false) {
      throw missing
    }
  }

  /// Reads one option, and its value, if it is one of this spec.
  ///
  /// - Returns: Whether the option is one of this spec.
  public func readOption(
    _ words: [Word],
    at index: inout Int,
    into request: inout Root
  ) throws(CommandError) -> Bool {
    var reader = CommandReader(grammar, words, index, nil)
    let setters = table.wordSetters
    let isKnown = try reader.readKnownOption { row, word throws(ValueError) in
      try setters[row](&request, word)
    }
    if isKnown { index = reader.index }
    return isKnown
  }

  /// Returns the offset of the word that set a property, for an error found later.
  ///
  /// Of several values, that is the one with the number, with or without a `#`.
  func offset(of field: String, id: Int? = nil, in words: [Word], from first: Int) -> Int? {
    var reader = CommandReader(grammar, words, first, nil)
    try? reader.read { _, _ throws(ValueError) in }
    guard let row = grammar.parameters[field], reader.given[row] >= 0 else { return nil }
    let given = words[reader.given[row]...]
    let number = id.flatMap { id in given.first { $0.isNumber(id) } }
    return (number ?? given.first)?.offset
  }
}

/// A reader of words, from left to right, that passes them to the setters of the properties.
@usableFromInline
struct CommandReader {
  /// Sets the property of a row to the value of a word.
  @usableFromInline typealias Setter = (_ row: Int, _ word: String) throws(ValueError) -> Void

  private let grammar: Grammar
  private let words: [Word]
  private(set) var index: Int
  private let other: OptionTaker?
  /// The index of the word that set each row; -1 where it has none.
  private(set) var given: [Int]
  private var end: Int
  /// The index of the last word that is given by its position; of the command where there is none.
  @usableFromInline private(set) var lastWord = 0
  /// The index of the grammar's word that the next word belongs to.
  private var nextWord = 0
  /// The words of the row that takes all of them together.
  @usableFromInline private(set) var text: GivenText?

  @usableFromInline
  init(_ grammar: Grammar, _ words: [Word], _ index: Int, _ other: OptionTaker?) {
    self.grammar = grammar
    self.words = words
    self.index = index
    self.other = other
    end = words.count
    given = Array(repeating: -1, count: grammar.rows.count)
  }

  @usableFromInline
  mutating func read(_ set: Setter) throws(CommandError) {
    try readAlias(set)
    while index < end {
      let word = words[index]
      if word.isOption {
        guard !word.isEndOfOptions else { return try readRest(set) }
        if try readKnownOption(set) { continue }
        if try readOther() { continue }
        guard takesHyphens(word) else { throw unknownOption(word) }
        try readWord(set)
      } else {
        try readWord(set)
      }
    }
    try checkRules()
  }

  /// Reads everything after `--` as words.
  private mutating func readRest(_ set: Setter) throws(CommandError) {
    index += 1
    let before = text?.words.count ?? 0
    while index < end { try readWord(set) }
    let all = text?.words.count ?? 0
    text?.plainWords = all - before
    try checkRules()
  }

  private mutating func readAlias(_ set: Setter) throws(CommandError) {
    guard let row = grammar.alias, end - index >= 2 else { return }
    let (keyword, name) = (words[end - 2], words[end - 1])
    guard keyword.isBare, keyword.text.isIdentical(to: "as"), name.isBare,
      name.text.starts(withText: "@"), !words[index..<end].contains(where: \.isEndOfOptions)
    else { return }
    guard name.text.utf8.count > 1 else { throw error("'@' is followed by a name", end - 1, row) }
    try take(row, String(Substring(name.text.utf8.dropFirst())), end - 1, set)
    end -= 2
  }

  /// Whether a word belongs to the words of the command, though it begins with a hyphen.
  private func takesHyphens(_ word: Word) -> Bool {
    guard nextWord < grammar.words.count, grammar.rows[grammar.words[nextWord]].takesHyphens else {
      return false
    }
    // One letter is rather an option of another program, and the name of an option was meant as that.
    let name = word.optionName
    return !name.starts(withText: "--") && name.utf8.count > 2 && grammar.option("-" + name) == nil
  }

  private mutating func readOther() throws(CommandError) -> Bool {
    guard let other else { return false }
    return try other(words, &index)
  }

  /// Reads `--name value`, `--name=value` or `--flag`.
  mutating func readKnownOption(_ set: Setter) throws(CommandError) -> Bool {
    let text = words[index].text
    if let row = grammar.option(text) {
      try readOption(row, set)
      return true
    }
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")),
      let row = grammar.option(text[..<equals])
    else { return false }
    guard grammar.rows[row].arity != .flag else {
      throw error("\(grammar.rows[row].flag) takes no value", index, row)
    }
    let value = String(text[text.utf8.index(after: equals)...])
    guard !value.isEmpty || grammar.rows[row].arity.takesNextWord else {
      let (flag, placeholder) = (grammar.rows[row].flag, grammar.rows[row].placeholder)
      throw error("\(flag)= needs a value: \(placeholder); or say \(flag) alone", index, row)
    }
    try take(row, value, index, set)
    index += 1
    return true
  }

  private mutating func readOption(_ row: Int, _ set: Setter) throws(CommandError) {
    guard grammar.rows[row].arity.takesNextWord else {
      try take(row, "", index, set)
      index += 1
      return
    }
    guard index + 1 < end else {
      let placeholder = grammar.rows[row].placeholder
      throw error("\(grammar.rows[row].flag) needs a value: \(placeholder)", index, row)
    }
    try checkNextWords(row)
    try take(row, words[index + 1].text, index + 1, set)
    index += 2
  }

  /// Checks that the words after a value are not a part of it whose quotes are missing: a time after a date
  /// would be a word of the title.
  private func checkNextWords(_ row: Int) throws(CommandError) {
    guard index + 2 < end, words[index + 1].isBare, words[index + 2].isBare,
      let ofWords = grammar.rows[row].shape.ofWords
    else { return }
    let following = words[(index + 1)..<min(index + 6, end)].prefix { $0.isBare && !$0.isOption }
    let (count, asOne) = ofWords(following.map(\.text))
    guard count > 1 else { return }
    let value = following.prefix(count).map(\.text).joined(by: " ")
    let other = asOne.map { ", or \($0)" } ?? ""
    throw error(
      "\(grammar.rows[row].flag): '\(value.quotable)' is one value: write it in quotes\(other)",
      index + 1,
      row
    )
  }

  private mutating func readWord(_ set: Setter) throws(CommandError) {
    let position = index
    guard nextWord < grammar.words.count else {
      throw error(
        "\(grammar.verb) takes no further word: '\(words[position].text.quotable)'",
        position
      )
    }
    let row = grammar.words[nextWord]
    lastWord = index
    index += 1
    if grammar.rows[row].kind == .text {
      if text == nil {
        // Words that set other fields stand beside the option of the text.
        if !grammar.rows[row].takesApart { try noteOnce(row, position) }
        text = GivenText(row)
      }
      text?.append(words[position], at: position)
      return
    }
    try take(row, words[position].text, position, set)
    if grammar.rows[row].arity.isSingle { nextWord += 1 }
  }

  /// Sets the property of a row to the value of a word.
  private mutating func take(
    _ row: Int,
    _ value: String,
    _ position: Int,
    _ set: Setter
  ) throws(CommandError) {
    try noteOnce(row, position)
    do {
      try set(row, value)
    } catch {
      let subject = grammar.rows[row].kind == .option ? "\(grammar.rows[row].flag): " : ""
      throw self.error(subject + error.message, position, row)
    }
  }

  private mutating func noteOnce(_ row: Int, _ position: Int) throws(CommandError) {
    let first = grammar.rows[row].firstRow
    guard given[first] >= 0 else {
      given[first] = position
      return
    }
    guard grammar.rows[row].arity.isSingle else { return }
    throw error("\(grammar.rows[row].described) is given twice", position, row)
  }

  // MARK: The end

  private mutating func checkRules() throws(CommandError) {
    if let text, given[grammar.rows[text.row].firstRow] < 0 {
      given[grammar.rows[text.row].firstRow] = text.positions[0]
    }
    if let row = grammar.missingWord({ given[$0] >= 0 }) {
      throw CommandError(
        "\(grammar.verb) needs \(row.placeholder)"
          + (grammar.example.map { ", such as '\($0)'" } ?? ""),
        offset: words.first?.offset,
        field: row.name
      )
    }
    for properties in given.count(where: { $0 >= 0 }) > 1 ? grammar.exclusions : [] {
      let both = properties.compactMap { rows in rows.first { given[$0] >= 0 } }
      guard both.count > 1 else { continue }
      let names = both.map { grammar.rows[$0].described }
      throw error(
        "\(names[0]) and \(names[1]) exclude each other",
        max(given[both[0]], given[both[1]]),
        both[1]
      )
    }
  }

  /// The error where no option was given of which one is needed.
  @usableFromInline var missingOption: CommandError? {
    guard let needed = grammar.needed, !needed.contains(where: { given[$0] >= 0 }) else {
      return nil
    }
    return CommandError(
      "\(grammar.verb) needs "
        + grammar.needed { $0.kind == .option ? $0.flag : $0.placeholder },
      offset: words.first?.offset
    )
  }

  // MARK: Errors

  /// The error in a text, at the word that the path of the error names, else at the first one.
  @usableFromInline
  func error(_ error: ValueError, in text: GivenText) -> CommandError {
    let index = Int(error.path.dropFirst()) ?? 0
    let isThere = text.positions.indices.contains(index)
    return self.error(error.message, text.positions[isThere ? index : 0], text.row)
  }

  private func unknownOption(_ word: Word) -> CommandError {
    let name = word.optionName
    guard name.starts(withText: "--") else {
      if grammar.option("-" + name) != nil {
        return error("'\(name.quotable)' is no option; write -\(name)", index)
      }
      return error("no option '\(name.quotable)'; to give it as a word, write it after --", index)
    }
    let hint =
      closest(to: name, among: Array(grammar.options.keys))
      .map { "; did you mean '\($0)'?" } ?? ""
    return error("\(grammar.verb) has no option '\(name.quotable)'\(hint)", index)
  }

  private func error(_ message: String, _ position: Int, _ row: Int? = nil) -> CommandError {
    CommandError(
      message,
      offset: words.indices.contains(position) ? words[position].offset : nil,
      field: row.map { grammar.rows[$0].name }
    )
  }
}

/// The words of a text, as they were given.
@usableFromInline
package struct GivenText: Sendable {
  let row: Int
  /// The words.
  package fileprivate(set) var words: [String] = []
  /// How many of them, at the end, were written after `--` and mean nothing but themselves.
  package fileprivate(set) var plainWords = 0
  fileprivate var positions: [Int] = []
  /// Which of them were written without quotes, as far as that is known.
  private var areBare: [Bool] = []

  fileprivate init(_ row: Int) { self.row = row }

  fileprivate mutating func append(_ word: Word, at position: Int) {
    words.append(word.text)
    positions.append(position)
    areBare.append(word.isBare)
  }

  /// Returns the words without quotes that follow one directly, at most four.
  package func bareWords(after index: Int) -> [String] {
    var found: [String] = []
    for other in (index + 1)..<max(index + 1, words.count - plainWords) {
      guard areBare[index], areBare[other], found.count < 4 else { break }
      found.append(words[other])
    }
    return found
  }

  /// The text.
  var joined: String { words.count == 1 ? words[0] : words.joined(by: " ") }
}

extension Word {
  /// Whether it is written as an option: bare, a hyphen, then a hyphen or a letter.
  public var isOption: Bool {
    guard isBare else { return false }
    var bytes = text.utf8.makeIterator()
    guard bytes.next() == UInt8(ascii: "-"), let second = bytes.next() else { return false }
    return second == UInt8(ascii: "-") || (second | 0x20 >= 0x61 && second | 0x20 <= 0x7A)
  }

  /// The part of an option before its `=`.
  package var optionName: String {
    String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "=") }))
  }

  /// Whether it is `--`, after which everything is a word.
  package var isEndOfOptions: Bool { isBare && text.isIdentical(to: "--") }

  /// Whether it is this number, with or without a `#`.
  fileprivate func isNumber(_ id: Int) -> Bool {
    text.isIdentical(to: "\(id)") || text.isIdentical(to: "#\(id)")
  }
}
