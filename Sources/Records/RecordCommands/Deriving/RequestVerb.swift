public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// Changes records by a word of the domain's own; see `RecordCommands.verb`.
///
/// Each verb is a type, as each request on the stream is: `Place` is its place among the verbs of the record.
public struct RequestVerb<R: CommandRecord, Place: VerbPlace>: RecordEdit, DerivedChange, Codable {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  private static var verb: RecordVerb<R> { R.commands.verbs[Place.index] }
  /// The name of the request: `RequestDoneNote`.
  public static var name: String {
    "Request\(verb.name.prefix(1).uppercased() + verb.name.dropFirst())\(R.typeName)"
  }
  /// The records that it is for.
  public static var offered: Condition<R>? { .both(R.commands.present, verb.offered) }

  /// The records.
  public var id = Target<R>()

  /// Creates the request.
  public init() {}

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(verb.name, verb.summary) { $0.records(\.id).revision(of: \.id) }
  }

  /// Changes a record.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) throws {
    try R.commands.checkPresent(record)
    try Self.verb.change(&record, turn)
  }

  static var confirmation: String { verb.confirmation }
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
