import EventMVVM
public import EventValues
package import JSONText
import Synchronization

/// A command's name and the properties that it takes: the one source of its words, options, help,
/// completion, JSON parameters and schema.
///
/// A property is listed by key path, one line each with its summary; its name, type, arity, choices
/// and default follow from the property.
///
/// ```swift
/// static let command = CommandSpec<Self>("edit", "Changes a todo.")
///   .word(\.id, "Which")
///   .option(\.title, "Its title")
///   .option(\.tags, "A label to add", flag: "--tag")
/// ```
///
/// The table that is compiled from the list is built when the command is first used, and cached.
public struct CommandSpec<Root: Sendable>: Sendable {
  /// The verb.
  public private(set) var name: String
  /// What the command does, in a sentence.
  public private(set) var summary: String
  /// The name of its JSON-RPC method in its group, where it differs from the verb.
  private(set) var methodName: String?
  // A key path costs a process 80 000 instructions when it is first created, so one is created for what is
  // given alone.
  private var listings: [@Sendable (inout [CommandField<Root>]) -> Void] = []
  private(set) var exclusions: [@Sendable () -> [any AnyKeyPath & Sendable]] = []
  /// Pairs of options by their names, of which one alone can be given.
  private(set) var namedExclusions: @Sendable () -> [[String]] = { [] }
  /// Whether at least one option is needed.
  private(set) var needsOption = false
  /// The option that does not count where one is needed.
  private(set) var exceptedOption: (@Sendable () -> any AnyKeyPath & Sendable)?
  /// The name of the option that does not count, where it is given by name.
  private(set) var exceptedName: String?
  /// Whether words have said what an option is needed for.
  private(set) var isSaidByWords: (@Sendable (Root) -> Bool)?
  /// The properties that code sets alone.
  private(set) var unlisted: [@Sendable () -> any AnyKeyPath & Sendable] = []
  /// Its place on the first page of help; nil for that of all commands which read, or write.
  var topic: HelpTopic?
  /// Lines that show how it is used.
  var examples: [String] = []
  private(set) var typed: TypedChange<Root>?
  private let compiled = Compiled()

  /// Creates a spec that lists no property.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  /// Returns the same spec under another name.
  package consuming func named(_ name: String, _ summary: String) -> Self {
    var copy = self
    copy.name = name
    copy.summary = summary
    return copy
  }

  /// Lists a property that is given by its position among the words.
  ///
  /// - Parameters:
  ///   - property: The property; an array takes all the words that are left.
  ///   - summary: What it is, in a few words.
  ///   - placeholder: The placeholder in help; by default that of the property's type. `FILE` is
  ///     completed with the names of files.
  ///   - candidates: Creates a request for values with a prefix; by default that of the property's type.
  /// - Returns: The spec with the property listed.
  public consuming func word<P: CommandProperty>(
    _ property: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, P> & Sendable,
    _ summary: String,
    placeholder: String? = nil,
    candidates: (@Sendable (String) -> any CandidateRequest)? = nil
  ) -> Self {
    listing { fields in
      var field = CommandField(property, .word, summary, placeholder: placeholder)
      if let candidates {
        field.shape = {
          var shape = P.shape
          shape.candidates = candidates
          return shape
        }
      }
      fields.append(field)
    }
  }

  /// Lists a text that consists of all the words, joined by spaces.
  public consuming func text(
    _ property: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, String> & Sendable,
    _ summary: String
  ) -> Self {
    listing { $0.append(CommandField(property, .text, summary)) }
  }

  /// Lists a property that is given by name.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - summary: What it is, in a few words.
  ///   - flag: The flag; by default `--` and the property's name with hyphens.
  ///   - placeholder: The placeholder in help; by default that of the property's type. `FILE` is
  ///     completed with the names of files.
  /// - Returns: The spec with the property listed.
  public consuming func option<P: CommandProperty>(
    _ property: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, P> & Sendable,
    _ summary: String,
    flag: String? = nil,
    placeholder: String? = nil
  ) -> Self {
    listing {
      $0.append(
        CommandField(property, .option, summary, flag: flag, placeholder: placeholder)
      )
    }
  }

