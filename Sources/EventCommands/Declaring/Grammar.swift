/// What can be said to a command, whatever its request's type.
@usableFromInline
package final class Grammar: Sendable {
  /// How a property is given.
  package enum Place: Sendable { case word, text, option, alias }

  /// A line of a spec.
  final class Row: Sendable {
    private let lazyName: Lazily<String>
    /// How it is written as an option; empty if it is none.
    let flag: String
    let place: Place
    let summary: String
    private let namedPlaceholder: String?
    let type: any CommandProperty.Type
    private let namedShape: (@Sendable () -> ValueShape)?
    let arity: ValueArity
    /// The first row of the same property: a title can be given as words or as an option.
    let slot: Int

    init(
      name: Lazily<String>,
      flag: String?,
      place: Place,
      summary: String,
      placeholder: String?,
      type: any CommandProperty.Type,
      shape: (@Sendable () -> ValueShape)?,
      slot: Int
    ) {
      lazyName = name
      self.flag = flag ?? (place == .option ? Self.flag(for: name.value) : "")
      self.place = place
      self.summary = summary
      namedPlaceholder = placeholder
      self.type = type
      namedShape = shape
      arity = type.arity
      self.slot = slot
    }

    /// The property's own name, which is also its name in JSON.
    var name: String { lazyName.value }

    /// What its values look like; made anew each time.
    var shape: ValueShape { namedShape?() ?? type.shape }

    /// What stands for a value in help.
    var placeholder: String { namedPlaceholder ?? shape.placeholder }

    /// Whether the command can't do without it.
    var isNeeded: Bool { place == .word && (arity == .one || arity == .some) }

    /// The property as an error names it.
    var described: String { place == .option ? flag : "the \(name)" }

    /// `dueBefore` is written `--due-before`.
    private static func flag(for name: String) -> String {
      var flag = "--"
      for character in name {
        if character.isUppercase { flag += "-" }
        flag += character.lowercased()
      }
      return flag
    }
  }

  let verb: String
  let rows: [Row]
  /// Rows that are given by place, in order.
  let words: [Int]
  let alias: Int?
  /// By flag; what was typed is looked up by ``option(_:)``.
  let options: [String: Int]
  /// By name in JSON; what was sent is looked up by ``parameter(_:)``.
  var parameters: [String: Int] { lazyParameters.value }
  private let lazyParameters: Lazily<[String: Int]>
  /// Properties of which one excludes the others, each by its rows.
  let exclusions: [[[Int]]]
  /// Options of which at least one is needed; nil where none is.
  let needed: [Int]?

  init(verb: String, rows: [Row], exclusions: [[[Int]]], needed: [Int]?) {
    self.verb = verb
    self.rows = rows
    self.exclusions = exclusions
    self.needed = needed
    words = rows.indices.filter { rows[$0].place == .word || rows[$0].place == .text }
    alias = rows.firstIndex { $0.place == .alias }
    options = Dictionary(
      rows.indices.filter { rows[$0].place == .option }.map { (rows[$0].flag, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    lazyParameters = Lazily {
      Dictionary(
        rows.indices.flatMap { index in
          rows[index].type.jsonNames(for: rows[index].name).map { ($0, rows[index].slot) }
        },
        uniquingKeysWith: { first, _ in first }
      )
    }
  }

  /// The row of a typed option.
  func option(_ flag: some StringProtocol) -> Int? {
    flag.mayBeName ? options[String(flag)] : nil
  }

  /// The row of a received parameter.
  func parameter(_ name: String) -> Int? {
    name.mayBeName ? parameters[name] : nil
  }

  /// The needed options as an error names them, such as `--due-before, --tag`.
  var neededList: String {
    (needed ?? []).map { rows[$0].flag }.joined(separator: ", ")
  }
}
