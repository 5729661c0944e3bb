import EventCommands
import EventMVVM
import EventRecords

/// A message, as it is kept.
struct Message: Record {
  /// What the mailbox calls it; one that was removed stays known, so that it is not fetched again.
  var mail = ""
  var from = ""
  var title = ""
  var text = ""
  var isRead = false
  var isRemoved = false

  static let fields = Fields<Self>("message")
    .field("mail", \.mail, .indexed)
    .field("from", \.from)
    .field("title", \.title)
    .field("text", \.text)
    .field("isRead", \.isRead)
    .field("isRemoved", \.isRemoved)

  /// The field by which no message is kept twice.
  static let nameField = "mail"

  static func measures(from before: Message?, to after: Message?, at time: Instant) -> [Measure] {
    let change = (after?.unread ?? 0) - (before?.unread ?? 0)
    return change == 0 ? [] : [Measure(.level("unread"), change, at: time, by: [])]
  }

  private var unread: Int { isRead || isRemoved ? 0 : 1 }
}

extension Message {
  init(_ mail: Mail) {
    self.init(mail: mail.name, from: mail.from, title: mail.subject, text: mail.text)
  }
}

/// The rules of the middle layer (S102): what is shown, and what a row is.
extension [Kept<Message>] {
  /// Those that are not removed; of what two processes have fetched at once, the first.
  var shown: Self {
    var seen: Set<[UInt8]> = []
    return filter { seen.insert($0.value.mail.bytes).inserted && !$0.value.isRemoved }
  }

  /// The message in a row, as the list counts them: from 1.
  func row(_ index: Count) throws(Failure) -> Kept<Message> {
    let shown = shown
    guard index.number > 0, index.number <= shown.count else {
      let rows = shown.isEmpty ? "the list is empty" : "the list has 1 to \(shown.count)"
      throw Failure(.notFound, "There is no row \(index.number); \(rows).", field: "index")
    }
    return shown[index.number - 1]
  }
}

extension RecordChange<Message> {
  /// Changes the message in a row.
  static func row(_ index: Count, _ body: @escaping @Sendable (inout Message) -> Void) -> Self {
    .reading(Query()) { messages in
      var message = try messages.row(index)
      body(&message.value)
      return [.put(message.number, message.value, seen: message.revision)]
    }
  }
}

extension String {
  /// By which names are told apart: two that only look alike are two.
  var bytes: [UInt8] { [UInt8](utf8) }
}
