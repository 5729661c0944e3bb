public import EventCommands
import EventMVVM

// The notices and the status that the domain shows in addition to results.

extension ResponseChangedTodoViewModels: Announcement {
  /// Writes a line for each of the first few todos: whether it was added, removed or changed (S45).
  public func announce(on page: inout Page) {
    for item in items.prefix(3) { announce(item, on: &page) }
    let more = items.count - 3
    guard more > 0 else { return }
    page.write("  … and \(more) more", .secondary)
    page.endLine()
  }

  private func announce(_ item: Item, on page: inout Page) {
    if let externalOrigin {
      page.write(user: externalOrigin, .secondary)
      page.write(" ")
    }
    switch item.change {
    case .added: page.write("+ ", .positive)
    case .removed: page.write("- ", .urgent)
    case .changed: page.write("~ ", .notable)
    }
    item.viewModel.show(on: &page)
  }
}

/// Requests the numbers of open and of overdue todos.
public struct RequestTodoStatus: StatusRequest, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseStatus
  /// It only reads.
  public static let writes = false

  /// Creates the request with its default values.
  public init() {}
}

extension StatusText {
  /// Creates the text `12 open, 3 overdue`.
  init(open: Int, overdue: Int) {
    let more = overdue > 0 ? [Piece(", "), Piece("\(overdue) overdue", .urgent)] : []
    self.init([Piece("\(open) open", .secondary)] + more)
  }
}
