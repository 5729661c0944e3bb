import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S99: action, mutate, mutation, reduce, state.
@Suite(.hangLimit) struct ReactorTests {
  @Test func `S99 an action leads to mutations at once, and each is reduced`() {
    let test = TestContext()
    let lamp = lamp(test)
    test.send(RequestDim(steps: 2))
    #expect(lamp.state.value == Lamp(level: 8, log: ["down", "down"]))
    test.skip()
  }

  @Test func `S99 an action that takes time leads to mutations by and by`() {
    let test = TestContext()
    let lamp = lamp(test)
    lamp.mutating(RequestGlow.self, .all) { _, lamp, emit in
      emit(.down)
      await Task.yield()
      emit(.set(lamp.level))
    }
    var seen: [Int] = []
    lamp.state.observe { lamp, _ in seen.append(lamp.level) }
    test.stream.send(RequestGlow())
    test.drain()
    #expect(seen == [10, 9, 10])
    test.skip()
  }

  @Test func `S91 of two runs the latest counts, and the earlier one is cancelled`() {
    let test = TestContext()
    let gates = (Gate(), Gate())
    let ended = Locked<[Bool]>([])
    let lamp = lamp(test)
    lamp.mutating(RequestSet.self, .latest) { request, _, emit in
      await (request.level == 1 ? gates.0 : gates.1).wait()
      emit(.set(request.level))
      ended.withLock { $0.append(Task.isCancelled) }
    }
    test.stream.send(RequestSet(level: 1))
    test.stream.send(RequestSet(level: 2))
    test.drain()
    gates.1.open()
    test.drain()
    gates.0.open()
    test.drain()
    #expect(lamp.state.value == Lamp(level: 2, log: ["2"]))
    #expect(ended.withLock { $0 } == [true, false])
    test.skip()
  }

  @Test func `it goes while it works, and nothing is reduced any more`() {
    let test = TestContext()
    let gate = Gate()
    weak var gone: Reactor<Lamp, Lamp.Mutation>?
    do {
      let lamp = lamp(test)
      gone = lamp
      lamp.mutating(RequestGlow.self, .all) { _, _, emit in
        await gate.wait()
        emit(.down)
      }
      test.stream.send(RequestGlow())
      test.drain()
    }
    #expect(gone == nil)
    gate.open()
    test.skip()
  }

  @Test func `two of a kind have each their own model`() {
    let test = TestContext()
    let first = lamp(test)
    let second = Reactor<Lamp, Lamp.Mutation>(Lamp(), name: "other", on: test.stream) {
      $0.reduce($1)
    }
    test.send(RequestDim(steps: 1))
    #expect(first.state.value.level == 9)
    #expect(second.state.value.level == 10)
    test.skip()
  }

  @Test func `what a unit takes back was never reduced`() {
    let test = TestContext()
    let lamp = lamp(test)
    test.stream.answer(RequestShine.self) { _, turn in
      turn.send(RequestDim(steps: 1))
      return true
    }
    for isCommitted in [false, true] {
      let begun = Locked<StreamUnit?>(nil)
      test.stream.begin(.allOrNothing) { result, _ in begun.withLock { $0 = try? result.get() } }
      test.drain()
      let unit = begun.withLock { $0 }
      unit?.request(RequestShine()) { _, _ in }
      test.drain()
      #expect(lamp.state.value.level == 10)
      if isCommitted { unit?.commit { _, _ in } } else { unit?.rollBack { _, _ in } }
      test.drain()
    }
    #expect(lamp.state.value.level == 9)
    test.skip()
  }

  private func lamp(_ test: TestContext) -> Reactor<Lamp, Lamp.Mutation> {
    Reactor(Lamp(), name: "lamp", on: test.stream) { $0.reduce($1) }
      .mutating(RequestDim.self) { request, _ in Array(repeating: .down, count: request.steps) }
  }
}

private struct Lamp: Sendable, Equatable {
  enum Mutation: Sendable, Equatable {
    case down, set(Int)
  }

  var level = 10
  var log: [String] = []

  mutating func reduce(_ mutation: Mutation) {
    switch mutation {
    case .down:
      level -= 1
      log.append("down")
    case .set(let level):
      self.level = level
      log.append("\(level)")
    }
  }
}

private struct RequestDim: ViewModelEvent {
  let steps: Int
}

private struct RequestGlow: ViewModelEvent {}

private struct RequestShine: ViewModelEvent, Request {
  typealias Reply = ResponseShine
}

private struct ResponseShine: ViewModelEvent, Response {
  let result: Result<Bool, Failure>
  init(_ result: Result<Bool, Failure>) { self.result = result }
}

private struct RequestSet: ViewModelEvent {
  let level: Int
}

/// Holds up whoever waits until it is opened, or his task is cancelled.
private final class Gate: Sendable {
  private let (opens, opening) = AsyncStream.makeStream(of: Never.self)

  func wait() async {
    for await _ in opens {}
  }

  func open() { opening.finish() }
}
