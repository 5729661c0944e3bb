public import EventCommands
public import EventMVVM
public import EventRecords
import EventValues

/// Deletes records whose commands follow from their declaration: marks them where `RecordCommands.deletes` says so, else
/// removes them.
public struct RequestDelete<R: CommandRecord>: DerivedEdit {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestDeleteNote`.
  public static var name: String { form.name ?? "RequestDelete\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .delete) }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: .delete) }
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
    let commands = R.commands
    let undo = commands.deletion == nil ? "undo" : commands.verb(of: .restore)
    return commands.spec(
      of: .delete,
      "Deletes \(R.several)" + (undo.map { "; '\($0)' undoes it." } ?? ".")
    ) {
      let spec = $0.filtered(at: target) { offered }
      return commands.deletion == nil ? spec : spec.revision(at: target)
    }
  }

  /// Refuses a deleted record.
  public static func check(_ record: Kept<R>) throws { try R.commands.checkPresent(record) }

  /// The question to a person before many records are deleted.
  public var question: String? { id.deletionQuestion }
  /// The check that they exist, before a person is asked.
  public var check: (any CheckRequest)? {
    guard id.terms.isEmpty else { return RequestFilterCheck(id, among: Self.offered, Self.verb) }
    return question == nil ? nil : RequestTargetCheck(id)
  }

  /// Answers the command, and its check, on a stream.
  public static func answer(on stream: EventStream) {
    RequestTargetCheck<R>.answer(on: stream)
    guard R.commands.deletion == nil else { return answerEdits(on: stream) }
    RequestFilterCheck<R>.answer(on: stream)
    RequestFilterCandidates<R>.answer(on: stream)
    answer(on: stream) { request, turn in
      try request.id.find(among: offered, turn) { found, turn in
        request.attempt(turn) { turn in
          let removals = try found.get().references.unique.map { RecordWrite<R>.remove($0) }
          request.write(removals, turn)
        }
      }
    }
  }

  /// Marks it.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) {
    record.markDeleted(true)
  }

  static func confirmation(of record: R) -> String { "Deleted" }
}

/// Restores deleted records whose commands follow from their declaration, where deletion marks them.
public struct RequestRestore<R: CommandRecord>: DerivedEdit {
  /// The kind of its records.
  public typealias Kind = R
  /// The response that answers it.
  public typealias Reply = ResponseView<RecordGroup<R>>
  /// The name of the request: `RequestRestoreNote`.
  public static var name: String { form.name ?? "RequestRestore\(R.typeName)" }
  static var form: RecordedForm { R.commands.form(of: .restore) }
  /// The name of the command.
  public static var verb: String { R.commands.name(of: .restore) }
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
    R.commands.spec(of: .restore, "Restores deleted \(R.several).") {
      $0.filtered(at: target) { offered }.revision(at: target)
    }
  }

  /// Restores it.
  public func change(_ record: inout R, seen: R, _ turn: borrowing Turn) {
    record.markDeleted(false)
  }

  static func confirmation(of record: R) -> String { "Restored" }
}

/// Requests a check that the records of a command are there, before a person is asked about it.
public struct RequestTargetCheck<R: CommandRecord>: CheckRequest, DerivedRequest {
  /// The response that answers it.
  public typealias Reply = ResponseCheck
  /// The name of the request: `RequestNoteCheck`.
  public static var name: String { form.name ?? "Request\(R.typeName)Check" }
  static var form: RecordedForm { R.commands.checkForm }
  /// It only reads.
  public static var writes: Bool { false }

  /// The records.
  public let id: Target<R>

  /// Creates the request for records.
  public init(_ target: Target<R>) { id = target }

  /// The records, at most three.
  public var subject: String? { id.subject }

  /// Answers the check on a stream, where a command of it is answered.
  fileprivate static func answer(on stream: EventStream) {
    guard AnsweredCommands.of(stream).insert(Self.self) else { return }
    stream.declareAnswerer(of: Self.self)
    stream.on(Self.self) { request, turn in
      func reply(_ result: Result<[Kept<R>], Failure>, _ turn: borrowing Turn) {
        let checked = result.flatMap { records in
          Result<CheckedCommand, Failure> { () throws(Failure) in
            for record in records { try R.commands.checkPresent(record) }
            return true
          }
        }
        turn.send(ResponseCheck(checked.mapError { R.commands.worded($0) }))
      }
      do {
        let references = try turn.resolve(request.id.references, of: R.self)
        // A range is of those alone that are not deleted, as where they are deleted.
        turn.request(RequestRecords(references, among: R.commands.present)) { result, turn in
          reply(result.mapError { Failure($0) }.flatMap { $0.result }, turn)
        }
      } catch {
        reply(.failure(Failure(error)), turn)
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
