import EventCommands
import EventMVVM

// A domain of its own, which the plugin does not know: lamps that are on or off.

struct RequestLamp: ViewModelEvent, Request {
  typealias Reply = ResponseLamp
  var name = ""
  var isOn = true
  var subject: String? { name }
}

struct ResponseLamp: ViewModelEvent, Response {
  let result: Result<Bool, Failure>
  init(_ result: Result<Bool, Failure>) { self.result = result }
}

/// Asks for so many more of its kind, one after the other.
struct RequestCountdown: ViewModelEvent {
  var count: Int
}

/// Carries something that can be seen to go.
struct RequestCarry: ViewModelEvent {
  final class Load: Sendable {}
  let load: Load
  static func == (first: Self, second: Self) -> Bool { first.load === second.load }
}

struct Lamps: Plugin {
  let name = "lamps"

  func join(_ stream: EventStream) {
    let lit = State(false, name: "lamp is lit", on: stream)
    stream.answer(RequestLamp.self) { request, turn in
      turn.set(lit, to: request.isOn)
      return request.isOn
    }
    stream.on(RequestCountdown.self) { request, turn in
      if request.count > 1 { turn.send(RequestCountdown(count: request.count - 1)) }
    }
  }
}
