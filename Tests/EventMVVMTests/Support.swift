import EventMVVMTesting
import Testing

@testable import EventMVVM

// MARK: - Events

/// An event with a number and whoever sent it.
struct RequestCount: ModelEvent, ViewModelEvent {
  var producer = 0
  var number = 0
}

/// An event of another type.
struct RequestOther: ModelEvent, ViewModelEvent {
  var number = 0
}

/// A third one.
struct RequestThird: ModelEvent, ViewModelEvent {
  var number = 0
}

struct RequestGreeting: ModelEvent, ViewModelEvent, Request {
  typealias Reply = ResponseGreeting
  var name = ""
}

struct RequestReading: ModelEvent, ViewModelEvent, Request {
  typealias Reply = ResponseGreeting
  static let writes = false
  var name = ""
}

/// A request whose answerer asks somebody else for a reply of the same type.
struct RequestForwarding: ModelEvent, ViewModelEvent, Request {
  typealias Reply = ResponseGreeting
  static let writes = false
  var name = ""
}

struct ResponseGreeting: ModelEvent, ViewModelEvent, Response {
  var result: Result<String, Failure>

  init(_ result: Result<String, Failure>) {
    self.result = result
  }

  init(_ text: String) {
    result = .success(text)
  }
}

/// Something that has become so.
struct ResponseSaved: ModelEvent, ViewModelEvent, Fact {
  var name = ""
}

/// An error that the toolkit doesn't know.
struct Mishap: Error {}

// MARK: - Owners and threads

/// Whoever a subscription ends with.
final class Owner: Sendable {}

/// Threads that can be waited for.
final class Threads: Sendable {
  private let running = Locked(0)
  private let signal = Signal()

  /// Runs `body` on a thread of its own.
  func start(_ body: @escaping @Sendable () -> Void) {
    running.withLock { $0 += 1 }
    let isStarted = startThread { [self] in
      body()
      signal.lock()
      running.withLock { $0 -= 1 }
      signal.wake()
      signal.unlock()
    }
    precondition(isStarted, "no thread could be started")
  }

  /// Waits until all of them have ended; the suite's limit bounds it.
  func join() {
    signal.lock()
    while running.withLock({ $0 }) > 0 { signal.sleep() }
    signal.unlock()
  }
}

/// Runs `body` on another thread and waits until it has returned.
func elsewhere(_ body: @escaping @Sendable () -> Void) {
  let threads = Threads()
  threads.start(body)
  threads.join()
}

/// What happened, in order, from any thread.
final class Log: Sendable {
  private let entries = Locked<[String]>([])

  func add(_ entry: String) {
    entries.withLock { $0.append(entry) }
  }

  var lines: [String] {
    entries.withLock { $0 }
  }
}

// MARK: - Producers

/// Who sends in a test, and from where.
enum Producers: CaseIterable, CustomTestStringConvertible {
  /// The home thread.
  case one
  /// Two other threads at the same time.
  case two
  /// An asynchronous handler, on another thread.
  case asynchronous

  var count: Int { self == .two ? 2 : 1 }

  var testDescription: String {
    switch self {
    case .one: "one producer"
    case .two: "two producers"
    case .asynchronous: "an asynchronous handler"
    }
  }
}

/// A producer's way to send.
enum Sender: Sendable {
  case stream(EventStream)
  case turn(AsyncTurn)

  func send<E: Event>(_ event: E) {
    switch self {
    case .stream(let stream): stream.send(event)
    case .turn(let turn): turn.send(event)
    }
  }
}

/// Wakes the asynchronous producer.
struct RequestProduction: ModelEvent {}

/// Says that a producer has sent all it had.
struct ResponseProduced: ModelEvent {}

/// A stream whose home is the test's thread, and those who send on it.
final class Rig {
  let executor = DrainExecutor()
  let stream: EventStream

  init(now: @escaping @Sendable () -> Instant = { Instant(milliseconds: 0) }) {
    stream = EventStream(
      environment: Environment(now: now, zone: .utc, executor: executor, session: 7)
    )
  }

  /// Lets each producer run `body` with its number; returns once all they sent is delivered.
  func produce(_ producers: Producers, _ body: @escaping @Sendable (Int, Sender) -> Void) {
    var done = 0
    var ends = [stream.on(ResponseProduced.self) { _, _ in done += 1 }]
    let threads = Threads()
    switch producers {
    case .one:
      body(0, .stream(stream))
      stream.send(ResponseProduced())
    case .two:
      for producer in 0..<2 {
        threads.start { [stream] in
          body(producer, .stream(stream))
          stream.send(ResponseProduced())
        }
      }
    case .asynchronous:
      ends.append(
        stream.onAsync(RequestProduction.self, buffer: .oldest(1)) { _, turn, _ in
          body(0, .turn(turn))
          turn.send(ResponseProduced())
        }
      )
      stream.send(RequestProduction())
      threads.start { [executor] in executor.drain() }
    }
    stream.run { done == producers.count }
    threads.join()
    while let end = ends.popLast() { end.cancel() }
    drain()
  }

  /// Delivers, asynchronous handlers included, until nothing is left.
  func drain() {
    repeat { stream.deliver() } while executor.drain()
  }
}
