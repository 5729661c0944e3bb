import EventCommands
import EventMVVM
import EventPatterns
import EventRecords

// The events of a reply: on the detail of a message, and on the letter that it opens.

/// A letter, while it is written, in replies, and when it is sent.
struct Letter: EncodedResult, Codable {
  let to: String
  let subject: String
  var text = ""

  /// Returns the letter, unless it is empty (S102).
  func validated() throws(Failure) -> Letter {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw Failure(.validation, "Say something; 'text' takes it.", field: "text")
    }
    return self
  }

  /// Whether the text mentions an attachment, which can't be sent.
  var seemsToLackSomething: Bool { text.lowercased().contains("attached") }

  func show(on page: inout Page) {
    page.write(user: "to \(to)", .prominent)
    page.write(user: "  \(subject)")
    page.endLine()
    if !text.isEmpty { page.write(userLines: text, indent: "  ") }
  }
}

extension Letter {
  init(replyTo message: MessageView) {
    let isReply = message.title.lowercased().hasPrefix("re:")
    self.init(to: message.from, subject: isReply ? message.title : "Re: \(message.title)")
  }
}

/// A stored letter that was sent.
struct SentLetter: Record {
  var title = ""
  var to = ""
  var text = ""

  static let fields = Fields<Self>("letter")
    .field("title", \.title)
    .field("to", \.to)
    .field("text", \.text)
}

extension SentLetter {
  init(_ letter: Letter) {
    self.init(title: letter.subject, to: letter.to, text: letter.text)
  }
}

/// A request whose reply is the letter.
protocol LetterCommand: Command where Reply == ResponseView<Letter> {}

struct RequestReply: LetterCommand, Codable {
  static let writes = false
  static let command = CommandSpec<Self>("reply", "Begins a reply to the open message.")
}

struct RequestText: LetterCommand, Codable {
  static let writes = false
  var text = ""
  static let command = CommandSpec<Self>("text", "Says what the letter says.")
    .text(\.text, "What it says")
}

struct RequestSend: LetterCommand, Codable {
  static let command = CommandSpec<Self>("send", "Sends the letter, and closes it.")
}

struct RequestCancel: LetterCommand, Codable {
  static let writes = false
  static let command = CommandSpec<Self>("cancel", "Closes the letter and discards it.")
}

/// Asks the mailbox to send a letter.
struct RequestDelivery: ModelEvent, Request, Codable {
  typealias Reply = ResponseDelivery
  static let writes = false
  /// An id that is different for each letter.
  let id: UniqueID
  let letter: Letter
  /// The account of the sender; nil if none is signed in.
  let account: Account?
}

/// Whether the mailbox has accepted the letter: an input, and so part of a recording.
struct ResponseDelivery: ModelEvent, Response, Decodable {
  let result: Result<UniqueID, Failure>
  init(_ result: Result<UniqueID, Failure>) { self.result = result }
}
