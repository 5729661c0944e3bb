public import EventMVVM
public import EventRecords
public import EventValues

/// A todo, as models have it: inert, without display strings (S40).
///
/// A deleted one can be listed and restored (S37). One whose addition was undone does not exist;
/// its number is not used again.
public struct Todo: Record {
  /// Its identity; unique everywhere.
  public var uuid = UniqueID.none
  /// What is to be done.
  public var title = ""
  /// Notes, of any number of lines.
  public var subtitle = ""
  /// How much it matters.
  public var priority = Priority.normal
  /// When it was completed; nil while it is open.
  public var completedAt: Instant?
  /// When it was created.
  public var createdAt = Instant(milliseconds: 0)
  /// Whether it was deleted.
  public var deleted = false
  /// When it is due.
  public var due: CivilTime?
  /// Its labels, in the order in which they were added, each once.
  public var tags: [String] = []
  /// What it is part of.
  public var project: String?
  /// When it is to be begun.
  public var scheduled: CivilTime?
  /// Until when it is out of lists.
  public var wait: CivilTime?
  /// Until when it is of use; it is closed from then on.
  public var until: CivilTime?
  /// How it comes again; nil for once.
  public var recurrence: Recurrence?
  /// Its manual place in the list (S62); nil if it was never moved.
  public var place: ManualPlace?

  /// The name of the record type, and its fields.
  public static let fields = Fields<Self>("todo", several: "todos")
    .identity("uuid", \.uuid)
    .field("title", \.title, .searched, "The title")
    .field("subtitle", \.subtitle, .searched, "Notes, of any number of lines")
    .field("priority", \.priority, .indexed, "How much it matters")
    .shown("complete") { $0.complete }
    .field("completedAt", \.completedAt, .stamp)
    .field("createdAt", \.createdAt, .fixed)
    .field("deleted", \.deleted, .marksDeletion)
    .field("due", \.due, .indexed, "When it is due")
    .set("tags", \.tags, "A label (repeatable)", one: "tag")
    .field("project", \.project, .indexed, "What it is part of")
    .field("scheduled", \.scheduled, "When it is to be begun")
    .field("wait", \.wait, "Until when it is out of lists")
    .field("until", \.until, "Until when it is of use")
    .field("recurrence", \.recurrence, "How it comes again")
    .field("place", \.place, [.indexed, .hidden])
    .role(.title, \.title)
    .role(.notes, \.subtitle)
    .role(.priority, \.priority)
    .role(.completion, \.completedAt)
    .role(.due, \.due)
    .role(.scheduled, \.scheduled)
    .role(.wait, \.wait)
    .role(.until, \.until)
    .role(.recurrence, \.recurrence)
    .role(.labels, \.tags)
    .role(.project, \.project)
    .listed(by: \.createdAt, where: .equals(\.deleted, false))

  /// An empty todo.
  public init() {}

  /// A todo that is not stored yet.
  public init(uuid: UniqueID, createdAt: Instant) {
    self.uuid = uuid
    self.createdAt = createdAt
  }

  /// Whether it is done.
  public var complete: Bool { completedAt != nil }
  /// Whether completions suggest it: not if it was deleted.
  public var isSuggested: Bool { !deleted }

  /// The most labels of a todo; a rule of the domain.
  public static let mostTags = 100

  /// Completes it, unless it is done already (S69), or opens it again.
  public mutating func complete(_ isComplete: Bool, at time: Instant) {
    completedAt = isComplete ? completedAt ?? time : nil
  }

  /// The failure of a write to a deleted todo that does not restore it.
  public static func isDeleted(_ number: Int) -> Failure {
    Failure(.notFound, "#\(number) is deleted.", field: "id", id: number)
  }

  /// Checks a change, in any process: a deleted todo can only be restored, and none gets more
  /// labels than allowed.
  public static func check(_ change: RecordTransition<Todo>) throws(Failure) {
    guard let before = change.before, let after = change.after else { return }
    let number = change.number
    guard !before.deleted || !after.deleted else { throw isDeleted(number) }
    guard after.tags.count <= max(mostTags, before.tags.count) else {
      throw Failure(
        .validation,
        "#\(number) would have \(after.tags.count) tags; a todo has at most \(mostTags).",
        field: "tags",
        id: number
      )
    }
  }
}

extension Kept<Todo> {
  /// Whether it is the same todo, with any content (S52).
  public func isSame(as other: Self) -> Bool { value.uuid == other.value.uuid }
}

/// How much a todo matters.
public enum Priority: String, Choice, RankedValue, FieldOption {
  /// As much as most.
  case normal
  /// More than most.
  case high
}

// The events between the layers, by the names of the sources.

/// Reads todos (S18).
public typealias RequestReadTodos = RequestRecords<Todo>
/// The requested todos (S18).
public typealias ResponseTodos = ResponseRecords<Todo>
/// Changes todos, or adds one (S19).
public typealias RequestWriteTodo = RequestWriteRecords<Todo>
/// The transitions of the todos that were written (S19).
public typealias ResponseTodo = ResponseWriteRecords<Todo>
