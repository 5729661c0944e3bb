public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// Changes records by a word of the domain's own; see `RecordCommands.verb`.
///
/// Each verb is a type, as each request on the stream is; a type that the declaration gives names it.
///
/// ```swift
/// let done = RequestVerb<Chore, Done>(Target(.number(1)))
/// ```
public struct RequestVerb<R: CommandRecord, Name: VerbName>: DerivedEdit {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  private static var declared: RecordVerb<R> { R.commands.verb(named: Name.self) }
  /// The name of the request: `RequestDoneNote`.
  public static var name: String {
    form.name ?? "Request\(declared.name.capitalized)\(R.typeName)"
  }
  static var form: RecordedForm { declared.form }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: declared) }
  /// The records that it is for.
  public static var offered: Condition<R>? { .both(R.commands.present, declared.offered()) }

  /// The records.
  public var id = Target<R>()

  /// Creates the request.
  public init() {}

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  /// Refuses a deleted record.
  public static func check(_ record: Kept<R>) throws { try R.commands.checkPresent(record) }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(verb, declared.summary) { spec in
      var spec = spec.filtered(at: target) { offered }.revision(at: target)
      if let topic = declared.topic { spec = spec.topic(topic) }
      for example in declared.examples { spec = spec.example(example) }
      return spec
    }
  }

  /// Changes a record.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) throws {
    try Self.declared.change(&record, seen, turn)
  }

  static func confirmation(of record: R) -> String { declared.confirmation(record) }
}

/// What names a verb in the type of its request.
///
/// ```swift
/// private enum Done: VerbName {}
/// ```
public protocol VerbName: Sendable {}

/// The name of a first verb that has no other.
enum FirstVerb: VerbName {}

/// The name of a verb after another one.
enum NextVerb<Before: VerbName>: VerbName {}

extension Condition {
  /// Both conditions; nil for any record.
  static func both(_ first: Self?, _ second: Self?) -> Self? {
    guard let first, let second else { return first ?? second }
    return .all(first, second)
  }
}
