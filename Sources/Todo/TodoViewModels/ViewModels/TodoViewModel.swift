public import EventCommands
public import EventMVVM
public import EventRecords
public import EventValues
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
    let head = showHead(on: &page, numberWidth: numberWidth)
    let clock = page.clock
    func columns(_ hasRoom: Bool) -> Int {
      var fields = Page(clock: clock)
      showFields(on: &fields, saysCompletion: saysCompletion, hasRoom: hasRoom)
      return head + DisplayWidth.of(fields.text)
    }
    // Without a width the columns are not counted.
    var (others, hasRoom, isOnOneLine) = (head, true, true)
    if let width = page.width {
      let room = width - min(Self.fewestColumns, DisplayWidth.of(title))
      let all = columns(true)
      others = all
      if all > room {
        others = columns(false)
        isOnOneLine = others <= room
        hasRoom = !isOnOneLine && all <= width
      }
    }
    page.write(user: title, isFaint ? .secondary : nil) { isOnOneLine ? others : head }
    if !isOnOneLine {
      page.endLine()
      page.write(String(repeating: " ", count: head - 2))
    }
    showFields(on: &page, saysCompletion: saysCompletion, hasRoom: hasRoom)
    page.endLine()
  }

  /// The columns of a title that a list shows in any case: before, the labels give way, then the line.
  private static let fewestColumns = 30

  /// Writes it with its whole title, over as many lines as that needs.
  func showWhole(on page: inout Page) {
    let head = showHead(on: &page, numberWidth: 0)
    let columns = page.write(user: title, isFaint ? .secondary : nil, wrappedAt: head)
    var fields = Page(clock: page.clock)
    showFields(on: &fields)
    if let columns, let width = page.width, !fields.bytes.isEmpty,
      columns + DisplayWidth.of(fields.text) > width
    {
      page.endLine()
      page.write(String(repeating: " ", count: head - 2))
    }
    showFields(on: &page)
    page.endLine()
  }

  private var isFaint: Bool { deleted || complete }

  /// Writes the number and whether it is done, and returns their columns.
  private func showHead(on page: inout Page, numberWidth: Int) -> Int {
    let text = number == 0 ? "new" : "#\(number)"
    page.write(String(repeating: " ", count: max(0, numberWidth - text.count)))
    page.write(text, .secondary)
    page.write(complete ? " [x] " : " [ ] ", complete ? .positive : nil)
    return max(numberWidth, text.count) + 5
  }

  /// Writes the fields after the title.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - isConfirmed: Whether they were just written: then a date is written whole.
  ///   - saysCompletion: Whether to write when it was completed.
  ///   - hasRoom: Whether there is room for labels and project; else a mark says that it has some.
  func showFields(
    on page: inout Page,
    isConfirmed: Bool = false,
    saysCompletion: Bool = false,
    hasRoom: Bool = true
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
    if !hasRoom, !tags.isEmpty || project != nil { page.write("  +…", .label) }
    for (index, tag) in tags.enumerated() where hasRoom {
      page.write(index == 0 ? "  " : " ")
      page.write(user: "+" + tag, .label)
    }
    if let project, hasRoom {
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
