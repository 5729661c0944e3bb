import EventCommands
import EventRecords

/// The list for views: rows, and whether more may follow in a moment (S103).
struct MessagesView: EncodedResult, Decodable {
  var messages: [Row] = []
  var isLoading = false
  /// The files in the mailbox that are not messages, if it was asked.
  var skipped: [String]?

  struct Row: Sendable, Equatable, Codable {
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

/// The detail of a message for views.
struct MessageView: EncodedResult, Decodable {
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

/// The state of each of the three ways, which each changes in its own way.
struct Inbox: Sendable, Equatable {
  var rows: [MessagesView.Row] = []
  /// How many requests to the mailbox are in progress.
  var loads = 0

  /// The value that views bind to.
  var view: MessagesView { MessagesView(messages: rows, isLoading: loads > 0) }
}
