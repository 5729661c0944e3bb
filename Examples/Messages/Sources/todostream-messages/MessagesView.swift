import EventCommands
import EventRecords

/// The list as views show it: rows, and whether there may be more in a moment (S103).
struct MessagesView: EncodedResult {
  var messages: [Row] = []
  var isLoading = false
  /// What in the mailbox is no message, where some was fetched.
  var skipped: [String]?

  struct Row: Sendable, Equatable, Encodable {
    let id: Int
    let from: String
    let title: String
    let isRead: Bool
  }

  func show(on page: inout Page) {
    for (index, row) in messages.enumerated() {
      page.write("\(index + 1) ", .secondary)
      page.write(row.isRead ? "  " : "* ", .prominent)
      page.write(user: "\(row.from): \(row.title)")
      page.endLine()
    }
    if isLoading { page.write("fetching …", .secondary) }
    if isLoading { page.endLine() }
    for line in skipped ?? [] {
      page.write("warning: ", .notable)
      page.write(user: line)
      page.endLine()
    }
  }
}

extension MessagesView.Row {
  init(_ message: Kept<Message>) {
    let value = message.value
    self.init(id: message.number, from: value.from, title: value.title, isRead: value.isRead)
  }
}

/// A message as its detail shows it.
struct MessageView: EncodedResult {
  let id: Int
  let from: String
  let title: String
  let text: String

  func show(on page: inout Page) {
    page.write(user: from, .prominent)
    page.write(user: "  \(title)")
    page.endLine()
    page.write(userLines: text, indent: "  ")
  }
}

extension MessageView {
  init(_ message: Kept<Message>) {
    let value = message.value
    self.init(id: message.number, from: value.from, title: value.title, text: value.text)
  }
}

/// What each of the three ways holds, and changes in its own way.
struct Inbox: Sendable, Equatable {
  var rows: [MessagesView.Row] = []
  /// How often the mailbox is being asked.
  var loads = 0

  /// What a view binds to.
  var view: MessagesView { MessagesView(messages: rows, isLoading: loads > 0) }
}
