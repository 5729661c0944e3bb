public import EventCommands
import EventMVVM
import EventRecords
import EventValues

// The types of the commands, and what they are made of.

extension RecordCommands {
  /// The commands, in the order of help.
  public var types: [any Command.Type] {
    var types: [any Command.Type] = []
    for command in Derived.alone {
      if command == .delete {
        for verb in verbs { types.append(request(of: verb.type)) }
      }
      if let type = type(of: command) { types.append(type) }
    }
    types += others
    if replaced[.names] == nil { types += namesTypes }
    return types
  }

  func type(of command: Derived) -> (any Command.Type)? {
    if let other = replaced[command] { return other }
    return switch command {
    case .add: RequestAdd<R>.self
    case .list: RequestList<R>.self
    case .show: RequestShow<R>.self
    case .edit: RequestEdit<R>.self
    case .delete: RequestDelete<R>.self
    case .restore: deletion == nil ? nil : RequestRestore<R>.self
    case .count: RequestCount<R>.self
    default: nil
    }
  }

  private func request<Name: VerbName>(of name: Name.Type) -> any Command.Type {
    RequestVerb<R, Name>.self
  }

  /// A name of the next verb that has none.
  var nextVerb: any VerbName.Type {
    verbs.last.map { Self.name(after: $0.type) } ?? FirstVerb.self
  }

  /// The name behind another one.
  static func name<Name: VerbName>(after name: Name.Type) -> any VerbName.Type {
    NextVerb<Name>.self
  }

  /// Returns the verb with a name.
  func verb(named name: any VerbName.Type) -> RecordVerb<R> {
    for verb in verbs where verb.type == name { return verb }
    preconditionFailure("'\(R.kind)' declares no verb as \(name)")
  }

  /// Returns the spec of a command, which is made once.
  func spec<C>(
    _ name: String,
    _ summary: String,
    _ list: (CommandSpec<C>) -> CommandSpec<C>
  ) -> CommandSpec<C> {
    specs.spec { list(CommandSpec<C>(name, summary)) }
  }

  /// Returns the spec of a command that follows from the declaration, which is made once.
  func spec<C: Command>(
    of command: Derived,
    _ summary: String,
    _ list: (CommandSpec<C>) -> CommandSpec<C>
  ) -> CommandSpec<C> {
    specs.spec {
      var spec = list(CommandSpec<C>(C.verb, summaries[command] ?? summary))
      for example in examples[command] ?? [] { spec = spec.example(example) }
      return spec
    }
  }

  /// Returns the name of an event, given the one that follows from the record.
  func name(_ name: String) -> String { names[name] ?? name }

  /// Returns the name and the version of a request in recordings.
  func form(of command: Derived) -> RecordedForm { forms[command] ?? RecordedForm() }

  /// Returns the name of a command that there is; nil for none.
  func verb(of command: Derived) -> String? { type(of: command)?.verb }

  /// Returns the name of a command that follows from the declaration.
  func name(of command: Derived) -> String { command.rawValue + suffix }

  /// Returns the name of the command of a verb.
  func name(of verb: RecordVerb<R>) -> String { verb.isWhole ? verb.name : verb.name + suffix }

  /// What is left out by the time; nothing by the rules of before there was that.
  func hiddenByTime(_ turn: borrowing Turn) -> [RecordCondition] {
    guard let hiddenNow, turn.stream.environment.rules > 0 else { return [] }
    var conditions: [RecordCondition] = []
    for condition in hiddenNow(turn) { conditions.append(condition.stored) }
    return conditions
  }

  /// A sentence for each name of a verb or of a condition that is there twice.
  var clashes: [String] {
    // By number: key paths in generic code take the runtime as long as all the rest of the declaration.
    var sentences: [String] = []
    func note(_ what: String, _ name: String) {
      sentences.append(
        "'\(R.kind)' has \(what) '\(name)' twice: two plugins bring it, or a plugin and the domain."
      )
    }
    for index in 0..<verbs.count {
      for other in 0..<index where verbs[other].name == verbs[index].name {
        note("the verb", verbs[index].name)
      }
    }
    for index in 0..<conditions.count {
      let name = conditions[index].name
      for other in 0..<index where conditions[other].name == name { note("the condition", name) }
      guard let field = R._table.index(of: name), R._table.fields[field].hasSummary else {
        continue
      }
      sentences.append(
        "'\(R.kind)' has a field '\(name)' that people give, and a condition of that name: rename the field."
      )
    }
    return sentences
  }

  /// The mark of deleted records; nil where deletion removes.
  var deletion: Deletion<R>? { Deletion() }
  /// What is not deleted; nil where deletion removes.
  var present: Condition<R>? { deletion?.present }

  /// Whether a record is marked as deleted.
  func isDeleted(_ record: R) -> Bool { record.isMarkedDeleted }

  /// Throws if a record is marked as deleted.
  func checkPresent(_ record: Kept<R>) throws(Failure) {
    guard isDeleted(record.value) else { return }
    let number = record.number
    let advice = verb(of: .restore).map { "; '\($0) \(number)' brings it back." } ?? "."
    throw Failure(
      .notFound,
      "#\(number) is deleted" + advice,
      field: "id",
      id: number
    )
  }
}

/// The specs of derived commands, by their types.
final class DerivedSpecs: Sendable {
  private let specs = Locked<[ObjectIdentifier: any Sendable]>([:])
  private let listed = Locked<[ListedNames]?>(nil)

  func names(_ find: () -> [ListedNames]) -> [ListedNames] {
    if let known = listed.withLock({ $0 }) { return known }
    let found = find()
    listed.withLock { $0 = found }
    return found
  }

  func spec<C>(_ make: () -> CommandSpec<C>) -> CommandSpec<C> {
    let type = ObjectIdentifier(C.self)
    if let spec = specs.withLock({ $0[type] }) as? CommandSpec<C> { return spec }
    let spec = make()
    specs.withLock { $0[type] = spec }
    return spec
  }
}
