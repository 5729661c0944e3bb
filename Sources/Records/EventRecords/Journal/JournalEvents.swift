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
  /// The changes of the first of them, as many as were asked for.
  public let changes: [SubjectChange]

  /// Creates an entry.
  public init(_ step: Step, count: Int, changes: [SubjectChange]) {
    self.step = step
    self.count = count
    self.changes = changes
  }
}

/// Reads steps of the journal.
///
/// ```swift
/// let entry = try #require(try process.ask(RequestJournal(.toRedo(by: nil))).first)
/// _ = try process.revert(entry.step.number, force: false)
/// ```
public struct RequestJournal: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseJournal
  /// It only reads.
  public static let writes = false

  /// The query.
  public let query: StepQuery
  /// How many changed things of each step the entry lists; nil for ``fewSubjects``.
  public let subjects: Int?
  /// How many an entry lists unless asked for more.
  public static let fewSubjects = 3

  /// Creates the request.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - subjects: How many changed things of each step the entry lists; nil for ``fewSubjects``.
  public init(_ query: StepQuery, subjects: Int? = nil) {
    self.query = query
    self.subjects = subjects
  }

  /// Whether it may take more than some milliseconds.
  var mayBeLong: Bool { query.mayFindMany || subjects.map { $0 > Self.fewSubjects } ?? false }
}

/// Reads the changes of one thing, newest first, with their values.
///
/// ```swift
/// let entries = try process.ask(RequestSubjectJournal(of: "#1", limit: 9))
/// #expect(entries.flatMap(\.changes).map(\.kind) == [.removed, .changed, .added])
/// ```
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
/// unchanged, and fields that both have changed are conflicts. The step is found in the transaction
/// that reverts it.
///
/// ```swift
/// let refused = try process.ask(RequestReversal(.number(2), conflicts: .refuse))
/// #expect(refused?.step.number == 2)
/// #expect(refused?.changes == [])
/// #expect(refused?.conflicts.map(\.field.name) == ["title"])
/// ```
public struct RequestReversal: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseReversal
  /// Version 2 has a query for the step, instead of its number.
  public static let version = 2

  /// How conflicts are treated.
  public enum Conflicts: Sendable, Equatable, Codable {
    /// Nothing is changed where there is one.
    case refuse
    /// The fields in conflict are left unchanged.
    case skip
    /// The fields in conflict get their earlier values as well.
    case overwrite
  }

  /// The query for the step; the first of several is reverted.
  public let query: StepQuery
  /// How fields in conflict are treated.
  public let conflicts: Conflicts

  /// Requests a reversal.
  public init(_ query: StepQuery, conflicts: Conflicts) {
    self.query = query
    self.conflicts = conflicts
  }
}

/// The result of a reversal.
public struct ResponseReversal: ViewModelEvent, Response, Decodable {
  /// Version 2 marks the fields that are times; version 3 has the step.
  public static let version = 3

  /// The reverted step, nil if there is no such step, or why nothing was reverted.
  public let result: Result<ReversedStep?, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<ReversedStep?, Failure>) {
    self.result = result
  }
}

/// A step that was reverted.
public struct ReversedStep: Sendable, Equatable, Codable {
  /// The step.
  public let step: Step
  /// The changes of the affected things; none if conflicts are refused and there are some.
  public let changes: [SubjectChange]
  /// The fields that later steps have changed.
  public let conflicts: [JournalConflict]

  /// Creates the result.
  public init(_ step: Step, changes: [SubjectChange], conflicts: [JournalConflict]) {
    self.step = step
    self.changes = changes
    self.conflicts = conflicts
  }
}

/// A field that was changed by a step, and again later.
///
/// ```swift
/// JournalConflict(
///   id: 1,
///   title: "B",
///   kind: .changed,
///   field: FieldChange("title", from: "A", to: "B"),
///   current: "C"
/// )
/// ```
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
  /// Why the thing can't be as it was, where that is not because its field was changed: a sentence.
  public let reason: String?

  /// Creates a conflict.
  public init(
    id: Int,
    title: String,
    kind: SubjectChange.Kind,
    field: FieldChange,
    current: JSON,
    reason: String? = nil
  ) {
    self.reason = reason
    self.id = id
    self.title = title
    self.kind = kind
    self.field = field
    self.current = current
  }
}
