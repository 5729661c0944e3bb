import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
import RecordCommands
public import TodoModels

/// A todo as a list shows it (S42): its displayed texts, which views don't transform (S87).
///
/// It takes its model when it is created (S51) and never changes. Equality compares the content,
/// `isSame(as:)` the identity (S52, S66).
public typealias TodoViewModel = RecordView<Todo>

extension RecordView<Todo> {
  /// The todo's identity.
  public var uuid: UniqueID { value.uuid }
  /// What is to be done.
  public var title: String { value.title }
  /// The priority in words.
  public var priority: String { "Priority: \(value.priority.rawValue.uppercased())" }
  /// Whether it is done.
  public var complete: Bool { value.complete }
  /// Whether it was deleted, or its addition undone.
  public var deleted: Bool { value.deleted }
  /// When it is due; nil if it is not.
  public var due: CivilTime? { value.due }
  /// Its labels, in the order in which they were added.
  public var tags: [String] { value.tags }
  /// Its project; nil for none.
  public var project: String? { value.project }
  /// The title of the action that completes it, or reopens it.
  public var completeActionTitle: String { value.completeActionTitle }

  /// Whether it shows the same todo, with any content.
  public func isSame(as other: TodoViewModel) -> Bool { record.isSame(as: other.record) }
}