  /// Lists a name for the result, given as `as @name` in exactly the last two words.
  public consuming func alias(
    _ property:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, String?> & Sendable,
    _ summary: String
  ) -> Self {
    listing { $0.append(CommandField(property, .alias, summary)) }
  }

  /// Declares a property that only code sets, and no word or parameter.
  ///
  /// A property that is neither listed nor declared so is missing, which a debug build reports
  /// when the program starts.
  public consuming func unlisted(
    _ property: @autoclosure @escaping @Sendable () -> any PartialKeyPath<Root> & Sendable
  ) -> Self {
    var copy = self
    copy.unlisted.append { property() }
    return copy
  }

  /// Forbids both properties together.
  public consuming func exclusive(
    _ first: @autoclosure @escaping @Sendable () -> any PartialKeyPath<Root> & Sendable,
    _ second: @autoclosure @escaping @Sendable () -> any PartialKeyPath<Root> & Sendable
  ) -> Self {
    excluding { [first(), second()] }
  }

  /// Forbids any two of these properties together.
  public consuming func exclusive(
    _ first: @autoclosure @escaping @Sendable () -> any PartialKeyPath<Root> & Sendable,
    _ second: @autoclosure @escaping @Sendable () -> any PartialKeyPath<Root> & Sendable,
    _ third: @autoclosure @escaping @Sendable () -> any PartialKeyPath<Root> & Sendable
  ) -> Self {
    excluding { [first(), second(), third()] }
  }

  /// Forbids each of these pairs of options, by their names, together.
  package consuming func exclusive(named pairs: @escaping @Sendable () -> [[String]]) -> Self {
    var copy = self
    let others = copy.namedExclusions
    copy.namedExclusions = {
      var all = others()
      for pair in pairs() { all.append(pair) }
      return all
    }
    return copy
  }

  /// Sets a name of its JSON-RPC method in its group that differs from the verb: `history/list` for
  /// `history`.
  ///
  /// The name with the verb is answered as well, with a notice of its removal.
  public consuming func method(_ name: String) -> Self {
    var copy = self
    copy.methodName = name
    return copy
  }

  /// Requires at least one option.
  public consuming func needingOption() -> Self {
    var copy = self
    copy.needsOption = true
    return copy
  }

  /// Requires at least one option other than this one.
  public consuming func needingOption(
    excluding other: @autoclosure @escaping @Sendable () -> any PartialKeyPath<Root> & Sendable
  ) -> Self {
    var copy = needingOption()
    copy.exceptedOption = other
    return copy
  }

  /// Requires at least one option other than the one with a name of its own, unless words have said the same.
  package consuming func needingOption(
    excludingNamed name: String,
    unless isSaid: (@Sendable (Root) -> Bool)? = nil
  ) -> Self {
    var copy = needingOption()
    copy.exceptedName = name
    copy.isSaidByWords = isSaid
    return copy
  }

  /// Changes each request that was read from words, where what a person types means more than what a program
  /// sends: `list` alone shows what is open.
  ///
  /// It may throw what is wrong with the words as a whole; the place of the error is the last one.
  public consuming func typed(
    _ change: @escaping @Sendable (inout Root) throws(ValueError) -> Void
  ) -> Self {
    var copy = self
    guard let first = copy.typed else {
      copy.typed = change
      return copy
    }
    copy.typed = { request throws(ValueError) in
      try first(&request)
      try change(&request)
    }
    return copy
  }

  /// Lists a property of a generic request, whose key path would take the runtime as long as the rest of the spec.
  package consuming func listing<P: CommandProperty>(
    _ property: PropertyAccess<Root, P>,
    _ kind: Grammar.Kind,
    _ summary: String,
    flag: String? = nil
  ) -> Self {
    listing { fields in
      fields.append(
        CommandField(
          nil,
          of: property,
          kind,
          summary,
          flag: flag,
          P.self,
          takeWord: { value, word throws(ValueError) in try value.take(word: word) },
          takeJSON: { value, json, name throws(ValueError) in
            try value.take(json: json, named: name)
          }
        )
      )
    }
  }

