public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// Removes records whose commands follow from their declaration.
public struct RequestRemove<R: CommandRecord>: RecordRemove, DerivedChange, Codable {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestRemoveNote`.
  public static var name: String { "RequestRemove\(R.typeName)" }

  /// The records.
  public var id = Target<R>()

  /// Creates the request.
  public init() {}

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec("delete", "Deletes \(R.several); 'undo' brings them back.") {
      $0.records(\.id)
    }
  }

  /// The question to a person before many records are removed.
  public var question: String? { id.deletionQuestion }
  /// The check that they exist, before a person is asked.
  public var check: (any CheckRequest)? { RequestTargetCheck(id: id) }

  /// Answers the command, and its check, on a stream.
  public static func answer(on stream: EventStream) {
    RequestTargetCheck<R>.answer(on: stream)
    answerWrites(on: stream)
  }

  static var confirmation: String { "Deleted" }
}

/// Deletes records whose commands follow from their declaration, where deletion marks them; see `RecordCommands.deletes`.
public struct RequestDelete<R: CommandRecord>: RecordEdit, DerivedChange, Codable {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestDeleteNote`.
  public static var name: String { "RequestDelete\(R.typeName)" }
  /// The records that are not deleted.
  public static var offered: Condition<R>? { R.commands.present }

  /// The records.
  public var id = Target<R>()

  /// Creates the request.
  public init() {}

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec("delete", "Deletes \(R.several); 'restore' brings them back.") {
      $0.records(\.id).revision(of: \.id)
    }
  }

  /// The question to a person before many records are deleted.
  public var question: String? { id.deletionQuestion }
  /// The check that they exist, before a person is asked.
  public var check: (any CheckRequest)? { RequestTargetCheck(id: id) }

  /// Answers the command, and its check, on a stream.
  public static func answer(on stream: EventStream) {
    RequestTargetCheck<R>.answer(on: stream)
    answerEdits(on: stream)
  }

  /// Marks it.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) throws {
    try R.commands.checkPresent(record)
    if let path = R.commands.deletion?.path { record[keyPath: path] = true }
  }

  static var confirmation: String { "Deleted" }
}

/// Restores deleted records whose commands follow from their declaration, where deletion marks them.
public struct RequestRestore<R: CommandRecord>: RecordEdit, DerivedChange, Codable {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestRestoreNote`.
  public static var name: String { "RequestRestore\(R.typeName)" }
  /// The deleted records.
  public static var offered: Condition<R>? { R.commands.deletion?.deleted }

  /// The records.
  public var id = Target<R>()

  /// Creates the request.
  public init() {}

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec("restore", "Restores deleted \(R.several).") {
      $0.records(\.id).revision(of: \.id)
    }
  }

  /// Restores it.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) {
    if let path = R.commands.deletion?.path { record[keyPath: path] = false }
  }

  static var confirmation: String { "Restored" }
}

/// Requests a check that the records of a command exist, before a person is asked about it.
public struct RequestTargetCheck<R: Record>: CheckRequest, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseCheck
  /// The name of the request: `RequestNoteCheck`.
  public static var name: String { "Request\(R.typeName)Check" }
  /// It only reads.
  public static var writes: Bool { false }

  /// The records.
  public let id: Target<R>

  /// The records, at most three.
  public var subject: String? { id.subject }

  /// Answers the check on a stream, where a command of it is answered.
  fileprivate static func answer(on stream: EventStream) {
    stream.declareAnswerer(of: Self.self)
    stream.on(Self.self) { request, turn in
      do {
        let references = try turn.resolve(request.id.references, of: R.self)
        turn.request(RequestRecords<R>(references)) { result, turn in
          let found = result.mapError { Failure($0) }.flatMap { $0.result }
          turn.send(ResponseCheck(found.map { _ in true }))
        }
      } catch {
        turn.send(ResponseCheck(.failure(Failure(error))))
      }
    }
  }
}

extension Target {
  /// The question to a person before more than three of the records are deleted; nil for fewer.
  public var deletionQuestion: String? {
    let all = Set(references)
    let count = all.reduce(0) { $0 + $1.mostRecords }
    guard count > 3 else { return nil }
    // How many of a range exist is not known yet.
    return all.count == count
      ? "Delete \(count) \(R.several)?"
      : "Delete what there is of \(references.map(\.text).joined(separator: ", "))?"
  }
}
