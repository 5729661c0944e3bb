public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// Shows records whose commands follow from their declaration, with all their fields.
public struct RequestShow<R: CommandRecord>: RecordShow, DerivedRequest, PastAsking {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordDetails<R>>
  /// The name of the request: `RequestNote`.
  public static var name: String { form.name ?? "Request\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .show) }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: .show) }

  /// The records.
  public var id = Target<R>()
  /// When the records were as they are shown; nil for now.
  public var asOf: AsOf?

  /// Creates the request.
  public init() {}

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  private static var target: PropertyAccess<Self, Target<R>> {
    PropertyAccess("id", \.id) { request, body throws(ValueError) in try body(&request.id) }
  }

  /// Its name and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .show, "Shows \(R.several), with all their fields.") {
      $0.records(at: target) { nil }.past()
    }
  }

  /// Returns when the records were as they are shown.
  public func moment(_ turn: borrowing Turn) throws -> PastMoment? { try asOf?.moment(turn) }

  /// Returns the records.
  public func result(_ records: [Kept<R>], _ turn: borrowing Turn) -> RecordDetails<R> {
    var details = RecordDetails(records.map { RecordDetail($0, turn) }, isList: id.isList)
    details.isPast = asOf != nil
    return details
  }

  /// Writes all fields of each record; at a terminal, of when they are.
  public func show(_ details: RecordDetails<R>, on page: inout Page) {
    asOf?.show(on: &page)
    details.show(on: &page)
  }
}
