import EventCommands
import EventMVVM
import EventPatterns
import EventRecords

// All that is said of messages (S103): one set of events, whichever of the three ways answers.

typealias ResponseMessages = ResponseView<MessagesView>

/// A request that is answered with the list.
protocol MessagesCommand: Command where Reply == ResponseMessages {}

struct RequestMessages: MessagesCommand, WatchedState, Codable {
  static let writes = false
  static let stateName = "messages"
  static let summary = "The messages, and whether some are being fetched."
  static let command = CommandSpec<Self>("list", "Lists the messages.")
}

struct RequestFetch: MessagesCommand, Codable {
  static let command = CommandSpec<Self>("fetch", "Fetches what is new in the mailbox.")
}

struct RequestRemove: MessagesCommand, Codable {
  var index = Count(0)
  static let command = CommandSpec<Self>("remove", "Removes a message from the list.")
    .word(\.index, "Its row")
}

struct RequestMessage: Command, Codable {
  typealias Reply = ResponseView<MessageView>
  var index = Count(0)
  static let command = CommandSpec<Self>("show", "Shows a message, which then is read.")
    .word(\.index, "Its row")
}

// MARK: Between the layers

/// Asks the mailbox for all that is in it.
struct RequestMail: ModelEvent, Request, Codable {
  typealias Reply = ResponseMail
  static let writes = false
  /// Whom it is for; nil if nobody is signed in.
  let account: Account?
}

/// What is in the mailbox: it comes from outside, and so a recording has it.
struct ResponseMail: ModelEvent, Response, Decodable {
  // The second names what was passed over.
  static let version = 2
  let result: Result<Fetched, Failure>
  init(_ result: Result<Fetched, Failure>) { self.result = result }
}

/// Asks for mail to be kept, as far as it is not known already.
struct RequestKeepMail: ModelEvent, Request, Codable {
  typealias Reply = ResponseKeptMail
  let mail: [Mail]
}

/// All messages that are kept then.
struct ResponseKeptMail: ModelEvent, Response {
  let result: Result<[Kept<Message>], Failure>
  init(_ result: Result<[Kept<Message>], Failure>) { self.result = result }
}
