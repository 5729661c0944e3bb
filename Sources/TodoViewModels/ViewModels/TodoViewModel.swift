package import EventCommands
package import EventMVVM
package import JSONText
package import TodoModels

/// A todo as a list shows it (S42): what is displayed, untransformed by the view (S87).
///
/// It takes its model when it is made (S51) and never changes. Equality compares the content,
/// ``isSame(as:)`` the identity (S52, S66).
package struct TodoViewModel: Sendable, Equatable, Encodable {
  let todo: Todo

  /// Shows a todo.
  package init(_ todo: Todo) {
    self.todo = todo
  }

  /// The todo's identity.
  package var uuid: UniqueID { todo.uuid }
  /// The todo's number.
  package var number: Int { todo.number }
  /// The revision that is shown.
  package var revision: Int { todo.revision }
  /// What is to be done.
  package var title: String { todo.title }
  /// The priority in words.
  package var priority: String { "Priority: \(todo.priority.rawValue.uppercased())" }
  /// Whether it is done.
  package var complete: Bool { todo.complete }
  /// Whether it was deleted, or its addition taken back.
  package var deleted: Bool { todo.deleted || todo.withdrawn }
  /// What the action is called that completes it, or takes that back.
  package var completeActionTitle: String { complete ? "Uncomplete" : "Complete" }

  /// Whether it shows the same todo, with whatever content.
  package func isSame(as other: TodoViewModel) -> Bool { todo.isSame(as: other.todo) }
}

extension TodoViewModel: CommandResult {
  /// A line: `#42 [ ] Buy milk  !high  due 2026-12-01  +home  project: errands`.
  package func show(on page: inout Page) {
    showLine(on: &page, numberWidth: 0)
  }

  func showLine(on page: inout Page, numberWidth: Int) {
    let number = todo.number == 0 ? "new" : "#\(todo.number)"
    page.write(String(repeating: " ", count: max(0, numberWidth - number.count)))
    page.write(number, .dim)
    page.write(complete ? " [x] " : " [ ] ", complete ? .green : nil)
    page.write(user: title, deleted || complete ? .dim : nil) {
      var fields = Page()
      showFields(on: &fields)
      return max(numberWidth, number.count) + 5 + DisplayWidth.of(fields.text)
    }
    showFields(on: &page)
    page.endLine()
  }

  /// What stands behind the title.
  private func showFields(on page: inout Page) {
    if todo.priority == .high { page.write("  !high", .red) }
    if let due = todo.due { page.write("  due \(due.text)", .yellow) }
    for (index, tag) in todo.tags.enumerated() {
      page.write(index == 0 ? "  " : " ")
      page.write(user: "+" + tag, .cyan)
    }
    if let project = todo.project {
      page.write("  project: ")
      page.write(user: project)
    }
    if deleted { page.write("  (deleted)", .dim) }
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", todo.number)
      json.member("uuid", todo.uuid.text)
      json.member("title", todo.title)
      json.member("subtitle", todo.subtitle)
      json.member("priority", todo.priority.rawValue)
      json.member("complete", todo.complete)
      json.member("completedAt", todo.completedAt?.iso8601)
      json.member("createdAt", todo.createdAt.iso8601)
      json.member("deleted", deleted)
      json.member("due", todo.due?.text)
      json.key("tags")
      json.array { json in
        for tag in todo.tags { json.value(tag) }
      }
      json.member("project", todo.project)
      json.member("revision", todo.revision)
    }
  }
}
