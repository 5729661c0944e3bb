public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues
public import JSONText

/// Lists the names that the records of a kind have in a set, or the texts in an indexed field, each with how many records
/// lists show, and how many they leave out: `tags`, `projects`.
///
/// It follows from the declaration, a command for each such field, by the name of the field; unless the domain has a
/// verb of that name.
public struct RequestNames<R: CommandRecord, Name: VerbName>: RecordCommand, DerivedRequest {
  /// The kind of the records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordNames<R>>
  /// The name of the request: `RequestNoteTags`.
  public static var name: String {
    form.name ?? "Request\(R.typeName)\(listed.verb.capitalized)"
  }
  static var form: RecordedForm { RecordedForm() }
  /// The name of the command.
  public static var verb: String { listed.verb + R.commands.suffix }
  /// It only reads.
  public static var writes: Bool { false }

  private static var listed: ListedNames { R.commands.names(as: Name.self) }

  /// Creates the request.
  public init() {}

  /// Its name and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(
      verb,
      "Lists the \(listed.verb.inWords) of \(R.several), with how many have each."
    ) {
      $0.topic(.rare)
    }
  }

  /// Answers the command on a stream.
  public static func answer(on stream: EventStream) {
    answer(on: stream) { _, turn in
      let present = R.commands.present ?? .all()
      let hidden = R.commands.hidden?()
      let shown = hidden.map { Condition.all(present, .not($0)) } ?? present
      let others = hidden.map { Condition.all(present, $0) } ?? .any()
      let request = RequestRecordGroups<R>("\(listed.field.name)", counting: [shown, others])
      turn.request(request) { result, turn in
        let groups = result.mapError { Failure($0) }.flatMap { $0.result }
        turn.send(Reply(groups.map { RecordNames($0.filter { $0.counts.contains { $0 > 0 } }) }))
      }
    }
  }
}

/// Names, and how many records have each.
public struct RecordNames<R: CommandRecord>: CommandResult {
  /// The name of its response: `ResponseNoteNames`.
  public static var responseName: String? { "Response\(R.typeName)Names" }
  /// The names; nil stands for the records without one.
  ///
  /// The first number is that of the records which lists show, the second of those which they leave out.
  public let names: [RecordGroupCount]

  init(_ names: [RecordGroupCount]) { self.names = names }

  /// Writes a line for each name: `acme  3 open, 2 done`.
  public func show(on page: inout Page) {
    // The words for both are those of the conditions that say the same.
    let hidden = R.commands.hidden?().stored
    let conditions = R.commands.conditions
    func word(_ meaning: RecordCondition?, _ other: String) -> String {
      let named = conditions.first { $0.fixed?().stored == meaning }
      return named.map { $0.name.inWords } ?? other
    }
    let (open, done) = (word(hidden?.negated, "listed"), word(hidden, "left out"))
    var width = 0
    for name in names { width = max(width, DisplayWidth.of(name.text ?? "none")) }
    for name in names {
      let text = name.text ?? "none"
      page.write(user: text)
      page.write(String(repeating: " ", count: width - DisplayWidth.of(text) + 2))
      page.write(
        hidden == nil ? "\(name.counts[0])" : "\(name.counts[0]) \(open), \(name.counts[1]) \(done)"
      )
      page.endLine()
    }
  }

  /// Writes an array of objects: `[{"name":"acme","open":3,"done":2}]`; the name is null for records without one.
  public func write(to json: inout JSONWriter) {
    json.array { json in
      for name in names {
        json.object { json in
          json.member("name", name.text)
          json.member("open", name.counts[0])
          json.member("done", name.counts[1])
        }
      }
    }
  }
}

/// A field whose names a command lists.
struct ListedNames: Sendable {
  let field: Field
  /// What names the command in the type of its request.
  let name: any VerbName.Type
  /// The name of the command: `tags`, `projects`.
  let verb: String
}

extension RecordCommands {
  /// The fields whose names are listed: sets, and indexed texts that are not searched.
  private var listedNames: [ListedNames] {
    specs.names {
      var (listed, name): ([ListedNames], any VerbName.Type) = ([], FirstVerb.self)
      for field in R._table.fields where field.hasSummary {
        let isSet = field.traits.contains(.set)
        guard isSet || field.isText && field.hasNames else { continue }
        let verb = "\(field.name)".inWords.hyphenated + (isSet ? "" : "s")
        guard !has(verb: verb) else { continue }
        listed.append(ListedNames(field: field, name: name, verb: verb))
        name = Self.name(after: name)
      }
      return listed
    }
  }

  private func has(verb name: String) -> Bool {
    // Not by `contains`: generic code would search the conformances for it.
    for index in verbs.indices where verbs[index].name.isIdentical(to: name) { return true }
    return false
  }

  /// The types of the commands that list names.
  var namesTypes: [any Command.Type] {
    func type<Name: VerbName>(_ name: Name.Type) -> any Command.Type { RequestNames<R, Name>.self }
    var types: [any Command.Type] = []
    for listed in listedNames { types.append(type(listed.name)) }
    return types
  }

  /// The field whose names a command lists.
  func names(as name: any VerbName.Type) -> ListedNames {
    for listed in listedNames where listed.name == name { return listed }
    preconditionFailure("'\(R.kind)' has no names as \(name)")
  }
}

extension Field {
  /// Whether its texts are names that several records have.
  fileprivate var hasNames: Bool {
    traits.contains(.indexed) && traits.isDisjoint(with: [.searched, .hidden])
      && !traits.contains(.unique)
  }
}
