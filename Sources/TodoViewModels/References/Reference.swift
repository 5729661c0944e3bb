package import EventCommands
import EventMVVM
package import JSONText
package import EventRecords

/// How a command refers to a todo: as the store knows it, or as this session does.
package enum Reference: Sendable, Hashable, Codable {
  /// By number or UUID.
  case todo(RecordReference)
  /// What this session added or changed last: `@last`.
  case last
  /// What this session gave a name: `@name`.
  case named(String)

  /// The reference as a person writes it.
  package var text: String {
    switch self {
    case .todo(let reference): reference.text
    case .last: "@last"
    case .named(let name): "@\(name)"
    }
  }
}

extension Reference: CommandValue {
  package static var shape: ValueShape {
    ValueShape(
      "REF",
      explanation: [
        "A todo: its number, 42 or #42; its UUID, or the first four characters of it or more;",
        "@last, which was added or changed last; or @name, if 'add … as @name' gave it that name.",
        "The latter two are known within one script or conversation.",
      ],
      schema: ["anyOf": [["type": "integer"], ["type": "string"]]],
      candidates: { RequestSubjectCandidates(prefix: $0) }
    )
  }

  /// Reads `42`, `#42`, a UUID or its beginning, `@last` or `@name`.
  package init(word: String) throws(ValueError) {
    if word.utf8.first == UInt8(ascii: "@") {
      self = try Self.session(String(Substring(word.utf8.dropFirst())))
      return
    }
    guard let reference = try RecordReference(reading: word) else {
      throw ValueError("'\(word.quotable)' is no todo; write its number, its UUID, @last or @name")
    }
    self = .todo(reference)
  }

  package init(json: JSON) throws(ValueError) {
    switch json {
    case .integer(let number): self = .todo(.number(Int(number)))
    case .string(let text): try self.init(word: text)
    default: throw ValueError("expected a number or a string, found \(json.kind)")
    }
  }

  /// Reads what follows an `@`.
  private static func session(_ name: String) throws(ValueError) -> Reference {
    guard !name.isEmpty else { throw ValueError("'@' is followed by a name") }
    guard name.utf8.count <= Rules.longestName else {
      throw ValueError("'@\(name.quotable)' is no name: names have at most 256 bytes")
    }
    return name.isIdentical(to: "last") ? .last : .named(name)
  }
}

/// The todos that a command is about: one or several, each once.
///
/// In JSON `id` is one of them and gives one todo back; `ids` is an array and gives an array.
package struct References: Sendable, Equatable, Codable {
  /// What help says of a property of this type.
  static let summary = "Its number, UUID, @last or @name"
  /// What help says of the revision that goes with it.
  static let revisionSummary = "The revision that you saw"

  /// The references, as given.
  package var list: [Reference] = []
  /// Whether the result is an array in any case.
  package var isList = false

  /// No references yet.
  package init() {}

  /// Refers to one todo.
  package init(_ reference: Reference) {
    list = [reference]
  }

  /// Reads the reference of a command that knows no domain.
  init(subject: String) throws(Failure) {
    do {
      list = [try Reference(word: subject)]
    } catch {
      throw Failure(.usage, error.message, field: "id")
    }
  }

  /// Refers to what a view shows.
  package init(_ viewModel: TodoViewModel) {
    list = [.todo(RecordReference(viewModel.uuid))]
  }
}

extension References: CommandProperty {
  package static var arity: ValueArity { .some }
  package static var shape: ValueShape { Reference.shape }

  package mutating func take(word: String) throws(ValueError) {
    list.append(try Reference(word: word))
    isList = list.count > 1
  }

  package mutating func take(json: JSON) throws(ValueError) {
    list = [try Reference(json: json)]
  }

  package static func jsonNames(for name: String) -> [String] { [name, name + "s"] }

  package mutating func take(json: JSON, named name: String) throws(ValueError) {
    guard name.hasSuffix("s") else { return try take(json: json) }
    var references: [Reference] = []
    try references.take(json: json)
    guard !references.isEmpty else { throw ValueError("expected at least one todo") }
    list = references
    isList = true
  }
}
