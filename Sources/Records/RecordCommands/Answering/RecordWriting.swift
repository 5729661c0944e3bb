import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// A command that is answered by writing records, without reading any: all of the writes, or none.
///
/// The result of a single move has the moved record alone. One that adds several sets `isList`.
///
/// ```swift
/// func writes(_ turn: borrowing Turn) -> [RecordWrite<Leaf>] {
///   [.move(id, side, of: other, in: \.place)]
/// }
/// ```
public protocol RecordWriting: RecordChanging {
  // Declared here as well, so that it follows from the requirements below.
  /// The kind of its records.
  associatedtype Kind
  /// Returns the writes; a throw becomes the failure of the reply.
  func writes(_ turn: borrowing Turn) throws -> [RecordWrite<Kind>]
  /// The session's name for the last written record from now on; nil for none.
  var alias: String? { get }
}

extension RecordWriting {
  /// No name.
  public var alias: String? { nil }

  /// Answers the command on a stream.
  public static func answer(on stream: EventStream) { answerWrites(on: stream) }

  static func answerWrites(on stream: EventStream) {
    answer(on: stream) { request, turn in
      try turn.checkName(request.alias, of: Kind.self)
      let writes = try RequestWriteRecords(try request.writes(turn)).resolved(turn)
      request.write(writes, as: request.alias, turn)
    }
  }
}

/// A command that adds a record.
///
/// ```swift
/// func record(_ turn: borrowing Turn) throws -> Sample {
///   var sample = try Sample(sample, turn)
///   sample.batch = batch.name
///   return sample
/// }
/// ```
public protocol RecordAdd: RecordWriting {
  // Declared here as well, so that it follows from the requirements below.
  /// The kind of its records.
  associatedtype Kind
  /// Creates the record; a throw becomes the failure of the reply.
  func record(_ turn: borrowing Turn) throws -> Kind
}

extension RecordAdd {
  /// The addition of the record.
  public func writes(_ turn: borrowing Turn) throws -> [RecordWrite<Kind>] {
    [.add(try record(turn))]
  }
}

/// A command that removes the records that it refers to; a missing one is a failure.
///
/// ```swift
/// private struct RequestRemoveLeaves: RecordRemove {
///   typealias Reply = ResponseView<LeavesView>
///   var id = Target<Leaf>()
/// ```
public protocol RecordRemove: RecordWriting {
  // Declared here as well, so that it follows from the requirements below.
  /// The kind of its records.
  associatedtype Kind
  /// The records.
  var id: Target<Kind> { get }
}

extension RecordRemove {
  /// The removal of each record.
  public func writes(_ turn: borrowing Turn) -> [RecordWrite<Kind>] {
    id.references.unique.map { .remove($0) }
  }
  /// Whether its target says so.
  public var isList: Bool { id.isList }
  /// The records, at most three.
  public var subject: String? { id.subject }
}
