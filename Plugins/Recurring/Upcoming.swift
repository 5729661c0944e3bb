public import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
public import RecordCommands

/// Lists what is to come in a time, by its dates: what comes again stands there for each of them.
///
/// What is some time after it is done is shown as if each one were done on its day.
public struct RequestUpcoming<R: CommandRecord>: RecordList, Codable {
  /// The kind of its records.
  public typealias Kind = R
  /// The list.
  public typealias View = UpcomingRecords<R>
  /// The name of the request: `RequestUpcomingChore`.
  public static var name: String { "RequestUpcoming\(R.typeName)" }
  /// The name of the command.
  public static var verb: String { "upcoming" + R.commands.suffix }

  /// How far it looks ahead; 30 days unless given.
  public var within: TimeSpan?
  /// All of it, as its order is known at its end alone.
  public var extent = ListExtent<R>.all

  /// Creates a request for the next 30 days.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    CommandSpec<Self>(
      verb,
      "Lists what is to come in the next 30 days, or in another time, with what comes again."
    )
    .word(\.within, "How far to look ahead, such as 2w")
    .unlisted(\.extent)
    .topic(.rare)
  }

  /// The whole list: it has no parts.
  public func inParts(of count: Int) -> Self { self }

  /// Returns the query for what is open and has a date, or comes again.
  public func query(_ turn: borrowing Turn) throws -> Query<R> {
    guard let series = try? Series<R>() else { return Query().where(.any()) }
    return Query().where(series.canCome(before: try end(turn)))
  }

  /// The day after the last one.
  private func end(_ turn: borrowing Turn) throws(Failure) -> CivilDay {
    let span = within ?? TimeSpan(days: 30)
    let today = CivilTime.minute(turn.clock.now)
    guard let last = today.adding(span)?.day, last >= turn.clock.now.day else {
      throw Failure(
        .validation,
        "'\(span.text)' is no time ahead of today; write for example 2w.",
        field: "within"
      )
    }
    return last.adding(days: 1) ?? last
  }

  /// Returns the records, each with each of its dates.
  public func result(_ records: [Kept<R>], _ turn: borrowing Turn) throws -> UpcomingRecords<R> {
    let series = try? Series<R>()
    let (end, now) = (try end(turn), turn.clock.now)
    var found: [(time: CivilTime, record: Kept<R>)] = []
    for record in records {
      for (time, value) in series?.dates(of: record.value, before: end, now) ?? [] {
        found.append((time, Kept(record.number, value, revision: record.revision)))
      }
    }
    found.sort {
      $0.time.text != $1.time.text
        ? $0.time.text < $1.time.text : $0.record.number < $1.record.number
    }
    var views: [RecordView<R>] = []
    for one in found { views.append(RecordView(one.record, turn)) }
    return UpcomingRecords(records: views, isList: true)
  }
}

/// Records as they are on each of their dates to come, a line each; an array in JSON.
public struct UpcomingRecords<R: CommandRecord>: RecordResult {
  /// The kind of its records.
  public typealias Kind = R
  /// The name of its response: `ResponseUpcomingChore`.
  public static var responseName: String? { "ResponseUpcoming\(R.typeName)" }
  /// The records, by their dates.
  public let records: [RecordView<R>]
  /// Whether several were meant, as for any list.
  public let isList: Bool

  /// Creates a list.
  public init(records: [RecordView<R>], isList: Bool) {
    (self.records, self.isList) = (records, isList)
  }

  /// Writes a line for each.
  public func show(on page: inout Page) {
    for record in records { record.show(on: &page) }
  }
}
