public import EventMVVM
public import JSONText

// The requests of undo and history plugins that a domain with a journal answers: neither depends on
// the other.

/// A step of a journal, with its changes.
public struct JournalEntry: Sendable, Equatable, Codable {
  /// The step.
  public let step: Step
  /// The number of changed things.
  public let count: Int
  /// The changes of the first few of them.
  public let changes: [SubjectChange]

  /// Creates an entry.
  public init(_ step: Step, count: Int, changes: [SubjectChange]) {
    self.step = step
    self.count = count
    self.changes = changes
  }
}

/// Reads steps of the journal.
public struct RequestJournal: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseJournal
  /// It only reads.
  public static let writes = false

  /// The query.
  public let query: StepQuery

  /// Creates the request.
  public init(_ query: StepQuery) {
    self.query = query
  }
}

/// Reads the changes of one thing, newest first, with their values.
public struct RequestSubjectJournal: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseJournal
  /// It only reads.
  public static let writes = false

  /// The thing, as a person refers to it.
  public let reference: String
  /// The most changes.
  public let limit: Int

  /// The reference.
  public var subject: String? { reference }

  /// Creates the request.
  public init(of reference: String, limit: Int) {
    self.reference = reference
    self.limit = limit
  }
}

/// The requested entries of the journal.
public struct ResponseJournal: ViewModelEvent, Response, Decodable {
  /// Version 2 marks the fields that are times.
  public static let version = 2

  /// The entries, or why there are none.
  public let result: Result<[JournalEntry], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[JournalEntry], Failure>) {
    self.result = result
  }
}

/// Reverts a step: the fields that it changed get their earlier values.
///
/// Values are compared field by field: fields that only later steps have changed are left
/// unchanged, and fields that both have changed are conflicts. A journal may answer in parts, which
/// all belong to one unit; `RecordServer` answers in one, as the values of unique fields are
/// planned together.
public struct RequestReversal: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseReversal

  /// The number of the step.
  public let step: Int
  /// Whether fields in conflict get their earlier values as well; else they are left unchanged.
  public let force: Bool
  /// The ``ReversedPart/last`` of the part before; nil in the first part.
  public let last: Int?

  /// Requests a reversal, or the next part of one.
  public init(step: Int, force: Bool, after last: Int? = nil) {
    self.step = step
    self.force = force
    self.last = last
  }
}

/// The result of a reversal, or of a part of it.
public struct ResponseReversal: ViewModelEvent, Response, Decodable {
  /// Version 2 marks the fields that are times.
  public static let version = 2

  /// The reversed part, or why nothing was reverted.
  public let result: Result<ReversedPart, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<ReversedPart, Failure>) {
    self.result = result
  }
}

/// The reverted part of a step, or all of it.
public struct ReversedPart: Sendable, Equatable, Codable {
  /// The changes of the affected things.
  public let changes: [SubjectChange]
  /// The fields that later steps have changed.
  public let conflicts: [JournalConflict]
  /// The last thing that was reverted, to continue after it; nil at the end of the step.
  public let last: Int?

  /// Creates a part.
  public init(changes: [SubjectChange], conflicts: [JournalConflict], last: Int?) {
    self.changes = changes
    self.conflicts = conflicts
    self.last = last
  }

  // The name in existing recordings.
  private enum CodingKeys: String, CodingKey {
    case changes, conflicts
    case last = "rest"
  }
}

/// A field that was changed by a step, and again later.
public struct JournalConflict: Sendable, Equatable, Codable {
  /// The number of the thing with the field.
  public let id: Int
  /// The title of the thing.
  public let title: String
  /// The kind of the step's change of the thing.
  public let kind: SubjectChange.Kind
  /// The step's change of the field.
  public let field: FieldChange
  /// The value that the field has now.
  public let current: JSON

  /// Creates a conflict.
  public init(
    id: Int,
    title: String,
    kind: SubjectChange.Kind,
    field: FieldChange,
    current: JSON
  ) {
    self.id = id
    self.title = title
    self.kind = kind
    self.field = field
    self.current = current
  }
}
