import EventMVVM

/// The verbs and the options of a process in addition to commands.
public struct ProcessWords: Sendable {
  /// Adds some of them.
  public typealias List = @Sendable (inout ProcessWords) -> Void

  private(set) var verbs: [Verb] = []
  /// All options, described as one verb, which is the process.
  private(set) var options: Verb?

  /// Adds a verb.
  public mutating func add<Root>(_ verb: CommandSpec<Root>) {
    verbs.append(Verb(verb) { verb.help(on: &$0) })
  }

  /// Adds options after the existing ones; the first spec names the process.
  public mutating func add<Root>(options spec: CommandSpec<Root>) {
    options = Verb(options, spec)
  }
}

/// A verb of the process in addition to commands.
struct Verb: Sendable {
  let name: String
  let summary: String
  let help: @Sendable (inout Page) -> Void
  private let grammar: Lazily<Grammar>

  init<Root>(_ spec: CommandSpec<Root>, help: @escaping @Sendable (inout Page) -> Void) {
    name = spec.name
    summary = spec.summary
    self.help = help
    grammar = Lazily { spec.grammar }
  }

  /// Creates the options of a process: the known ones, then those of the spec.
  init<Root>(_ known: Verb?, _ spec: CommandSpec<Root>) {
    name = known?.name ?? spec.name
    summary = known?.summary ?? spec.summary
    let grammar = Lazily { known.map { Grammar($0.grammar.value, spec.grammar) } ?? spec.grammar }
    self.grammar = grammar
    help = { grammar.value.lines(on: &$0) }
  }

  /// Returns the completion after these words, of which the verb itself is the first.
  func completion(_ words: [Word], _ prefix: String) -> Completion {
    grammar.value.completion(after: words, prefix: prefix)
  }

  /// Its options, in order.
  var flags: [String] { grammar.value.rows.map(\.flag) }

  /// Whether an option takes a value; nil if no option has that name.
  func takesValue(_ flag: String) -> Bool? { grammar.value.takesValue(flag) }
}
