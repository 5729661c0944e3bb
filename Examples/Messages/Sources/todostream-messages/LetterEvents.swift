import EventCommands
import EventMVVM
import EventPatterns
import EventRecords

// What is said where a reply is written: on the detail of a message, and on the letter that it
// opens.

/// A letter, as it is written, answered and sent.
struct Letter: EncodedResult, Codable {
  let to: String
  let subject: String
  var text = ""

  /// What is sent says something (S102).
  func validated() throws(Failure) -> Letter {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw Failure(.validation, "Say something; 'text' takes it.", field: "text")
    }
    return self
  }

  /// Whether something was to go with it that can't.
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

/// A letter that was sent, as it is kept.
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

/// A request that is answered with the letter.
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
  /// No other letter has it, ever.
  let id: UniqueID
  let letter: Letter
  /// Whom it is from; nil if nobody is signed in.
  let account: Account?
}

/// Whether the mailbox has taken it: that comes from outside, and so a recording has it.
struct ResponseDelivery: ModelEvent, Response, Decodable {
  let result: Result<UniqueID, Failure>
  init(_ result: Result<UniqueID, Failure>) { self.result = result }
}
