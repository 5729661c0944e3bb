import EventCommands
import EventMVVM

// Plugins that are in no list, for those tests that need others than there are.

struct RequestWhistle: Command {
  typealias Reply = ResponseWhistle
  static let command = CommandSpec<Self>("whistle", "Whistles.")
}

struct ResponseWhistle: ViewModelEvent, Response {
  let result: Result<Message, Failure>
  init(_ result: Result<Message, Failure>) { self.result = result }
}

struct Whistler: CommandPlugin {
  let name = "whistler"
  let group = "noise"
  let commands: [any Command.Type] = [RequestWhistle.self]

  func join(_ stream: EventStream) {
    stream.answer(RequestWhistle.self) { _, _ in "Whistled." }
  }
}

/// Claims a verb that another has.
struct RequestPipe: Command {
  typealias Reply = ResponseWhistle
  static let command = CommandSpec<Self>("whistle", "Pipes.")
}

struct Piper: CommandPlugin {
  let name = "piper"
  let group = "noise"
  let commands: [any Command.Type] = [RequestPipe.self]

  func join(_ stream: EventStream) {
    stream.answer(RequestPipe.self) { _, _ in "Piped." }
  }
}

/// Claims a verb of the domain.
struct RequestOtherList: Command {
  typealias Reply = ResponseWhistle
  static let command = CommandSpec<Self>("list", "Lists something else.")
}

struct Lister: CommandPlugin {
  let name = "lister"
  let group = "other"
  let commands: [any Command.Type] = [RequestOtherList.self]

  func join(_ stream: EventStream) {
    stream.answer(RequestOtherList.self) { _, _ in "Listed." }
  }
}

/// Brings a command and does not answer it.
struct Silent: CommandPlugin {
  let name = "silent"
  let group = ""
  let commands: [any Command.Type] = [RequestWhistle.self]

  func join(_ stream: EventStream) {}
}

/// Answers what it does not bring.
struct Imitator: Plugin {
  let name = "imitator"

  func join(_ stream: EventStream) {
    stream.answer(RequestWhistle.self) { _, _ in "Imitated." }
  }
}

/// Brings no command.
struct Listener: Plugin {
  var name = "listener"

  func join(_ stream: EventStream) {
    stream.observeAll { _, _ in }
  }
}
