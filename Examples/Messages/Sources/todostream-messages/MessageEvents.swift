import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues

// The events about messages (S103): the same for each of the three ways.

typealias ResponseMessages = ResponseView<MessagesView>

/// A request whose reply is the list.
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

/// Asks the mailbox for all of its messages.
struct RequestMail: ModelEvent, Request, Codable {
  typealias Reply = ResponseMail
  static let writes = false
  /// The account; nil if none is signed in.
  let account: Account?
}

/// The contents of the mailbox: an input, and so part of a recording.
struct ResponseMail: ModelEvent, Response, Decodable {
  // Version 2 has the files that were skipped.
  static let version = 2
  let result: Result<Fetched, Failure>
  init(_ result: Result<Fetched, Failure>) { self.result = result }
}

/// Asks to store the mail that is not stored yet; the reply has all messages that are stored then.
struct RequestKeepMail: ModelEvent, Request, Codable {
  typealias Reply = ResponseRecords<Message>
  let mail: [Mail]
}
