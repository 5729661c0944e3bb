public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// Changes records by a word of the domain's own; see `RecordCommands.verb`.
///
/// Each verb is a type, as each request on the stream is: `Place` is its place among the verbs of the record.
public struct RequestVerb<R: CommandRecord, Place: VerbPlace>: RecordEdit, DerivedChange,
  DerivedRequest
{
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  private static var declared: RecordVerb<R> { R.commands.verbs[Place.index] }
  /// The name of the request: `RequestDoneNote`.
  public static var name: String {
    form.name ?? "Request\(declared.name.capitalized)\(R.typeName)"
  }
  static var form: RecordedForm { declared.form }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: declared) }
  /// The records that it is for.
  public static var offered: Condition<R>? { .both(R.commands.present, declared.offered) }

  /// The records.
  public var id = Target<R>()

  /// Creates the request.
  public init() {}

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  /// Refuses a deleted record.
  public static func check(_ record: Kept<R>) throws { try R.commands.checkPresent(record) }

  private static var target: PropertyAccess<Self, Target<R>> {
    PropertyAccess("id", \.id) { request, body throws(ValueError) in try body(&request.id) }
  }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(declared.name, declared.summary) { spec in
      var spec = spec.records(at: target) { offered }.revision(at: target)
      if let topic = declared.topic { spec = spec.topic(topic) }
      for example in declared.examples { spec = spec.example(example) }
      return spec
    }
  }

  /// Changes a record.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) throws {
    try Self.declared.change(&record, turn)
  }

  static func confirmation(of record: R) -> String { declared.confirmation(record) }
}

/// The place of a verb among those of its record.
public protocol VerbPlace: Sendable {
  /// The number of verbs before it.
  static var index: Int { get }
}

/// The place of the first verb.
public enum FirstVerb: VerbPlace {
  /// Zero.
  public static var index: Int { 0 }
}

/// The place after another one.
public enum NextVerb<Before: VerbPlace>: VerbPlace {
  /// One more than that of the place before.
  public static var index: Int { Before.index + 1 }
}

extension Condition {
  /// Both conditions; nil for any record.
  static func both(_ first: Self?, _ second: Self?) -> Self? {
    guard let first, let second else { return first ?? second }
    return .all(first, second)
  }
}
