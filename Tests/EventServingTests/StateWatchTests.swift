import EventCommands
import EventMVVM
import EventMVVMTesting
import JSONText
import Testing

@testable import EventServing

/// How often a watched state is asked for, by a clock that the test drives.
@Suite(.hangLimit) struct StateWatchTests {
  @Test func `a change asks at once, and those that come in the rest behind it are one`() {
    let lamp = Lamp()
    lamp.watch.ask()
    #expect(lamp.told == ["0"])
    for level in 1...1000 { lamp.set(level) }
    #expect(lamp.told == ["0"])
    #expect(!lamp.watch.isIdle)
    lamp.endRest()
    #expect(lamp.told == ["0", "1000"])
    #expect(lamp.timesAsked == 2)
  }

  @Test func `behind a rest in which nothing changed the next change asks at once`() {
    let lamp = Lamp()
    lamp.watch.ask()
    lamp.endRest()
    #expect(lamp.watch.isIdle)
    lamp.set(1)
    #expect(lamp.told == ["0", "1"])
    #expect(lamp.timesAsked == 2)
  }

  @Test func `a value that is the same is not told again`() {
    let lamp = Lamp()
    lamp.watch.ask()
    lamp.set(0)
    lamp.endRest()
    #expect(lamp.told == ["0"])
    #expect(lamp.timesAsked == 2)
  }

  @Test func `why a value can't be had is told once, and the value when it can`() {
    let lamp = Lamp()
    lamp.watch.hurry()
    for level in [-1, -1, -2, 0, 0, -2] { lamp.set(level) }
    func notice(_ level: Int) -> String { #"{"level":"error","message":"\#(level) is too dark."}"# }
    #expect(lamp.told == [notice(-1), notice(-2), "0", notice(-2)])
  }

  @Test func `who asks anew is told anew`() {
    let lamp = Lamp()
    lamp.watch.hurry()
    lamp.watch.ask()
    lamp.watch.askAnew()
    lamp.watch.ask()
    #expect(lamp.told == ["0", "0"])
  }

  @Test func `who is hurried asks at once, and does not rest any more`() {
    let lamp = Lamp()
    lamp.watch.ask()
    lamp.set(1)
    lamp.watch.hurry()
    #expect(lamp.told == ["0", "1"])
    lamp.endRest()
    lamp.set(2)
    lamp.set(3)
    #expect(lamp.told == ["0", "1", "2", "3"])
    #expect(lamp.watch.isIdle)
  }
}

/// Something that is watched, and a clock that stands still.
private final class Lamp: Sendable {
  let watch: StateWatch
  private let context = AppContext()
  private let level = Locked(0)
  private let asked = Locked(0)
  private let rests = Locked<[@Sendable () -> Void]>([])
  private let messages = Locked<[String]>([])

  init() {
    context.stream.answer(RequestLevel.self) { [level, asked] _, _ in
      asked.withLock { $0 += 1 }
      let number = level.withLock { $0 }
      guard number >= 0 else { throw Failure(.store, "\(number) is too dark.") }
      return Level(number: number)
    }
    let rest: StateWatch.Rest = { [rests] isOver in rests.withLock { $0.append(isOver) } }
    watch = StateWatch(RequestLevel.self, context.port(named: "test"), rest: rest) {
      [messages] message in
      let params = (try? JSON(parsing: message))?["params"]
      let text = params?["value"]?.description ?? params?.description ?? "none"
      messages.withLock { $0.append(text) }
    }
  }

  var timesAsked: Int { asked.withLock { $0 } }
  var told: [String] { messages.withLock { $0 } }

  func set(_ number: Int) {
    level.withLock { $0 = number }
    watch.ask()
  }

  func endRest() {
    let over = rests.withLock { rests in
      defer { rests = [] }
      return rests
    }
    for isOver in over { isOver() }
  }
}

private struct RequestLevel: WatchedState {
  typealias Reply = ResponseLevel
  static let writes = false
  static let stateName = "level"
  static let summary = "How bright it is."
}

private struct ResponseLevel: ViewModelEvent, Response {
  let result: Result<Level, Failure>

  init(_ result: Result<Level, Failure>) {
    self.result = result
  }
}

private struct Level: CommandResult {
  let number: Int

  func show(on page: inout Page) {}

  func write(to json: inout JSONWriter) { json.value(number) }
}
