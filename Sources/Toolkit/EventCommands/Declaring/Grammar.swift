import JSONText
import EventValues

/// The words and parameters that a command accepts, independent of its request's type.
@usableFromInline
package final class Grammar: Sendable {
  /// How a property is given.
  package enum Kind: Sendable { case word, text, option, alias }

  /// A field of a spec, as far as it does not depend on the request's type.
  final class Row: Sendable {
    private let lazyName: Lazily<String>
    /// The flag; empty if the row is not an option.
    let flag: String
    let kind: Kind
    let summary: String
    private let namedPlaceholder: String?
    let type: any CommandProperty.Type
    private let namedShape: (@Sendable () -> ValueShape)?
    let arity: ValueArity
    /// Whether words that look like an option behind one hyphen belong to it.
    let takesHyphens: Bool
    /// Whether some of its words, where they are a text, set other rows.
    let takesApart: Bool
    /// Whether it stands for the needed word that is listed before it.
    let replacesPrevious: Bool
    /// The first row of the same property: a title can be given as words or as an option.
    var firstRow: Int { lazyFirstRow.value }
    private let lazyFirstRow: Lazily<Int>

    init(
      name: Lazily<String>,
      flag: String?,
      kind: Kind,
      summary: String,
      placeholder: String?,
      type: any CommandProperty.Type,
      shape: (@Sendable () -> ValueShape)?,
      takesHyphens: Bool = false,
      takesApart: Bool = false,
      replacesPrevious: Bool = false,
      firstRow: Lazily<Int>
    ) {
      lazyName = name
      self.flag = flag ?? (kind == .option ? name.value.asFlag : "")
      self.kind = kind
      self.summary = summary
      namedPlaceholder = placeholder
      self.type = type
      namedShape = shape
      self.takesHyphens = takesHyphens
      self.takesApart = takesApart
      self.replacesPrevious = replacesPrevious
      arity = type.arity
      lazyFirstRow = firstRow
    }

    /// The property's own name, which is also its name in JSON.
    var name: String { lazyName.value }

    /// The shape of its values; computed at each access.
    var shape: ValueShape { namedShape?() ?? type.shape }

    /// The placeholder of a value in help.
    var placeholder: String { namedPlaceholder ?? shape.placeholder }

    /// Whether the command requires the property.
    var isNeeded: Bool { kind == .word && (arity == .one || arity == .some) }

    /// The property as an error names it.
    var described: String { kind == .option ? flag : "the \(name)" }
  }

  let verb: String
  /// A line that shows how it is used; nil if none was declared.
  let example: String?
  let rows: [Row]
  /// The rows that are given by position, in order.
  let words: [Int]
  let alias: Int?
  /// The rows of the options by flag; look up typed text with ``option(_:)``.
  let options: [String: Int]
  /// The rows by name in JSON; look up received names with ``parameter(_:)``.
  var parameters: [String: Int] { lazyParameters.value }
  private let lazyParameters: Lazily<[String: Int]>
  /// Properties that exclude each other, each by its rows.
  var exclusions: [[[Int]]] { lazyExclusions.value }
  private let lazyExclusions: Lazily<[[[Int]]]>
  /// The options of which at least one is required; nil where none is.
  var needed: [Int]? { lazyNeeded.value }
  private let lazyNeeded: Lazily<[Int]?>

  init(
    verb: String,
    example: String? = nil,
    rows: [Row],
    exclusions: Lazily<[[[Int]]]>,
    needed: Lazily<[Int]?>
  ) {
    self.verb = verb
    self.example = example
    self.rows = rows
    lazyExclusions = exclusions
    lazyNeeded = needed
    words = rows.indices.filter { rows[$0].kind == .word || rows[$0].kind == .text }
    alias = rows.firstIndex { $0.kind == .alias }
    options = Dictionary(
      rows.indices.filter { rows[$0].kind == .option }.map { (rows[$0].flag, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    lazyParameters = Lazily {
      Dictionary(
        rows.indices.flatMap { index in
          rows[index].type.jsonNames(for: rows[index].name).map { ($0, rows[index].firstRow) }
        },
        uniquingKeysWith: { first, _ in first }
      )
    }
  }

  /// Returns the grammar of a process that has the options of both.
  convenience init(_ first: Grammar, _ second: Grammar) {
    self.init(
      verb: first.verb,
      rows: first.rows + second.rows,
      exclusions: Lazily { [] },
      needed: Lazily { nil }
    )
  }

  /// Returns the first row that is needed and was not given, nor anything in its place.
  func missingWord(_ isGiven: (Int) -> Bool) -> Row? {
    for index in words where rows[index].isNeeded && !isGiven(index) {
      let next = index + 1
      let isReplaced = next < rows.count && rows[next].replacesPrevious && isGiven(next)
      if !isReplaced { return rows[index] }
    }
    return nil
  }

  /// Returns the row of a typed option.
  func option(_ flag: some StringProtocol) -> Int? {
    flag.mayBeName ? options[String(flag)] : nil
  }

  /// Returns the row of a received parameter.
  func parameter(_ name: String) -> Int? {
    name.mayBeName ? parameters[name] : nil
  }

  /// What an error says where none of these was given of which one is needed: `at least one of --due-before, --tag`.
  ///
  /// Of many it names the first ones.
  func needed(_ name: (Row) -> String) -> String {
    let names = (needed ?? []).map { name(rows[$0]) }
    guard names.count > 5 else { return "at least one of \(names.joined(separator: ", "))" }
    return "something to change, such as \(Array(names.prefix(4)).joined(by: ", ")); "
      + "'help \(verb)' lists all"
  }
}

extension String {
  /// The flag of a property's name: `--due-before` of `dueBefore`.
  package var asFlag: String {
    var flag = "--"
    for character in self {
      if character.isUppercase { flag += "-" }
      flag += character.lowercased()
    }
    return flag
  }
}