  /// Lists fields that are not the request's own properties, such as those of its record.
  package consuming func listing(
    _ append: @escaping @Sendable (inout [CommandField<Root>]) -> Void
  ) -> Self {
    var copy = self
    copy.listings.append(append)
    return copy
  }

  /// The fields that it lists, in order.
  var fields: [CommandField<Root>] {
    var fields: [CommandField<Root>] = []
    for append in listings { append(&fields) }
    return fields
  }

  /// The flags of its options.
  public var flags: [String] { Array(grammar.options.keys) }

  /// The compiled table; built at the first use.
  @usableFromInline var table: CommandTable<Root> { compiled.table(for: self) }
  var grammar: Grammar { table.grammar }

  private consuming func excluding(
    _ properties: @escaping @Sendable () -> [any AnyKeyPath & Sendable]
  ) -> Self {
    var copy = self
    copy.exclusions.append(properties)
    return copy
  }
}

/// An entry of a spec: a property, or a part of one, and how it is given.
package struct CommandField<Root: Sendable>: Sendable {
  let keyPath: @Sendable () -> any AnyKeyPath & Sendable
  /// The name of the property, where it is known without its key path.
  let property: String?
  /// Its name, where it is not that of the property.
  let name: String?
  let kind: Grammar.Kind
  let summary: String
  let flag: String?
  let placeholder: String?
  let type: any CommandProperty.Type
  /// The shape of its values, where it is not that of the type.
  fileprivate(set) var shape: (@Sendable () -> ValueShape)?
  /// Whether words that look like an option behind one hyphen belong to it, where there is no such option.
  let takesHyphens: Bool
  /// Whether it stands for the needed word that is listed before it.
  private(set) var replacesPrevious = false
  fileprivate(set) var takeWord: WordSetter<Root>
  /// Takes the words of a text, where some of them mean more than that.
  private(set) var takeText: (@Sendable (inout Root, GivenText) throws(ValueError) -> Void)?
  let takeJSON: JSONSetter<Root>

  init<P: CommandProperty>(
    _ property: @escaping @Sendable () -> any WritableKeyPath<Root, P> & Sendable,
    _ kind: Grammar.Kind,
    _ summary: String,
    flag: String? = nil,
    placeholder: String? = nil
  ) {
    keyPath = { property() }
    self.property = nil
    name = nil
    self.kind = kind
    self.summary = summary
    self.flag = flag
    self.placeholder = placeholder
    type = P.self
    shape = nil
    takesHyphens = false
    takeWord = { root, word throws(ValueError) in try root[keyPath: property()].take(word: word) }
    takeJSON = { root, json, name throws(ValueError) in
      try root[keyPath: property()].take(json: json, named: name)
    }
  }

  /// Describes a part of a property that takes values by itself.
  ///
  /// - Parameters:
  ///   - name: Its name in JSON; nil for that of the property.
  ///   - property: The property.
  ///   - kind: How it is given.
  ///   - summary: What it is.
  ///   - flag: The flag; by default `--` and the name with hyphens.
  ///   - type: The type of its values.
  ///   - shape: The shape of its values; by default that of the type.
  ///   - takesHyphens: Whether words that look like an option behind one hyphen belong to it, `-home`, where there is
  ///     no such option.
  ///   - takeWord: Sets the part to the value of a word.
  ///   - takeJSON: Sets the part to the JSON value of the named member.
  package init<P: Sendable>(
    _ name: String?,
    of property: PropertyAccess<Root, P>,
    _ kind: Grammar.Kind,
    _ summary: String,
    flag: String? = nil,
    _ type: any CommandProperty.Type,
    shape: (@Sendable () -> ValueShape)? = nil,
    takesHyphens: Bool = false,
    takeWord: @escaping @Sendable (inout P, String) throws(ValueError) -> Void,
    takeJSON: @escaping @Sendable (inout P, JSON, String) throws(ValueError) -> Void
  ) {
    keyPath = { property.keyPath() }
    self.property = property.name
    self.name = name
    self.kind = kind
    self.summary = summary
    self.flag = flag
    placeholder = nil
    self.type = type
    self.shape = shape
    self.takesHyphens = takesHyphens
    self.takeWord = { root, word throws(ValueError) in
      try property.change(&root) { part throws(ValueError) in try takeWord(&part, word) }
    }
    self.takeJSON = { root, json, name throws(ValueError) in
      try property.change(&root) { part throws(ValueError) in try takeJSON(&part, json, name) }
    }
  }

  /// Returns the field whose words set more of the request than its property.
  package func takingWords(_ take: @escaping WordSetter<Root>) -> Self {
    var copy = self
    copy.takeWord = take
    return copy
  }

  /// Returns the field, given in place of the word listed before it, which is needed else.
  package func replacingPrevious() -> Self {
    var copy = self
    copy.replacesPrevious = true
    return copy
  }

  /// Returns the field of a text some of whose words set more of the request than its property.
  ///
  /// - Parameters:
  ///   - explanation: A few lines of help on these words.
  ///   - candidates: Requests what completes one.
  ///   - take: Sets what the words mean; the path of an error is the index of the word.
  /// - Returns: The field.
  package func takingText(
    explanation: @escaping @Sendable () -> [String],
    candidates: @escaping @Sendable (_ prefix: String) -> any CandidateRequest,
    _ take: @escaping @Sendable (inout Root, GivenText) throws(ValueError) -> Void
  ) -> Self {
    var copy = self
    copy.takeText = take
    copy.shape = { [shape, type] in
      var shape = shape?() ?? type.shape
      shape.placeholder = "WORD"
      shape.explanation = explanation()
      shape.candidates = candidates
      return shape
    }
    return copy
  }

  /// Whether both describe the same property.
  func isOfProperty(of other: CommandField) -> Bool {
    // A property is given by a word and an option, at most: else none of its key paths need be created.
    (kind != .option || other.kind != .option) && name == other.name
      && (name != nil || type == other.type) && keyPath() == other.keyPath()
  }
}

