import EventCommands
import EventMVVM
import EventRecords
import EventValues

/// A stored message.
struct Message: Record {
  /// The mailbox's name of it; a removed message stays stored, so that it is not fetched again.
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

  /// The field that is different in each message.
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

/// The rules of the middle layer (S102): the shown messages, and their rows.
extension [Kept<Message>] {
  /// The messages that are not removed; only the first of those that two processes have fetched at
  /// once.
  var shown: Self {
    var seen: Set<[UInt8]> = []
    return filter { seen.insert($0.value.mail.bytes).inserted && !$0.value.isRemoved }
  }

  /// Returns the message in a row of the list, counted from 1.
  func row(_ index: Count) throws(Failure) -> Kept<Message> {
    let shown = shown
    guard index.number > 0, index.number <= shown.count else {
      let rows = shown.isEmpty ? "the list is empty" : "the list has 1 to \(shown.count)"
      throw Failure(.notFound, "There is no row \(index.number); \(rows).", field: "index")
    }
    return shown[index.number - 1]
  }
}

extension RecordTransaction {
  /// Changes the message in a row, and returns all messages.
  mutating func change(
    row index: Count,
    _ body: (inout Message) -> Void
  ) throws -> [Kept<Message>] {
    try change(try records().row(index), body)
    return try records()
  }
}

extension String {
  /// The bytes by which names are compared: two that only look alike are different.
  var bytes: [UInt8] { [UInt8](utf8) }
}
