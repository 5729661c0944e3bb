import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// A command that shows the records that it refers to; a missing one is a failure.
///
/// ```swift
/// private struct RequestShowLeaves: RecordShow {
///   typealias Reply = ResponseView<LeavesView>
///   var id = Target<Leaf>()
///   static let command = CommandSpec<Self>("show", "Shows leaves.").records(\.id)
/// ```
public protocol RecordShow: RecordCommand {
  // Declared here as well, so that it follows from the requirements below.
  /// The kind of its records.
  associatedtype Kind
  /// The records.
  var id: Target<Kind> { get }
  /// Returns when the records were as they are shown; nil, the default, for now.
  func moment(_ turn: borrowing Turn) throws -> PastMoment?
  /// Returns the result, for the records in the order of the references.
  func result(_ records: [Kept<Kind>], _ turn: borrowing Turn) throws -> Reply.Value
}

extension RecordShow {
  /// It only reads.
  public static var writes: Bool { false }
  /// Nil: now.
  public func moment(_ turn: borrowing Turn) throws -> PastMoment? { nil }
  /// The records, at most three.
  public var subject: String? { id.subject }

  /// Answers the command on a stream.
  public static func answer(on stream: EventStream) {
    answer(on: stream) { request, turn in
      let references = try turn.resolve(request.id.references, of: Kind.self)
      let records = RequestRecords<Kind>(references).asOf(try request.moment(turn))
      turn.request(records) { result, turn in
        request.attempt(turn) { turn in
          let records = try result.get().result.get()
          turn.send(Reply(.success(try request.result(records, turn))))
        }
      }
    }
  }
}
