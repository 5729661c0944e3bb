public import EventMVVM
public import JSONText

// What a domain with a journal answers, and what a plugin asks that undoes, or shows the history:
// the one does not know the other.

/// A step of a journal, with what it changed.
public struct JournalEntry: Sendable, Equatable, Codable {
  /// The step.
  public let step: Step
  /// How many things it changed.
  public let count: Int
  /// The changes of the first few of them.
  public let changes: [SubjectChange]

  /// Describes an entry.
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

  /// Which.
  public let query: StepQuery

  /// Asks for steps.
  public init(_ query: StepQuery) {
    self.query = query
  }
}

/// Reads what happened to one thing, newest first: every change of it, with its values.
public struct RequestSubjectJournal: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseJournal
  /// It only reads.
  public static let writes = false

  /// The thing, as a person refers to it.
  public let reference: String
  /// How many changes at most.
  public let limit: Int

  /// What it is about.
  public var subject: String? { reference }

  /// Asks for the changes of one thing.
  public init(of reference: String, limit: Int) {
    self.reference = reference
    self.limit = limit
  }
}

/// What was asked for of the journal.
public struct ResponseJournal: ViewModelEvent, Response, Decodable {
  /// The second says which fields are times.
  public static let version = 2

  /// The entries or why there are none.
  public let result: Result<[JournalEntry], Failure>

  /// Wraps an outcome.
  public init(_ result: Result<[JournalEntry], Failure>) {
    self.result = result
  }
}

/// Reverts a step: the fields that it changed get the values that they had before.
///
/// It compares values, field by field: what only others have changed since is left alone, and what
/// both have changed is a conflict. A journal may answer in parts, which all belong into one unit;
/// `RecordServer` answers in one, as the values of unique fields are planned together.
public struct RequestReversal: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseReversal

  /// The number of the step.
  public let step: Int
  /// Whether fields in conflict get their earlier values, too; else they are left as they are.
  public let force: Bool
  /// The ``ReversedPart/last`` of the part before; nil in the first part, and where there is one.
  public let last: Int?

  /// Asks for a reversal, or for what follows a part of it.
  public init(step: Int, force: Bool, after last: Int? = nil) {
    self.step = step
    self.force = force
    self.last = last
  }
}

/// What a reversal, or a part of it, has done.
public struct ResponseReversal: ViewModelEvent, Response, Decodable {
  /// The second says which fields are times.
  public static let version = 2

  /// What was done or why nothing was.
  public let result: Result<ReversedPart, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<ReversedPart, Failure>) {
    self.result = result
  }
}

/// What was reverted of a step: all of it, or a part.
public struct ReversedPart: Sendable, Equatable, Codable {
  /// The changes of the things that it changed.
  public let changes: [SubjectChange]
  /// The fields that others have changed since.
  public let conflicts: [JournalConflict]
  /// The last thing that was reverted, to go on after it; nil at the end of the step.
  public let last: Int?

  /// Describes a part.
  public init(changes: [SubjectChange], conflicts: [JournalConflict], last: Int?) {
    self.changes = changes
    self.conflicts = conflicts
    self.last = last
  }

  // Recordings have had this name for it from the beginning.
  private enum CodingKeys: String, CodingKey {
    case changes, conflicts
    case last = "rest"
  }
}

/// A field that was changed by a step and again since.
public struct JournalConflict: Sendable, Equatable, Codable {
  /// The number of the thing whose field it is.
  public let id: Int
  /// What that is called.
  public let title: String
  /// What the step did to the thing.
  public let kind: SubjectChange.Kind
  /// What the step did to the field.
  public let field: FieldChange
  /// The value that the field has now.
  public let current: JSON

  /// Describes a conflict.
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
