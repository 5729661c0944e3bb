public import EventCommands
public import EventMVVM
public import EventRecords

/// A command that answers itself in one transaction: it reads and writes records of any kinds, and all of it takes
/// effect or nothing.
///
/// ```swift
/// struct RequestReserve: TransactionCommand, Codable {
///   typealias Reply = ResponseView<RecordGroup<Copy>>
///   var copy = Reference<Copy>()
///   var `for` = Reference<Member>()
///   static let command = CommandSpec<Self>("reserve", "Reserves a copy, for one member at a time.")
///     .word(\.copy, "Which copy")
///     .option(\.for, "For which member")
///
///   func run(in store: inout RecordTransaction) throws -> RecordGroup<Copy> {
///     let copy = try store.record(copy, field: "copy")
///     let member = try store.record(`for`, field: "for")
///     if let other = copy.value.reservedFor, other != Reference(member) {
///       throw Failure(
///         .conflict,
///         "\(copy.value.mark) is reserved for \(other.title ?? "another member") already.",
///         field: "copy"
///       )
///     }
///     return RecordGroup([try store.change(copy) { $0.reservedFor = Reference(member) }], store)
///   }
/// ```
///
/// See ``EventMVVM/EventStream/transaction(_:_:)`` for what holds of the body.
public protocol TransactionCommand: Command where Reply: Decodable, Reply.Problem == Failure {
  /// Carries the command out, and returns what the reply carries; a throw is the failure of the reply, and nothing is
  /// changed.
  func run(in store: inout RecordTransaction) throws -> Reply.Value
}

extension TransactionCommand {
  /// Answers the command on a stream, once.
  public static func answer(on stream: EventStream) {
    guard AnsweredCommands.of(stream).insert(Self.self) else { return }
    stream.transaction(Self.self) { request, store in try request.run(in: &store) }
  }
}

/// A command that answers itself by reading records of any kinds, all in one snapshot.
///
/// ```swift
/// struct RequestOverdue: ReadingCommand, Codable {
///   typealias Reply = ResponseView<ListedRecords<Loan>>
///   static let command = CommandSpec<Self>("overdue", "Lists what is to be back by now.")
///
///   func run(in store: borrowing RecordTransaction) throws -> ListedRecords<Loan> {
///     let today = CivilTime.day(store.now.day)
///     let overdue = Query<Loan>().where(.all(.isNil(\.returned), .less(\.due, than: today)))
/// ```
///
/// See ``EventMVVM/EventStream/reading(_:_:)`` for what holds of the body.
public protocol ReadingCommand: Command where Reply: Decodable, Reply.Problem == Failure {
  /// Returns what the reply carries; a throw is the failure of the reply.
  func run(in store: borrowing RecordTransaction) throws -> Reply.Value
}

extension ReadingCommand {
  /// It only reads.
  public static var writes: Bool { false }

  /// Answers the command on a stream, once.
  public static func answer(on stream: EventStream) {
    guard AnsweredCommands.of(stream).insert(Self.self) else { return }
    stream.reading(Self.self) { request, store in try request.run(in: store) }
  }
}
