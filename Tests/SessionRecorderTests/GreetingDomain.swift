import EventMVVM
import EventMVVMTesting
import JSONText
import SessionRecorder
import Foundation

/// Asks for a greeting, which takes an id and the time.
struct RequestGreeting: ViewModelEvent, Request, Codable {
  typealias Reply = ResponseGreeting
  static let writes = false
  var name = ""
}

/// The greeting.
struct ResponseGreeting: ViewModelEvent, Response {
  let result: Result<Greeting, Failure>
  init(_ result: Result<Greeting, Failure>) { self.result = result }
}

struct Greeting: Codable, Sendable, Equatable {
  let text: String
  let id: UniqueID
  let time: Instant
}

/// Asks a service that answers beside the stream.
struct RequestRumour: ViewModelEvent, Request, Codable {
  typealias Reply = ResponseRumour
  var about = ""
}

/// What it says.
struct ResponseRumour: ViewModelEvent, Response, Decodable {
  let result: Result<String, Failure>
  init(_ result: Result<String, Failure>) { self.result = result }
}

/// Asks for what a plugin does of its own in several turns.
struct RequestChain: ViewModelEvent, Request, Codable {
  typealias Reply = ResponseChain
}

/// Says that it is done.
struct ResponseChain: ViewModelEvent, Response, Decodable {
  let result: Result<String, Failure>
  init(_ result: Result<String, Failure>) { self.result = result }
}

/// An event that nobody can write down.
struct RequestSecret: ViewModelEvent {
  let keep: @Sendable () -> Void
  static func == (first: Self, second: Self) -> Bool { true }
}

/// Greets, and asks a service whose answer is never the same twice.
struct Greeter: Plugin {
  let name = "greeter"
  /// How often the service was asked.
  let asked = Locked(0)
  /// What it greets with.
  var word = "Hello"

  func join(_ stream: EventStream) {
    stream.answer(RequestGreeting.self) { [word] request, turn in
      Greeting(text: "\(word), \(request.name)", id: turn.makeID(), time: turn.time)
    }
    stream.answerAsync(RequestRumour.self) { [asked] request, _ in
      let count = asked.withLock { count in
        count += 1
        return count
      }
      return "\(request.about) was seen, \(count)"
    }
  }
}

/// A session of the domain, recorded.
enum GreetingSession {
  /// Runs a conversation, and gives the recording's text.
  static func record(
    with plugins: [any Plugin] = [],
    _ talk: (ViewPort, EventStream, DrainExecutor) -> Void
  ) throws -> String {
    let executor = DrainExecutor()
    let path = FileManager.default.temporaryDirectory
      .appending(path: "recording-\(UUID().uuidString)").path
    defer { unlink(path) }
    let recorder = SessionRecorder()
    let clock = Locked(Int64(1_000_000))
    let plain = Environment(
      now: {
        Instant(
          milliseconds: clock.withLock { time in
            time += 1
            return time
          }
        )
      },
      executor: executor,
      session: 7
    )
    let header = RecordingHeader(
      program: "greet 1",
      plain,
      locale: "C",
      isInteractive: false,
      plugins: ["greeter"]
    )
    let context = AppContext(environment: try recorder.record(to: path, plain, header))
    context.add(Greeter())
    for plugin in plugins { context.add(plugin) }
    context.add(recorder)
    talk(context.port(named: "face"), context.stream, executor)
    context.leave()
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Tells a recording again.
  static func replay(
    _ text: String,
    _ greeter: Greeter = Greeter(),
    with plugins: [any Plugin] = [],
    inputs: [any (Event & Decodable).Type] = [
      RequestGreeting.self, RequestRumour.self, ResponseRumour.self, RequestChain.self,
      ResponseUnanswered.self,
    ]
  ) throws -> SessionReplay.Verdict {
    let recording = try Recording(Array(text.utf8), named: "r")
    let world = RecordedEnvironment(recording.header)
    let context = AppContext(environment: world.environment)
    context.add(greeter)
    for plugin in plugins { context.add(plugin) }
    context.add(SessionRecorder())
    return SessionReplay(recording, world, on: context.stream, inputs: inputs).run()
  }
}
