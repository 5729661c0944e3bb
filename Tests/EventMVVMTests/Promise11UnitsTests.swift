import EventMVVMTesting
import Foundation
import Testing

@testable import EventMVVM

@Suite(.hangLimit) struct Promise11UnitsTests {
  /// A stream with an answerer of writes and one of reads, and all that happens on it.
  private final class Bench {
    let rig = Rig()
    let log = Log()
    let state: State<String>
    private var participants: [any UnitParticipant] = []

    init(log events: Bool = true) {
      state = State("", name: "state", on: rig.stream)
      rig.stream.observeAll { [log] event, turn in
        if events { log.add("\(Self.describe(event)) of \(turn.root.number)") }
      }
      rig.stream.answer(RequestGreeting.self) { [state] request, turn in
        turn.send(ResponseSaved(name: request.name))
        turn.set(state, to: request.name)
        return request.name
      }
      rig.stream.answer(RequestReading.self) { request, _ in request.name }
      state.observe { [log] value, _ in log.add("state '\(value)'") }
    }

    var stream: EventStream { rig.stream }

    /// Lets somebody take part, for as long as the bench stands.
    func participate(_ participant: any UnitParticipant) {
      participants.append(participant)
      stream.participate(participant)
    }

    /// Begins a unit and hands it over.
    func begin(
      _ mode: StreamUnit.Mode = .allOrNothing,
      in stream: EventStream? = nil,
      _ then: @escaping (StreamUnit) -> Void
    ) {
      (stream ?? rig.stream)
        .begin(mode) { [log] result, _ in
          switch result {
          case .success(let unit): then(unit)
          case .failure(let failure): log.add("refused: \(failure.message)")
          }
        }
    }

    /// Begins a unit and gives it back.
    func unit(_ mode: StreamUnit.Mode = .allOrNothing) -> StreamUnit? {
      var begun: StreamUnit?
      begin(mode) { begun = $0 }
      return begun
    }

    func commit(_ unit: StreamUnit?) {
      unit?.commit { [log] result, _ in log.add("committed: \(Self.describe(result))") }
    }

    func rollBack(_ unit: StreamUnit?) {
      unit?.rollBack { [log] result, _ in log.add("rolled back: \(Self.describe(result))") }
    }

    func write(_ name: String, in unit: StreamUnit?) {
      unit?
        .request(RequestGreeting(name: name)) { [log] result, _ in
          if case .failure(let reason) = result { log.add("\(name): \(reason)") }
        }
    }

    private static func describe(_ result: Result<Void, Failure>) -> String {
      switch result {
      case .success: "yes"
      case .failure(let failure): failure.message
      }
    }

    private static func describe(_ event: any Event) -> String {
      switch event {
      case let request as RequestGreeting: "write \(request.name)"
      case let request as RequestReading: "read \(request.name)"
      case let saved as ResponseSaved: "saved \(saved.name)"
      case let response as ResponseGreeting: "reply \((try? response.result.get()) ?? "failure")"
      case let state as ResponseState<String>: "now '\(state.value)'"
      case let unit as ResponseUnit: "unit \(unit.outcome)"
      case let news as ResponseUnanswered: "\(news.request) \(news.reason)"
      default: "\(type(of: event))"
      }
    }
  }

  private final class Participant: UnitParticipant {
    let log: Log
    let failsToBegin: Bool
    let failsToKeep: Bool

    init(_ log: Log, failsToBegin: Bool = false, failsToKeep: Bool = false) {
      self.log = log
      self.failsToBegin = failsToBegin
      self.failsToKeep = failsToKeep
    }

    func begin(_ unit: Root) throws {
      log.add("participant begins \(unit.number)")
      if failsToBegin { throw Failure(.store, "The store is locked.") }
    }

    func commit(_ unit: Root, then: @escaping @Sendable (Result<Void, Failure>) -> Void) {
      log.add("participant commits \(unit.number)")
      then(failsToKeep ? .failure(Failure(.store, "The disk is full.")) : .success(()))
    }

    func rollBack(_ unit: Root) {
      log.add("participant rolls back \(unit.number)")
    }
  }