/// A property of a request, and how it is changed.
///
/// In generic code the runtime takes a million instructions to make a key path, so that what names the property and what
/// changes it are two: the former is needed for the checks of a declaration alone.
package struct PropertyAccess<Root: Sendable, P: Sendable>: Sendable {
  package typealias Change = (inout P) throws(ValueError) -> Void
  /// Its name; nil for that in the key path, which takes the runtime as long to find.
  package let name: String?
  package let keyPath: @Sendable () -> any WritableKeyPath<Root, P> & Sendable
  package let change: @Sendable (inout Root, Change) throws(ValueError) -> Void

  /// The property at a key path.
  package init(_ keyPath: @escaping @Sendable () -> any WritableKeyPath<Root, P> & Sendable) {
    (name, self.keyPath) = (nil, keyPath)
    change = { root, body throws(ValueError) in try body(&root[keyPath: keyPath()]) }
  }

  /// The property at a key path, which is named and changed without it.
  package init(
    _ name: String,
    _ keyPath: @autoclosure @escaping @Sendable () -> any WritableKeyPath<Root, P> & Sendable,
    change: @escaping @Sendable (inout Root, Change) throws(ValueError) -> Void
  ) {
    (self.name, self.keyPath, self.change) = (name, keyPath, change)
  }
}

/// Changes a request that was read from words.
@usableFromInline
typealias TypedChange<Root> = @Sendable (inout Root) throws(ValueError) -> Void
/// Sets a property of a request to the value of a word.
@usableFromInline
package typealias WordSetter<Root> = @Sendable (inout Root, String) throws(ValueError) -> Void
/// Sets a property of a request to the JSON value of the named member.
typealias JSONSetter<Root> = @Sendable (inout Root, JSON, String) throws(ValueError) -> Void

/// The table of a spec, created when it is first needed.
///
/// It is not generic: a process that only needs a command's name does not create the types.
private final class Compiled: Sendable {
  private let built = Locked<(any AnyObject & Sendable)?>(nil)

  func table<Root>(for spec: CommandSpec<Root>) -> CommandTable<Root> {
    // Only copies of one spec share this object, and they have the same type.
    if let table = built.withLock({ $0 }) {
      return unsafeDowncast(table, to: CommandTable<Root>.self)
    }
    let table = CommandTable(spec)
    built.withLock { $0 = table }
    return table
  }
}
