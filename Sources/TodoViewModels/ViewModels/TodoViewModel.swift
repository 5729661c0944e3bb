public import EventCommands
public import EventMVVM
public import EventRecords
public import JSONText
public import TodoModels

/// A todo as a list shows it (S42): its displayed texts, which views don't transform (S87).
///
/// It takes its model when it is created (S51) and never changes. Equality compares the content,
/// ``isSame(as:)`` the identity (S52, S66).
public struct TodoViewModel: Sendable, Equatable, Encodable {
  let todo: Kept<Todo>
  /// Whether its addition was undone: then it is shown as deleted.
  let isGone: Bool

  /// Creates the view model of a todo.
  public init(_ todo: Kept<Todo>) {
    self.todo = todo
    isGone = false
  }

  /// Creates the view model of a todo after a change; nil if it exists neither before nor after.
  init?(_ transition: RecordTransition<Todo>) {
    guard var value = transition.after ?? transition.before else { return nil }
    isGone = transition.after == nil
    if isGone { value.deleted = true }
    todo = Kept(transition.number, value, revision: transition.revision)
  }

  /// The todo's identity.
  public var uuid: UniqueID { todo.value.uuid }
  /// The todo's number.
  public var number: Int { todo.number }
  /// The revision that is shown.
  public var revision: Int { todo.revision }
  /// What is to be done.
  public var title: String { todo.value.title }
  /// The priority in words.
  public var priority: String { "Priority: \(todo.value.priority.rawValue.uppercased())" }
  /// Whether it is done.
  public var complete: Bool { todo.value.complete }
  /// Whether it was deleted, or its addition undone.
  public var deleted: Bool { todo.value.deleted }
  /// When it is due; nil if it is not.
  public var due: CivilTime? { todo.value.due }
  /// Its labels, in the order in which they were added.
  public var tags: [String] { todo.value.tags }
  /// Its project; nil for none.
  public var project: String? { todo.value.project }
  /// The title of the action that completes it, or reopens it.
  public var completeActionTitle: String { complete ? "Uncomplete" : "Complete" }

  /// Whether it shows the same todo, with any content.
  public func isSame(as other: TodoViewModel) -> Bool { todo.isSame(as: other.todo) }
}

extension TodoViewModel: CommandResult {
  /// Writes a line: `#42 [ ] Buy milk  !high  due 2026-12-01  +home  project: errands`.
  public func show(on page: inout Page) {
    showLine(on: &page, numberWidth: 0)
  }

  /// Writes the line of a list.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - numberWidth: The columns of the longest number, with its mark.
  ///   - saysCompletion: Whether to write when it was completed.
  func showLine(on page: inout Page, numberWidth: Int, _ saysCompletion: Bool = false) {
    let text = number == 0 ? "new" : "#\(number)"
    page.write(String(repeating: " ", count: max(0, numberWidth - text.count)))
    page.write(text, .secondary)
    page.write(complete ? " [x] " : " [ ] ", complete ? .positive : nil)
    let clock = page.clock
    page.write(user: title, deleted || complete ? .secondary : nil) {
      var fields = Page(clock: clock)
      showFields(on: &fields, saysCompletion: saysCompletion)
      return max(numberWidth, text.count) + 5 + DisplayWidth.of(fields.text)
    }
    showFields(on: &page, saysCompletion: saysCompletion)
    page.endLine()
  }

  /// Writes the fields after the title.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - isConfirmed: Whether they were just written: then a date is written whole.
  ///   - saysCompletion: Whether to write when it was completed.
  func showFields(
    on page: inout Page,
    isConfirmed: Bool = false,
    saysCompletion: Bool = false
  ) {
    if saysCompletion, let time = todo.value.completedAt {
      page.write("  done ", .secondary)
      page.write(time, .secondary)
    }
    if todo.value.priority == .high { page.write("  !high", .urgent) }
    if let due {
      page.write("  ")
      page.write(due: due, isOpen: !complete && !deleted, isWhole: isConfirmed)
    }
    for (index, tag) in tags.enumerated() {
      page.write(index == 0 ? "  " : " ")
      page.write(user: "+" + tag, .label)
    }
    if let project {
      page.write("  project: ")
      page.write(user: project)
    }
    if deleted { page.write("  (deleted)", .secondary) }
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    // Every field of a todo can be written, so nothing is thrown.
    try? todo.writeView(to: &json)
  }
}
