import EventCommands
import EventMVVM
public import EventValues
public import JSONText
public import EventRecords

/// How a command refers to a todo: by an identifier of the store, or by a name of this session.
public enum Reference: Sendable, Hashable, Codable {
  /// By number or UUID.
  case todo(RecordReference)
  /// The todo that this session added or changed last: `@last`.
  case last
  /// The todo that this session named: `@name`.
  case named(String)

  /// How many todos it can refer to.
  var mostTodos: Int { if case .todo(let reference) = self { reference.mostRecords } else { 1 } }

  /// The reference to a record.
  var record: RecordReference {
    switch self {
    case .todo(let reference): reference
    case .last: .last
    case .named(let name): .named(name)
    }
  }

  /// The reference as a person writes it.
  public var text: String { record.text }
}

extension Reference: CommandValue {
  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape(
      "NUMBER",
      explanation: [
        "A todo: its number, 42 or #42, or several, 1,4 or 1-3; or what 'show' ends with, at least four characters;",
        "@last, which was added or changed last; or @name, if 'add … as @name' gave it that name.",
        "The latter two are known within one script or conversation.",
      ],
      schema: ["anyOf": [["type": "integer"], ["type": "string"]]],
      candidates: { RequestSubjectCandidates(prefix: $0) }
    )
  }

  /// Reads `42`, `#42`, a UUID or its beginning, `@last` or `@name`.
  public init(word: String) throws(ValueError) {
    switch try RecordReference(reading: word) {
    case .last?: self = .last
    case .named(let name)?: self = .named(name)
    case let reference?: self = .todo(reference)
    case nil:
      throw ValueError("'\(word.quotable)' is no todo; write its number, as 'list' shows it")
    }
  }

  /// Reads it from JSON.
  public init(json: JSON) throws(ValueError) {
    switch json {
    case .string(let text): try self.init(word: text)
    default:
      guard let number = json.wholeNumber else {
        throw ValueError("expected a whole number or a string, found \(json.found)")
      }
      self = .todo(.number(Int(number)))
    }
  }
}

/// The todos that a command is about: one or several, each once.
///
/// In JSON `id` is one of them and returns one todo; `ids` is an array and returns an array.
public struct References: Sendable, Equatable, Codable {
  /// The help of a property of this type.
  static let summary = "Its number, UUID, @last or @name"
  /// The help of the revision that goes with it.
  static let revisionSummary = "The revision that you saw"

  /// The references, in the order given.
  public var list: [Reference] = []
  /// Whether the result is an array in any case.
  public var isList = false

  /// No references yet.
  public init() {}

  /// Refers to one todo.
  public init(_ reference: Reference) {
    list = [reference]
  }

  /// Refers to the todo that a view shows.
  public init(_ viewModel: TodoViewModel) {
    list = [.todo(RecordReference(viewModel.uuid))]
  }
}

extension References: CommandProperty {
  /// Any number of words.
  public static var arity: ValueArity { .some }
  /// The shape of its values.
  public static var shape: ValueShape { Reference.shape }

  /// Adds the references in a word, which are between commas if it has several; `1-3` are those from
  /// 1 to 3 that exist.
  public mutating func take(word: String) throws(ValueError) {
    let words = word.betweenCommas
    for word in words {
      if let range = try RecordReference.range(word) {
        list.append(.todo(range))
        isList = true
      } else {
        list.append(try Reference(word: word))
      }
    }
    if list.count > 1 { isList = true }
  }

  /// Adds the reference in a JSON value.
  public mutating func take(json: JSON) throws(ValueError) {
    list = [try Reference(json: json)]
  }

  /// Returns the names of the members for one reference and for several.
  public static func jsonNames(for name: String) -> [String] { [name, name + "s"] }

  /// Adds the references in a member's value, by its name.
  public mutating func take(json: JSON, named name: String) throws(ValueError) {
    guard name.hasSuffix("s") else { return try take(json: json) }
    var references: [Reference] = []
    try references.take(json: json)
    guard !references.isEmpty else { throw ValueError("expected at least one todo") }
    list = references
    isList = true
  }
}
