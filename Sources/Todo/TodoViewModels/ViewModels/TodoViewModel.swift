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

  /// Writes the fields after the title: `!high  due 2026-12-01  +home  project: errands`.
  func showFields(_ needs: LineNeeds, on page: inout Page) {
    if needs.asked.contains("done") || needs.asked.contains("doneSince"),
      let time = value.completedAt
    {
      page.write("  done ", .secondary)
      page.write(time, .secondary)
    }
    if value.priority == .high { page.write("  !high", .urgent) }
    if let due {
      page.write("  ")
      page.write(due: due, isOpen: !complete && !deleted, isWhole: needs.isConfirmed)
    }
    guard needs.hasRoom else {
      if !tags.isEmpty || project != nil { page.write("  +…", .label) }
      return
    }
    for (index, tag) in tags.enumerated() {
      page.write(index == 0 ? "  " : " ")
      page.write(user: "+" + tag, .label)
    }
    if let project {
      page.write("  project: ")
      page.write(user: project)
    }
  }
}
