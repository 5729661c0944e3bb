public import EventCommands
public import EventMVVM
public import EventRecords

/// Shows records whose commands follow from their declaration, with all their fields.
public struct RequestShow<R: CommandRecord>: RecordShow, Codable {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestNote`.
  public static var name: String { "Request\(R.typeName)" }

  /// The records.
  public var id = Target<R>()

  /// Creates the request.
  public init() {}

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  /// Its name and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec("show", "Shows \(R.several), with all their fields.") { $0.records(\.id) }
  }

  /// Returns the records.
  public func result(_ records: [Kept<R>], _ turn: borrowing Turn) -> RecordGroup<R> {
    RecordGroup(records.map { RecordView($0, turn) }, isList: id.isList)
  }
}