  // MARK: The ways to end

  @Test func `Promise 11: a unit is kept, and its facts come then`() {
    let bench = Bench()
    bench.participate(Participant(bench.log))
    let unit = bench.unit()
    bench.write("a", in: unit)
    bench.write("b", in: unit)
    #expect(bench.state.value == "")
    bench.commit(unit)
    #expect(bench.state.value == "b")
    #expect(
      bench.log.lines == [
        "state ''", "RequestUnit of 2", "participant begins 2", "write a of 2", "reply a of 2",
        "write b of 2", "reply b of 2", "participant commits 2", "unit committed of 2",
        "committed: yes",
        "saved a of 2", "now 'a' of 2", "state 'a'", "saved b of 2", "now 'b' of 2", "state 'b'",
      ]
    )
  }

  @Test func `Promise 11: a unit is taken back, and its facts never come`() {
    let bench = Bench()
    bench.participate(Participant(bench.log))
    let unit = bench.unit()
    bench.write("a", in: unit)
    bench.rollBack(unit)
    #expect(bench.state.value == "")
    #expect(
      bench.log.lines == [
        "state ''", "RequestUnit of 2", "participant begins 2", "write a of 2", "reply a of 2",
        "participant rolls back 2", "unit rolledBack of 2", "rolled back: yes",
      ]
    )
  }

  @Test func `Promise 11: a rehearsal is taken back even when it is kept`() {
    let bench = Bench()
    bench.participate(Participant(bench.log))
    let unit = bench.unit(.rehearse)
    bench.write("a", in: unit)
    bench.commit(unit)
    #expect(
      bench.log.lines == [
        "state ''", "RequestUnit of 2", "participant begins 2", "write a of 2", "reply a of 2",
        "participant rolls back 2", "unit rolledBack of 2", "committed: yes",
      ]
    )
  }

  @Test func `Promise 11: keeping going, each request stands for itself`() {
    let bench = Bench()
    bench.participate(Participant(bench.log))
    let unit = bench.unit(.keepGoing)
    bench.write("a", in: unit)
    bench.stream.send(RequestGreeting(name: "other"))
    bench.write("b", in: unit)
    bench.commit(unit)
    #expect(
      bench.log.lines == [
        "state ''", "write a of 3", "saved a of 3", "now 'a' of 3", "state 'a'", "reply a of 3",
        "write other of 7", "saved other of 7", "now 'other' of 7", "state 'other'",
        "reply other of 7", "write b of 11", "saved b of 11", "now 'b' of 11", "state 'b'",
        "reply b of 11", "committed: yes",
      ]
    )
  }

  @Test func `Promise 11: a unit let go of without a word is taken back`() {
    let bench = Bench()
    bench.participate(Participant(bench.log))
    var unit = bench.unit()
    bench.write("a", in: unit)
    unit = nil
    bench.begin { _ in }
    #expect(
      bench.log.lines == [
        "state ''", "RequestUnit of 2", "participant begins 2", "write a of 2", "reply a of 2",
        "participant rolls back 2", "unit rolledBack of 2",
        "RequestUnit of 6", "participant begins 6", "participant rolls back 6",
        "unit rolledBack of 6",
      ]
    )
  }

  @Test func `Promise 11: a unit let go of on another thread is taken back`() {
    let bench = Bench()
    let unit = Locked(bench.unit())
    bench.write("a", in: unit.withLock { $0 })
    elsewhere { unit.withLock { $0 = nil } }
    bench.stream.deliver()
    #expect(bench.log.lines.last == "unit rolledBack of 2")
  }

  @Test func `Promise 11: only the first word counts`() {
    let bench = Bench()
    let unit = bench.unit()
    bench.write("a", in: unit)
    bench.rollBack(unit)
    bench.commit(unit)
    #expect(bench.state.value == "")
    #expect(bench.log.lines.last == "rolled back: yes")
  }

  @Test func `Promise 11: a request after the end is cancelled`() {
    let bench = Bench()
    let unit = bench.unit()
    bench.commit(unit)
    bench.write("late", in: unit)
    #expect(
      bench.log.lines.suffix(2) == ["RequestGreeting cancelled of 2", "late: cancelled"]
    )
    #expect(bench.state.value == "")
  }

  // MARK: Inside

  @Test func `Promise 11: everything inside has the unit as root`() {
    let bench = Bench()
    bench.rig.stream.on(ResponseGreeting.self) { _, turn in
      if turn.isInUnit { turn.send(RequestThird()) }
    }
    let unit = bench.unit()
    unit?.request(RequestGreeting(name: "a")) { _, turn in turn.send(RequestOther()) }
    bench.commit(unit)
    let roots = bench.log.lines.filter { $0.contains(" of ") && !$0.hasSuffix(" of 2") }
    #expect(roots == [])
    #expect(bench.log.lines.contains("RequestThird of 2"))
    #expect(bench.log.lines.contains("RequestOther of 2"))
  }

  @Test func `Promise 11: replies flow inside, and failures too`() {
    let bench = Bench(log: false)
    bench.rig.stream.answer(RequestForwarding.self) { _, _ in
      throw Failure(.validation, "It is empty.")
    }
    let unit = bench.unit()
    unit?
      .request(RequestReading(name: "r")) { [log = bench.log] result, _ in
        if case .success(let reply) = result { log.add("\(reply.result)") }
      }
    unit?
      .request(RequestForwarding()) { [log = bench.log] result, _ in
        if case .success(.init(.failure(Failure(.validation, "It is empty.")))) = result {
          log.add("failed")
        }
      }
    bench.rollBack(unit)
    #expect(bench.log.lines == ["state ''", "success(\"r\")", "failed", "rolled back: yes"])
  }

  @Test func `Promise 11: keeping waits for an asynchronous request inside`() {
    let bench = Bench()
    bench.rig.stream.answerAsync(RequestForwarding.self) { _, turn in
      turn.send(ResponseSaved(name: "async"))
      return try await turn.request(RequestReading(name: "inner"))
    }
    let unit = bench.unit()
    unit?.request(RequestForwarding()) { [log = bench.log] _, _ in log.add("replied") }
    bench.commit(unit)
    bench.stream.send(RequestGreeting(name: "waiting"))
    #expect(bench.log.lines.last == "RequestForwarding of 2")
    bench.rig.drain()
    #expect(
      bench.log.lines == [
        "state ''", "RequestUnit of 2", "RequestForwarding of 2", "read inner of 2",
        "reply inner of 2", "reply inner of 2", "replied", "unit committed of 2", "committed: yes",
        "saved async of 2", "write waiting of 9", "saved waiting of 9", "now 'waiting' of 9",
        "state 'waiting'", "reply waiting of 9",
      ]
    )
  }

  @Test func `Promise 11: keeping waits for whoever holds a delivery inside`() {
    let bench = Bench(log: false)
    var held: AsyncTurn?
    bench.rig.stream.on(RequestCount.self) { _, turn in held = turn.hold() }
    let unit = bench.unit()
    unit?.request(RequestReading(name: "r")) { _, turn in turn.send(RequestCount()) }
    bench.commit(unit)
    #expect(bench.log.lines == ["state ''"])
    held?.send(ResponseSaved())
    held?.release()
    #expect(bench.log.lines == ["state ''", "committed: yes"])
  }

  @Test func `Promise 11: a request inside that nobody answers doesn't keep it open`() {
    let bench = Bench(log: false)
    let unit = bench.unit()
    unit?.request(RequestForwarding()) { [log = bench.log] result, _ in log.add("\(result)") }
    bench.commit(unit)
    let lapsed: Result<ResponseGreeting, Interruption> = .failure(.unanswered)
    #expect(bench.log.lines == ["state ''", "\(lapsed)", "committed: yes"])
  }

  @Test func `Promise 11: cancelling inside prevents what has not begun and leaves it open`() {
    let bench = Bench(log: false)
    let unit = bench.unit()
    bench.write("a", in: unit)
    unit?.cancel()
    unit?
      .request(RequestGreeting(name: "b")) { [state = bench.state, log = bench.log] result, turn in
        if case .failure(.cancelled) = result { log.add("b: cancelled") }
        turn.set(state, to: "said by the requester")
      }
    #expect(bench.log.lines == ["state ''", "b: cancelled"])
    bench.rollBack(unit)
    #expect(bench.log.lines == ["state ''", "b: cancelled", "rolled back: yes"])
    #expect(bench.state.value == "")
  }

  // MARK: Others, meanwhile

  @Test func `Promise 11: writes of other roots wait, and run right after its facts`() {
    let bench = Bench()
    let unit = bench.unit()
    bench.write("a", in: unit)
    bench.stream.send(RequestGreeting(name: "other"))
    bench.stream.send(RequestCount())
    bench.stream.on(ResponseUnit.self) { _, turn in turn.send(RequestThird()) }
    #expect(bench.log.lines.suffix(2) == ["reply a of 2", "RequestCount of 5"])
    bench.commit(unit)
    #expect(
      bench.log.lines.dropFirst(5) == [
        "unit committed of 2", "committed: yes", "saved a of 2", "now 'a' of 2", "state 'a'",
        "write other of 9", "RequestThird of 2", "saved other of 9", "now 'other' of 9",
        "state 'other'", "reply other of 9",
      ]
    )
  }

  @Test func `Promise 11: writes wait for a unit that is taken back too`() {
    let bench = Bench()
    let unit = bench.unit()
    bench.stream.send(RequestGreeting(name: "other"))
    bench.rollBack(unit)
    #expect(
      bench.log.lines.dropFirst(2) == [
        "unit rolledBack of 2", "rolled back: yes", "write other of 4", "saved other of 4",
        "now 'other' of 4", "state 'other'", "reply other of 4",
      ]
    )
  }

  @Test func `Promise 11: a write inside another root's conversation waits as well`() {
    let bench = Bench()
    bench.rig.stream.on(RequestForwarding.self) { request, turn in
      turn.send(RequestGreeting(name: request.name))
    }
    let unit = bench.unit()
    bench.stream.joined(as: "other").send(RequestForwarding(name: "nested"))
    #expect(bench.log.lines.last == "RequestForwarding of 3")
    bench.commit(unit)
    #expect(
      bench.log.lines.suffix(6) == [
        "write nested of 3", "saved nested of 3", "now 'nested' of 3", "state 'nested'",
        "reply nested of 3", "RequestForwarding unanswered of 3",
      ]
    )
  }

  @Test func `Promise 11: reads don't wait`() {
    let bench = Bench()
    let unit = bench.unit()
    bench.stream.joined(as: "other").send(RequestReading(name: "r"))
    #expect(bench.log.lines.suffix(2) == ["read r of 3", "reply r of 3"])
    bench.commit(unit)
  }

  @Test func `Promise 11: a frontend's read comes after its own waiting writes`() {
    let bench = Bench()
    let (shell, editor) = (bench.stream.joined(as: "shell"), bench.stream.joined(as: "editor"))
    let unit = bench.unit()
    shell.send(RequestReading(name: "before"))
    shell.send(RequestGreeting(name: "shell's"))
    shell.send(RequestReading(name: "shell's own"))
    editor.send(RequestReading(name: "editor's"))
    let meanwhile = bench.log.lines.filter { $0.hasPrefix("read") || $0.hasPrefix("write") }
    #expect(meanwhile == ["read before of 3", "read editor's of 5"])
    bench.commit(unit)
    let all = bench.log.lines.filter { $0.hasPrefix("read") || $0.hasPrefix("write") }
    #expect(
      all == [
        "read before of 3", "read editor's of 5", "write shell's of 8", "read shell's own of 9",
      ]
    )
  }

  @Test func `Promise 11: a second unit waits, and so do the writes behind it`() {
    let bench = Bench()
    bench.participate(Participant(bench.log))
    let first = bench.unit()
    bench.write("first", in: first)
    bench.stream.send(RequestGreeting(name: "between"))
    bench.begin { [unowned bench] second in
      bench.write("second", in: second)
      bench.commit(second)
    }
    bench.stream.send(RequestGreeting(name: "behind"))
    #expect(bench.log.lines.last == "reply first of 2")
    bench.commit(first)
    let work = bench.log.lines.filter { $0.hasPrefix("write") || $0.hasPrefix("participant") }
    #expect(
      work == [
        "participant begins 2", "write first of 2", "participant commits 2", "write between of 8",
        "participant begins 9", "write second of 9", "participant commits 9", "write behind of 18",
      ]
    )
  }

  @Test func `Promise 11: cancelling a waiting write is answered at once`() {
    let bench = Bench(log: false)
    let unit = bench.unit()
    let conversation = bench.stream.request(RequestGreeting(name: "waiting")) {
      [log = bench.log] result, _ in log.add("\(result)")
    }
    #expect(bench.log.lines == ["state ''"])
    bench.stream.cancel(conversation)
    let cancelled: Result<ResponseGreeting, Interruption> = .failure(.cancelled)
    #expect(bench.log.lines == ["state ''", "\(cancelled)"])
    bench.commit(unit)
    #expect(bench.log.lines == ["state ''", "\(cancelled)", "committed: yes"])
    #expect(bench.state.value == "")
  }

  @Test func `Promise 11: facts of other roots don't wait`() {
    let bench = Bench()
    let unit = bench.unit()
    bench.state.set("from outside")
    bench.stream.send(ResponseSaved(name: "outside"))
    #expect(
      bench.log.lines.suffix(3) == [
        "now 'from outside' of 3", "state 'from outside'", "saved outside of 4",
      ]
    )
    bench.commit(unit)
  }

  // MARK: The participant

  @Test func `Promise 11: a participant that can't begin refuses the unit`() {
    let bench = Bench()
    bench.participate(Participant(bench.log, failsToBegin: true))
    let unit = bench.unit()
    #expect(unit == nil)
    bench.stream.send(RequestReading(name: "r"))
    bench.stream.send(RequestGreeting(name: "w"))
    #expect(
      bench.log.lines.prefix(7) == [
        "state ''", "RequestUnit of 2", "participant begins 2", "unit rolledBack of 2",
        "refused: The store is locked.", "read r of 3", "reply r of 3",
      ]
    )
    #expect(bench.state.value == "w")
  }

  @Test func `Promise 11: a participant that can't keep means that nothing was kept`() {
    let bench = Bench()
    bench.participate(Participant(bench.log, failsToKeep: true))
    let unit = bench.unit()
    bench.write("a", in: unit)
    bench.stream.send(RequestGreeting(name: "waiting"))
    bench.commit(unit)
    #expect(
      bench.log.lines.dropFirst(5) == [
        "participant commits 2", "unit rolledBack of 2", "committed: The disk is full.",
        "write waiting of 6", "saved waiting of 6", "now 'waiting' of 6", "state 'waiting'",
        "reply waiting of 6",
      ]
    )
  }

  @Test func `Promise 11: the first participant stays the only one`() {
    let bench = Bench(log: false)
    let second = Log()
    bench.participate(Participant(bench.log))
    bench.participate(Participant(second))
    bench.commit(bench.unit())
    #expect(
      bench.log.lines == [
        "state ''", "participant begins 2", "participant commits 2", "committed: yes",
      ]
    )
    #expect(second.lines == [])
  }

  // MARK: Producers

  @Test(arguments: Producers.allCases)
  func `Promise 11: units from anywhere never mix`(producers: Producers) {
    let rig = Rig()
    var log: [String] = []
    var unit: Root?
    let ended = Locked(0)
    rig.stream.answer(RequestGreeting.self) { request, turn in
      turn.send(ResponseSaved())
      return request.name
    }
    rig.stream.on(RequestUnit.self) { _, turn in
      unit = turn.root
      log.append("begin")
    }
    rig.stream.on(RequestGreeting.self) { _, turn in
      log.append(turn.isInUnit ? "inside" : "outside")
    }
    rig.stream.on(ResponseUnit.self) { _, _ in log.append("end") }
    // The facts of a write outside follow it as they come, into the next unit too.
    rig.stream.on(ResponseSaved.self) { _, turn in
      if turn.root == unit { log.append("fact") }
    }
    rig.produce(producers) { [stream = rig.stream] producer, sender in
      for _ in 0..<20 {
        stream.begin(.allOrNothing) { result, _ in
          guard case .success(let unit) = result else { return }
          unit.request(RequestGreeting()) { _, _ in
            unit.request(RequestGreeting()) { _, _ in
              unit.commit { _, _ in ended.withLock { $0 += 1 } }
            }
          }
        }
        sender.send(RequestGreeting())
      }
    }
    let story = log.joined(separator: " ")
    let torn = ["begin outside", "inside outside", "end outside", "fact outside fact"]
    #expect(ended.withLock { $0 } == 20 * producers.count)
    #expect(log.filter { $0 == "outside" }.count == 20 * producers.count)
    #expect(torn.filter { story.contains($0) } == [])
    #expect(
      log.filter { $0 != "outside" }.joined(separator: " ")
        == Array(repeating: "begin inside inside end fact fact", count: 20 * producers.count)
        .joined(separator: " ")
    )
  }

  @Test(.timeLimit(.minutes(1)))
  func `Promise 11 a unit in which nothing is asked while others wait is rolled back, and told so`()
    throws
  {
    let (stream, log) = Self.hastyStream()
    let unit = try #require(Self.unit(on: stream))
    unit.request(RequestGreeting(name: "inside")) { result, _ in log.add("inside \(result)") }
    var isAnswered = false
    stream.joined(as: "other")
      .request(RequestGreeting(name: "other")) { result, _ in
        log.add("other \(result)")
        isAnswered = true
      }
    stream.run { isAnswered }
    #expect(log.lines.last?.hasPrefix("other success") == true)
    unit.request(RequestGreeting(name: "late")) { result, _ in log.add("late \(result)") }
    unit.commit { result, _ in log.add("end \(result)") }
    stream.deliver()
    #expect(log.lines.contains("late failure(EventMVVM.Interruption.cancelled)"))
    #expect(log.lines.contains { $0.hasPrefix("end failure") && $0.contains("rolled back") })
    #expect(log.lines.filter { $0.contains("greeted") } == ["greeted inside", "greeted other"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `Promise 11 a unit that goes on, or that nobody waits for, is left alone`() throws {
    let (stream, log) = Self.hastyStream()
    let gate = Gate()
    stream.answerAsync(RequestReading.self) { request, _ in
      try gate.wait()
      return request.name
    }
    let unit = try #require(Self.unit(on: stream))
    // Nobody waits, for longer than a stall, which is measured in real time by a thread of its own.
    usleep(50_000)
    unit.request(RequestReading(name: "slow")) { [weak unit] _, _ in
      unit?.commit { result, _ in log.add("end \(result)") }
    }
    var isAnswered = false
    stream.joined(as: "other").request(RequestGreeting(name: "other")) { _, _ in isAnswered = true }
    // Something is under way in it for several stalls, after each of which it is looked at.
    for _ in 1...5 {
      usleep(25_000)
      stream.deliver()
    }
    // It is watched on, and waits for nobody itself.
    let open = try #require(stream.router.state.pointee.unit)
    #expect(!open.waitingOrigins.contains(stream.origin))
    gate.open()
    stream.run { isAnswered }
    #expect(log.lines == ["end success()", "greeted other"])
  }

  /// A stream that does not wait long, and its log.
  private static func hastyStream() -> (EventStream, Log) {
    var environment = Environment()
    environment.longestStall = 20
    let (stream, log) = (EventStream(environment: environment), Log())
    stream.answer(RequestGreeting.self) { request, _ in
      log.add("greeted \(request.name)")
      return request.name
    }
    return (stream, log)
  }

  private static func unit(on stream: EventStream) -> StreamUnit? {
    var begun: StreamUnit?
    stream.begin(.allOrNothing) { result, _ in begun = try? result.get() }
    return begun
  }
}
