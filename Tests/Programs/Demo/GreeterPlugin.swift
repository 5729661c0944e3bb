import EventCommands
import EventMVVM

struct RequestGreeting: Command {
  typealias Reply = ResponseGreeting
  var name = "you"
  static let command = CommandSpec<Self>("greet", "Greets somebody.").word(\.name, "Whom")
}

struct ResponseGreeting: ViewModelEvent, Response {
  var result: Result<Message, Failure>
  init(_ result: Result<Message, Failure>) { self.result = result }
}

struct Greeter: Plugin {
  let name = "greeter"
  func join(_ stream: EventStream) {
    stream.answer(RequestGreeting.self) { request, _ in "Hello, \(request.name)!" }
  }
}
